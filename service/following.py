"""Following the library: what is appended to any game that fits a filter, in the order in which it came."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from service.webhooks import Letter, Letters
from store import Store
from store.cache import Cache
from store.errors import Damaged, LacksRuleset, UnknownGame
from store.feed import Entry
from store.finding import Filter, fits
from store.summaries import Summary, unplayed

_KNOWN = 1024


class Following:
    """The games that somebody listens to.

    A game fits as it stood when it had come so far: `status` and `result` are those after the events that are told.
    """

    def __init__(self, store: Store, wanted: Filter) -> None:
        self._store = store
        self._wanted = wanted
        self._asks_end = wanted.status is not None or wanted.result is not None
        self._opened: Cache[str, Summary] = Cache(_KNOWN)
        self._letters = Letters(store)

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
            played = self._store.games.get(entry.game, at=entry.last)
            game = msgspec.structs.replace(game, status=played.status, outcome=played.outcome)
        asks_names = (self._wanted.player, self._wanted.tag, self._wanted.q) != (None, None, None)
        return fits(game, self._wanted, self._store.hiding.folded() if asks_names else frozenset())
