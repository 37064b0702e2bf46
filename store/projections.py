"""Projections: what is made from the logs so that it can be read at once, and can be made again at any time.

Of each game: its snapshots, its entry in the list of games, and its turn index. The last of them says how far the game
is projected, so that what was left half done is done again.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, Literal

import msgspec

from engine.errors import EngineError
from engine.turns import Turn
from store import codec, connection, finding, keys, scripts, tallies
from store.connection import Client, Command, Script
from store.errors import Corrupt
from store.finding import Filter
from store.games import Games
from store.snapshots import Snapshots
from store.streams import EventStore
from store.summaries import RESULTS, STATUSES, Summary, folded, parse, summary
from store.tallies import Tally
from store.telling import NOTHING, Index, Telling, tell, tell_on, undos_of

__all__ = ["Filter", "Projections", "Summary"]

_BATCH = 500


_TURNS = msgspec.json.Decoder(list[Turn])


class Projections:
    """The projections of all games. Each can be written twice, or by two workers at once: the newer stays."""

    def __init__(self, client: Client, events: EventStore, games: Games, kept: Snapshots) -> None:
        self._client = client
        self._events = events
        self._games = games
        self._snapshots = kept
        self._write_summary = Script(client, scripts.WRITE_SUMMARY)
        self._drop_summary = Script(client, scripts.DROP_SUMMARY)
        self._write_turns = Script(client, scripts.WRITE_TURNS)

    def project(self, game_id: str) -> int:
        """Bring everything that is made from a game's log to its head.

        Returns:
            The version that it is projected to.

        Raises:
            UnknownGame: there is no such game.
            EngineError: its log does not replay.
        """
        version, _ = self._events.head(game_id)
        known = self._index(game_id)
        if known.version > version:
            # The log is an older one, brought back from a backup: what was made from the newer one is of no use.
            self.drop(game_id)
            known = NOTHING
        if known.version < version:
            told = self._tell(game_id, known, version)
            self._snapshots.save(game_id, *told.snapshots)
            self.write(summary(game_id, told, self._games.opened_at(game_id)))
            self._save_index(game_id, told.index)
            self._games.keep(game_id, told.game)
        return version

    def projected_version(self, game_id: str) -> int:
        """How far the game is projected; 0 where it is not at all."""
        return int(connection.call(self._client, "HGET", keys.turns(game_id), "v") or 0)

    def behind(self) -> Iterator[str]:
        """The ids of the games that have more events than are projected."""
        ids = self._events.game_ids()
        while batch := list(itertools.islice(ids, _BATCH)):
            commands: list[Command] = [("HGET", key, "v") for id_ in batch for key in (keys.meta(id_), keys.turns(id_))]
            versions = connection.pipe(self._client, commands)
            for id_, version, projected in zip(batch, versions[::2], versions[1::2], strict=True):
                if version != projected:
                    yield id_

    def write(self, game: Summary) -> bool:
        """Put a game into the list, unless it stands there as new or newer; whether it was put."""
        found_by = game.words
        now = [keys.index("status", game.status)]
        if game.result is not None:
            now.append(keys.index("result", game.result))
        all_of_them = [("status", one) for one in STATUSES] + [("result", one) for one in RESULTS]
        others = [key for key in (keys.index(field, value) for field, value in all_of_them) if key not in now]
        counted_in = _tallies(game)
        indexes = [
            keys.index("ruleset", game.ruleset),
            *(keys.index("player", folded(name)) for name in game.seats),
            *(keys.index("tag", folded(tag)) for tag in game.tags),
            *([keys.index("parent", game.fork.game)] if game.fork is not None else []),
            *(keys.index("word", word) for word in found_by),
        ]
        return bool(
            self._write_summary(
                [
                    keys.SUMMARIES,
                    keys.ALL_GAMES,
                    keys.OPENED,
                    keys.VOCABULARY,
                    *counted_in,
                    *now,
                    *others,
                    *indexes,
                ],
                [
                    game.id,
                    msgspec.json.encode(game),
                    game.version,
                    finding.opening(game.opened_at),
                    len(counted_in),
                    len(now),
                    len(others),
                    *found_by,
                ],
            )
        )

    def find(self, wanted: Filter, cursor: str | None = None, limit: int = 50) -> tuple[list[Summary], str | None]:
        """A page of the games that fit, newest first, and the cursor of the next page, if there is one.

        Raises:
            BadCursor: `cursor` is none that this filter gave.
        """
        return finding.search(self._client, wanted, cursor, limit)

    def tally(self, of: Literal["ruleset", "player"], value: str) -> Tally:
        """What was so in the ended games of a ruleset (its id) or a player (a name, in any case), and how often."""
        key = keys.tally(of, folded(value) if of == "player" else value)
        return tallies.parse(connection.call(self._client, "HGETALL", key))

    def count(self) -> int:
        """How many games the list has."""
        return int(connection.call(self._client, "ZCARD", keys.ALL_GAMES))

    def turns(self, game_id: str, version: int | None = None) -> list[Turn]:
        """The turn index as of event `version` (default: the last): the projected one, or made now from there on.

        Raises:
            UnknownGame: there is no such game.
            EngineError: its log does not replay.
        """
        if version is None:
            version, _ = self._events.head(game_id)
        known = self._index(game_id)
        if known.version == version:
            return known.turns
        return self._tell(game_id, known if known.version < version else NOTHING, version).index.turns

    def save_audit(self, game_id: str, audit_id: str, document: Any) -> None:
        """Keep an audit's report, a JSON document."""
        connection.call(self._client, "HSET", keys.audits(game_id), audit_id, msgspec.json.encode(document))

    def audit(self, game_id: str, audit_id: str) -> Any | None:
        """An audit's report, if there is one."""
        document = connection.call(self._client, "HGET", keys.audits(game_id), audit_id)
        return None if document is None else msgspec.json.decode(document)

    def audits(self, game_id: str) -> dict[str, Any]:
        """All audits' reports, by audit id."""
        fields = connection.call(self._client, "HGETALL", keys.audits(game_id))
        return {id_.decode(): msgspec.json.decode(document) for id_, document in fields.items()}

    def drop(self, game_id: str) -> None:
        """Forget what was made from a game's log."""
        self._snapshots.drop(game_id)
        document = connection.call(self._client, "HGET", keys.SUMMARIES, game_id)
        if document is not None:
            self._drop_summary([keys.SUMMARIES, *_tallies(parse(document))], [game_id])
        connection.call(self._client, "DEL", keys.turns(game_id))

    def rebuild(self, progress: Callable[[int, int], None] | None = None) -> dict[str, str]:
        """Drop all projections and make them again from the logs; audits stay. Workers may go on meanwhile.

        Args:
            progress: told how many games are done, of how many.

        Returns:
            The games whose logs do not replay, with the reason; they are in no list.
        """
        ids = sorted(self._events.game_ids())
        # The tallies go with the entries that they count, at once: a worker may write one meanwhile.
        connection.call(self._client, "UNLINK", keys.SUMMARIES, *connection.scan(self._client, keys.TALLY_PATTERN))
        for name in connection.scan(self._client, keys.LIST_PATTERN):
            if name != keys.OPENINGS.encode():
                connection.call(self._client, "UNLINK", name)
        failed = {}
        for done, id_ in enumerate(ids, 1):
            self.drop(id_)
            try:
                self.project(id_)
            except (EngineError, Corrupt) as error:
                failed[id_] = str(error)
            if progress is not None:
                progress(done, len(ids))
        return failed

    def _index(self, game_id: str) -> Index:
        version, turns, undos = connection.call(self._client, "HMGET", keys.turns(game_id), "v", "turns", "undos")
        if version is None:
            return NOTHING
        return Index(int(version), _TURNS.decode(turns), codec.UNDOS.decode(undos))

    def _save_index(self, game_id: str, index_: Index) -> None:
        arguments = (index_.version, msgspec.json.encode(index_.turns), msgspec.json.encode(index_.undos))
        self._write_turns([keys.turns(game_id)], arguments)

    def _tell(self, game_id: str, known: Index, version: int) -> Telling:
        """What the log makes up to `version`, where `known` is known of it."""
        if known.version > 0:
            events = self._events.read(game_id, after=known.version, until=version)
            if not undos_of(events):
                return tell_on(known, self._games.get(game_id, at=known.version), events)
        # What an undo leaves standing is found from the beginning.
        return tell(self._events.read(game_id, until=version))


def _tallies(game: Summary) -> list[str]:
    """The keys of the tallies that a game counts in, in the order of its `counted`."""
    return [keys.tally("ruleset", game.ruleset), *(keys.tally("player", name) for name in game.players)]
