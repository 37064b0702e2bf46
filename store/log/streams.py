"""The event store: one Redis stream a game. Appending is the only write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from engine.core import effort
from engine.core.events import GENESIS, Event
from store import keys
from store.errors import (
    Damaged,
    GameDeleted,
    KeyReused,
    QuotaExceeded,
    StoreUnavailable,
    UnknownGame,
    VersionConflict,
)
from store.log import codec
from store.log.archiving import Archiving
from store.log.codec import Entry, entries_of
from store.log.idempotency import IdempotencyKey, Replayed
from store.log.scripts import APPEND, CLAIM, CONFIRM, LOOK, SETTLE
from store.quotas import UNLIMITED, Quotas
from store.redis import connection
from store.redis.connection import Client, Script

PAGE = 1000
"""Entries read in one command: an unbounded XRANGE would hold up everyone else."""


class Appended(msgspec.Struct, frozen=True):
    """The events now stand as `first` to `last`."""

    first: int
    last: int


class Imported(msgspec.Struct, frozen=True):
    """Events at the beginning of a game's log that come from a file."""

    events: int = 0
    """How many; 0: the game was recorded here."""
    head: str | None = None
    """The hash of the last event of that file; None of a fork, and of what an earlier release imported."""
    key: str | None = None
    """The id of the key that had signed the file; None if it was not signed."""

    @property
    def told(self) -> str:
        """The same in words, as `APPEND` reads it."""
        return f"{self.events} {self.head or '-'} {self.key or '-'}" if self.events else ""


RECORDED = Imported()


