"""Follow the library: read all events that are appended to matching games, in order."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.play.game import Game
from service.webhooks import Letter, Letters
from store import Store
from store.cache import Cache
from store.errors import Corrupt, LacksRuleset, UnknownGame
from store.library.finding import Filter, fits
from store.library.summaries import Summary, summary_without_rules
from store.log.feed import FeedEntry, place

_KNOWN = 1024
_PAGE = 1000


class Following:
    """The games that a listener follows, selected by a filter.

    The filter looks at each game, including its `status` and `result`, as it is after the events to send.
    """

    def __init__(self, store: Store, wanted: Filter) -> None:
        self._store = store
        self._wanted = wanted
        self._asks_end = wanted.status is not None or wanted.result is not None
        self._opened: Cache[str, Summary] = Cache(_KNOWN)
        self._played: Cache[str, Game] = Cache(_KNOWN)
        """Each game after its last narrated event, so that the narration can continue there."""
        self._letters = Letters(store)

    @property
    def game(self) -> str | None:
        """The only game to follow; None: all games."""
        return self._wanted.game

    def letters(self, entry: FeedEntry, after: int = 0) -> Iterator[list[Letter]]:
        """Yield the events of a feed entry in pages. Each event has the form that webhooks receive.

        Yields nothing if the entry's game does not match the filter, or was deleted.

        Args:
            after: the last event that the listener already has.
        """
        try:
            if not self._fits(entry):
                return
            for page in self._store.events.pages(entry.game, max(after, entry.first - 1), entry.last):
                yield [self._letters.public_letter(entry.game, event) for event in page]
        except (UnknownGame, LacksRuleset, Corrupt):
            return

    def _fits(self, entry: FeedEntry) -> bool:
        if self._wanted.game not in {None, entry.game}:
            return False
        game = self._opened.get(entry.game)
        if game is None:
            first = self._store.events.first(entry.game)
            game = summary_without_rules(entry.game, (first, first), self._store.games.opened_at(entry.game))
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
        return fits(game, wanted, self._store.hiding.search_keys())

    def _after(self, entry: FeedEntry) -> Game:
        known = self._played.get(entry.game)
        if known is None or known.version > entry.last:
            played = self._store.games.get(entry.game, at=entry.last)
        else:
            played = self._store.games.onward(entry.game, known, entry.last)
        self._played.put(entry.game, played)
        return played


class FeedOfOne:
    """A feed for a caller that can see only one game.

    A position in this feed is a version of that game, so it reveals nothing about other games.
    """

    def __init__(self, store: Store, game_id: str) -> None:
        self._store = store
        self._game_id = game_id

    def first(self) -> str | None:
        """Return None: unlike the feed of all games (`store.log.feed.Feed`), this feed never drops old entries."""
        return None

    def last(self) -> str:
        """Return the current position, like `store.log.feed.Feed.last`."""
        return _place(self._version())

    def read(self, after: str, *, limit: int = 100, including: bool = False) -> list[FeedEntry]:
        """Return one entry with all events after a position, like `store.log.feed.Feed.read`."""
        version, (known, _) = self._version(), place(after)
        if including:
            found = [FeedEntry(after, self._game_id, 1, known)] if known <= version else []
        else:
            first = known + 1 if known <= version else self._first_after(after, version)
            found = [FeedEntry(_place(version), self._game_id, first, version)] if first <= version else []
        return found[:limit]

    def _first_after(self, after: str, version: int) -> int:
        """Convert a position in the feed of all games to the first event of this game after it.

        The caller may have received the position earlier, with a token for all games.
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
