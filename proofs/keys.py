"""Ed25519 keys (RFC 8032), and the formats of public keys: PEM, JWK (RFC 8037), and the id of a key.

The id of a key is the public key itself: its 32 bytes in base64url. These 43 characters can be read out or printed, and
are enough to verify a proof without a key file.
"""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, Literal, Self

import msgspec
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from proofs.errors import BadKey

BYTES = 32
"""Length of a private or public key in bytes."""
_PEM = b"-----BEGIN "
_PRIVATE = "this is a private key, and anyone who has it can sign. Use the public key to check a "
"proof"


class PublicKey(msgspec.Struct, frozen=True):
    """A key that verifies signatures."""

    raw: bytes
    """The 32 bytes of the key."""

    @property
    def id(self) -> str:
        """The id of the key in proofs: its bytes in base64url, unpadded."""
        return urlsafe_b64encode(self.raw).rstrip(b"=").decode()

    @classmethod
    def of(cls, id_: str) -> Self:
        """Return the key with that id.

        Raises:
            BadKey: `id_` is not the id of a key.
        """
        try:
            raw = urlsafe_b64decode(id_ + "=" * (-len(id_) % 4))
        except (ValueError, binascii.Error):
            raw = b""
        key = cls(raw)
        if len(raw) != BYTES or key.id != id_:
            raise BadKey(f"{id_!r} is not a key: an Ed25519 key has 32 bytes, 43 characters of base64url")
        return key

    def has_signed(self, signature: bytes, message: bytes) -> bool:
        """Return True if `signature` is a signature of `message` by this key."""
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def jwk(self) -> dict[str, str]:
        """Return the key as a JSON Web Key."""
        return {"kty": "OKP", "crv": "Ed25519", "x": self.id, "kid": self.id, "use": "sig", "alg": "EdDSA"}

    def pem(self) -> str:
        """Return the key as a PEM file (SubjectPublicKeyInfo), as used by `openssl`."""
        key = Ed25519PublicKey.from_public_bytes(self.raw)
        encoding, format_ = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        return key.public_bytes(encoding, format_).decode()


class PrivateKey:
    """A signing key. Its representation does not contain its bytes, so that no log reveals them."""

    __slots__ = ("_key", "public")

    def __init__(self, raw: bytes) -> None:
        """
        Args:
            raw: the 32 bytes of the private key.

        Raises:
            ValueError: `raw` does not have 32 bytes.
        """
        self._key = Ed25519PrivateKey.from_private_bytes(raw)
        self.public = PublicKey(self._key.public_key().public_bytes_raw())

    @classmethod
    def new(cls) -> Self:
        """Generate a new key."""
        return cls(Ed25519PrivateKey.generate().private_bytes_raw())

    def secret(self) -> bytes:
        """Return the 32 private bytes, for secure storage only."""
        return self._key.private_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """Return the signature of `message`, 64 bytes."""
        return self._key.sign(message)

    def __repr__(self) -> str:
        return f"<the private half of {self.public.id}>"


class _Jwk(msgspec.Struct, tag_field="kty", tag="OKP"):
    crv: Literal["Ed25519"]
    x: str
    d: Any = None


class _JwkSet(msgspec.Struct):
    keys: list[msgspec.Raw]


def read_keys(data: bytes) -> list[PublicKey]:
    """Read the public keys in a file: PEM (one or more), a JWK, or a JWK set as returned by `GET /v1/keys`.

    Other types of keys in a set are ignored.

    Raises:
        BadKey: the file has no public key.
    """
    # A JWK may contain a PEM.
    if _PEM in data and not data.lstrip().startswith(b"{"):
        blocks = [_PEM + block for block in data.split(_PEM)[1:]]
        return [_from_pem(block) for block in blocks]
    try:
        raws = msgspec.json.decode(data, type=_JwkSet).keys
    except msgspec.ValidationError:
        return [_from_jwk(data)]
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadKey("not a PEM file, a JWK, or a set of JWKs") from None
    keys = [_from_jwk(bytes(raw)) for raw in raws if _is_ours(bytes(raw))]
    if not keys:
        raise BadKey("there is no Ed25519 key in this set")
    return keys


def _is_ours(raw: bytes) -> bool:
    try:
        document = msgspec.json.decode(raw, type=dict[str, Any])
    except msgspec.DecodeError:
        return False
    return (document.get("kty"), document.get("crv")) == ("OKP", "Ed25519")


def _from_jwk(raw: bytes) -> PublicKey:
    try:
        key = msgspec.json.decode(raw, type=_Jwk)
    except msgspec.ValidationError as error:
        raise BadKey(f"not a JWK of an Ed25519 key: {error}") from None
    if key.d is not None:
        raise BadKey(_PRIVATE)
    return PublicKey.of(key.x)


def _from_pem(block: bytes) -> PublicKey:
    if b"PRIVATE KEY" in block:
        raise BadKey(_PRIVATE)
    try:
        key = serialization.load_pem_public_key(block)
    except (ValueError, UnsupportedAlgorithm):
        raise BadKey("not the PEM of a public key") from None
    if not isinstance(key, Ed25519PublicKey):
        raise BadKey("must be an Ed25519 key")
    return PublicKey(key.public_bytes_raw())
