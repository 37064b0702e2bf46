"""Following the library: what is appended to any game that fits a filter, in the order in which it came."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.play.game import Game
from service.webhooks import Letter, Letters
from store import Store
from store.cache import Cache
from store.errors import Damaged, LacksRuleset, UnknownGame
from store.library.finding import Filter, fits
from store.library.summaries import Summary, unplayed
from store.log.feed import Entry, place

_KNOWN = 1024
_PAGE = 1000


class Following:
    """The games that somebody listens to.

    A game fits as it stood when it had come so far: `status` and `result` are those after the events that are told.
    """

    def __init__(self, store: Store, wanted: Filter) -> None:
        self._store = store
        self._wanted = wanted
        self._asks_end = wanted.status is not None or wanted.result is not None
        self._opened: Cache[str, Summary] = Cache(_KNOWN)
        self._played: Cache[str, Game] = Cache(_KNOWN)
        """Each as it stood after the events that were told last: from there it is not played again."""
        self._letters = Letters(store)

    @property
    def game(self) -> str | None:
        """The only game that is listened to; None: any may be."""
        return self._wanted.game

    def letters(self, entry: Entry, after: int = 0) -> Iterator[list[Letter]]:
        """The events that an entry of the feed tells of, as they are sent to webhooks, in pages; none where its game
        does not fit, or is not there any more.

        Args:
            after: those up to there are known.
        """
        try:
            if not self._fits(entry):
                return
            for page in self._store.events.pages(entry.game, max(after, entry.first - 1), entry.last):
                yield [self._letters.tell(entry.game, event) for event in page]
        except (UnknownGame, LacksRuleset, Damaged):
            return

    def _fits(self, entry: Entry) -> bool:
        if self._wanted.game not in {None, entry.game}:
            return False
        game = self._opened.get(entry.game)
        if game is None:
            first = self._store.events.first(entry.game)
            game = unplayed(entry.game, (first, first), self._store.games.opened_at(entry.game))
            self._opened.put(entry.game, game)
        if self._asks_end:
            played = self._after(entry)
            game = msgspec.structs.replace(game, status=played.status, outcome=played.outcome)
        if (self._wanted.player, self._wanted.tag, self._wanted.q) == (None, None, None):
            return fits(game, self._wanted)
        wanted = self._wanted
        if wanted.game is None:
            people, _ = self._store.aliases.table(entry.game, game.seats)
            game, wanted = game.of(people), wanted.of(self._store.aliases.people())
        return fits(game, wanted, self._store.hiding.folded())

    def _after(self, entry: Entry) -> Game:
        """The game when it had come so far."""
        known = self._played.get(entry.game)
        if known is None or known.version > entry.last:
            played = self._store.games.get(entry.game, at=entry.last)
        else:
            played = self._store.games.onward(entry.game, known, entry.last)
        self._played.put(entry.game, played)
        return played


class FeedOfOne:
    """The feed as whoever knows of one game alone has it: its places are that game's versions, so nothing of them, nor
    when they come, tells of another game.
    """

    def __init__(self, store: Store, game_id: str) -> None:
        self._store = store
        self._game_id = game_id

    def first(self) -> str | None:
        """As `store.log.feed.Feed.first`: nothing is ever missed."""
        return None

    def last(self) -> str:
        """As `store.log.feed.Feed.last`."""
        return _place(self._version())

    def read(self, after: str, *, limit: int = 100, including: bool = False) -> list[Entry]:
        """As `store.log.feed.Feed.read`: one entry with all that came after that place.

        Raises:
            UnknownGame: the game has been deleted.
        """
        version, (known, _) = self._version(), place(after)
        if including:
            found = [Entry(after, self._game_id, 1, known)] if known <= version else []
        else:
            first = known + 1 if known <= version else self._first_after(after, version)
            found = [Entry(_place(version), self._game_id, first, version)] if first <= version else []
        return found[:limit]

    def _first_after(self, after: str, version: int) -> int:
        """The first event of the game that came after a place in the feed of all games: whoever has such a one, from
        another token or from before, goes on there.
        """
        while entries := self._store.feed.read(after, limit=_PAGE):
            first = next((one.first for one in entries if one.game == self._game_id), None)
            if first is not None:
                return first
            after = entries[-1].id
        return version + 1

    def _version(self) -> int:
        return self._store.events.head(self._game_id)[0]


def _place(version: int) -> str:
    return f"{version}-0"
