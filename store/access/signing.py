"""The signing keys: one that signs, made when it is first needed, and the public halves of all that did before it."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

import msgspec

from proofs.errors import BadKey
from proofs.keys import PrivateKey, PublicKey
from schemas.events import rfc3339
from store import keys
from store.access.scripts import ADD_SIGNING_KEY
from store.errors import Corrupt
from store.redis import connection
from store.redis.connection import Client, Script


class Published(msgspec.Struct, frozen=True):
    """What everyone may know of a signing key."""

    key: PublicKey
    created_at: str
    retired_at: str | None
    """Since when another one signs; what this one signed before stays valid."""

    @property
    def status(self) -> Literal["active", "retired"]:
        """Whether it is the one that signs now."""
        return "active" if self.retired_at is None else "retired"


class _Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """A key as it stands in Redis."""

    x: str
    """The public half, in base64url."""
    created_at: str
    retired_at: str | None = None
    d: str | None = None
    """The private half; gone once the key is retired, as nothing needs it any more."""


_KEPT = msgspec.json.Decoder(_Kept)


class Signing:
    """The ring of signing keys. It is asked each time: a rotation counts at once, in every process."""

    def __init__(self, client: Client, replicas: int = 0) -> None:
        """
        Args:
            replicas: how many have to have a new key before anything is signed by it.
        """
        self._client = client
        self._replicas = replicas
        self._add = Script(client, ADD_SIGNING_KEY)

    def is_there(self) -> bool:
        """Whether any key has been made yet; none is now.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        return bool(connection.call(self._client, "EXISTS", keys.SIGNING))

    def published(self) -> list[Published]:
        """All keys, oldest first; the last one signs.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        return [_published(kept) for kept in self._ring()]

    def active(self) -> PrivateKey:
        """The key that signs now.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        return _signer(self._ring())

    def rotate(self) -> Published:
        """Retire the key that signs, and sign by a new one from now on.

        Returns:
            The one that signs now: of several processes that rotate at once, one makes it.

        Raises:
            StoreUnavailable: Redis does not answer: whether it was done is unknown.
        """
        ring = self._ring()
        now = _now()
        self._put(len(ring), now, msgspec.structs.replace(ring[-1], retired_at=now, d=None))
        return self.published()[-1]

    def _ring(self) -> list[_Kept]:
        """The keys that are kept, at least one: of several processes that find none, one makes it."""
        found = connection.call(self._client, "LRANGE", keys.SIGNING, 0, -1)
        if not found:
            self._put(0, _now(), None)
            found = connection.call(self._client, "LRANGE", keys.SIGNING, 0, -1)
        return _kept(found)

    def _put(self, count: int, now: str, retired: _Kept | None) -> None:
        """Put a new key after `count` others, unless there are more by now."""
        key = PrivateKey.new()
        secret = urlsafe_b64encode(key.secret()).rstrip(b"=").decode()
        new = _Kept(x=key.public.id, created_at=now, d=secret)
        documents = [msgspec.json.encode(one) if one else b"" for one in (new, retired)]
        is_added, reached = self._add.replicated([keys.SIGNING], [count, *documents], self._replicas)
        if is_added:
            connection.require(reached, self._replicas)


def published(ring: Sequence[bytes]) -> list[PublicKey]:
    """The public halves of a ring, as it is stored.

    Raises:
        Corrupt: it is none.
    """
    return [_published(kept).key for kept in _kept(ring)]


def signer(ring: Sequence[bytes]) -> PrivateKey:
    """The key of a ring that signs, as it is stored.

    Raises:
        Corrupt: there is none.
    """
    return _signer(_kept(ring))


def _signer(ring: Sequence[_Kept]) -> PrivateKey:
    if not ring:
        raise Corrupt("there is no key that signs")
    try:
        key = PrivateKey(urlsafe_b64decode(f"{ring[-1].d or ''}="))
    except ValueError as error:
        raise Corrupt("the key that signs is not whole") from error
    if key.public.id != ring[-1].x:
        raise Corrupt("the halves of the key that signs do not belong together")
    return key


def _kept(ring: Sequence[bytes]) -> list[_Kept]:
    try:
        return [_KEPT.decode(text) for text in ring]
    except msgspec.DecodeError as error:
        raise Corrupt(f"a signing key cannot be read: {error}") from error


def _published(kept: _Kept) -> Published:
    try:
        return Published(PublicKey.of(kept.x), kept.created_at, kept.retired_at)
    except BadKey as error:
        raise Corrupt(f"a signing key cannot be read: {error}") from error


def _now() -> str:
    return rfc3339(datetime.now(UTC))
