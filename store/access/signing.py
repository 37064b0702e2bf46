"""The signing keys: the current key, which is created on first use, and the public keys of earlier ones."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Literal

import msgspec

from proofs.errors import BadKey
from proofs.keys import PrivateKey, PublicKey
from schemas.times import now
from store import keys
from store.access.scripts import ADD_SIGNING_KEY
from store.errors import Corrupt
from store.redis import connection
from store.redis.connection import Client, Script


class PublishedKey(msgspec.Struct, frozen=True):
    """The public part of a signing key."""

    key: PublicKey
    created_at: str
    retired_at: str | None
    """Time when the next key replaced it; its signatures stay valid."""

    @property
    def status(self) -> Literal["active", "retired"]:
        """`active` for the current key, otherwise `retired`."""
        return "active" if self.retired_at is None else "retired"


class _StoredKey(msgspec.Struct, frozen=True, omit_defaults=True):
    x: str
    """The public key, in base64url."""
    created_at: str
    retired_at: str | None = None
    d: str | None = None
    """The private key; deleted when the key is retired."""


_KEPT = msgspec.json.Decoder(_StoredKey)


class Signing:
    """All signing keys. They are read from Redis each time, so a rotation takes effect in every process at once."""

    def __init__(self, client: Client, replicas: int = 0) -> None:
        self._client = client
        self._replicas = replicas
        self._add = Script(client, ADD_SIGNING_KEY)

    def is_there(self) -> bool:
        """Return True if a signing key exists, without creating one."""
        return bool(connection.call(self._client, "EXISTS", keys.SIGNING))

    def published_keys(self) -> list[PublishedKey]:
        """Return all keys, oldest first; the last one is the current key."""
        return [_public_part(kept) for kept in self._ring()]

    def active(self) -> PrivateKey:
        """Return the current key."""
        return _signer(self._ring())

    def rotate(self) -> PublishedKey:
        """Retire the current key, and return the new one.

        If several processes rotate at once, only one key is created.
        """
        ring = self._ring()
        at = now()
        self._put(len(ring), at, msgspec.structs.replace(ring[-1], retired_at=at, d=None))
        return self.published_keys()[-1]

    def _ring(self) -> list[_StoredKey]:
        """Return the stored keys. If there are none, create the first one."""
        found = connection.call(self._client, "LRANGE", keys.SIGNING, 0, -1)
        if not found:
            self._put(0, now(), None)
            found = connection.call(self._client, "LRANGE", keys.SIGNING, 0, -1)
        return _parse_ring(found)

    def _put(self, count: int, at: str, retired: _StoredKey | None) -> None:
        """Add a new key, unless another process has added one since `count` keys were read."""
        key = PrivateKey.new()
        secret = urlsafe_b64encode(key.secret()).rstrip(b"=").decode()
        new = _StoredKey(x=key.public.id, created_at=at, d=secret)
        documents = [msgspec.json.encode(one) if one else b"" for one in (new, retired)]
        is_added, reached = self._add.run_replicated([keys.SIGNING], [count, *documents], self._replicas)
        if is_added:
            connection.require(reached, self._replicas)


def public_keys(ring: Sequence[bytes]) -> list[PublicKey]:
    """Return the public keys of a stored key ring; raise `Corrupt` if it is damaged."""
    return [_public_part(kept).key for kept in _parse_ring(ring)]


def signer(ring: Sequence[bytes]) -> PrivateKey:
    """Return the current key of a stored key ring; raise `Corrupt` if it has none."""
    return _signer(_parse_ring(ring))


def _signer(ring: Sequence[_StoredKey]) -> PrivateKey:
    if not ring:
        raise Corrupt("there is no signing key")
    try:
        key = PrivateKey(urlsafe_b64decode(f"{ring[-1].d or ''}="))
    except ValueError as error:
        raise Corrupt("the signing key is incomplete") from error
    if key.public.id != ring[-1].x:
        raise Corrupt("the public and the private signing key do not match")
    return key


def _parse_ring(ring: Sequence[bytes]) -> list[_StoredKey]:
    try:
        return [_KEPT.decode(text) for text in ring]
    except msgspec.DecodeError as error:
        raise Corrupt(f"a signing key cannot be read: {error}") from error


def _public_part(kept: _StoredKey) -> PublishedKey:
    try:
        return PublishedKey(PublicKey.of(kept.x), kept.created_at, kept.retired_at)
    except BadKey as error:
        raise Corrupt(f"a signing key cannot be read: {error}") from error
