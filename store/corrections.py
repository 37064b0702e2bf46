"""What was undone and amended in each game: a few events of a log, remembered as far as it was read."""

from __future__ import annotations

import msgspec

from engine.events import GENESIS, Event
from engine.lifecycle import REWRITING
from engine.superseded import READ, Superseded, superseded
from store.cache import Cache
from store.streams import EventStore

GAMES = 4096
"""Games whose corrections a process remembers."""


class _Known(msgspec.Struct, frozen=True):
    version: int
    """How far the log was read."""
    head: str
    """The hash of that event."""
    events: tuple[Event, ...]


_NOTHING = _Known(0, GENESIS, ())


class Corrections:
    """The corrections of all games. What is kept in this process is held against the log each time that it is used."""

    def __init__(self, events: EventStore, size: int = GAMES) -> None:
        self._events = events
        self._known: Cache[str, _Known] = Cache(size)

    def superseded(self, game_id: str, version: int) -> list[Superseded]:
        """Which events of the game do not stand after event `version`.

        Raises:
            UnknownGame: there is no such game.
        """
        return superseded(self._of(game_id, version), version)

    def is_rewritten(self, game_id: str, version: int) -> bool:
        """Whether a place of the game was written anew up to event `version`.

        Raises:
            UnknownGame: there is no such game.
        """
        return any(event.seq <= version and event.type in REWRITING for event in self._of(game_id, version))

    def _of(self, game_id: str, version: int) -> tuple[Event, ...]:
        """The game's corrections, at least up to event `version`."""
        known = self._known.get(game_id) or _NOTHING
        if known.version > 0 and not self._is_of(game_id, known):
            # The log is another one than that which was read: brought back from a backup.
            known = _NOTHING
        if known.version < version:
            known = self._read_on(game_id, known, version)
            self._known.put(game_id, known)
        return known.events

    def _is_of(self, game_id: str, known: _Known) -> bool:
        """Whether what is known belongs to the game's log."""
        last = self._events.read(game_id, after=known.version - 1, limit=1)
        return bool(last) and last[0].hash == known.head

    def _read_on(self, game_id: str, known: _Known, version: int) -> _Known:
        """What is known once the log is read up to `version`."""
        events, at, head = list(known.events), known.version, known.head
        for page in self._events.pages(game_id, after=at, until=version):
            events += [event for event in page if event.type in READ]
            at, head = page[-1].seq, page[-1].hash
        return _Known(at, head, tuple(events))
