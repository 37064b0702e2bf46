"""Costs: the parts of each event's swing, computed from the rewards of its playouts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

import msgspec

from engine.core.values import SEAT_IDS, State
from engine.play.line import Slot
from engine.players.protocol import Proposal
from engine.players.value import Value, Z
from engine.review.marks import Cause, Skill

LEAST_COST = 0.05
"""Minimum cost of a mark."""
LEAST_ERRORS = 2.0
"""Minimum cost of a mark, in standard errors."""


class TableChange(msgspec.Struct, frozen=True):
    """An event in effect that changed the table."""

    slot: Slot
    since: int
    """The `seq` of the event before the change."""
    side: int
    """The index of the side that acted."""
    before: State
    after: State
    first: Proposal | None
    """The recorded action; None if the event is not an action, or not simply legal."""

    @property
    def is_choice(self) -> bool:
        """True if the player knew the effect of the action, so that its whole swing is skill."""
        return self.first is not None and not (self.first[0].asks_chance or self.first[0].is_blind)


class ValuedTable(NamedTuple):
    """A table to value."""

    state: State
    first: Proposal | None = None
    """The action that begins each playout."""


class Cost(msgspec.Struct, frozen=True):
    """A part of a swing."""

    step: TableChange
    side: int
    cause: Cause
    cost: float
    error: float
    """The standard error of `cost`."""
    before: Value
    after: Value

    @property
    def is_clear(self) -> bool:
        """True if the cost is large, and too large to be noise from the small number of playouts."""
        return self.cost <= -LEAST_COST and self.cost <= -LEAST_ERRORS * self.error


def parts(step: TableChange) -> dict[Cause, tuple[ValuedTable, ValuedTable]]:
    """Split an event's swing by cause. For each cause, return the tables before and after its part of the swing."""
    before, after = ValuedTable(step.before), ValuedTable(step.after)
    if step.first is None:
        return {"other": (before, after)}
    if step.first[0].is_blind:
        return {"luck": (before, after)}
    middle = ValuedTable(step.before, step.first) if step.first[0].asks_chance else after
    return {"skill": (before, middle), "luck": (middle, after)}


def candidates(clear: Sequence[Cost], most: int) -> list[Cost]:
    """Return up to `most` costs that may become marks. Up to 60 % are reserved for choices, which are easy to miss."""
    choices = [one for one in clear if one.cause == "skill"][: most * 3 // 5]
    others = [one for one in clear if one not in choices]
    return [*choices, *others[: most - len(choices)]]


def clear_costs(costs: Iterable[Cost]) -> list[Cost]:
    """Return the greatest clear cost of each event by cause. A choice counts only for the side that made it."""
    found: dict[tuple[int, Cause], Cost] = {}
    for one in sorted(costs, key=lambda one: one.cost):
        if one.is_clear and (one.cause != "skill" or one.side == one.step.side):
            found.setdefault((one.step.slot.number, one.cause), one)
    return list(found.values())


def skills(choices: Iterable[tuple[int, Sequence[float], Sequence[float]]]) -> Iterator[Skill]:
    """Yield the skill of each seat. Each of `choices` has the seat, and the rewards before and after the choice.

    Playout `i` of all choices shares its random numbers, so the interval is the interval of their sums.
    """
    found: dict[int, list[list[float]]] = {}
    for seat, before, after in choices:
        found.setdefault(seat, []).append(differences(before, after))
    for seat, each in sorted(found.items()):
        mean, error = mean_of([math.fsum(of_one) for of_one in zip(*each, strict=True)])
        yield Skill(SEAT_IDS[seat], len(each), mean, mean - Z * error, mean + Z * error)


def cost_of(step: TableChange, side: int, cause: Cause, pair: tuple[list[float], list[float]]) -> Cost:
    """Return a part of a swing for a side, from the side's rewards before and after the part."""
    before, after = pair
    mean, error = mean_of(differences(before, after))
    ended = Value.exact(after[0]) if step.after.outcome is not None and cause != "skill" else estimate(after)
    return Cost(step, side, cause, mean, error, estimate(before), ended)


def differences(before: Sequence[float], after: Sequence[float]) -> list[float]:
    """Return the difference between the rewards of each playout."""
    return [two - one for one, two in zip(before, after, strict=True)]


def mean_of(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the mean of `numbers`, and its standard error."""
    mean = fmean(numbers)
    return mean, math.sqrt(fmean([(one - mean) ** 2 for one in numbers]) / len(numbers))


def value_of(state: State, rewards: Sequence[float]) -> Value:
    """Return the value of a state, which is exact if the game is over."""
    return estimate(rewards) if state.outcome is None else Value.exact(rewards[0])


def estimate(rewards: Sequence[float]) -> Value:
    """Return the value that the rewards of playouts estimate."""
    return Value.of(math.fsum(rewards), len(rewards))
