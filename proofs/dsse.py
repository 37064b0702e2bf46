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
    """The signature in base64."""
    keyid: str = ""
    """The id of the signing key. It is only a hint: verify the signature."""


class Envelope(msgspec.Struct, frozen=True, rename="camel"):
    """A payload with its signatures. Unknown members are ignored, as the format requires."""

    payload: str
    """The payload in base64."""
    payload_type: str
    signatures: tuple[Signature, ...]


_ENVELOPE = msgspec.json.Decoder(Envelope)


def pae(payload_type: str, payload: bytes) -> bytes:
    """Return the bytes to sign: the pre-authentication encoding of type and payload."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def sign(payload_type: str, payload: bytes, key: PrivateKey) -> Envelope:
    """Return an envelope with `payload`, signed by `key`."""
    signature = b64encode(key.sign(pae(payload_type, payload))).decode()
    return Envelope(b64encode(payload).decode(), payload_type, (Signature(signature, key.public.id),))


def unseal(envelope: Envelope, payload_type: str, trusted: Collection[PublicKey] | None) -> tuple[bytes, PublicKey]:
    """Verify the signature, and return the payload and the key that signed it.

    Args:
        trusted: the trusted keys, one of which must have signed. None: any key, whose owner then remains unknown.

    Raises:
        BadProof: the envelope has another payload type, or invalid base64.
        UnknownKey: none of the signing keys is trusted.
        BadSignature: the envelope names a trusted key, whose signature is wrong.
    """
    if envelope.payload_type != payload_type:
        raise BadProof(f"it contains {envelope.payload_type!r}, not {payload_type!r}")
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
    """Parse an envelope from JSON.

    Raises:
        BadProof: the data is not an envelope.
    """
    try:
        return _ENVELOPE.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadProof(f"not a DSSE envelope: {error}") from None


def _candidates(keyid: str, trusted: Collection[PublicKey] | None) -> Collection[PublicKey]:
    """Return the keys that may have made a signature with this `keyid`, which may be empty."""
    if trusted is not None:
        return [key for key in trusted if keyid in ("", key.id)]
    try:
        return [PublicKey.of(keyid)]
    except BadKey:
        return []


def _bytes(text: str) -> bytes:
    # The payload may be in either alphabet of base64, and readers must accept both.
    try:
        return b64decode(text.translate(str.maketrans("-_", "+/")), validate=True)
    except (ValueError, binascii.Error):
        raise BadProof("it contains invalid base64") from None
