"""Projections: data derived from the logs for fast reads, which can be rebuilt at any time.

Each game has snapshots, an entry in the list of games, and a turn index. The turn index is written last, with the
projected version. So an interrupted projection is repeated.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Literal

import msgspec

from engine.core.events import Event
from engine.core.language import speaking
from engine.core.text import search_key
from engine.review.playing_time import Clock
from engine.review.turns import Turn
from store import keys
from store.documents import decode_text, readable
from store.errors import Corrupt, GameDeleted, LacksRuleset, replaying
from store.library import ordering, players, tallies
from store.library.aliases import AliasStore
from store.library.finding import Filter
from store.library.hiding import Hiding
from store.library.listing import Entries, standing, tally_of
from store.library.ordering import Order, Standings
from store.library.players import ListedPlayer
from store.library.plays import PlayStore
from store.library.projecting import NOTHING, Index, ProjectedLog, project, project_on, undos_of
from store.library.scripts import WRITE_TURNS
from store.library.summaries import Summary, parse, summary, summary_without_rules
from store.library.tallies import Tally
from store.log import codec
from store.log.feed import Feed
from store.log.games import GameStore
from store.log.snapshots import Snapshots
from store.log.streams import EventStore
from store.redis import connection
from store.redis.connection import Client, Command, Script

__all__ = ["Filter", "Order", "Projections", "Standings", "Summary"]

_BATCH = 500
_LISTED = keys.SUMMARIES, keys.DELETED, keys.UNLISTED
_PAGE = 1000
_UNREADABLE = b"unreadable"
"""Placeholder for the version of a game whose meta has the wrong type."""

_CLOCK = msgspec.json.Decoder(Clock)
_TURNS = msgspec.json.Decoder(list[Turn])


class Projections:
    """The projections of all games. If two workers write the same projection, the newer version is kept.

    Attributes:
        entries: the list of games.
    """

    def __init__(
        self,
        client: Client,
        events: EventStore,
        games: GameStore,
        snapshots: Snapshots,
        *,
        aliases: AliasStore,
        plays: PlayStore,
        hiding: Hiding,
        feed: Feed,
    ) -> None:
        self._client = client
        self._events = events
        self._games = games
        self._snapshots = snapshots
        self._aliases = aliases
        self._plays = plays
        self._hiding = hiding
        self._feed = feed
        self.entries = Entries(client, _LISTED, parse, standing)
        self._write_turns = Script(client, WRITE_TURNS)

    def project(self, game_id: str) -> int:
        """Bring the projections of a game up to date with its log, and return the projected version.

        Raises:
            UnknownGame: there is no such game.
            Damaged: the game's log does not replay.
            LacksRuleset: the game's rules are not installed; the game is listed with the data that needs no rules.
        """
        version, _ = self._events.head(game_id)
        known = self._index(game_id)
        if known.version > version:
            # The log is older than its projections, so it was restored from a backup.
            self.drop(game_id)
            known = NOTHING
        if known.version == 0:
            # The start of the log may not be listed: the log may come from an earlier release, or from a backup.
            self._events.list_beginning(game_id, self._events.first(game_id).hash)
        if known.version < version:
            try:
                told = self._project(game_id, known, version)
            except LacksRuleset:
                # List the game now, without its rules. It is projected once its rules are installed.
                self.write(summary_without_rules(game_id, self._ends(game_id, version), self._games.opened_at(game_id)))
                raise
            # Push to the feed first, so that the feed contains every projected version.
            self._feed.push({game_id: version})
            self._snapshots.save(game_id, *told.snapshots)
            game = self._games.mark_by_hand(game_id, told.game)
            told = msgspec.structs.replace(told, game=game)
            self.write(summary(game_id, told, self._games.opened_at(game_id)))
            self._save_index(game_id, told.index)
            self._games.keep(game_id, told.game)
        return version

    def projected_version(self, game_id: str) -> int:
        """Return the projected version of the game; 0 if it was never projected."""
        ((_, projected),) = self._versions([game_id])
        return codec.projected_version_of(projected)

    def behind(self) -> Iterator[str]:
        """Yield the ids of the games whose last events are not projected."""
        return (id_ for id_, _ in self.lagging())

    def projected_versions(self, game_ids: Sequence[str]) -> list[int | None]:
        """Return the projected version of each game; None for a game that was deleted or that `set_aside` excludes."""
        aside = self._set_aside()
        return [
            None if version in {None, aside.get(id_.encode())} else codec.projected_version_of(projected)
            for id_, (version, projected) in zip(game_ids, self._versions(game_ids), strict=True)
        ]

    def lagging(self) -> Iterator[tuple[str, int]]:
        """Yield the games whose last events are not projected, with their versions.

        Omit the games that `set_aside` excludes.
        """
        aside = self._set_aside()
        ids = self._events.game_ids()
        while batch := list(itertools.islice(ids, _BATCH)):
            for id_, (version, projected) in zip(batch, self._versions(batch), strict=True):
                if version not in {projected, aside.get(id_.encode())}:
                    yield id_, codec.projected_version_of(version)

    def set_aside(self, game_id: str) -> bool:
        """Exclude a game whose log this service cannot replay from projection, until the log grows.

        Returns:
            False if the game was already excluded, or has no version.
        """
        # Use the version exactly as stored, because it may be damaged.
        ((version, _),) = self._versions([game_id])
        return version is not None and bool(connection.call(self._client, "HSET", keys.UNPLAYABLE, game_id, version))

    def take_up(self) -> None:
        """Stop excluding games (see `set_aside`), because logs may have been repaired, or rules installed."""
        connection.call(self._client, "DEL", keys.UNPLAYABLE)

    def _set_aside(self) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = connection.call(self._client, "HGETALL", keys.UNPLAYABLE)
        return found

    def ended_before(self, moment: datetime) -> Iterator[str]:
        """Yield the ids of games that ended before `moment` and are not known to be archived."""
        for status in ("finished", "abandoned"):
            found = iter(connection.call(self._client, "ZDIFF", 2, keys.index("status", status), keys.ARCHIVED))
            while batch := list(itertools.islice(found, _BATCH)):
                documents = connection.call(self._client, "HMGET", keys.SUMMARIES, *batch)
                for game in readable(parse, documents):
                    if datetime.fromisoformat(game.updated_at) < moment:
                        yield game.id

    def write(self, game: Summary) -> bool:
        """Write the list entry of a game. Return False if the game was deleted, or if its entry is as new.

        The entry shows the players as of the current aliases.
        """

        def replace_older(old: Summary | None) -> tuple[Summary, bytes] | None:
            if old is not None and old.version >= game.version:
                return None
            people, revision = self._aliases.table(game.id, game.seats)
            return game.of(people), revision

        return self.entries.change(game.id, replace_older)

    def relist(self, most: int) -> bool:
        """Relist up to `most` games and logged plays whose aliases have changed; return True if more are left."""
        found = connection.call(self._client, "ZRANGE", keys.UNLISTED, 0, most)
        for game_id in map(decode_text, found[:most]):
            try:
                self._relist(game_id)
            except Corrupt:
                # Skip the damaged entry: `driftlog doctor --mend` replaces it, and applies the aliases then.
                connection.call(self._client, "ZREM", keys.UNLISTED, game_id)
        return self._plays.relist(most) or len(found) > most

    def is_unlisted(self) -> bool:
        """Return True if some games or logged plays must be relisted."""
        return bool(connection.call(self._client, "EXISTS", keys.UNLISTED, keys.PLAYS_UNLISTED))

    def find(
        self, wanted: Filter, cursor: str | None = None, limit: int = 50, order: Order = "newest"
    ) -> tuple[list[Summary], str | None]:
        """Return a page of matching games in order, and the cursor of the next page, if any.

        The search ignores hidden names. They are shown as `summaries.WITHHELD`.

        Raises:
            BadCursor: `cursor` belongs to another filter or order.
        """
        hidden, people = self._hiding.search_keys(), self._aliases.people()
        return ordering.search(self._client, wanted, hidden, order, people=people, cursor=cursor, limit=limit)

    def all(self, wanted: Filter) -> Iterator[Summary]:
        """Yield every matching game, newest first."""
        cursor = None
        while True:
            found, cursor = self.find(wanted, cursor, _PAGE)
            yield from found
            if cursor is None:
                return

    def with_head(self, head: str) -> str | None:
        """Return the id of a listed game whose last event has this hash; None if there is none."""
        found = connection.call(self._client, "ZRANGE", keys.index("head", head), 0, 0)
        return found[0].decode() if found else None

    def standings(self, wanted: Filter) -> Standings:
        """Count the matching games as `ordering.standings` does."""
        return ordering.standings(self._client, wanted, self._hiding.search_keys(), self._aliases.people())

    def person(self, name: str, game_id: str | None = None) -> str:
        """Return the person to whom a name refers.

        Args:
            game_id: the only game that the caller can see, in which aliases do not apply; None: all games.
        """
        return name if game_id is not None else self._aliases.person_of(name)

    def players(
        self, beginning: str = "", after: str | None = None, limit: int = 50, game_id: str | None = None
    ) -> tuple[list[ListedPlayer], str | None]:
        """Return a page of players, see `players.page`.

        Args:
            game_id: the only game that the caller can see; None: all games.
        """
        hidden = self._hiding.search_keys()
        if game_id is None:
            return players.page(self._client, beginning, after, limit, hidden)
        game = self.summary(game_id)
        of_game = [] if game is None else players.of_game(game.as_written, hidden)
        return [one for one in of_game if search_key(one.name).startswith(search_key(beginning))], None

    def latest_spellings(self, names: Sequence[str]) -> dict[str, str]:
        """Return the latest spelling of each name (search_key)."""
        return players.last_spellings(self._client, names)

    def tally(self, of: Literal["ruleset", "player"], value: str, game_id: str | None = None) -> Tally:
        """Return the statistics of a ruleset or a player, over ended games and logged plays; empty for a hidden name.

        Args:
            value: the ruleset's id, or the player's name (case is ignored).
            game_id: the only game that the caller can see; None: all games.
        """
        if of == "player" and search_key(value) in self._hiding.search_keys():
            return {}
        if game_id is not None:
            game = self.summary(game_id)
            return {} if game is None else tally_of(game.as_written, of, value)
        value = search_key(self._aliases.person_of(value)) if of == "player" else value
        commands: list[Command] = [("HGETALL", name(of, value)) for name in (keys.tally, keys.tally_of_plays)]
        return tallies.together(map(tallies.parse, connection.pipe(self._client, commands)))

    def count(self) -> int:
        """Return the number of games in the list."""
        return int(connection.call(self._client, "ZCARD", keys.ALL_GAMES))

    def turns(self, game_id: str, version: int | None = None) -> list[Turn]:
        """Return the turn index up to event `version` (default: the last).

        If the turn index is not projected yet, compute it.
        """
        return self.index(game_id, version).turns

    def index(self, game_id: str, version: int | None = None) -> Index:
        """Return the turn index up to event `version` (default: the last), with the playing time until then."""
        if version is None:
            version, _ = self._events.head(game_id)
        known = self._index(game_id)
        if known.version == version:
            return known
        return self._project(game_id, known if known.version < version else NOTHING, version).index

    def drop(self, game_id: str) -> None:
        """Delete the projections of a game."""
        self._snapshots.drop(game_id)
        self.remove(game_id)
        connection.call(self._client, "HDEL", keys.UNPLAYABLE, game_id)
        connection.call(self._client, "DEL", keys.turns(game_id))

    def remove(self, game_id: str) -> None:
        """Remove a game from the list, from all indexes, and from the statistics."""
        self.entries.remove(game_id)

    def rebuild(self, progress: Callable[[int, int], None] | None = None) -> dict[str, str]:
        """Delete all projections, and rebuild them from the logs and logged plays. Workers may keep running.

        Args:
            progress: called with the number of games rebuilt so far and the total number of games.

        Returns:
            The games whose logs this service cannot replay, with the reason. Damaged games are then missing from the
            list.
        """
        ids = sorted(self._events.game_ids())
        # Delete entries and statistics in one step, because a worker may write an entry, with its statistics, at any
        # time.
        connection.call(self._client, "UNLINK", keys.SUMMARIES, *connection.scan(self._client, keys.TALLY_PATTERN))
        for name in connection.scan(self._client, keys.LIST_PATTERN):
            if name not in keys.LASTING and not keys.is_of_plays(name):
                connection.call(self._client, "UNLINK", name)
        self._plays.rebuild()
        failed = {}
        for done, id_ in enumerate(ids, 1):
            self.drop(id_)
            try:
                self.project(id_)
            except GameDeleted:
                # The game was deleted during the rebuild.
                pass
            except (Corrupt, LacksRuleset) as error:
                failed[id_] = str(error)
            if progress is not None:
                progress(done, len(ids))
        return failed

    def summary(self, game_id: str) -> Summary | None:
        """Return a game's entry in the list; None if it is not listed yet."""
        return self.entries.get(game_id)

    def _versions(self, game_ids: Sequence[str]) -> Iterator[tuple[bytes | None, bytes | Corrupt | None]]:
        """Yield the stored version and the stored projected version of each game."""
        commands: list[Command] = [("HGET", key, "v") for id_ in game_ids for key in (keys.meta(id_), keys.turns(id_))]
        versions = iter(connection.pipe(self._client, commands, is_lenient=True))
        for version, projected in zip(versions, versions, strict=True):
            yield _UNREADABLE if isinstance(version, Corrupt) else version, projected

    def _relist(self, game_id: str) -> None:
        def resolve(old: Summary | None) -> tuple[Summary | None, bytes]:
            if old is None:
                # A game without a list entry will be listed with the current aliases.
                return None, b""
            people, revision = self._aliases.table(game_id, old.seats)
            return old.of(people), revision

        self.entries.change(game_id, resolve)

    def _ends(self, game_id: str, version: int) -> tuple[Event, Event]:
        (first,), (last,) = (self._events.read(game_id, after=seq - 1, until=seq) for seq in (1, version))
        return first, last

    def _index(self, game_id: str) -> Index:
        try:
            stored = connection.call(self._client, "HMGET", keys.turns(game_id), "v", "turns", "undos", "clock")
            version, turns, undos, clock = stored
            if None in stored:
                # The index is missing, or was written with fewer fields by an earlier version.
                return NOTHING
            told = _CLOCK.decode(clock)
            if int(version) > 1 and told.began_at is None:
                return NOTHING
            return Index(int(version), _TURNS.decode(turns), codec.UNDOS.decode(undos), told)
        except (Corrupt, ValueError, msgspec.MsgspecError):
            # The stored index is damaged. The log still has everything.
            return NOTHING

    def _save_index(self, game_id: str, index_: Index) -> None:
        made = map(msgspec.json.encode, (index_.turns, index_.undos, index_.clock))
        self._write_turns([keys.turns(game_id), keys.meta(game_id)], (index_.version, *made))

    @speaking(None)
    def _project(self, game_id: str, known: Index, version: int) -> ProjectedLog:
        """Return the projections of the log up to `version`, continuing from `known`. Their texts are English."""
        if known.version > 0:
            events = list(self._events.read_verified(game_id, version, after=known.version))
            if not undos_of(events):
                game = self._games.get(game_id, at=known.version)
                with replaying():
                    return project_on(known, game, events)
        # An undo needs an earlier state, so replay the log from the beginning.
        whole = list(self._events.read_verified(game_id, version))
        with replaying():
            return project(whole)
