"""Ed25519 keys (RFC 8032), and the forms in which people keep the public part: PEM, JWK (RFC 8037), or its id.

The id of a key is the public key itself, its 32 bytes in base64url: 43 characters that can be read out, printed on a
poster, or kept in a note, and whoever has them can check a proof without any file of keys.
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
"""The length of either half of a key."""
_PEM = b"-----BEGIN "
_PRIVATE = "that is a private key: to check a proof takes the public one, and whoever has this one can sign"


class PublicKey(msgspec.Struct, frozen=True):
    """What a signature is checked with."""

    raw: bytes
    """Its 32 bytes."""

    @property
    def id(self) -> str:
        """What it is called in proofs: its bytes in base64url, unpadded."""
        return urlsafe_b64encode(self.raw).rstrip(b"=").decode()

    @classmethod
    def of(cls, id_: str) -> Self:
        """The key of that id.

        Raises:
            BadKey: it is the id of none.
        """
        try:
            raw = urlsafe_b64decode(id_ + "=" * (-len(id_) % 4))
        except (ValueError, binascii.Error):
            raw = b""
        key = cls(raw)
        if len(raw) != BYTES or key.id != id_:
            raise BadKey(f"{id_!r} is no key: an Ed25519 key has 32 bytes, 43 characters of base64url")
        return key

    def has_signed(self, signature: bytes, message: bytes) -> bool:
        """Whether `signature` is this key's own over `message`."""
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def jwk(self) -> dict[str, str]:
        """As a JSON Web Key."""
        return {"kty": "OKP", "crv": "Ed25519", "x": self.id, "kid": self.id, "use": "sig", "alg": "EdDSA"}

    def pem(self) -> str:
        """As a PEM file (SubjectPublicKeyInfo), the form that `openssl` takes."""
        key = Ed25519PublicKey.from_public_bytes(self.raw)
        encoding, format_ = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        return key.public_bytes(encoding, format_).decode()


class PrivateKey:
    """What signs. It shows itself nowhere: not in a representation, and so in no log."""

    __slots__ = ("_key", "public")

    def __init__(self, raw: bytes) -> None:
        """
        Args:
            raw: its 32 bytes.

        Raises:
            ValueError: they are not 32.
        """
        self._key = Ed25519PrivateKey.from_private_bytes(raw)
        self.public = PublicKey(self._key.public_key().public_bytes_raw())

    @classmethod
    def new(cls) -> Self:
        """A key that nobody has had before."""
        return cls(Ed25519PrivateKey.generate().private_bytes_raw())

    def secret(self) -> bytes:
        """Its 32 bytes, for the place where it is kept and for nothing else."""
        return self._key.private_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """The signature over `message`, 64 bytes."""
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
    """The public keys in a file: PEM (one or more), a JWK, or a set of JWKs as `GET /v1/keys` answers.

    Keys of other kinds in a set are passed over.

    Raises:
        BadKey: there is none in it.
    """
    # A JWK may bring its PEM along.
    if _PEM in data and not data.lstrip().startswith(b"{"):
        blocks = [_PEM + block for block in data.split(_PEM)[1:]]
        return [_from_pem(block) for block in blocks]
    try:
        raws = msgspec.json.decode(data, type=_JwkSet).keys
    except msgspec.ValidationError:
        return [_from_jwk(data)]
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadKey("neither a PEM file, nor a JWK, nor a set of JWKs") from None
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
        raise BadKey("a public key of another kind: proofs are signed with Ed25519")
    return PublicKey(key.public_bytes_raw())
