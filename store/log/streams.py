"""The event store: one Redis stream per game. Appending is the only write."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec

from engine.core import effort
from engine.core.events import GENESIS, Event
from store import keys
from store.errors import (
    ArchiveUnavailable,
    Corrupt,
    KeyReused,
    QuotaExceeded,
    StoreUnavailable,
    Suspect,
    UnknownGame,
    VersionConflict,
)
from store.log import codec
from store.log.archiving import Archiving
from store.log.codec import Entry
from store.log.idempotency import IdempotencyKey, StoredResult
from store.log.reader import PAGE, RECORDED, EventReader, ImportOrigin
from store.log.scripts import APPEND, CLAIM, CONFIRM, SETTLE, SUSPECT
from store.quotas import UNLIMITED, Quotas
from store.redis import connection
from store.redis.connection import Client, Script

_ID = re.compile(r"[0-9a-z]+")


class AppendedRange(msgspec.Struct, frozen=True):
    """The first and last `seq` of the appended events."""

    first: int
    last: int


class CheckedRange(NamedTuple):
    """Events that the writer has checked. If these events have changed meanwhile, the writer's append fails."""

    first: int
    last: int
    digest: str
    """The SHA-1 (hex) of the entries' ids and fields. Scripts of the server can compute no other digest."""


NOTHING_CHECKED = CheckedRange(0, 0, "")


