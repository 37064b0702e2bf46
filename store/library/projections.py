"""Projections: what is made from the logs so that it can be read at once, and can be made again at any time.

Of each game: its snapshots, its entry in the list of games, and its turn index. The last of them says how far the game
is projected, so that what was left half done is done again.
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
from store.errors import Corrupt, GameDeleted, LacksRuleset, replaying
from store.library import ordering, players, tallies
from store.library.aliases import Aliases
from store.library.finding import Filter
from store.library.hiding import Hiding
from store.library.listing import Exchange, tally_of
from store.library.ordering import Order, Standings
from store.library.players import Player
from store.library.plays import Plays
from store.library.projecting import NOTHING, Index, Projected, project, project_on, undos_of
from store.library.scripts import EXCHANGE, WRITE_TURNS
from store.library.summaries import Summary, parse, summary, unplayed
from store.library.tallies import Tally
from store.log import codec
from store.log.feed import Feed
from store.log.games import Games
from store.log.snapshots import Snapshots
from store.log.streams import EventStore
from store.redis import connection
from store.redis.connection import Client, Command, Script

__all__ = ["Filter", "Order", "Projections", "Standings", "Summary"]

_BATCH = 500
_PAGE = 1000


_CLOCK = msgspec.json.Decoder(Clock)
_TURNS = msgspec.json.Decoder(list[Turn])


class Projections:
    """The projections of all games. Each can be written twice, or by two workers at once: the newer stays."""

    def __init__(
        self,
        client: Client,
        events: EventStore,
        games: Games,
        snapshots: Snapshots,
        *,
        aliases: Aliases,
        plays: Plays,
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
        self._run_exchange = Script(client, EXCHANGE)
        self._write_turns = Script(client, WRITE_TURNS)

    def project(self, game_id: str) -> int:
        """Bring everything that is made from a game's log to its head.

        Returns:
            The version that it is projected to.

        Raises:
            UnknownGame: there is no such game.
            Damaged: its log does not replay.
            LacksRuleset: its rules are not installed; it is put into the list as far as its log tells.
        """
        version, _ = self._events.head(game_id)
        known = self._index(game_id)
        if known.version > version:
            # The log is an older one, brought back from a backup: what was made from the newer one is of no use.
            self.drop(game_id)
            known = NOTHING
        if known.version < version:
            try:
                told = self._projected(game_id, known, version)
            except LacksRuleset:
                # In the list it stands all the same, and it is projected once its rules are there.
                self.write(unplayed(game_id, self._ends(game_id, version), self._games.opened_at(game_id)))
                raise
            # Before it counts as projected: what is, the feed has told.
            self._feed.push({game_id: version})
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
        return (id_ for id_, _ in self.lagging())

    def projected_versions(self, game_ids: Sequence[str]) -> list[int | None]:
        """Return the version to which each game is projected; None for a game that was deleted."""
        commands: list[Command] = [("HGET", key, "v") for id_ in game_ids for key in (keys.meta(id_), keys.turns(id_))]
        versions = connection.pipe(self._client, commands)
        return [
            None if version is None else int(projected or 0)
            for version, projected in zip(versions[::2], versions[1::2], strict=True)
        ]

    def lagging(self) -> Iterator[tuple[str, int]]:
        """The games that have more events than are projected, each with the version that it has come to."""
        ids = self._events.game_ids()
        while batch := list(itertools.islice(ids, _BATCH)):
            commands: list[Command] = [("HGET", key, "v") for id_ in batch for key in (keys.meta(id_), keys.turns(id_))]
            versions = connection.pipe(self._client, commands)
            for id_, version, projected in zip(batch, versions[::2], versions[1::2], strict=True):
                if version != projected:
                    yield id_, int(version or 0)

    def ended_before(self, moment: datetime) -> Iterator[str]:
        """The games that have ended, with nothing recorded since `moment`, and are not known to be archived."""
        for status in ("finished", "abandoned"):
            found = iter(connection.call(self._client, "ZDIFF", 2, keys.index("status", status), keys.ARCHIVED))
            while batch := list(itertools.islice(found, _BATCH)):
                for document in connection.call(self._client, "HMGET", keys.SUMMARIES, *batch):
                    game = None if document is None else parse(document)
                    if game is not None and datetime.fromisoformat(game.updated_at) < moment:
                        yield game.id

    def write(self, game: Summary) -> bool:
        """Put a game into the list, unless it stands there as new or newer, or was deleted; whether it was put."""
        while True:
            document = self._document(game.id)
            old = None if document is None else parse(document)
            if old is not None and old.version >= game.version:
                return False
            people, revision = self._aliases.table(game.id, game.seats)
            done = self._exchange(game.id, document, old, game.of(people), revision)
            if done is not None:
                return done

    def relist(self, most: int) -> bool:
        """List games and past plays anew of which something else was said of who sat there, up to `most` of each;
        whether some are left.
        """
        found = connection.call(self._client, "ZRANGE", keys.UNLISTED, 0, most)
        for game_id in map(bytes.decode, found[:most]):
            self._relist(game_id)
        return self._plays.relist(most) or len(found) > most

    def is_unlisted(self) -> bool:
        """Whether there are such games, or past plays."""
        return bool(connection.call(self._client, "EXISTS", keys.UNLISTED, keys.PLAYS_UNLISTED))

    def find(
        self, wanted: Filter, cursor: str | None = None, limit: int = 50, order: Order = "newest"
    ) -> tuple[list[Summary], str | None]:
        """A page of the games that fit, in order, and the cursor of the next page, if there is one.

        Names that are hidden stand there as `summaries.WITHHELD`, and nothing is found by them.

        Raises:
            BadCursor: `cursor` is none that this filter gave in this order.
        """
        hidden, people = self._hiding.folded(), self._aliases.people()
        return ordering.search(self._client, wanted, hidden, order, people=people, cursor=cursor, limit=limit)

    def all(self, wanted: Filter) -> Iterator[Summary]:
        """Return every game that fits, newest first."""
        cursor = None
        while True:
            found, cursor = self.find(wanted, cursor, _PAGE)
            yield from found
            if cursor is None:
                return

    def standings(self, wanted: Filter) -> Standings:
        """How many games fit, by ruleset, status and result; what `wanted` says of these three counts for nothing."""
        return ordering.standings(self._client, wanted, self._hiding.folded(), self._aliases.people())

    def person(self, name: str, game_id: str | None = None) -> str:
        """Who is meant by a name.

        Args:
            game_id: the only game that there is for whoever asks: for them nothing is said of names.
        """
        return name if game_id is not None else self._aliases.who(name)

    def players(
        self, beginning: str = "", after: str | None = None, limit: int = 50, game_id: str | None = None
    ) -> tuple[list[Player], str | None]:
        """A page of the players by name, and the name after which the next one begins, if there is one.

        Args:
            beginning: of their names, in any case.
            game_id: the only game that there is for whoever asks.
        """
        hidden = self._hiding.folded()
        if game_id is None:
            return players.page(self._client, beginning, after, limit, hidden)
        document = self._document(game_id)
        of_game = [] if document is None else players.of_game(parse(document).as_written, hidden)
        return [one for one in of_game if search_key(one.name).startswith(search_key(beginning))], None

    def written(self, names: Sequence[str]) -> dict[str, str]:
        """Names that are search_key, each as it was written last."""
        return players.written(self._client, names)

    def tally(self, of: Literal["ruleset", "player"], value: str, game_id: str | None = None) -> Tally:
        """What was so in the ended games and the past plays of a ruleset (its id) or a player (a name, in any case),
        and how often; nothing where that name is hidden.

        Args:
            game_id: the only game that there is for whoever asks.
        """
        if of == "player" and search_key(value) in self._hiding.folded():
            return {}
        if game_id is not None:
            document = self._document(game_id)
            return {} if document is None else tally_of(parse(document).as_written, of, value)
        value = search_key(self._aliases.who(value)) if of == "player" else value
        commands: list[Command] = [("HGETALL", name(of, value)) for name in (keys.tally, keys.tally_of_plays)]
        return tallies.together(*map(tallies.parse, connection.pipe(self._client, commands)))

    def count(self) -> int:
        """How many games the list has."""
        return int(connection.call(self._client, "ZCARD", keys.ALL_GAMES))

    def turns(self, game_id: str, version: int | None = None) -> list[Turn]:
        """The turn index as of event `version` (default: the last): the projected one, or made now from there on.

        Raises:
            UnknownGame: there is no such game.
            Damaged: its log does not replay.
        """
        return self.index(game_id, version).turns

    def index(self, game_id: str, version: int | None = None) -> Index:
        """The same, with how long the game was played until then.

        Raises:
            As `turns`.
        """
        if version is None:
            version, _ = self._events.head(game_id)
        known = self._index(game_id)
        if known.version == version:
            return known
        return self._projected(game_id, known if known.version < version else NOTHING, version).index

    def drop(self, game_id: str) -> None:
        """Forget what was made from a game's log."""
        self._snapshots.drop(game_id)
        self._unlist(game_id)
        connection.call(self._client, "DEL", keys.turns(game_id))

    def remove(self, game_id: str) -> None:
        """Take a game that was deleted out of the list, and out of all by which it is found or counted."""
        self._unlist(game_id)

    def rebuild(self, progress: Callable[[int, int], None] | None = None) -> dict[str, str]:
        """Drop all projections and make them again from the logs, and what is made from past plays. Workers may go on.

        Args:
            progress: told how many games are done, of how many.

        Returns:
            The games whose logs do not replay here, with the reason. Those that are damaged are in no list.
        """
        ids = sorted(self._events.game_ids())
        # The tallies go with the entries that they count, at once: a worker may write one meanwhile.
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
                # Meanwhile.
                pass
            except (Corrupt, LacksRuleset) as error:
                failed[id_] = str(error)
            if progress is not None:
                progress(done, len(ids))
        return failed

    def listed(self, game_id: str) -> Summary | None:
        """The game as it is in the list; None where it is not there yet."""
        document = self._document(game_id)
        return None if document is None else parse(document)

    def _document(self, game_id: str) -> bytes | None:
        document: bytes | None = connection.call(self._client, "HGET", keys.SUMMARIES, game_id)
        return document

    def _exchange(
        self, game_id: str, document: bytes | None, old: Summary | None, new: Summary | None, revision: bytes = b""
    ) -> bool | None:
        """Put an entry in the place of `document`, which reads `old`; whether there is a place for it. None: another
        one stands there meanwhile, or something else is said of names than as of `revision`.
        """
        exchange = Exchange.of(old, new)
        encoded = b"" if new is None else msgspec.json.encode(new)
        done = int(self._run_exchange(exchange.keys, [game_id, document or b"", encoded, exchange.plan, revision]))
        return None if done < 0 else done == 1

    def _unlist(self, game_id: str) -> None:
        """Take a game's entry out of the list, if it has one."""
        while True:
            document = self._document(game_id)
            if document is None or self._exchange(game_id, document, parse(document), None) is not None:
                return

    def _relist(self, game_id: str) -> None:
        while True:
            document = self._document(game_id)
            if document is None:
                # When it comes into the list, it does by what is said then.
                connection.call(self._client, "ZREM", keys.UNLISTED, game_id)
                return
            old = parse(document)
            people, revision = self._aliases.table(game_id, old.seats)
            if self._exchange(game_id, document, old, old.of(people), revision) is not None:
                return

    def _ends(self, game_id: str, version: int) -> tuple[Event, Event]:
        """The first event of a game, and the last."""
        (first,), (last,) = (self._events.read(game_id, after=seq - 1, until=seq) for seq in (1, version))
        return first, last

    def _index(self, game_id: str) -> Index:
        stored = connection.call(self._client, "HMGET", keys.turns(game_id), "v", "turns", "undos", "clock")
        version, turns, undos, clock = stored
        if version is None or clock is None:
            # None of it, or what an earlier version of the service made, which had less in it.
            return NOTHING
        try:
            told = _CLOCK.decode(clock)
            if int(version) > 1 and told.began_at is None:
                return NOTHING
            return Index(int(version), _TURNS.decode(turns), codec.UNDOS.decode(undos), told)
        except (ValueError, msgspec.MsgspecError):
            # It was damaged where it is stored, and the log has it all.
            return NOTHING

    def _save_index(self, game_id: str, index_: Index) -> None:
        made = map(msgspec.json.encode, (index_.turns, index_.undos, index_.clock))
        self._write_turns([keys.turns(game_id), keys.meta(game_id)], (index_.version, *made))

    @speaking(None)
    def _projected(self, game_id: str, known: Index, version: int) -> Projected:
        """What the log makes up to `version`, where `known` is known of it; in English, as it is stored."""
        if known.version > 0:
            events = self._events.read(game_id, after=known.version, until=version)
            if not undos_of(events):
                game = self._games.get(game_id, at=known.version)
                with replaying():
                    return project_on(known, game, events)
        # What an undo leaves standing is found from the beginning.
        whole = self._events.read(game_id, until=version)
        with replaying():
            return project(whole)
