"""Checks of stored logs before an append, so that nothing is added to a damaged log.

A process with a cached game appends to it without reading its log. So before an append it checks a window of the log; a
log of up to `WINDOW` events is checked completely. The longer a check takes, the later the next one begins. So checks
take at most `SHARE` of the time of many appends.
"""

from __future__ import annotations

import time
from contextlib import suppress

import msgspec

from store.cache import Cache
from store.errors import Damaged, StoreUnavailable
from store.log.games import HEADS, Games
from store.log.streams import EventStore

WINDOW = 500
"""Maximum number of events checked before an append."""
SHARE = 0.05
"""Maximum share of time spent on the checks of a game."""


class _Watched(msgspec.Struct, frozen=True):
    """The progress of the checks of a game."""

    after: int = 0
    """The last checked event; the next check begins after it."""
    due: float = 0.0
    """Time of the next check, by `time.monotonic`."""
    is_suspect: bool = False
    """True after damage was found, until a check of the whole log succeeds."""


class Watch:
    """Checks the logs of the games that this process appends to."""

    def __init__(self, events: EventStore, games: Games, size: int = HEADS) -> None:
        self._events = events
        self._games = games
        self._watched: Cache[str, _Watched] = Cache(size)

    def suspect(self, game_id: str) -> None:
        """Mark a game as damaged for all processes: the next append anywhere first checks the whole log."""
        self._games.forget(game_id)
        self._watched.put(game_id, _Watched(is_suspect=True))
        with suppress(StoreUnavailable):
            self._events.suspect(game_id)

    def recheck(self, game_id: str) -> None:
        """Check the whole log of a game that another process suspects, and accept appends again.

        Raises:
            The errors of `check`.
        """
        self._games.forget(game_id)
        self._games.check(game_id)
        self._events.trust(game_id)

    def check(self, game_id: str, version: int) -> None:
        """Check the log before an append after event `version`.

        Raises:
            Damaged: the log was changed.
            LacksRuleset: the log may be damaged, and cannot be replayed.
            UnknownGame: there is no such game.
        """
        known = self._watched.get(game_id) or _Watched()
        began = time.monotonic()
        if not known.is_suspect and began < known.due:
            return
        try:
            if known.is_suspect:
                self.recheck(game_id)
                after = version
            else:
                after = self._look(game_id, known.after if known.after < version else 0, version)
        except Damaged:
            self.suspect(game_id)
            raise
        now = time.monotonic()
        self._watched.put(game_id, _Watched(after, now + (now - began) / SHARE))

    def _look(self, game_id: str, after: int, version: int) -> int:
        """Check the next events after event `after`, wrapping around at the end; return the last checked event.

        If a server has lost the end of the log, the rest still matches its head; the append then detects the loss.
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
            raise Damaged(after + len(events) + 1, "it is missing")
