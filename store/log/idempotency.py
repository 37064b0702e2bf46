"""What makes a request be carried out once, however often it is sent: its key, and what the key tells of it."""

from __future__ import annotations

import hashlib
from typing import Self

import msgspec

_FIELD = 8
_MARK = 6
"""Bytes kept of the hash of a key, and of a body: short, as there may be one for every event."""


class IdempotencyKey(msgspec.Struct, frozen=True):
    """Names a request, so that it is carried out once however often it is sent.

    Both are stored as short hashes: neither can be read back.
    """

    key: str
    """What the client says, with whatever keeps clients apart."""
    digest: bytes
    """A digest of the request's body: another body under the same key is refused."""
    earlier: tuple[bytes, ...] = ()
    """The digests of the same body that earlier versions stored."""

    @property
    def field(self) -> bytes:
        """The bytes that stand for the key."""
        return hashlib.sha256(self.key.encode()).digest()[:_FIELD]

    @property
    def mark(self) -> bytes:
        """The bytes that stand for the body."""
        return _mark(self.digest)

    def is_of(self, used: bytes) -> bool:
        """Return True if what is stored under the key was stored for the same body."""
        return used[:_MARK] in (self.mark, *map(_mark, self.earlier))


def _mark(digest: bytes) -> bytes:
    return hashlib.sha256(digest).digest()[:_MARK]


class Replayed(msgspec.Struct, frozen=True):
    """The same request was carried out before, as far as it says here; nothing was written now."""

    first: int
    last: int
    """The events that it wrote first stand as `first` to `last`."""
    later: tuple[tuple[int, int], ...] = ()
    """Where those stand that it wrote later: the first and the last of each part, in order."""
    goes_on: bool = False
    """Whether there is more to it, which is not written yet."""
    stopped: bytes | None = None
    """Why the rest was not written, as it was said then; None where all was, or it goes on."""

    @property
    def parts(self) -> tuple[tuple[int, int], ...]:
        """Where its events stand: the first and the last of each part, in order."""
        return ((self.first, self.last), *self.later)

    @property
    def told(self) -> bytes:
        """What the key tells of it: `<first>:<count>` of each part, `+` where it goes on, `!` before why it stopped."""
        parts = ",".join(f"{first}:{last - first + 1}" for first, last in self.parts).encode()
        if self.goes_on:
            return parts + b"+"
        return parts if self.stopped is None else parts + b"!" + self.stopped

    @classmethod
    def after(
        cls, before: Replayed | None, part: tuple[int, int], *, goes_on: bool = False, stopped: bytes | None = None
    ) -> Self:
        """What a request has done that did `before`, and has now written the events from the first of `part` on."""
        parts = [] if before is None else list(before.parts)
        if parts and parts[-1][1] == part[0] - 1:
            part = (parts.pop()[0], part[1])
        (first, last), *later = (*parts, part)
        return cls(first, last, tuple(later), goes_on, stopped)

    @classmethod
    def of_field(cls, used: bytes) -> Self:
        """What stands under an idempotency key: the mark of the body, and what was told."""
        return cls.read(used[_MARK:])

    @classmethod
    def read(cls, told: bytes) -> Self:
        """What was `told`."""
        parts, mark, stopped = told.partition(b"!")
        ranges = [tuple(map(int, part.split(b":"))) for part in parts.removesuffix(b"+").split(b",")]
        (first, last), *later = ((first, first + count - 1) for first, count in ranges)
        return cls(first, last, tuple(later), parts.endswith(b"+"), stopped if mark else None)
