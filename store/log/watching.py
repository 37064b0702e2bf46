"""Checks of stored logs before an append, so that nothing is added to a damaged log.

Appending to a cached game does not read the log. So before an append, a process checks a part of the log, or all of a
log of up to `PART` events. For each *window* of the log, the process remembers a digest, so that it checks each hash
only once. The longer a check takes, the later the next one begins. So over many appends, checks take at most the
fraction `SHARE` of the time. Between two checks, the script that appends compares one window of the log with its
digest.
"""

from __future__ import annotations

import hashlib
import time
from contextlib import suppress

import msgspec

from engine.core.events import GENESIS
from store.cache import Cache
from store.errors import Damaged, StoreUnavailable
from store.log import codec
from store.log.codec import Entry
from store.log.games import HEADS, GameStore
from store.log.streams import CheckedRange, EventStore

WINDOW = 250
"""Number of events in a window. On each append, a script reads one window, which takes half a millisecond."""
PART = 1_000
"""Maximum number of events that a check before an append reads."""
SHARE = 0.05
"""Maximum fraction of time that is spent on the checks of a game."""


class _Window(msgspec.Struct, frozen=True):
    count: int
    prev: str
    """The hash of the event before the window."""
    digest: str
    """The digest of the window's entries, in the form of `CheckedRange.digest`."""


class _WatchState(msgspec.Struct, frozen=True):
    next: int = 0
    """The window at which the next check begins."""
    due: float = 0.0
    """Time of the next check, by `time.monotonic`."""
    is_suspect: bool = False
    """True after damage was found, until a check of the whole log succeeds."""
    windows: dict[int, _Window] = {}


class Watch:
    """Checks the logs of the games that this process appends to."""

    def __init__(self, events: EventStore, games: GameStore, size: int = HEADS) -> None:
        self._events = events
        self._games = games
        self._watched: Cache[str, _WatchState] = Cache(size)

    def suspect(self, game_id: str) -> None:
        """Mark a game as damaged for all processes: the next append anywhere first checks the whole log."""
        self._games.forget(game_id)
        self._watched.put(game_id, _WatchState(is_suspect=True))
        with suppress(StoreUnavailable):
            self._events.suspect(game_id)

    def recheck(self, game_id: str) -> None:
        """Check the whole log of a game that another process suspects, and accept appends again."""
        self._games.forget(game_id)
        self._games.check(game_id)
        self._watched.drop(game_id)
        self._events.trust(game_id)

    def check_suspect(self, game_id: str) -> None:
        """Check the whole log again if this process found damage in it; raise `Damaged` if the damage remains."""
        known = self._watched.get(game_id)
        if known is not None and known.is_suspect:
            self.recheck(game_id)

    def checked_window(self, game_id: str, version: int) -> CheckedRange | None:
        """Return a window of the log that this process has checked; None if there is none.

        The version selects the window, so successive appends compare one window after another.

        Args:
            version: the version to which the process appends.
        """
        known = self._watched.get(game_id)
        if known is None or not known.windows:
            return None
        at = version % len(known.windows)
        window = known.windows.get(at)
        return None if window is None else CheckedRange(at * WINDOW + 1, at * WINDOW + window.count, window.digest)

    def check(self, game_id: str, version: int, most: int | None = None) -> None:
        """Check a part of the log up to event `version`, if a check is due.

        Args:
            most: maximum number of events to check (default: `PART`).

        Raises:
            Damaged: the log was changed.
            LacksRuleset: the log may be damaged, but its rules are not installed, so it cannot be replayed.
            UnknownGame: there is no such game.
        """
        began = time.monotonic()
        try:
            self.check_suspect(game_id)
            known = self._watched.get(game_id) or _WatchState()
            if began < known.due:
                return
            known = self._look(game_id, known, version, PART if most is None else most)
        except Damaged:
            self.suspect(game_id)
            raise
        now = time.monotonic()
        self._watched.put(game_id, msgspec.structs.replace(known, due=now + (now - began) / SHARE))

    def _look(self, game_id: str, known: _WatchState, version: int, most: int) -> _WatchState:
        windows, count = dict(known.windows), -(-version // WINDOW)
        at, seen = known.next % count, 0
        for _ in range(count):
            first = at * WINDOW + 1
            until = min(first + WINDOW - 1, version)
            windows[at] = self._verify(game_id, first, until, windows.get(at))
            at, seen = (at + 1) % count, seen + until - first + 1
            if seen >= most:
                break
        return _WatchState(at, windows=windows)

    def _verify(self, game_id: str, first: int, until: int, known: _Window | None) -> _Window:
        """Check a window. Skip the hashes of events that were checked before and have not changed since.

        If a server has lost the last events together with their head, the check passes. The append then detects the
        loss.
        """
        entries = [entry for page in self._events.entries(game_id, max(first - 1, 1), until) for entry in page]
        prev = GENESIS
        if entries and codec.seq_of(entries[0]) == first - 1:
            prev = codec.hash_of(entries.pop(0))
        done = 0
        if known is not None and (known.prev, known.digest) == (prev, _digest(entries[: known.count])):
            done = known.count
        codec.decode_sound(entries[done:], first + done, codec.hash_of(entries[done - 1]) if done else prev)
        if len(entries) <= until - first and self._events.head(game_id)[0] >= until:
            raise Damaged(first + len(entries), "the event is missing")
        return _Window(len(entries), prev, _digest(entries))


def _digest(entries: list[Entry]) -> str:
    parts = [part for id_, fields in entries for part in (id_, *fields)]
    return hashlib.sha1(b"".join(parts), usedforsecurity=False).hexdigest()
