"""The values shared by logs, rules and the kernel: seats, outcomes, states, and judgements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self, get_args

import msgspec

from engine.core.details import NO_DETAILS, Details

Value = str | int
"""A result of chance: the id of a card, tile or role, or a number rolled."""


SeatId = Literal["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"]
"""A seat at the table, in seat order."""


SEAT_IDS: tuple[SeatId, ...] = get_args(SeatId)


SEAT_INDEX: dict[str | None, int] = {seat: index for index, seat in enumerate(SEAT_IDS)}


def other_seats(seats: int, seat: int) -> list[SeatId]:
    """Return the ids of the seats at a table with this many seats, except `seat`."""
    return [other for other in SEAT_IDS[:seats] if other != SEAT_IDS[seat]]


def not_a_seat(seats: int, name: str | None = None) -> str:
    """Return the message for a `name` that is not a seat at a table with this many seats."""
    *others, last = SEAT_IDS[:seats]
    there = f"the seats are {', '.join(others)} and {last}" if others else f"the only seat is {last}"
    return f"{'' if name is None else f'{name} is '}not a seat of this game: {there}"


MASKED = {"masked": True}
"""Placeholder for a value that the viewer may not know yet."""


class GameOutcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """Outcome of a game: `reason` is the ruleset's id of the ending, `rule` the rulebook's heading."""

    result: Literal["won", "lost", "draw", "abandoned"]
    winners: tuple[SeatId, ...]
    reason: str
    rule: str
    superior: tuple[SeatId, ...] = ()
    """The winners who did better than the others, if the rulebook ranks winners."""
    scores: tuple[int, ...] = ()
    """The score of each seat; empty if the game has no scores."""
    by_hand: bool = False
    """True if adjustments decided the outcome (see `engine.play.by_hand`).

    Computed when a game is read, never stored in a state or event.
    """


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Members of every game's state; a game adds its own fields."""

    is_belief: ClassVar[bool] = False
    """True for a `Belief`: a partly unknown table."""
    turn: int
    """The current turn, from 1."""
    phase: str
    """The part of the turn, in the rulebook's words."""
    outcome: GameOutcome | None = None
    """Outcome of the game; None while it continues."""
    played_on: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """The reasons of all endings that the players did not notice, and after which they continued."""
    details: Details = NO_DETAILS
    """Details of the record, not of the table; a state's document and digest omit them."""

    def with_play_resumed(self) -> Self:
        """Return the state without its outcome, and add the outcome's reason to the unnoticed endings."""
        assert self.outcome is not None
        return msgspec.structs.replace(self, outcome=None, played_on=(*self.unnoticed, self.outcome.reason))

    def keep_unnoticed(self, lasting: Collection[str]) -> Self:
        """Remove unnoticed endings whose condition is no longer true. The same condition can then end the game later.

        Args:
            lasting: the reasons of the endings whose condition is still true.
        """
        kept = tuple(reason for reason in self.unnoticed if reason in lasting)
        return self if kept == self.unnoticed else msgspec.structs.replace(self, played_on=kept or msgspec.UNSET)

    @property
    def unnoticed(self) -> tuple[str, ...]:
        """The reasons of the endings that the players did not notice."""
        return self.played_on or ()


class Violation(msgspec.Struct, frozen=True, omit_defaults=True):
    """A contradiction in a reported table: a sentence, and the rulebook's heading if one applies."""

    message: str
    rule: str | None = None


Odds = Literal["counted", "exact", "about"]
"""The exactness of the options of a chance point.

`counted`: each option is a single card or face of a die. `exact`: only the proportions of the options count. `about`:
the proportions are approximate.
"""


class _WithOdds(msgspec.Struct, frozen=True, kw_only=True):
    odds: Odds = "counted"


class ChancePoint(_WithOdds, frozen=True):
    """A point at which the rules need a random result; `position` is its index in the event, from 0."""

    name: str
    position: int
    options: tuple[Value, ...]
    """Every possible outcome, in listed order. Equal cards are separate entries: each entry is equally likely."""

    def probabilities(self) -> dict[Value, Fraction]:
        """Return each distinct outcome with its exact probability, in the order of `options`."""
        total = len(self.options)
        return {value: Fraction(count, total) for value, count in Counter(self.options).items()}


def probability(p: Fraction | None) -> dict[str, Any]:
    """Return a probability for documents: the nearest float, and the fraction in lowest terms; both null if unknown."""
    return {"p": None, "p_exact": None} if p is None else {"p": float(p), "p_exact": fraction(p)}


def fraction(p: Fraction) -> str:
    """Return a fraction in lowest terms for documents: '12/23' or '1/1'."""
    return f"{p.numerator}/{p.denominator}"


Verdict = Literal["legal", "illegal", "unknowable"]
"""Verdict of the rules on an event; `unknowable` if it depends on an unknown result."""


class Judgement(msgspec.Struct, frozen=True):
    """The rules' judgement on an event that is illegal, or that depends on an unknown result."""

    verdict: Verdict
    rule: str
    """The rulebook heading."""
    reason: str
    """The sentence that a player reads."""
    has_effect: bool = True
    """True if the event changed the state although it was illegal."""


class Omission(msgspec.Struct, frozen=True):
    """A step that must be skipped to make an action legal."""

    seat: SeatId
    """The seat that skips the step."""
    step: str
    """The step, one of the ruleset's `steps`."""
    rule: str
    """The rulebook heading that requires the step."""
    label: str
    """Button text: 'Mia's Flood cards'."""
    message: str
    """The sentence that a player reads."""


Effect = Literal["unchanged", "state_differs", "now_legal", "now_illegal", "outcome_impossible"]


class Impact(msgspec.Struct, frozen=True, omit_defaults=True):
    """Effect of a correction on a later event of the line."""

    seq: int
    """The `seq` of the later event."""
    effect: Effect
    rule: str | None = None
    """The rulebook's heading, if the event is broken: now illegal, or with an impossible outcome."""
    reason: str | None = None
    """The text for players, if the event is broken."""
    differences: tuple[dict[str, Any], ...] = ()
    """Changes to the public state after the event: a JSON Patch (RFC 6902)."""
    facts: tuple[str, ...] = ()
    """The facts that differ after the event, as sentences; only for the first event after which the table differs."""
