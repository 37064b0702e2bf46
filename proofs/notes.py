"""Signed notes with timestamped Ed25519 cosignatures, as exchanged by witnesses of transparency logs.

Sources: https://c2sp.org/signed-note and https://c2sp.org/tlog-cosignature (`cosignature/v1`).
"""

from __future__ import annotations

import binascii
import hashlib
import re
from base64 import b64decode, b64encode
from collections.abc import Collection, Iterator
from typing import Self

import msgspec

from proofs.errors import BadKey, BadProof, BadSignature, UnknownKey
from proofs.keys import PrivateKey, PublicKey

COSIGNATURE = b"\x04"
"""The signature type of a timestamped Ed25519 cosignature."""
MOST_BYTES = 1 << 17
"""Maximum bytes of a note. A note of this size can have 16 signatures with keys of any type."""
_ID_BYTES = 4
_TIME_BYTES = 8
_DASH = "— "
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f]")


class VerifierKey(msgspec.Struct, frozen=True):
    """The name of a cosigner and its public key. `str()` returns the usual text, `<name>+<key id>+<key>`."""

    name: str
    key: PublicKey

    @property
    def id(self) -> bytes:
        """The four bytes that precede each signature of this key. They are only a hint, because they are not unique."""
        return hashlib.sha256(self.name.encode() + b"\n" + COSIGNATURE + self.key.raw).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{b64encode(COSIGNATURE + self.key.raw).decode()}"

    @classmethod
    def of(cls, text: str) -> Self:
        """Parse a verifier key from its text.

        Raises:
            BadKey: `text` is not a verifier key for Ed25519 cosignatures.
        """
        # The last part can contain a plus sign, but the name cannot.
        name, _, rest = text.strip().partition("+")
        id_, _, encoded = rest.partition("+")
        raw = _decode(encoded) or b""
        if not is_name(name) or len(raw) != 33 or raw[:1] != COSIGNATURE:
            raise BadKey(f"{text.strip()!r} is not a witness key, <name>+<8 hex digits>+<base64>")
        key = cls(name, PublicKey(raw[1:]))
        if key.id.hex() != id_:
            raise BadKey(f"the witness key {text.strip()!r} has a wrong id: it must be {key.id.hex()}")
        return key


class Cosigner(msgspec.Struct, frozen=True):
    """A name and a private key for cosignatures."""

    name: str
    key: PrivateKey

    @property
    def public(self) -> VerifierKey:
        """The key that verifies the cosignatures."""
        return VerifierKey(self.name, self.key.public)


class CosignedNote(msgspec.Struct, frozen=True):
    """A note with a verified cosignature."""

    text: str
    """The signed text, including its last newline."""
    by: VerifierKey
    at: int
    """The time of the cosignature, in seconds since 1970."""


def is_name(text: str) -> bool:
    """Return True if a key can have that name."""
    return bool(text) and "+" not in text and not _CONTROLS.search(text) and not any(map(str.isspace, text))


def cosign(text: str, cosigner: Cosigner, at: int) -> str:
    """Return the note for `text`, with a cosignature.

    Args:
        text: the lines of a checkpoint, each ending in a newline.
        at: the time in seconds since 1970.
    """
    signature = cosigner.key.sign(_message(text, at))
    line = cosigner.public.id + at.to_bytes(_TIME_BYTES) + signature
    return f"{text}\n{_DASH}{cosigner.name} {b64encode(line).decode()}\n"


def check(note: bytes, trusted: Collection[VerifierKey]) -> CosignedNote:
    """Verify the cosignature of a trusted key in a note, and return its contents.

    Args:
        trusted: the keys to verify; signatures of other keys are ignored.

    Raises:
        BadProof: the text is not a signed note.
        UnknownKey: no trusted key has signed it.
        BadSignature: a signature that names a trusted key is wrong.
    """
    text, signatures = _split(note)
    found: CosignedNote | None = None
    for name, blob in signatures:
        for key in trusted:
            if (name, blob[:_ID_BYTES]) == (key.name, key.id):
                found = CosignedNote(text, key, _verify(text, blob[_ID_BYTES:], key))
    if found is None:
        raise UnknownKey([name for name, _ in signatures])
    return found


def _verify(text: str, timed: bytes, key: VerifierKey) -> int:
    at = int.from_bytes(timed[:_TIME_BYTES])
    if at >= 1 << 63 or not key.key.has_signed(timed[_TIME_BYTES:], _message(text, at)):
        raise BadSignature(str(key))
    return at


def _message(text: str, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def _split(note: bytes) -> tuple[str, list[tuple[str, bytes]]]:
    """Return the text of a note, and the name and bytes of each signature."""
    if len(note) > MOST_BYTES:
        raise BadProof(f"not a signed note: it has more than {MOST_BYTES:,} bytes")
    try:
        whole = note.decode()
    except UnicodeDecodeError:
        raise BadProof("not a signed note: it is not UTF-8") from None
    text, blank, lines = whole.rpartition("\n\n")
    if not blank or not lines.endswith("\n") or _CONTROLS.search(whole):
        raise BadProof("not a signed note: it must have a text, an empty line, and signatures")
    return text + "\n", list(_signatures(lines.removesuffix("\n").split("\n")))


def _signatures(lines: list[str]) -> Iterator[tuple[str, bytes]]:
    for line in lines:
        name, _, encoded = line.removeprefix(_DASH).partition(" ")
        blob = _decode(encoded) or b""
        if not line.startswith(_DASH) or not is_name(name) or len(blob) <= _ID_BYTES:
            raise BadProof("not a signed note: a signature line is malformed")
        yield name, blob


def _decode(text: str) -> bytes | None:
    try:
        return b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return None