class EventStore:
    """The logs of all games, wherever they are."""

    def __init__(self, client: Client, archiving: Archiving, *, replicas: int = 0, quotas: Quotas = UNLIMITED) -> None:
        """
        Args:
            replicas: how many have to have what is written before it counts.
            quotas: how much may be stored.
        """
        self._client = client
        self._hints = keys.appended(connection.database(client))
        self._archiving = archiving
        self._replicas = replicas
        self._quotas = quotas
        self._append = Script(client, APPEND)
        self._confirm = Script(client, CONFIRM)
        self._settle = Script(client, SETTLE)
        self._claim = Script(client, CLAIM)
        self._has_earlier_openings: bool | None = None
        self._look = Script(client, LOOK)

    def open(
        self,
        game_id: str,
        events: Sequence[Event],
        seed: str | None,
        key: IdempotencyKey | None = None,
        *,
        imported: Imported = RECORDED,
    ) -> Appended | Replayed:
        """Begin the log of a new game.

        Args:
            events: its first, from event 1 on.
            seed: of a seeded game that goes on; kept beside the log, and shown nowhere.
            imported: those that come from elsewhere; kept beside the log.

        Raises:
            As `append`; `VersionConflict` where there is such a game already.
        """
        return self._write(game_id, (0, GENESIS), events, key, seed=seed or "", imported=imported)

    def append(
        self,
        game_id: str,
        game: tuple[int, str],
        events: Sequence[Event],
        key: IdempotencyKey | None = None,
        *,
        before: Replayed | None = None,
        goes_on: bool = False,
        stopped: bytes | None = None,
    ) -> Appended | Replayed:
        """Append sealed events, all or none, in one round trip.

        They are on disk when this returns, as far as the server's durability goes, and as many replicas have them as
        have to. What was `Replayed` is to be confirmed.

        Args:
            game: the version and the head (hex) that the writer expects, and the events are chained to.
            before: what the request `key` has written already; where it has written anything else, nothing is
                appended.
            goes_on, stopped: as in `Replayed`.

        Raises:
            VersionConflict: the game is elsewhere; it brings the newer events.
            KeyReused: `key` was used for another body.
            UnknownGame: there is no such game.
            QuotaExceeded: the game would have more events, or bytes, than one may.
            NotReplicated: they were appended, and too few replicas have them.
            StoreUnavailable: it is unknown whether they were appended: repeat it with the same key.
            ValueError: the events do not follow that head and each other, or there are none.
        """
        if game[0] < 1:
            raise ValueError("event 1 opens a game")
        return self._write(game_id, game, events, key, before=before, goes_on=goes_on, stopped=stopped)

    def confirm(self, game_id: str, at: tuple[int, str] | None = None) -> None:
        """Hold that a game has an event which was written before, and that as many replicas have it as have to.

        Args:
            at: the version and the hash (hex) of that event; None: of the last.

        Raises:
            UnknownGame: there is no such game.
            NotReplicated: too few replicas have it.
            StoreUnavailable: it is not there any more, or Redis does not answer.
        """
        if self._replicas == 0:
            return
        version, head = at or self.head(game_id)
        is_there, reached = self._confirm.replicated(
            [keys.events(game_id), keys.meta(game_id)], [version, bytes.fromhex(head)], self._replicas
        )
        if not is_there:
            raise StoreUnavailable(f"event {version} of {game_id!r} was lost with the server that had it")
        connection.require(reached, self._replicas)

    def settle(self, game_id: str, key: IdempotencyKey, done: Replayed, stopped: bytes) -> Replayed | None:
        """Say why the request `key`, which has `done` so much, was not carried out to its end.

        Returns:
            None; or what it has done by now, where that is not `done`.

        Raises:
            NotReplicated: too few replicas have it.
            UnknownGame: the game was deleted meanwhile.
        """
        ended = msgspec.structs.replace(done, goes_on=False, stopped=stopped)
        answer, reached = self._settle.replicated(
            [keys.idempotency(game_id)], [key.field, key.mark, done.told, ended.told], self._replicas
        )
        if answer[0] == b"unknown":
            raise self.absent(game_id)
        if answer[0] != b"settled":
            return Replayed.read(answer[1])
        connection.require(reached, self._replicas)
        return None

    def replayed(self, game_id: str, key: IdempotencyKey) -> Replayed | None:
        """Where the events of the request `key` stand, if it was carried out.

        Raises:
            KeyReused: `key` was used for another body.
        """
        used = connection.call(self._client, "HGET", keys.idempotency(game_id), key.field)
        if used is None:
            return None
        if not key.is_of(used):
            raise KeyReused
        return Replayed.of_field(used)

    def claim(self, key: IdempotencyKey, game_id: str) -> str:
        """The id of the game that the request `key` opens: `game_id`, or the one that it was given the first time.

        Raises:
            KeyReused: `key` was used for another body.
            NotReplicated: too few replicas have it: a server that knew nothing of it would open another game.
        """
        claimed, reached = self._claim.replicated(
            [keys.openings(key.field)],
            [key.field, self._opened_earlier(key) or key.mark + game_id.encode()],
            self._replicas,
        )
        if not key.is_of(claimed):
            raise KeyReused
        connection.require(reached, self._replicas)
        id_: bytes = claimed[len(key.mark) :]
        return id_.decode()

    def has_opened(self, key: IdempotencyKey | None) -> bool:
        """Return True if an earlier version opened a game by `key`: it made jobs of fewer requests."""
        return key is not None and self._opened_earlier(key) is not None

    def look_for_earlier_openings(self) -> None:
        """Note whether an earlier version stored openings in a place that no version beside this one writes.

        Where it is empty, a game opens without it: in a cluster its server may be away.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        if self._has_earlier_openings is not False:
            self._has_earlier_openings = bool(connection.call(self._client, "EXISTS", keys.EARLIER_OPENINGS))

    def _opened_earlier(self, key: IdempotencyKey) -> bytes | None:
        """Return what an earlier version stored for an opening; the new place takes it over."""
        self.look_for_earlier_openings()
        if not self._has_earlier_openings:
            return None
        found: bytes | None = connection.call(self._client, "HGET", keys.EARLIER_OPENINGS, key.field)
        return found

    def read(
        self,
        game_id: str,
        after: int = 0,
        until: int | None = None,
        limit: int | None = None,
        *,
        is_raw: bool = False,
    ) -> list[Event]:
        """The events after `after`, to `until` and it included, `limit` at most.

        Args:
            is_raw: also events that do not have the hash that they carry.

        Raises:
            UnknownGame: there is no such game.
            Damaged: one of them cannot be read, is not there although later ones are, or has another hash.
        """
        if limit is not None:
            until = after + limit if until is None else min(until, after + limit)
        events = [event for page in self.pages(game_id, after, until) for event in page]
        return list(unbroken(events, max(after, 0) + 1, is_raw=is_raw))

    def first(self, game_id: str) -> Event:
        """The event that opened a game.

        Raises:
            UnknownGame: there is no such game.
            Damaged: its log has no beginning.
        """
        found = self.read(game_id, limit=1)
        if not found:
            raise Damaged(1, "it is not there")
        return found[0]

    def verified(self, game_id: str, until: int, *, after: int = 0, is_raw: bool = False) -> Iterator[Event]:
        """Yield all events after `after`, to `until`, in pages: each is read when it is asked for.

        Args:
            is_raw: as in `read`.

        Raises:
            As `read`; `Damaged` also where the last ones are not there.
        """
        last = after
        for page in self.pages(game_id, after, until):
            yield from unbroken(page, last + 1, is_raw=is_raw)
            last += len(page)
        if last < until:
            raise Damaged(last + 1, "it is not there")

    def pages(self, game_id: str, after: int = 0, until: int | None = None, size: int = PAGE) -> Iterator[list[Event]]:
        """The same as `read`, in pages of `size`: each is read when it is asked for.

        Raises:
            UnknownGame: there is no such game.
        """
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
        """The log's entries from `first` to `last`, as Redis answers them, in pages; `store.log.codec` reads them.

        Raises:
            UnknownGame: there is no such game.
            ArchiveUnavailable: it is archived, and its file cannot be read now.
        """
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
        # A stream goes as a whole, when its game is archived, and comes back so: also while somebody reads it.
        while not page:
            version, archived, entries = self._look([keys.events(game_id), keys.meta(game_id)], [*ends, size])
            if version is None:
                raise self.absent(game_id)
            if archived is None or int(version) < first:
                return entries_of(entries)
            log = self._archiving.log(game_id)
            if log is not None:
                return log[first - 1 : min(first - 1 + size, len(log) if last is None else last)]
        return page

    def last_but(self, game_id: str, type_: str, until: int) -> int:
        """The `seq` of the last event up to `until` that is not of that type; 0 where there is none."""
        at, beginning = until, f'["{type_}",'.encode()
        while at > 0:
            reply = connection.call(self._client, "XREVRANGE", keys.events(game_id), f"{at}-0", "-", "COUNT", PAGE)
            page = entries_of(reply) or self._page(game_id, 1, at, at)[::-1]
            for entry in page:
                if not entry[1][1].startswith(beginning):
                    return codec.seq_of(entry)
            at = codec.seq_of(page[-1]) - 1 if page else 0
        return 0

    def hashes(self, game_id: str, until: int) -> list[str]:
        """The hashes of events 1 to `until`, as they are stored.

        Raises:
            UnknownGame: there is no such game.
            Damaged: one of those events is not there.
        """
        entries = [entry for page in self.entries(game_id, 1, until) for entry in page]
        if [codec.seq_of(entry) for entry in entries] != list(range(1, until + 1)):
            raise Damaged(None, "the log has a gap")
        return [codec.hash_of(entry) for entry in entries]

    def head(self, game_id: str) -> tuple[int, str]:
        """The game's version and the hash of its last event.

        Raises:
            UnknownGame: there is no such game.
        """
        version, head = connection.call(self._client, "HMGET", keys.meta(game_id), "v", "head")
        if version is None or head is None:
            raise self.absent(game_id)
        return int(version), head.hex()

    def seed(self, game_id: str) -> str | None:
        """The seed of a seeded game: for the service's own draws, never for a view; None in an observed one."""
        seed: bytes | None = connection.call(self._client, "HGET", keys.meta(game_id), "seed")
        return None if seed is None else seed.decode()

    def imported(self, game_id: str) -> int:
        """Return how many of the game's events come from elsewhere: 0 of a game that was recorded here."""
        return int(connection.call(self._client, "HGET", keys.meta(game_id), "imported") or 0)

    def imported_from(self, game_id: str) -> Imported:
        """Return the file from which the game's first events came."""
        count, head, key = connection.call(
            self._client, "HMGET", keys.meta(game_id), "imported", "imported_head", "imported_key"
        )
        return Imported(int(count or 0), None if head is None else head.decode(), None if key is None else key.decode())

    def exists(self, game_id: str) -> bool:
        """Whether there is such a game."""
        return bool(connection.call(self._client, "HEXISTS", keys.meta(game_id), "v"))

    def absent(self, game_id: str) -> UnknownGame:
        """What to raise where there is no such game: `GameDeleted` where there was one."""
        return self.tombstone(game_id) or UnknownGame(game_id)

    def tombstone(self, game_id: str) -> GameDeleted | None:
        """What is left of a game that was deleted; None where it was not."""
        fields = ("gone_v", "gone_head", "gone_at", "gone_by")
        version, head, at, by = connection.call(self._client, "HMGET", keys.meta(game_id), *fields)
        if version is None:
            return None
        return GameDeleted(game_id, version=int(version), head=head.hex(), at=at.decode(), by=by.decode() or None)

    def game_ids(self) -> Iterator[str]:
        """The ids of all games, in no order; one that is opened meanwhile may be missed."""
        seen = set()
        for name in connection.scan(self._client, keys.META_PATTERN):
            if name not in seen:
                seen.add(name)
                yield keys.game_of(name)

    def _reused(self, game_id: str, key: IdempotencyKey | None) -> Replayed:
        """Return what the same request wrote in an earlier version, whose digests the script does not know.

        Raises:
            KeyReused: it was another request.
        """
        found = None if key is None else self.replayed(game_id, key)
        if found is None:
            raise KeyReused
        return found

    def _write(
        self,
        game_id: str,
        game: tuple[int, str],
        events: Sequence[Event],
        key: IdempotencyKey | None,
        *,
        seed: str = "",
        imported: Imported = RECORDED,
        before: Replayed | None = None,
        goes_on: bool = False,
        stopped: bytes | None = None,
    ) -> Appended | Replayed:
        expected, head = game
        seq, prev = game
        for event in events:
            if event.seq != seq + 1 or event.prev != prev:
                raise ValueError(f"event {event.seq} does not follow event {seq}")
            seq, prev = event.seq, event.hash
        if seq == expected:
            raise ValueError("there is nothing to append")
        done = Replayed.after(before, (expected + 1, seq), goes_on=goes_on, stopped=stopped)
        answer, reached = self._append.replicated(
            [keys.events(game_id), keys.meta(game_id), keys.idempotency(game_id)],
            [
                expected,
                bytes.fromhex(head),
                key.field if key else b"",
                key.mark if key else b"",
                before.told if before else b"",
                done.told,
                seed,
                imported.told,
                self._hints,
                game_id,
                PAGE + 1,
                self._quotas.events,
                self._quotas.bytes,
                *(field for event in events for field in codec.encode(event)),
            ],
            self._replicas,
        )
        match answer[0]:
            case b"appended":
                connection.require(reached, self._replicas)
                effort.commit()
                return Appended(expected + 1, seq)
            case b"replayed":
                effort.commit()
                return Replayed.read(answer[1])
            case b"reused":
                return self._reused(game_id, key)
            case b"unknown":
                raise self.absent(game_id)
            case b"full":
                quota = answer[1].decode()
                raise QuotaExceeded(quota, getattr(self._quotas, quota), answer[2])
            case b"archived":
                self._archiving.restore(game_id)
                # A game to open is none that is archived.
                return self._write(game_id, game, events, key, before=before, goes_on=goes_on, stopped=stopped)
        _, version, entries = answer
        raise VersionConflict(version, _newer(entries, expected, head))


def unbroken(events: Iterable[Event], first: int, *, is_raw: bool = False) -> Iterator[Event]:
    """`events`, which begin with event `first`.

    Args:
        is_raw: also those that do not have the hash that they carry.

    Raises:
        Damaged: one is not there although a later one is, or has another hash.
    """
    for seq, event in enumerate(events, first):
        if event.seq != seq:
            raise Damaged(seq, "it is not there")
        if not is_raw:
            codec.check([event])
        yield event


def _newer(entries: Sequence[Entry], expected: int, head: str) -> list[Event]:
    """The events of a conflict after `expected`; none where the writer's log is another one."""
    if expected == 0:
        return codec.decode(entries[:PAGE], GENESIS)
    if not entries or codec.seq_of(entries[0]) != expected or codec.hash_of(entries[0]) != head:
        return []
    return codec.decode(entries[1:], head)
