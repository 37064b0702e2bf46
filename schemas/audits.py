"""Audits: the request and the report."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_HASH, Operation, fraction
from schemas.jobs import Job
from schemas.members import describe, optional, required
from schemas.named import AUDIT_VERDICT, CORRECTION_TYPE, LUCK_METHOD, RULING_VERDICT

PATCH = [{"op": "replace", "path": "/water_level", "value": 4}]


def _seq(description: str) -> fields.Integer:
    return required.integer(description, 17)


def _turn() -> fields.Integer:
    return required.integer("The turn of the event.", 3)


def _message(example: str, **arguments: Any) -> fields.String:
    return required.text("A sentence to show to people.", example, **arguments)


def _patch(description: str) -> fields.List[Any]:
    return required.each(Operation, description, PATCH)


def _count(description: str, example: int = 0) -> fields.Integer:
    return required.integer(description, example)


class OrderAudit(Schema):
    """The version of the rules with which to compare a record."""

    rules = optional.text(
        "The version of the rules with which to compare the record. That version must be able to read the record.",
        "2",
        validate=validate.Length(min=1, max=80),
    )


def _period(**arguments: Any) -> fields.String:
    told = describe("The turn or round as players call it; null or absent if only `turn` is known.", "turn 3")
    return fields.String(metadata=told, **arguments)


class AuditedPlace(Schema):
    """An event and its turn."""

    seq = _seq("The `seq` of the event.")
    turn = _turn()
    period = _period(allow_none=True)


class Quote(AuditedPlace):
    """An event or a note, in a sentence."""

    message = _message("Ben discards Sandbags.")


class HouseRuleUsed(AuditedPlace):
    """A house rule, the event at which the players agreed on it, and the moves that it made legal."""

    text = required.text("The house rule in words.", "Anyone may discard.")
    used = required.each(Quote, "The moves that only this rule made legal; the first 100 of them.")
    overrides = optional.text(
        "The heading of the overridden rule; null if the players named none.", "Move", allow_none=True
    )
    rule_text = optional.text(
        "The overridden rule in one sentence; null if there is none.", "Move your pawn.", allow_none=True
    )


class Period(Schema):
    """A turn; or a round, if the players count rounds."""

    name = required.text("The turn or round as players call it.", "turn 3")
    number = _count("The number of the turn or round.", 3)
    seat = required.text("The seat whose turn it is; null if the players count rounds.", "p1", allow_none=True)
    seq = _seq("The `seq` of the first move in the turn or round.")
    is_after_end = required.flag("True if the game had already ended, and nobody noticed.", example=False)


class ShownFact(Schema):
    """A fact in words."""

    message = _message("Coral Palace is flooded.")
    about = required.text(
        "The id of the component, as in `data-place` of a board picture; null if there is none.",
        "coral_palace",
        allow_none=True,
    )
    number = required.integer("The number in the fact; null if there is none.", 4, allow_none=True)


def _facts(description: str) -> fields.List[Any]:
    return optional.each(ShownFact, description)


def _sentences(description: str, example: str) -> fields.List[Any]:
    return optional.texts(description, [example])


class Finding(Schema):
    """A finding of an audit."""

    seq = _seq("The `seq` of the event.")
    turn = _turn()
    kind = required.text("The kind of finding, as an id for programs.", "illegal_action")
    rule = required.text("The rule that the event breaks.", "Shore Up")
    rule_text = optional.text(
        "The rule in one sentence; null if the ruleset has none.", "Shore up a flooded tile.", allow_none=True
    )
    message = _message("Coral Palace is not flooded.")
    actor = optional.text("The responsible seat; null if there is none.", "p2", allow_none=True)
    player = optional.text("The player who sat there then; null if there is none.", "Ben", allow_none=True)
    told = optional.text(
        "The slip or action, in a sentence; null if no seat acted.", "Ben shores up Coral Palace.", allow_none=True
    )
    due = optional.text(
        "The active player and the phase; null if that does not explain the finding.",
        "The game was in Ann's turn, …",
        allow_none=True,
    )
    happened = _facts(
        "For a slip: the facts at the table after it. For a skipped step: the draws or actions that "
        "followed, or that made up for it later."
    )
    expected = _facts(
        "For each fact of `happened`: the fact that the rules require. For a skipped step: the step that was due."
    )
    changed = _sentences(
        "The later effects of the slip, in sentences.", "By the rules, every later move was possible too."
    )
    noticed_at = optional.nested_field(
        AuditedPlace, "For a slip: the event that first shows it in the record; null if none does.", allow_none=True
    )
    played_until = optional.nested_field(
        AuditedPlace,
        "For an end that nobody noticed: the last move after the end; null if there is none.",
        allow_none=True,
    )
    period = _period(allow_none=True)


class Level(Schema):
    """The reliability of a record; several members may apply."""

    by_the_rules = required.flag(
        "True if the audit has no findings, and nobody changed the table by hand.", example=True
    )
    slips = _count("Number of times that the players broke a rule.")
    adjusted = _count("Number of times that the table was changed by hand.")
    begun_mid_game = required.flag("True if the record begins in the middle of a game.", example=False)
    imported = _count("Number of events that were imported, and not recorded by this service.")
    broken = required.flag("True if the record cannot be replayed to its end.", example=False)
    house_rules = _count(
        "Number of house rules in effect at the end of the record. The actions that they allow count as legal."
    )
    rules_checked = required.flag(
        "False if the ruleset knows no rules: then `legal` means that the components allow the action.", example=True
    )


class Verdicts(Schema):
    """Number of events by verdict."""

    legal = _count("Number of events that the rules allow.", 96)
    illegal = _count("Number of events that break a rule.")
    unknowable = _count("Number of events whose verdict depends on an unknown result.")


class RuleVerdicts(Verdicts):
    """Number of events that one rule governs, by verdict."""

    rule = required.text("The heading of the rule in the rulebook.", "Shore Up")


class Correction(Schema):
    """An undo, an amend or a reveal."""

    seq = _seq("The `seq` of the correction.")
    turn = _turn()
    type = required.choice(CORRECTION_TYPE, "The kind of correction.", "undo")
    took_off = fields.List(
        fields.Integer(),
        required=True,
        metadata=describe("The `seq` of each event that the correction superseded.", [15, 16]),
    )
    brought_back = fields.List(
        fields.Integer(),
        required=True,
        metadata=describe("The `seq` of each event that the correction brought back into effect.", []),
    )
    impact = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata=describe("Number of later events by the correction's effect on them.", {"unchanged": 12}),
    )
    message = _message("Undone in turn 4: “Ann draws Sandbags”.")
    period = _period(allow_none=True)


class Adjustment(Schema):
    """An adjustment of the table by hand."""

    seq = _seq("The `seq` of the adjustment.")
    turn = _turn()
    reason = required.text("The reason that the players gave.", "We forgot to raise the water.")
    agreed = required.texts("The names of the players who agreed.", ["Ann", "Bob"])
    facts = fields.List(
        fields.Dict(),
        required=True,
        metadata=describe(
            "The facts that the adjustment sets, as the ruleset declares them.", [{"fact": "water_level", "level": 3}]
        ),
    )
    patch = _patch("The change as a JSON Patch (RFC 6902), used in earlier records and for rulesets without facts.")
    changes = optional.flag(
        "True if the adjustment changed the table; false if the record was right already.", example=True
    )
    stands = required.flag("True if the adjustment is in effect; false if it was undone or amended.", example=True)
    message = _message("Event 17 changes the table by hand: We forgot to raise the water.")
    before = _facts("The changed facts, with their values before the adjustment.")
    after = _facts("The changed facts, with their values after the adjustment.")
    changed = _sentences("The later effects of the adjustment, in sentences.", "Nothing was recorded after it.")
    recorded_at = optional.text("The time of recording.", "2026-11-20T19:04:11.512Z", allow_none=True)
    recorded_by = optional.text("The name of who recorded it; null if unknown.", "Ann", allow_none=True)
    period = _period(allow_none=True)


class Determinism(Schema):
    """The recorded states, compared with the replayed ones."""

    recorded = _count("Number of events that contain a digest of the state.", 14)
    equal = _count("Number of these events after which the replay gives the same state.", 14)
    differences = required.each(AuditedPlace, "The events after which the replay gives a different state.")
    message = _message(
        "The record contains a fingerprint of the whole table 14 times. Replayed, the game matches each of them."
    )


class ValueLuck(Schema):
    """The frequency of one value, compared with its probability."""

    value = fields.Raw(
        required=True, metadata=describe("The card, tile or number.", "earth_stone", type=["string", "integer"])
    )
    label = required.text("The players' name for the value.", "Earth Stone")
    count = _count("Number of draws or rolls with this value.", 3)
    expected = required.number("Expected number of draws or rolls with this value.", 2.5)
    p = required.number(
        "Probability of a difference this large by chance alone; null if there are too few draws.",
        0.62,
        allow_none=True,
    )
    p_exact = fraction(
        "`p` as a fraction in lowest terms; null if `p` is null, or if there are too many draws for a fraction.",
        "31/50",
        allow_none=True,
    )
    adjusted = required.number(
        "`p`, corrected for the number of tested values (Holm); null if `p` is null.", 1.0, allow_none=True
    )
    message = _message("Earth Stone: 3 times, 2.5 expected.")


class KindLuck(Schema):
    """Results of one kind of chance."""

    name = required.text("The id of the kind of chance.", "treasure_card")
    draws = _count("Number of draws that could have had another result.", 41)
    method = required.choice(LUCK_METHOD, "The probability distribution that the exact test uses.", "hypergeometric")
    message = _message("Treasure card, 41 results: nothing unusual.")
    values = required.each(ValueLuck, "Each value that could have occurred more or less often.")


class Luck(Schema):
    """Results compared with their probabilities. For information only, never a finding."""

    message = _message("This game has too few draws and rolls to judge its luck.")
    tested = _count("Number of values tested; `adjusted` corrects `p` for it.", 12)
    kinds = required.each(KindLuck, "The results by kind of chance.")


class Ruling(Schema):
    """The verdict of a version of the rules on an event."""

    verdict = required.choice(RULING_VERDICT, "The verdict on the event.", "illegal")
    rule = optional.text("The rulebook heading; absent if the verdict is `legal`.", "Shore Up")
    reason = optional.text("The reason; absent if the verdict is `legal`.", "Coral Palace is not flooded.")


class RulesDifference(Schema):
    """An event for which other rules give a different verdict or a different table."""

    seq = _seq("The `seq` of the event.")
    turn = _turn()
    was = required.nested_field(Ruling, "The verdict of the recorded version of the rules.")
    is_ = required.nested_field(Ruling, "The verdict of the requested version of the rules.", data_key="is")
    patch = _patch(
        "The JSON Patch (RFC 6902) from the state under the recorded version of the rules to that "
        "under the requested version, both after the event."
    )
    facts = required.texts("The difference between the two states, in sentences.", ["The water is at 3."])
    message = _message("Event 17 (shore up) was legal, and is illegal: Coral Palace is not flooded. (Shore Up).")


class RulesComparison(Schema):
    """A record judged by other rules."""

    recorded = required.text("The version of the rules with which the game was recorded.", "1")
    replayed = required.text("The version of the rules that the request asked for.", "2")
    message = _message("Under version 2 of the rules, every event is judged as under version 1.")
    first = required.nested_field(RulesDifference, "The first difference; null if there is none.", allow_none=True)
    verdicts = _count("Number of events with a different verdict.")
    states = _count("Number of events after which the state is different.")
    differences = required.each(
        RulesDifference,
        "Each event that is judged differently, or after which the states differ in a new way.",
    )


def _nested_field(kind: type[Schema], description: str) -> fields.Nested:
    return required.nested_field(kind, description, allow_none=True)


class Audit(Job):
    """An audit: its job, and the report once it is done."""

    id = required.text("The audit's id.", EXAMPLE_GAME)
    game = required.text("The game's id.", EXAMPLE_GAME)
    verdict = required.choice(AUDIT_VERDICT, "The verdict; null until the audit is done.", "clean", allow_none=True)
    findings = required.each(Finding, "All findings of the audit.", [])
    head = required.text(
        "The hash of the last audited event; null until the audit is done.", EXAMPLE_HASH, allow_none=True
    )
    events = required.integer("Number of audited events.", 97)
    message = _message("The record is valid: 97 events, all by the rules.", allow_none=True)
    level = optional.nested_field(
        Level, "The reliability of the record; absent in reports of earlier versions of Driftlog."
    )
    by_the_rules = _sentences(
        "The course of the game without its slips and manual corrections, in sentences "
        "that `changed` does not contain.",
        "The result does not depend on a slip or on a change by hand.",
    )
    notes = required.texts(
        "Further notes, in sentences.",
        ["The record begins in the middle of a game. Nothing before that can be checked."],
    )
    house_rules = optional.each(HouseRuleUsed, "The house rules, each with the moves that it allowed.")
    remarks = optional.each(Quote, "The notes that the players wrote; the first 100 of them.")
    periods = optional.each(Period, "The turns or rounds that were played.")
    events_by_verdict = _nested_field(Verdicts, "Number of events in effect by verdict; null until the audit is done.")
    rules_applied = required.each(
        RuleVerdicts, "Number of events in effect by rule and verdict, in the rulebook's order."
    )
    corrections = required.each(Correction, "All undos, amends and reveals.")
    adjustments = required.each(Adjustment, "All adjustments of the table.")
    determinism = _nested_field(
        Determinism, "The recorded states, compared with the replayed ones; null until the audit is done."
    )
    luck = _nested_field(Luck, "The draws and rolls, compared with their probabilities; null until the audit is done.")
    rules = _nested_field(
        RulesComparison, "The comparison with another version of the rules; null if the request did not ask for one."
    )
