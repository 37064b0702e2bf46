"""A record that a test writes event by event, with every state; and functions to forge one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.core.details import IfIllegal
from engine.core.events import GENESIS, Draft, Event, Mode, Seat, event_hash
from engine.core.values import State, Value
from engine.kit.chance import Recorded
from engine.play.fold import History
from engine.play.game import Game
from engine.play.record import chance_for, open_game, record
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

    @classmethod
    def of(cls, other: Recording) -> Recording:
        """Return an independent record of the same events, which must be of an observed game."""
        header = other.game.header
        recording = cls(header.ruleset, len(header.seats), mode=header.mode, **header.options)
        recording.game, recording.events = other.game, list(other.events)
        for kept in ("states", "entries", "judgements", "lines", "impacts"):
            setattr(recording.history, kept, getattr(other.history, kept).copy())
        return recording

    def at(self, seq: int) -> Game:
        """Return the game after event `seq`, as it was then."""
        return Game(header=self.game.header, version=seq, head=self.events[seq - 1].hash, state=self.states[seq])

    @property
    def states(self) -> list[State | None]:
        """The state before the first event, and after each event."""
        return self.history.states

    def append(
        self,
        *drafts: Draft,
        accept_left_out: bool | None = False,
        accept_illegal: bool = False,
        if_illegal: IfIllegal | None = None,
    ) -> list[Event]:
        """Record `drafts`, and return the new events."""
        self.game, added = record(
            self.game,
            drafts,
            self.chance,
            self.history,
            recorded_at=clock(self.game.version + 1),
            accept_left_out=accept_left_out,
            accept_illegal=accept_illegal,
            if_illegal=if_illegal,
        )
        self.events += added
        self.history.fold(added, Recorded())
        self.game = msgspec.structs.replace(self.game, by_hand=self.history.by_hand)
        return added

    def add(
        self, type_: str, actor: str | None = None, outcomes: Sequence[Value | None] = (), **params: Any
    ) -> list[Event]:
        """Record one event."""
        return self.append(Draft(type=type_, actor=actor, params=params, outcomes=tuple(outcomes)))


def forged(event: Event, **changes: Any) -> Event:
    """Return `event` with changes, and with a matching hash."""
    changed = msgspec.structs.replace(event, **changes)
    return msgspec.structs.replace(changed, hash=event_hash(changed))


def chained(events: Sequence[Event]) -> list[Event]:
    """Return `events` with new numbers and hashes, so that only their contents can reveal a forgery."""
    log: list[Event] = []
    for seq, event in enumerate(events, 1):
        log.append(forged(event, seq=seq, prev=log[-1].hash if log else GENESIS))
    return log
