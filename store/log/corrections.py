"""The corrections of each game. The few correction events of a log are cached, up to the last event that was read."""

from __future__ import annotations

import msgspec

from engine.core.events import GENESIS
from engine.core.lifecycle import REWRITING
from engine.play.corrections.undo import READ, SupersededRange, Ways, correction
from store.cache import Cache
from store.log import codec
from store.log.streams import EventStore

MOST = 100_000
"""Maximum number of corrections, and of games with corrections, that a process caches."""


class _ReadPosition(msgspec.Struct, frozen=True):
    version: int
    """The last event that was read."""
    head: str
    """The hash of the last event that was read."""
    ways: Ways


_NOTHING = _ReadPosition(0, GENESIS, Ways())


class Corrections:
    """The corrections of all games. The cache is checked against the log at each use.

    Each method raises `UnknownGame` if there is no such game.
    """

    def __init__(self, events: EventStore, size: int = MOST) -> None:
        self._events = events
        self._known: Cache[str, _ReadPosition] = Cache(size, lambda known: 1 + len(known.ways.corrections))

    def superseded_events(self, game_id: str, version: int) -> list[SupersededRange]:
        """Return the events of the game that are superseded after event `version`."""
        return self.ways(game_id, version).superseded_events(version)

    def is_rewritten(self, game_id: str, version: int) -> bool:
        """Return True if an event up to `version` has rewritten an earlier event of the game."""
        corrections = self.ways(game_id, version).corrections
        return any(one.seq <= version and one.type in REWRITING for one in corrections)

    def ways(self, game_id: str, version: int) -> Ways:
        """Return the targets of the game's corrections, up to event `version`."""
        known = self._known.get(game_id) or _NOTHING
        if known.version > 0 and not self._is_of(game_id, known):
            # The log differs from the cached one: it was restored from a backup.
            known = _NOTHING
        if known.version < version:
            known = self._continue_reading(game_id, known, version)
            self._known.put(game_id, known)
        return known.ways

    def _is_of(self, game_id: str, known: _ReadPosition) -> bool:
        last = self._events.read(game_id, after=known.version - 1, limit=1, is_raw=True)
        return bool(last) and last[0].hash == known.head

    def _continue_reading(self, game_id: str, known: _ReadPosition, version: int) -> _ReadPosition:
        found, last = [], None
        for page in self._events.entries(game_id, known.version + 1, version):
            found += [correction(seq, row) for seq, row in codec.of_types(page, READ)]
            last = page[-1]
        if last is None:
            return known
        return _ReadPosition(codec.seq_of(last), codec.hash_of(last), known.ways.and_on(found))
