"""A record that a test writes event by event, every state remembered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.chance import Recorded
from engine.events import Draft, Event, Seat, Value, event_hash
from engine.fold import Rules
from engine.games.forbidden_island.components import TILES
from engine.record import chance_for, open_game, record
from engine.ruleset import State
from tests.playouts import NAMES, clock

DEAL = (
    *TILES,
    *("observatory", "watchtower", "iron_gate", "gold_gate", "misty_marsh", "lost_lagoon"),
    *("messenger", "pilot"),
    *("earth_stone", "sandbags", "crystal_of_fire", "helicopter_lift"),
)
"""A set-up of Forbidden Island for two, as a table would report it."""


class Recording:
    """An observed game, or one that draws from `seed`."""

    def __init__(
        self, ruleset: str = "forbidden-island", seats: int = 2, seed: str | None = None, **options: Any
    ) -> None:
        self.game, first = open_game(
            ruleset=ruleset,
            seats=[Seat(name) for name in NAMES[:seats]],
            options=options,
            seed=seed,
            recorded_at=clock(1),
        )
        self.events = [first]
        self.states: list[State | None] = [None, None]
        self.chance = chance_for(self.game.header, seed)
        self._rules = Rules(self.game.header)

    def append(self, *drafts: Draft) -> list[Event]:
        """Record `drafts`; the new events."""
        self.game, added = record(
            self.game, drafts, self.chance, self.states.__getitem__, recorded_at=clock(self.game.version + 1)
        )
        self.events += added
        self._rules.fold(self.states, added, Recorded())
        return added

    def add(self, type_: str, actor: str | None = None, outcomes: Sequence[Value] = (), **params: Any) -> list[Event]:
        """Record one event."""
        return self.append(Draft(type=type_, actor=actor, params=params, outcomes=tuple(outcomes)))


def dealt(seed: str | None = None, **options: Any) -> Recording:
    """Forbidden Island for two, set up."""
    recording = Recording(seed=seed, **options)
    recording.add("set_up", outcomes=() if seed else DEAL)
    return recording


def played() -> Recording:
    """Forbidden Island for two, three events into the first turn: events 3, 4 and 5."""
    recording = dealt()
    recording.add("move", "p1", to="howling_garden")
    recording.add("move", "p1", to="gold_gate")
    recording.add("draw_treasure_card", "p1", ["earth_stone"])
    return recording


def ended() -> Recording:
    """The same, abandoned: event 6 ends it, event 7 closes it."""
    recording = played()
    recording.add("abandon", reason="dinner")
    return recording


def forged(event: Event, **changes: Any) -> Event:
    """`event` with those changes, and the hash that they make."""
    changed = msgspec.structs.replace(event, **changes)
    return msgspec.structs.replace(changed, hash=event_hash(changed))


def chained(events: Sequence[Event]) -> list[Event]:
    """`events` numbered and chained anew: a log that only its contents can betray."""
    log: list[Event] = []
    for seq, event in enumerate(events, 1):
        log.append(forged(event, seq=seq, prev=log[-1].hash if log else "0" * 64))
    return log
