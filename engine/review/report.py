"""The result of an audit: data for programs, with sentences for people."""

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


class EventRef(msgspec.Struct, frozen=True):
    """The number of an event, and its turn."""

    seq: int
    turn: int
    period: str | None = None
    """The turn or round as players call it, such as 'turn 7'; None if the reader has to use `turn`."""


class Quote(msgspec.Struct, frozen=True):
    """An event or a note, in a sentence."""

    seq: int
    turn: int
    period: str
    message: str


class HouseRuleUsed(msgspec.Struct, frozen=True):
    """A house rule, and the actions that it made legal."""

    text: str
    seq: int
    turn: int
    period: str
    """The time at which the players agreed on it."""
    used: tuple[Quote, ...]
    """The moves that only this rule made legal."""
    overrides: str | None = None
    """The heading of the overridden rule; None if the players named none."""
    rule_text: str | None = None
    """The overridden rule in one sentence; None if the ruleset has no sentence for it."""


class Period(msgspec.Struct, frozen=True):
    """A turn or round."""

    name: str
    """The name that players use, such as 'turn 7'."""
    number: int
    seat: SeatId | None
    """The seat whose turn it is; None if the players count rounds."""
    seq: int
    """The first event."""
    is_after_end: bool = False
    """True if the game had already ended, and nobody noticed."""


class ShownFact(msgspec.Struct, frozen=True):
    """A fact as a reader sees it."""

    message: str
    about: str | None = None
    """The component that the fact is about, as in `data-place` of a board; None if there is no such component."""
    number: int | None = None
    """The number in the fact; None if there is none."""


class Finding(msgspec.Struct, frozen=True):
    """A problem with event `seq`: `kind` for programs, `rule` and `message` for people."""

    seq: int
    turn: int
    kind: Kind
    rule: str
    message: str
    actor: SeatId | None = None
    """The responsible seat; None if there is none."""
    player: str | None = None
    """The player who was in the seat at that time."""
    told: str | None = None
    """A sentence for players about the slip or the action; None if no seat acted."""
    rule_text: str | None = None
    """The broken rule in one sentence; None if the ruleset has no sentence for it."""
    due: str | None = None
    """A sentence about the phase, and whose turn it was; None if the action was not against the turn order."""
    happened: tuple[ShownFact, ...] = ()
    """For a slip: the facts that the slip changed, as they were at the table afterwards."""
    expected: tuple[ShownFact, ...] = ()
    """The facts of `happened` as they would be by the rules."""
    changed: tuple[str, ...] = ()
    """The later effects of the slip, a sentence each."""
    noticed_at: EventRef | None = None
    """For a slip: the first event that shows the slip in the record, and its turn; None if no event does."""
    played_until: EventRef | None = None
    """For an end that nobody noticed: the last recorded move after the end; None if there is none."""
    period: str | None = None
    """The turn or round as players call it, such as 'turn 7'."""


class Level(msgspec.Struct, frozen=True):
    """The reliability of a record. Several members may apply."""

    by_the_rules: bool
    """True if there are no findings and no changes by hand."""
    slips: int
    """The number of events against the rules."""
    adjusted: int
    """The number of changes to the table by hand."""
    begun_mid_game: bool
    imported: int
    """The number of events from an imported file, which this service did not witness."""
    broken: bool
    """True if the record cannot be replayed to its end."""
    house_rules: int = 0
    """The number of house rules in effect at the end of the record. Actions that a house rule allows are legal."""
    rules_checked: bool = True
    """False if the ruleset knows no rules. Then every action that the components of the game allow is legal."""


class Verdicts(msgspec.Struct, frozen=True):
    """Number of events in effect, by verdict."""

    legal: int
    illegal: int
    unknowable: int


class RuleVerdicts(msgspec.Struct, frozen=True):
    """Number of events in effect to which one rule applies, by verdict."""

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
    """The places that the correction removed from the line."""
    brought_back: tuple[int, ...]
    """The places that the correction added to the line."""
    impact: dict[Effect, int]
    """The number of later events with each effect."""
    message: str
    period: str | None = None


class Adjustment(msgspec.Struct, frozen=True):
    """An adjustment of the record to the table, by hand."""

    seq: int
    """The place of the adjustment in the line; for a superseded adjustment, its own `seq`."""
    turn: int
    reason: str
    agreed: tuple[str, ...]
    """The names of the players who agreed."""
    facts: tuple[dict[str, Any], ...]
    """The reported facts."""
    patch: list[dict[str, Any]]
    """The change in an earlier record: a JSON Patch (RFC 6902) of the state's document; otherwise empty."""
    stands: bool
    """True if the adjustment is in effect, False if it was undone or amended."""
    message: str
    changes: bool = True
    """True if the adjustment changed the table, False if it confirmed the record."""
    before: tuple[ShownFact, ...] = ()
    """The changed facts, with their previous values."""
    after: tuple[ShownFact, ...] = ()
    """The same facts, with their new values."""
    changed: tuple[str, ...] = ()
    """Later effects of the adjustment, a sentence each."""
    recorded_at: str | None = None
    recorded_by: str | None = None
    """The name of the user who recorded it; None if unknown."""
    period: str | None = None


class Determinism(msgspec.Struct, frozen=True):
    """The recorded digests of states, compared with the replayed states."""

    recorded: int
    """The number of events with a digest of the state."""
    equal: int
    differences: tuple[EventRef, ...]
    """The events after which the replayed state differs from the digest."""
    message: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an audit."""

    verdict: Literal["clean", "findings", "broken"]
    """`broken`: the chain is broken, or the log cannot be replayed to its end."""
    findings: tuple[Finding, ...]
    """The findings, in log order."""
    head: str
    """The hash of the last event."""
    events: int
    """The number of events read."""
    message: str
    """The verdict in a sentence."""
    determinism: Determinism
    level: Level
    by_the_rules: tuple[str, ...] = ()
    """Sentences about the game without its slips and manual corrections; empty if the game has none."""
    notes: tuple[str, ...] = ()
    """Other notes on this record, a sentence each."""
    house_rules: tuple[HouseRuleUsed, ...] = ()
    remarks: tuple[Quote, ...] = ()
    """The notes that the players wrote."""
    periods: tuple[Period, ...] = ()
    """The turns or rounds, in order."""
    events_by_verdict: Verdicts = Verdicts(0, 0, 0)
    """The verdicts on the line in effect."""
    rules_applied: tuple[RuleVerdicts, ...] = ()
    """The verdicts by rule, in the rulebook's order."""
    corrections: tuple[Correction, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    luck: Luck | None = None
    """A test of the results; None if the log has no opening. The test is never a finding."""
    rules: Comparison | None = None
    """Comparison with other rules, if requested."""
