"""The result of an analysis: the curve, the swings of events, and the marks of the costliest ones."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from engine.core.values import SeatId
from engine.players.value import Value

Cause = Literal["luck", "skill", "other"]
"""The cause of a swing: a result, a choice, or a slip or correction."""


class Point(msgspec.Struct, frozen=True):
    """The chance to win at the start of a turn, or at the end of the record."""

    seq: int
    """The `seq` of the last event before this point."""
    turn: int
    """The turn or round: see `Swings.unit`."""
    value: Value
    """The value of the first side."""
    sides: tuple[Value, ...]
    """The value of each side."""
    draw: Value | None
    """The chance that no side wins; None if there is only one side."""


class Swing(msgspec.Struct, frozen=True):
    """The change of the chance to win at an event: `luck`, `skill` and `other` add up to it."""

    seq: int
    turn: int
    side: int
    """The index of the side that acted. All values are for this side."""
    before: Value
    after: Value
    luck: float
    skill: float
    other: float


class MarkedChoice(msgspec.Struct, frozen=True):
    """A possible action at a mark."""

    label: str
    type: str
    actor: SeatId
    params: dict[str, Any]
    value: Value
    """The chance to win if the game continues with this choice."""
    is_recorded: bool


class Mark(msgspec.Struct, frozen=True):
    """An event that greatly lowered the chance to win."""

    seq: int
    turn: int
    side: int
    """The index of the side that lost most at the event."""
    cause: Cause
    before: Value
    after: Value
    cost: float
    """The change of the chance to win, below 0."""
    message: str
    choices: tuple[MarkedChoice, ...]
    """For a choice: the better choices and the recorded one, best first."""


class Skill(msgspec.Struct, frozen=True):
    """The total skill of a seat's choices. Show it only to viewers whom the player of the seat allows to see it."""

    seat: SeatId
    choices: int
    """The number of choices whose skill was estimated."""
    skill: float
    low: float
    """The lower end of the 95 % interval."""
    high: float


class Swings(msgspec.Struct, frozen=True):
    """The analysis of a game."""

    player: str
    player_version: str
    version: int
    """The number of analysed events."""
    unit: str
    """`turn` if the members `turn` contain the numbers of turns; `round` if they contain the numbers of rounds."""
    sides: tuple[tuple[SeatId, ...], ...]
    """The seats of each side; one side if all win or lose together."""
    points: tuple[Point, ...]
    events: tuple[Swing, ...]
    """The events of the turns with the greatest drops."""
    marks: tuple[Mark, ...]
    """The costliest events, in the order of play."""
    skills: tuple[Skill, ...] = ()
    """The seats with choices whose skill was estimated."""
