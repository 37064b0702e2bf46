"""What an audit finds, as plain data: for programs, and a sentence for people wherever there is something to say."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from engine.core.values import Effect, SeatId
from engine.review.luck import Luck
from engine.review.versions import Comparison

Kind = Literal[
    "sequence",
    "chain",
    "malformed",
    "no_ruleset",
    "illegal_action",
    "left_out",
    "impossible_outcome",
    "missing_outcome",
    "turn",
    "closing",
    "seed",
    "state",
    "verdict",
    "drawn_again",
    "unsound",
    "adjusted",
]


class Finding(msgspec.Struct, frozen=True):
    """What is wrong with event `seq`: `kind` for programs, `rule` and `message` for people."""

    seq: int
    turn: int
    kind: Kind
    rule: str
    message: str
    actor: SeatId | None = None
    """The seat that did it; None where nobody did."""
    told: str | None = None
    """What was done, in the sentence that a player would say of it; None where it is nobody's act."""
    due: str | None = None
    """What the game was at then, in a sentence: whose turn, and the phase; None where that is not the question."""


class Level(msgspec.Struct, frozen=True):
    """How a record came about: several may hold of one record."""

    by_the_rules: bool
    """Whether nothing calls for a look, and nothing was changed by hand."""
    slips: int
    """How often the table broke rules."""
    adjusted: int
    """How often the table was changed by hand."""
    begun_mid_game: bool
    imported: int
    """How many events came from a file: this service did not witness them."""
    broken: bool
    """Whether the record cannot be replayed to its end."""


class Verdicts(msgspec.Struct, frozen=True):
    """How the events of a line were judged."""

    legal: int
    illegal: int
    unknowable: int


class RuleVerdicts(msgspec.Struct, frozen=True):
    """How the events of a line that one rule governs were judged."""

    rule: str
    legal: int
    illegal: int
    unknowable: int


Correcting = Literal["undo", "amend", "reveal"]


class Correction(msgspec.Struct, frozen=True):
    """An undo, an amend or a reveal."""

    seq: int
    turn: int
    type: Correcting
    took_off: tuple[int, ...]
    """The places that stood before it and do not after it."""
    brought_back: tuple[int, ...]
    """The places that stand after it and did not before it."""
    impact: dict[Effect, int]
    """What it did to the events that follow: how many of each."""
    message: str


class Adjustment(msgspec.Struct, frozen=True):
    """The table brought in line by hand."""

    seq: int
    """Its place."""
    turn: int
    reason: str
    agreed: tuple[str, ...]
    """The names of those who agreed."""
    facts: tuple[dict[str, Any], ...]
    """What it said that is so."""
    patch: list[dict[str, Any]]
    """What an earlier record changed by it: a JSON Patch (RFC 6902) on the state's document; else nothing."""
    stands: bool
    """Whether it stands, or was undone or amended since."""
    message: str
    changes: bool = True
    """Whether it changed the table; else the record was right."""


class EventRef(msgspec.Struct, frozen=True):
    """An event and the turn in which it happened."""

    seq: int
    turn: int


class Determinism(msgspec.Struct, frozen=True):
    """The states as they were when they were recorded, against those that the same events lead to now."""

    recorded: int
    """How many events tell the state after them."""
    equal: int
    differences: tuple[EventRef, ...]
    """The events after which the state is another now."""
    message: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit found."""

    verdict: Literal["clean", "findings", "broken"]
    """`broken`: the chain is broken, or the log cannot be replayed to its end."""
    findings: tuple[Finding, ...]
    """In the order of the log."""
    head: str
    """The hash of the last event."""
    events: int
    """How many events were read."""
    message: str
    """The verdict in a sentence."""
    determinism: Determinism
    level: Level
    notes: tuple[str, ...] = ()
    """What else is to be known about this record, a sentence each."""
    events_by_verdict: Verdicts = Verdicts(0, 0, 0)
    """Of the line that stands."""
    rules_applied: tuple[RuleVerdicts, ...] = ()
    """The same by rule, in the rulebook's order."""
    corrections: tuple[Correction, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    luck: Luck | None = None
    """None where no game was opened. It is for information, and never a finding."""
    rules: Comparison | None = None
    """What other rules would have said, where that was asked."""
