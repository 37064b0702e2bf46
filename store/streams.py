"""The event store: one Redis stream a game. Appending is the only write."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import msgspec

from engine.events import GENESIS, Event
from store import codec, connection, keys, scripts
from store.codec import Entry
from store.connection import Client, Script
from store.errors import Corrupt, KeyReused, UnknownGame, VersionConflict

PAGE = 1000
"""Entries read in one command: an unbounded XRANGE would hold up everyone else."""

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

    @property
    def field(self) -> bytes:
        """The bytes that stand for the key."""
        return hashlib.sha256(self.key.encode()).digest()[:_FIELD]

    @property
    def mark(self) -> bytes:
        """The bytes that stand for the body."""
        return hashlib.sha256(self.digest).digest()[:_MARK]


class Appended(msgspec.Struct, frozen=True):
    """The events now stand as `first` to `last`."""

    first: int
    last: int


class Replayed(msgspec.Struct, frozen=True):
    """The same request was carried out before: its events stand as `first` to `last`, and nothing was written."""

    first: int
    last: int


class EventStore:
    """The logs of all games."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._append = Script(client, scripts.APPEND)

    def open(
        self, game_id: str, events: Sequence[Event], seed: str | None, key: IdempotencyKey | None = None
    ) -> Appended | Replayed:
        """Begin the log of a new game.

        Args:
            events: its first, from event 1 on.
            seed: of a seeded game that goes on; kept beside the log, and shown nowhere.

        Raises:
            As `append`; `VersionConflict` where there is such a game already.
        """
        return self._write(game_id, (0, GENESIS), events, seed or "", key)

    def append(
        self, game_id: str, game: tuple[int, str], events: Sequence[Event], key: IdempotencyKey | None = None
    ) -> Appended | Replayed:
        """Append sealed events, all or none, in one round trip.

        They are on disk when this returns, as far as the server's durability goes.

        Args:
            game: the version and the head (hex) that the writer expects, and the events are chained to.

        Raises:
            VersionConflict: the game is elsewhere; it brings the newer events.
            KeyReused: `key` was used for another body.
            UnknownGame: there is no such game.
            StoreUnavailable: it is unknown whether they were appended: repeat it with the same key.
            ValueError: the events do not follow that head and each other, or there are none.
        """
        if game[0] < 1:
            raise ValueError("event 1 opens a game")
        return self._write(game_id, game, events, "", key)

    def replayed(self, game_id: str, key: IdempotencyKey) -> Replayed | None:
        """Where the events of the request `key` stand, if it was carried out.

        Raises:
            KeyReused: `key` was used for another body.
        """
        used = connection.call(self._client, "HGET", keys.idempotency(game_id), key.field)
        if used is None:
            return None
        if used[:_MARK] != key.mark:
            raise KeyReused
        first, count = map(int, used[_MARK:].split(b":"))
        return Replayed(first, first + count - 1)

    def claim(self, key: IdempotencyKey, game_id: str) -> str:
        """The id of the game that the request `key` opens: `game_id`, or the one that it was given the first time.

        Raises:
            KeyReused: `key` was used for another body.
        """
        _, claimed = connection.pipe(
            self._client,
            [
                ("HSETNX", keys.OPENINGS, key.field, key.mark + game_id.encode()),
                ("HGET", keys.OPENINGS, key.field),
            ],
        )
        if claimed[:_MARK] != key.mark:
            raise KeyReused
        id_: bytes = claimed[_MARK:]
        return id_.decode()

    def read(self, game_id: str, after: int = 0, until: int | None = None, limit: int | None = None) -> list[Event]:
        """The events after `after`, to `until` and it included, `limit` at most.

        Raises:
            UnknownGame: there is no such game.
        """
        if limit is not None:
            until = after + limit if until is None else min(until, after + limit)
        return [event for page in self.pages(game_id, after, until) for event in page]

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
        """The stream's entries from `first` to `last`, as Redis answers them, in pages; `store.codec` reads them.

        Raises:
            UnknownGame: there is no such game.
        """
        name, end = keys.events(game_id), "+" if last is None else f"{last}-0"
        at = first
        while last is None or at <= last:
            page = entries_of(connection.call(self._client, "XRANGE", name, f"{at}-0", end, "COUNT", size))
            if page:
                yield page
            elif at == first and not self.exists(game_id):
                raise UnknownGame(game_id)
            if len(page) < size:
                return
            at = codec.seq_of(page[-1]) + 1

    def hashes(self, game_id: str, until: int) -> list[str]:
        """The hashes of events 1 to `until`, as they are stored.

        Raises:
            UnknownGame: there is no such game.
            Corrupt: one of those events is not there.
        """
        entries = [entry for page in self.entries(game_id, 1, until) for entry in page]
        if [codec.seq_of(entry) for entry in entries] != list(range(1, until + 1)):
            raise Corrupt(f"the log of game {game_id!r} has a gap")
        return [codec.hash_of(entry) for entry in entries]

    def head(self, game_id: str) -> tuple[int, str]:
        """The game's version and the hash of its last event.

        Raises:
            UnknownGame: there is no such game.
        """
        version, head = connection.call(self._client, "HMGET", keys.meta(game_id), "v", "head")
        if version is None or head is None:
            raise UnknownGame(game_id)
        return int(version), head.hex()

    def seed(self, game_id: str) -> str | None:
        """The seed of a seeded game: for the service's own draws, never for a view; None in an observed one."""
        seed: bytes | None = connection.call(self._client, "HGET", keys.meta(game_id), "seed")
        return None if seed is None else seed.decode()

    def exists(self, game_id: str) -> bool:
        """Whether there is such a game."""
        return bool(connection.call(self._client, "EXISTS", keys.meta(game_id)))

    def game_ids(self) -> Iterator[str]:
        """The ids of all games, in no order; one that is opened meanwhile may be missed."""
        seen = set()
        for name in connection.scan(self._client, keys.EVENTS_PATTERN):
            if name not in seen:
                seen.add(name)
                yield keys.game_of(name)

    def _write(
        self, game_id: str, game: tuple[int, str], events: Sequence[Event], seed: str, key: IdempotencyKey | None
    ) -> Appended | Replayed:
        expected, head = game
        seq, prev = game
        for event in events:
            if event.seq != seq + 1 or event.prev != prev:
                raise ValueError(f"event {event.seq} does not follow event {seq}")
            seq, prev = event.seq, event.hash
        if seq == expected:
            raise ValueError("there is nothing to append")
        answer = self._append(
            [keys.events(game_id), keys.meta(game_id), keys.idempotency(game_id)],
            [
                expected,
                bytes.fromhex(head),
                key.field if key else b"",
                key.mark if key else b"",
                seed,
                keys.APPENDED,
                game_id,
                PAGE + 1,
                *(field for event in events for field in codec.encode(event)),
            ],
        )
        match answer[0]:
            case b"appended":
                return Appended(expected + 1, seq)
            case b"replayed":
                return Replayed(answer[1], answer[1] + answer[2] - 1)
            case b"reused":
                raise KeyReused
            case b"unknown":
                raise UnknownGame(game_id)
        _, version, entries = answer
        raise VersionConflict(version, _newer(entries, expected, head))


def entries_of(reply: Sequence[Entry]) -> list[Entry]:
    """The entries of an XRANGE, also where the client has made dicts of their fields."""
    return [
        (id_, [word for pair in fields.items() for word in pair]) if isinstance(fields, dict) else (id_, fields)
        for id_, fields in reply
    ]


def _newer(entries: Sequence[Entry], expected: int, head: str) -> list[Event]:
    """The events of a conflict after `expected`; none where the writer's log is another one."""
    if expected == 0:
        return codec.decode(entries[:PAGE], GENESIS)
    if not entries or codec.seq_of(entries[0]) != expected or codec.hash_of(entries[0]) != head:
        return []
    return codec.decode(entries[1:], head)
