"""DSSE, the Dead Simple Signing Envelope (https://github.com/secure-systems-lab/dsse, version 1)."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Collection

import msgspec

from proofs.errors import BadKey, BadProof, BadSignature, UnknownKey
from proofs.keys import PrivateKey, PublicKey


class Signature(msgspec.Struct, frozen=True):
    """A signature over an envelope's payload."""

    sig: str
    """Base64."""
    keyid: str = ""
    """Which key made it; a hint, proved by the signature alone."""


class Envelope(msgspec.Struct, frozen=True, rename="camel"):
    """A payload with its signatures. Members that the format may grow are passed over, as it asks."""

    payload: str
    """Base64."""
    payload_type: str
    signatures: tuple[Signature, ...]


_ENVELOPE = msgspec.json.Decoder(Envelope)


def pae(payload_type: str, payload: bytes) -> bytes:
    """The bytes that are signed: the pre-authentication encoding of type and payload."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def sign(payload_type: str, payload: bytes, key: PrivateKey) -> Envelope:
    """`payload` in an envelope that `key` has signed."""
    signature = b64encode(key.sign(pae(payload_type, payload))).decode()
    return Envelope(b64encode(payload).decode(), payload_type, (Signature(signature, key.public.id),))


def unsealed(envelope: Envelope, payload_type: str, trusted: Collection[PublicKey] | None) -> tuple[bytes, PublicKey]:
    """The payload, once a signature over it has been checked, and the key that made it.

    Args:
        trusted: one of these has to have signed. None: any key; then the signature says that payload and key belong
            together, and whose key it is remains to be asked.

    Raises:
        BadProof: it holds another type of payload, or what is not base64.
        UnknownKey: none of the keys that it names is trusted.
        BadSignature: a trusted key is named, and has not signed this.
    """
    if envelope.payload_type != payload_type:
        raise BadProof(f"it holds {envelope.payload_type!r}, not {payload_type!r}")
    payload = _bytes(envelope.payload)
    message = pae(payload_type, payload)
    refused: PublicKey | None = None
    for signature in envelope.signatures:
        for key in _candidates(signature.keyid, trusted):
            if key.has_signed(_bytes(signature.sig), message):
                return payload, key
            refused = key
    if refused is None:
        raise UnknownKey([signature.keyid for signature in envelope.signatures if signature.keyid])
    raise BadSignature(refused.id)


def read(data: bytes) -> Envelope:
    """The envelope whose JSON is `data`.

    Raises:
        BadProof: it is none.
    """
    try:
        return _ENVELOPE.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadProof(f"not a DSSE envelope: {error}") from None


def _candidates(keyid: str, trusted: Collection[PublicKey] | None) -> Collection[PublicKey]:
    """The keys that may have made a signature which names `keyid`, or none."""
    if trusted is not None:
        return [key for key in trusted if keyid in ("", key.id)]
    try:
        return [PublicKey.of(keyid)]
    except BadKey:
        return []


def _bytes(text: str) -> bytes:
    # Either alphabet is allowed, and a reader has to take both.
    try:
        return b64decode(text.translate(str.maketrans("-_", "+/")), validate=True)
    except (ValueError, binascii.Error):
        raise BadProof("it holds what is not base64") from None
