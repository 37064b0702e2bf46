"""Looking at stored logs before they grow: nothing is added to a record that is damaged.

A process that remembers a game appends to it without reading its log. So it reads some of the log again before an
append, window by window; a log of up to `WINDOW` events is read as a whole. The longer that took, the longer until the
next time, so a burst of appends spends a bounded share of its time on it.
"""

from __future__ import annotations

import time

import msgspec

from store.cache import Cache
from store.errors import Damaged
from store.log.games import HEADS, Games
from store.log.streams import EventStore

WINDOW = 500
"""Events that are read at a time."""
SHARE = 0.5
"""Of the time between two looks at a game, as much as a look takes."""


class _Watched(msgspec.Struct, frozen=True):
    """How far a game has been looked at."""

    after: int = 0
    """The last event that was looked at; the next look begins behind it."""
    due: float = 0.0
    """When the next look is due, by `time.monotonic`."""
    is_suspect: bool = False
    """Whether damage was seen, and the log was not found whole since."""


class Watch:
    """Looks at the logs of the games that this process appends to."""

    def __init__(self, events: EventStore, games: Games, size: int = HEADS) -> None:
        self._events = events
        self._games = games
        self._watched: Cache[str, _Watched] = Cache(size)

    def suspect(self, game_id: str) -> None:
        """Remember that damage was seen, and nothing else of the game: the next append reads the whole log first."""
        self._games.forget(game_id)
        self._watched.put(game_id, _Watched(is_suspect=True))

    def check(self, game_id: str, version: int) -> None:
        """Look at the log before something is appended after event `version`.

        Raises:
            Damaged: it is not what was recorded.
            LacksRuleset: it may be damaged, and cannot be played.
            UnknownGame: there is no such game.
        """
        known = self._watched.get(game_id) or _Watched()
        began = time.monotonic()
        if not known.is_suspect and began < known.due:
            return
        try:
            if known.is_suspect:
                self._games.check(game_id)
                after = version
            else:
                after = self._look(game_id, known.after if known.after < version else 0, version)
        except Damaged:
            self.suspect(game_id)
            raise
        now = time.monotonic()
        self._watched.put(game_id, _Watched(after, now + (now - began) / SHARE))

    def _look(self, game_id: str, after: int, version: int) -> int:
        """Look at the events after `after`, and on from the beginning; return the last of them.

        A shorter log whose head says so has lost its end with a server, which the append finds out.
        """
        until = min(after + WINDOW, version)
        self._verify(game_id, after, until)
        if until < version:
            return until
        begun = min(after, WINDOW - (until - after))
        self._verify(game_id, 0, begun)
        return begun

    def _verify(self, game_id: str, after: int, until: int) -> None:
        if after == until:
            return
        events = self._events.read(game_id, after=after, until=until)
        if len(events) < until - after and self._events.head(game_id)[0] >= until:
            raise Damaged(after + len(events) + 1, "it is not there")
