"""A record that a test writes event by event, every state remembered; and what a forger would do to one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.chance import Recorded
from engine.events import GENESIS, Draft, Event, Mode, Seat, Value, event_hash
from engine.history import History
from engine.record import chance_for, open_game, record
from engine.ruleset import State
from tests.playouts import NAMES, clock


class Recording:
    """An observed game, or one that draws from `seed`."""

    def __init__(
        self,
        ruleset: str = "forbidden-island",
        seats: int = 2,
        seed: str | None = None,
        *,
        mode: Mode = "strict",
        **options: Any,
    ) -> None:
        self.game, first = open_game(
            ruleset=ruleset,
            seats=[Seat(name) for name in NAMES[:seats]],
            options=options,
            seed=seed,
            recorded_at=clock(1),
            mode=mode,
        )
        self.events = [first]
        self.history = History(self.game.header)
        self.chance = chance_for(self.game.header, seed)

    @property
    def states(self) -> list[State | None]:
        """The state after each event, from before the first on."""
        return self.history.states

    def append(self, *drafts: Draft) -> list[Event]:
        """Record `drafts`; the new events."""
        self.game, added = record(
            self.game, drafts, self.chance, self.history, recorded_at=clock(self.game.version + 1)
        )
        self.events += added
        self.history.fold(added, Recorded())
        return added

    def add(
        self, type_: str, actor: str | None = None, outcomes: Sequence[Value | None] = (), **params: Any
    ) -> list[Event]:
        """Record one event."""
        return self.append(Draft(type=type_, actor=actor, params=params, outcomes=tuple(outcomes)))


def forged(event: Event, **changes: Any) -> Event:
    """`event` with those changes, and the hash that they make."""
    changed = msgspec.structs.replace(event, **changes)
    return msgspec.structs.replace(changed, hash=event_hash(changed))


def chained(events: Sequence[Event]) -> list[Event]:
    """`events` numbered and chained anew: a log that only its contents can betray."""
    log: list[Event] = []
    for seq, event in enumerate(events, 1):
        log.append(forged(event, seq=seq, prev=log[-1].hash if log else GENESIS))
    return log
