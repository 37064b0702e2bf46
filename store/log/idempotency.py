"""Idempotency: a request with a key is carried out once, even if it is sent several times."""

from __future__ import annotations

import hashlib
from typing import Self

import msgspec

from store.errors import Corrupt, KeyReused

_FIELD = 8
_MARK = 6
"""Number of stored bytes of each hash. Short, because every event can have such a hash."""


class IdempotencyKey(msgspec.Struct, frozen=True):
    """Identifies a request, to recognize that it was sent before.

    Only short hashes of both parts are stored, from which the parts cannot be recovered.
    """

    key: str
    """The client's key, with a prefix that keeps clients apart."""
    digest: bytes
    """The digest of the request's body: a different body with the same key is rejected."""
    earlier: tuple[bytes, ...] = ()
    """The digests that earlier versions of the service computed for the same body."""

    @property
    def field(self) -> bytes:
        """The short hash of the key, as stored."""
        return hashlib.sha256(self.key.encode()).digest()[:_FIELD]

    @property
    def mark(self) -> bytes:
        return _mark(self.digest)

    def content_of(self, stored: bytes) -> bytes:
        """Return the stored value of this key, without the mark of the body.

        Raises:
            KeyReused: the key was used for a request with a different body.
            Corrupt: the value is too short for a mark.
        """
        if len(stored) < _MARK:
            raise Corrupt("the value of an idempotency key is incomplete")
        if stored[:_MARK] not in (self.mark, *map(_mark, self.earlier)):
            raise KeyReused
        return stored[_MARK:]


def _mark(digest: bytes) -> bytes:
    return hashlib.sha256(digest).digest()[:_MARK]


class StoredResult(msgspec.Struct, frozen=True):
    """The stored result of a request that was carried out before; nothing was written now."""

    first: int
    last: int
    """The events `first` to `last` are the first part of the request."""
    later: tuple[tuple[int, int], ...] = ()
    """The first and last event of each further part, in order."""
    goes_on: bool = False
    """True if more events of the request are still to be appended."""
    stopped: bytes | None = None
    """The error that stopped the rest of the request; None if it was completed or is unfinished."""

    @property
    def parts(self) -> tuple[tuple[int, int], ...]:
        """The first and last event of each part of the request, in order."""
        return ((self.first, self.last), *self.later)

    @property
    def stored_text(self) -> bytes:
        """The stored form: `<first>:<count>` of each part, then `+` if unfinished, or `!` and the error."""
        parts = ",".join(f"{first}:{last - first + 1}" for first, last in self.parts).encode()
        if self.goes_on:
            return parts + b"+"
        return parts if self.stopped is None else parts + b"!" + self.stopped

    @classmethod
    def after(
        cls, before: StoredResult | None, part: tuple[int, int], *, goes_on: bool = False, stopped: bytes | None = None
    ) -> Self:
        """Return the result of a request after its next part.

        Args:
            before: the request's result so far.
            part: the first and last event of the part that was appended now.
        """
        parts = [] if before is None else list(before.parts)
        if parts and parts[-1][1] == part[0] - 1:
            part = (parts.pop()[0], part[1])
        (first, last), *later = (*parts, part)
        return cls(first, last, tuple(later), goes_on, stopped)

    @classmethod
    def of_field(cls, used: bytes) -> Self:
        """Parse the stored value of an idempotency key: the mark of the body, then the stored form."""
        return cls.read(used[_MARK:])

    @classmethod
    def read(cls, told: bytes) -> Self:
        """Parse a stored result."""
        parts, mark, stopped = told.partition(b"!")
        try:
            ranges = [tuple(map(int, part.split(b":"))) for part in parts.removesuffix(b"+").split(b",")]
            (first, last), *later = ((first, first + count - 1) for first, count in ranges)
        except ValueError as error:
            raise Corrupt("the stored result of an idempotency key cannot be parsed") from error
        return cls(first, last, tuple(later), parts.endswith(b"+"), stopped if mark else None)
