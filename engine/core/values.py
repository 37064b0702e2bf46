"""The values that a log, the rules and the kernel share: seats, outcomes, states, and what is said of them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any, Literal, get_args

import msgspec

Value = str | int
"""What chance can bring up: a card, a tile, a role (their ids) or a number rolled."""


SeatId = Literal["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"]
"""A place at the table, in seat order."""


SEAT_IDS: tuple[SeatId, ...] = get_args(SeatId)


SEAT_INDEX: dict[str | None, int] = {seat: index for index, seat in enumerate(SEAT_IDS)}


def not_a_seat(seats: int, name: str | None = None) -> str:
    """What is said of a name that is no seat at a table for so many."""
    *others, last = SEAT_IDS[:seats]
    there = f"{', '.join(others)} and {last} are" if others else f"{last} is"
    return f"{'' if name is None else f'{name} is '}not a seat of this game: {there}"


MASKED = {"masked": True}
"""What stands in the place of a value that the viewer may not know yet."""


class GameOutcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a game ended: `reason` is the ruleset's id of the ending, `rule` the rulebook's heading."""

    result: Literal["won", "lost", "draw", "abandoned"]
    winners: tuple[SeatId, ...]
    reason: str
    rule: str
    superior: tuple[SeatId, ...] = ()
    """Those of the winners who won better than the others did, where the rulebook knows that."""
    by_hand: bool = False
    """Whether adjustments decided it (see `engine.play.by_hand`). Worked out when a game is read: no state and no event
    has it."""


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What every game's state has; a game adds its own fields."""

    turn: int
    """The turn that is being played, from 1."""
    phase: str
    """The part of the turn, in the rulebook's words."""
    outcome: GameOutcome | None = None
    """How the game ended; None while it goes on."""


class Violation(msgspec.Struct, frozen=True, omit_defaults=True):
    """What stands against a table as it is told: a sentence, and the rulebook's heading where one says it."""

    message: str
    rule: str | None = None


class ChancePoint(msgspec.Struct, frozen=True):
    """A place where the rules ask chance: the `position`-th question (from 0) of its event."""

    name: str
    position: int
    options: tuple[Value, ...]
    """Every possible outcome in listed order, equal cards apart: each entry is equally likely."""

    def probabilities(self) -> dict[Value, Fraction]:
        """Each distinct outcome with its exact probability, in listed order."""
        total = len(self.options)
        return {value: Fraction(count, total) for value, count in Counter(self.options).items()}


def probability(p: Fraction | None) -> dict[str, Any]:
    """A probability as every document tells it: the nearest float, and the fraction itself in lowest terms; both null
    where it is not known.
    """
    return {"p": None, "p_exact": None} if p is None else {"p": float(p), "p_exact": fraction(p)}


def fraction(p: Fraction) -> str:
    """A fraction in lowest terms, as every document tells it: 12/23, and 1/1."""
    return f"{p.numerator}/{p.denominator}"


Verdict = Literal["legal", "illegal", "unknowable"]
"""What the rules say of an event; `unknowable`: it depends on what nobody saw."""


class Judgement(msgspec.Struct, frozen=True):
    """What the rules say of an entry that is not simply legal."""

    verdict: Verdict
    rule: str
    """The rulebook's heading."""
    reason: str
    """The sentence that a player reads."""
    has_effect: bool = True
    """Whether it was carried out all the same; else the state after it is the one before."""


class Omission(msgspec.Struct, frozen=True):
    """A step that would have to be left out for an action to be legal."""

    seat: SeatId
    """Whose step it is."""
    step: str
    """Which: one of the ruleset's."""
    rule: str
    """The rulebook's heading that asks for it."""
    label: str
    """What a button says: 'Mia's Flood cards'."""
    message: str
    """The sentence that a player reads."""


Effect = Literal["unchanged", "state_differs", "now_illegal", "outcome_impossible"]


class Impact(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a correction does to a later event of the line."""

    seq: int
    """The place of that event."""
    effect: Effect
    rule: str | None = None
    """The rulebook's heading, where the event is broken: now illegal, or its outcome impossible."""
    reason: str | None = None
    """The sentence that a player reads, where the event is broken."""
    differences: tuple[dict[str, Any], ...] = ()
    """How the state after the event differs from what it was, as everyone may see it: a JSON Patch (RFC 6902)."""
