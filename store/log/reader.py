"""Read the logs of games: a Redis stream per game, or an archived file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from engine.core.events import GENESIS, Event
from store import keys
from store.documents import decode_text
from store.errors import Damaged, GameDeleted, UnknownGame
from store.log import codec
from store.log.archiving import Archiving
from store.log.codec import Entry, entries_of
from store.log.scripts import LOOK
from store.redis import connection
from store.redis.connection import Client, Script

PAGE = 1000
"""Number of entries that one command reads. An unbounded XRANGE would block all other clients."""


class ImportOrigin(msgspec.Struct, frozen=True):
    """The origin of the imported events at the beginning of a log."""

    events: int = 0
    """Number of imported events; 0: the game was recorded here."""
    head: str | None = None
    """The hash of the last event of the imported file; None for an import of an earlier release."""
    key: str | None = None
    """The id of the key that signed the file; None if it was not signed."""

    @property
    def stored_text(self) -> str:
        """The origin as a space-separated string, which the script `APPEND` parses."""
        return f"{self.events} {self.head or '-'} {self.key or '-'}" if self.events else ""


RECORDED = ImportOrigin()


class Look(NamedTuple):
    """A page of a log, and the location of the log when the page was read."""

    version: int
    head: bytes | None
    """The hash of the last event."""
    is_archived: bool
    entries: list[Entry]
    """The entries that are in Redis."""


class EventReader:
    """The logs of all games, in Redis or archived.

    The methods raise `UnknownGame` if there is no such game. They raise `Damaged` if an event is missing, cannot be
    read or does not match its hash. They raise `ArchiveUnavailable` if the log is archived, and the file cannot be read
    now.
    """

    def __init__(self, client: Client, archiving: Archiving) -> None:
        self._client = client
        self._archiving = archiving
        self._look = Script(client, LOOK)

    def read(
        self,
        game_id: str,
        after: int = 0,
        until: int | None = None,
        limit: int | None = None,
        *,
        is_raw: bool = False,
    ) -> list[Event]:
        """Return up to `limit` events after event `after`, up to event `until`.

        Args:
            is_raw: True to return events that do not match their hashes, too.
        """
        if limit is not None:
            until = after + limit if until is None else min(until, after + limit)
        events = [event for page in self.pages(game_id, after, until) for event in page]
        return list(unbroken(events, max(after, 0) + 1, is_raw=is_raw))

    def first(self, game_id: str) -> Event:
        """Return event 1 of a game."""
        found = self.read(game_id, limit=1)
        if not found:
            raise Damaged(1, "the event is missing")
        return found[0]

    def read_verified(self, game_id: str, until: int, *, after: int = 0, is_raw: bool = False) -> Iterator[Event]:
        """Yield all events after event `after`, up to event `until`, as `read` does; pages are read on demand."""
        last = after
        for page in self.pages(game_id, after, until):
            yield from unbroken(page, last + 1, is_raw=is_raw)
            last += len(page)
        if last < until:
            raise Damaged(last + 1, "the event is missing")

    def pages(self, game_id: str, after: int = 0, until: int | None = None, size: int = PAGE) -> Iterator[list[Event]]:
        """Yield the same events as `read`, in pages of `size` that are read on demand."""
        prev = GENESIS
        for page in self.entries(game_id, max(after, 1), until, size):
            entries = page
            if codec.seq_of(page[0]) == after:
                prev, entries = codec.hash_of(page[0]), page[1:]
            if entries:
                events = codec.decode(entries, prev)
                prev = events[-1].hash
                yield events

    def entries(self, game_id: str, first: int, last: int | None = None, size: int = PAGE) -> Iterator[list[Entry]]:
        """Yield the entries of events `first` to `last` as Redis returns them, in pages."""
        at = first
        while last is None or at <= last:
            page = self._page(game_id, at, last, size)
            if page:
                yield page
            if len(page) < size:
                return
            at = codec.seq_of(page[-1]) + 1

    def _page(self, game_id: str, first: int, last: int | None, size: int) -> list[Entry]:
        ends = f"{first}-0", "+" if last is None else f"{last}-0"
        page = entries_of(connection.call(self._client, "XRANGE", keys.events(game_id), *ends, "COUNT", size))
        # During this read, another process may archive the whole stream, or move it back.
        while not page:
            version, _, is_archived, entries = self.look(game_id, first, last, size)
            if not is_archived or version < first:
                return entries
            log = self._archiving.log(game_id)
            if log is not None:
                return log[first - 1 : min(first - 1 + size, len(log) if last is None else last)]
        return page

    def look(self, game_id: str, first: int, last: int | None, size: int) -> Look:
        """Return the entries of events `first` to `last` that are in Redis, and where the log was during the read."""
        ends = f"{first}-0", "+" if last is None else f"{last}-0"
        version, head, archived, entries = self._look([keys.events(game_id), keys.meta(game_id)], [*ends, size])
        if version is None:
            raise self.absent(game_id)
        return Look(codec.version_of(version), head, archived is not None, entries_of(entries))

    def last_but(self, game_id: str, type_: str, until: int) -> int:
        """Return the `seq` of the last event up to `until` that is not of type `type_`; 0 if there is none."""
        at, beginning = until, f'["{type_}",'.encode()
        while at > 0:
            reply = connection.call(self._client, "XREVRANGE", keys.events(game_id), f"{at}-0", "-", "COUNT", PAGE)
            page = entries_of(reply) or self._page(game_id, 1, at, at)[::-1]
            for entry in page:
                if not entry[1][1].startswith(beginning):
                    return codec.seq_of(entry)
            at = codec.seq_of(page[-1]) - 1 if page else 0
        return 0

    def has(self, game_id: str, seq: int, hash_: str) -> bool:
        """Return True if event `seq` of the game has this hash."""
        return any(codec.hash_of(entry) == hash_ for page in self.entries(game_id, seq, seq) for entry in page)

    def hashes(self, game_id: str, until: int) -> list[str]:
        """Return the stored hashes of events 1 to `until`."""
        entries = [entry for page in self.entries(game_id, 1, until) for entry in page]
        if [codec.seq_of(entry) for entry in entries] != list(range(1, until + 1)):
            raise Damaged(None, "the log has a gap")
        return [codec.hash_of(entry) for entry in entries]

    def head(self, game_id: str) -> tuple[int, str]:
        """Return the game's version, and the hash of its last event."""
        version, head = connection.call(self._client, "HMGET", keys.meta(game_id), "v", "head")
        if version is None or head is None:
            raise self.absent(game_id)
        return codec.version_of(version), head.hex()

    def seed(self, game_id: str) -> str | None:
        """Return the seed of a seeded game; None for an observed game. Use the seed only for draws; never show it."""
        seed: bytes | None = connection.call(self._client, "HGET", keys.meta(game_id), "seed")
        return None if seed is None else decode_text(seed)

    def ids_by_first_event(self, first: str) -> list[str]:
        """Return the ids of games whose event 1 has the hash `first`, oldest first. Some ids may have no game."""
        members = connection.call(
            self._client, "ZRANGEBYLEX", keys.games_by_first_event(first), f"[{first} ", f"({first}!"
        )
        return [decode_text(member).partition(" ")[2] for member in members]

    def imported_count(self, game_id: str) -> int:
        """Return the number of imported events of the game; 0 if it was recorded here."""
        return _parse_count(connection.call(self._client, "HGET", keys.meta(game_id), "imported"))

    def import_origin(self, game_id: str) -> ImportOrigin:
        """Return the origin of the game's first events."""
        count, head, key = connection.call(
            self._client, "HMGET", keys.meta(game_id), "imported", "imported_head", "imported_key"
        )
        told = (None if one is None else one.decode(errors="replace") for one in (head, key))
        return ImportOrigin(_parse_count(count), *told)

    def exists(self, game_id: str) -> bool:
        """Return True if the game exists."""
        return bool(connection.call(self._client, "HEXISTS", keys.meta(game_id), "v"))

    def absent(self, game_id: str) -> UnknownGame | Damaged:
        """Return the error for a game without a stored version.

        The game is deleted, damaged (its log exists), or unknown.
        """
        tombstone = self.tombstone(game_id)
        if tombstone is not None:
            return tombstone
        is_left = connection.call(self._client, "EXISTS", keys.events(game_id)) or connection.call(
            self._client, "SISMEMBER", keys.ARCHIVED, game_id
        )
        return Damaged(None, "its version and head are missing") if is_left else UnknownGame(game_id)

    def tombstone(self, game_id: str) -> GameDeleted | None:
        """Return the tombstone of a deleted game; None if it was not deleted."""
        fields = ("gone_v", "gone_head", "gone_at", "gone_by")
        version, head, at, by = connection.call(self._client, "HMGET", keys.meta(game_id), *fields)
        if version is None:
            return None
        if not version.isdigit() or None in (head, at, by):
            raise Damaged(None, "the record of its deletion is incomplete")
        try:
            return GameDeleted(game_id, version=int(version), head=head.hex(), at=at.decode(), by=by.decode() or None)
        except UnicodeDecodeError as error:
            raise Damaged(None, "the record of its deletion cannot be read") from error

    def game_ids(self) -> Iterator[str]:
        """Yield the ids of all games, unordered. Games that are opened during the iteration may be missing."""
        seen = set()
        for name in connection.scan(self._client, keys.META_PATTERN):
            if name not in seen:
                seen.add(name)
                yield keys.game_of(name)


def _parse_count(stored: bytes | None) -> int:
    if stored is not None and not stored.isdigit():
        raise Damaged(None, "the stored count of imported events is invalid")
    return int(stored or 0)


def unbroken(events: Iterable[Event], first: int, *, is_raw: bool = False) -> Iterator[Event]:
    """Check that `events` begin with event `first` and have no gaps, and yield them.

    Args:
        is_raw: True to yield events that do not match their hashes, too.

    Raises:
        Damaged: an event is missing before a later one, or does not match its hash.
    """
    for seq, event in enumerate(events, first):
        if event.seq != seq:
            raise Damaged(seq, "the event is missing")
        if not is_raw:
            codec.check([event])
        yield event