class EventStore(EventReader):
    """The logs of all games. Only this class writes to them."""

    def __init__(self, client: Client, archiving: Archiving, *, replicas: int = 0, quotas: Quotas = UNLIMITED) -> None:
        """
        Args:
            replicas: number of replicas that must have a write before this class acknowledges it.
        """
        super().__init__(client, archiving)
        self._hints = keys.append_channel(connection.database(client))
        self._replicas = replicas
        self._quotas = quotas
        self._append = Script(client, APPEND)
        self._confirm = Script(client, CONFIRM)
        self._settle = Script(client, SETTLE)
        self._suspect = Script(client, SUSPECT)
        self._claim = Script(client, CLAIM)
        self._has_earlier_openings: bool | None = None

    def open(
        self,
        game_id: str,
        events: Sequence[Event],
        seed: str | None,
        key: IdempotencyKey | None = None,
        *,
        imported: ImportOrigin = RECORDED,
    ) -> AppendedRange | StoredResult:
        """Begin the log of a new game.

        Args:
            events: the first events of the game, from event 1 on.
            seed: the seed of an unfinished seeded game; it is stored beside the log, and never shown.
            imported: the origin of the events, stored beside the log.

        Raises:
            VersionConflict: the game already exists; for other errors see `append`.
        """
        # List the game first: every game needs an entry, and an entry without a game does no harm.
        self.list_beginning(game_id, events[0].hash)
        return self._write(game_id, (0, GENESIS), events, key, seed=seed or "", imported=imported)

    def list_beginning(self, game_id: str, first: str) -> None:
        """Add a game to the list for `ids_by_first_event`, under the hash of its event 1."""
        connection.call(self._client, "ZADD", keys.games_by_first_event(first), 0, f"{first} {game_id}")

    def unlist_beginning(self, game_id: str) -> None:
        """Remove a game from the list for `ids_by_first_event`, unless its log is already gone."""
        with suppress(UnknownGame, Corrupt, ArchiveUnavailable):
            first = self.first(game_id).hash
            connection.call(self._client, "ZREM", keys.games_by_first_event(first), f"{first} {game_id}")

    def append(
        self,
        game_id: str,
        game: tuple[int, str],
        events: Sequence[Event],
        key: IdempotencyKey | None = None,
        *,
        before: StoredResult | None = None,
        goes_on: bool = False,
        stopped: bytes | None = None,
        checked: CheckedRange | None = None,
    ) -> AppendedRange | StoredResult:
        """Append events with their hashes, all or none, in one round trip.

        When this returns, Redis has stored the events as durably as it is configured to. The required number of
        replicas have received them. After a `StoredResult` answer, call `confirm`.

        Args:
            game: the version and head (hex) that the writer expects; the events are chained to that head.
            before: the events that the request `key` has already appended. If the log differs, nothing is appended.
            goes_on, stopped: as in `StoredResult`.
            checked: earlier events; if one of them has changed, nothing is appended.

        Raises:
            VersionConflict: the game has another version; the error has the newer events.
            KeyReused: `key` was used for a request with a different body.
            UnknownGame: there is no such game.
            QuotaExceeded: the game would exceed its limit of events or bytes.
            Suspect: the log may be damaged.
            NotReplicated: the events were appended, but too few replicas have them.
            StoreUnavailable: it is unknown whether the events were appended: repeat the call with the same key.
            ValueError: the events are not chained to `game` and to each other, or there are none.
        """
        if game[0] < 1:
            raise ValueError("event 1 opens a game")
        return self._write(game_id, game, events, key, before=before, goes_on=goes_on, stopped=stopped, checked=checked)

    def suspect(self, game_id: str) -> None:
        """Refuse appends to a game whose log may be damaged, until `trust` is called."""
        self._suspect([keys.meta(game_id)], [])

    def trust(self, game_id: str) -> None:
        """Accept appends again, after a check of the whole log."""
        connection.call(self._client, "HDEL", keys.meta(game_id), "suspect")

    def confirm(self, game_id: str, at: tuple[int, str] | None = None) -> None:
        """Check that a game still has an event that was appended earlier, and that enough replicas have it.

        Args:
            at: the version and hash (hex) of the event; None: the last event.

        Raises:
            UnknownGame: there is no such game.
            NotReplicated: too few replicas have the event.
            StoreUnavailable: the event is missing, or Redis does not answer.
        """
        if self._replicas == 0:
            return
        version, head = at or self.head(game_id)
        is_there, reached = self._confirm.run_replicated(
            [keys.events(game_id), keys.meta(game_id)], [version, bytes.fromhex(head)], self._replicas
        )
        if not is_there:
            raise StoreUnavailable(f"event {version} of {game_id!r} was lost in a failover")
        connection.require(reached, self._replicas)

    def settle(self, game_id: str, key: IdempotencyKey, done: StoredResult, stopped: bytes) -> StoredResult | None:
        """Store the reason why the request `key` stopped early after `done`.

        Returns:
            The stored result of the request, if it differs from `done`; otherwise None.
        """
        ended = msgspec.structs.replace(done, goes_on=False, stopped=stopped)
        answer, reached = self._settle.run_replicated(
            [keys.idempotency(game_id)], [key.field, key.mark, done.stored_text, ended.stored_text], self._replicas
        )
        if answer[0] == b"unknown":
            raise self.absent(game_id)
        if answer[0] != b"settled":
            return StoredResult.read(answer[1])
        connection.require(reached, self._replicas)
        return None

    def stored_result(self, game_id: str, key: IdempotencyKey) -> StoredResult | None:
        """Return the stored result of the request `key`; None if the request was not carried out."""
        used = connection.call(self._client, "HGET", keys.idempotency(game_id), key.field)
        if used is None:
            return None
        return StoredResult.read(key.content_of(used))

    def claim(self, key: IdempotencyKey, game_id: str) -> str:
        """Return the id of the game that the request `key` opens.

        This is the id from the first attempt of the request: `game_id`, unless there was an earlier attempt.

        Raises:
            KeyReused: `key` was used for a request with a different body.
            Corrupt: the id from the first attempt is damaged.
            NotReplicated: too few replicas have the id, so after a failover a retry would open another game.
        """
        claimed, reached = self._claim.run_replicated(
            [keys.openings(key.field)],
            [key.field, self._opened_earlier(key) or key.mark + game_id.encode()],
            self._replicas,
        )
        first = key.content_of(claimed).decode(errors="replace")
        # All ids have the same length. Without this check, a second game would be opened under the damaged id.
        if len(first) != len(game_id) or not _ID.fullmatch(first):
            raise Corrupt("the id of a game that a request opened is damaged")
        connection.require(reached, self._replicas)
        return first

    def has_opened(self, key: IdempotencyKey | None) -> bool:
        """Return True if the request `key` opened a game, in this or an earlier version of Driftlog."""
        return key is not None and (
            connection.call(self._client, "HEXISTS", keys.openings(key.field), key.field)
            or self._opened_earlier(key) is not None
        )

    def look_for_earlier_openings(self) -> None:
        """Check if an earlier version of Driftlog has stored openings under `keys.EARLIER_OPENINGS`.

        If there are none, openings need not read that key. In a cluster, the key's server may be down.
        """
        if self._has_earlier_openings is not False:
            self._has_earlier_openings = bool(connection.call(self._client, "EXISTS", keys.EARLIER_OPENINGS))

    def _opened_earlier(self, key: IdempotencyKey) -> bytes | None:
        """Return the value that an earlier version of Driftlog stored for this opening; None if there is none."""
        self.look_for_earlier_openings()
        if not self._has_earlier_openings:
            return None
        found: bytes | None = connection.call(self._client, "HGET", keys.EARLIER_OPENINGS, key.field)
        return found

    def _earlier_answer(self, game_id: str, key: IdempotencyKey | None) -> StoredResult:
        """Return the stored result of a request that the script does not know.

        An earlier version stored the result, under a different digest.
        """
        found = None if key is None else self.stored_result(game_id, key)
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
        imported: ImportOrigin = RECORDED,
        before: StoredResult | None = None,
        goes_on: bool = False,
        stopped: bytes | None = None,
        checked: CheckedRange | None = None,
    ) -> AppendedRange | StoredResult:
        expected, head = game
        seq = _last_of(game, events)
        done = StoredResult.after(before, (expected + 1, seq), goes_on=goes_on, stopped=stopped)
        answer, reached = self._append.run_replicated(
            [keys.events(game_id), keys.meta(game_id), keys.idempotency(game_id)],
            [
                expected,
                bytes.fromhex(head),
                key.field if key else b"",
                key.mark if key else b"",
                before.stored_text if before else b"",
                done.stored_text,
                seed,
                imported.stored_text,
                self._hints,
                game_id,
                PAGE + 1,
                self._quotas.events,
                self._quotas.bytes,
                *(checked or NOTHING_CHECKED),
                *(field for event in events for field in codec.encode(event)),
            ],
            self._replicas,
        )
        match answer[0]:
            case b"appended":
                connection.require(reached, self._replicas)
                effort.commit()
                return AppendedRange(expected + 1, seq)
            case b"replayed":
                effort.commit()
                return StoredResult.read(answer[1])
            case b"reused":
                return self._earlier_answer(game_id, key)
            case b"unknown":
                raise self.absent(game_id)
            case b"full":
                quota = answer[1].decode()
                raise QuotaExceeded(quota, getattr(self._quotas, quota), answer[2])
            case b"suspect":
                raise Suspect(game_id)
            case b"archived":
                self._archiving.restore(game_id)
                # A newly opened game cannot be archived.
                return self._write(game_id, game, events, key, before=before, goes_on=goes_on, stopped=stopped)
        _, version, entries = answer
        raise VersionConflict(version, _newer(entries, expected, head))


def _last_of(game: tuple[int, str], events: Sequence[Event]) -> int:
    """Check that each event is chained to the event before it, and the first one to `game`. Return the last `seq`."""
    seq, prev = game
    for event in events:
        if event.seq != seq + 1 or event.prev != prev:
            raise ValueError(f"event {event.seq} does not follow event {seq}")
        seq, prev = event.seq, event.hash
    if not events:
        raise ValueError("there is nothing to append")
    return seq


def _newer(entries: Sequence[Entry], expected: int, head: str) -> list[Event]:
    """Return the events after `expected`, from a conflict; empty if the writer has a different log."""
    if expected == 0:
        return codec.decode(entries[:PAGE], GENESIS)
    if not entries or codec.seq_of(entries[0]) != expected or codec.hash_of(entries[0]) != head:
        return []
    return codec.decode(entries[1:], head)
