"""Audits: the request and the report."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_HASH, Operation, described, fraction
from schemas.jobs import Job
from schemas.named import AUDIT_VERDICT, CORRECTION_TYPE, LUCK_METHOD, RULING_VERDICT, Choice

PATCH = [{"op": "replace", "path": "/water_level", "value": 4}]


def _seq(description: str) -> fields.Integer:
    return fields.Integer(required=True, metadata=described(description, 17))


def _turn() -> fields.Integer:
    return fields.Integer(required=True, metadata=described("The turn of the event.", 3))


def _message(example: str, **arguments: Any) -> fields.String:
    return fields.String(required=True, metadata=described("For people.", example), **arguments)


def _patch(description: str) -> fields.List[Any]:
    return fields.List(fields.Nested(Operation), required=True, metadata=described(description, PATCH))


def _version(description: str, example: str) -> fields.String:
    return fields.String(required=True, metadata=described(description, example))


def _count(description: str, example: int = 0) -> fields.Integer:
    return fields.Integer(required=True, metadata=described(description, example))


def _each(kind: type[Schema], description: str) -> fields.List[Any]:
    return fields.List(fields.Nested(kind), required=True, metadata={"description": description})


class OrderAudit(Schema):
    """The version of the rules to audit a record with."""

    rules = fields.String(
        validate=validate.Length(min=1, max=80),
        metadata=described("A version of the rules to compare with; it must be able to read this record.", "2"),
    )


class AuditedPlace(Schema):
    """An event and its turn."""

    seq = _seq("The event.")
    turn = _turn()


class ShownFact(Schema):
    """A fact in words."""

    message = _message("Coral Palace is flooded.")
    about = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The component, as in `data-place` of a board.", "coral_palace"),
    )
    number = fields.Integer(required=True, allow_none=True, metadata=described("The number in the fact.", 4))


def _facts(description: str) -> fields.List[Any]:
    return fields.List(fields.Nested(ShownFact), metadata={"description": description})


def _sentences(description: str, example: str) -> fields.List[Any]:
    return fields.List(fields.String(), metadata=described(description, [example]))


class Finding(Schema):
    """A finding of an audit."""

    seq = _seq("The event.")
    turn = _turn()
    kind = fields.String(required=True, metadata=described("For programs.", "illegal_action"))
    rule = fields.String(required=True, metadata=described("The rule it breaks.", "Shore Up"))
    message = _message("Coral Palace is not flooded.")
    actor = fields.String(allow_none=True, metadata=described("The responsible seat; null if there is none.", "p2"))
    player = fields.String(
        allow_none=True, metadata=described("The player who sat there then; null if there is none.", "Ben")
    )
    told = fields.String(
        allow_none=True,
        metadata=described("The slip or action, in a sentence; null if it is nobody's.", "Ben shores up Coral Palace."),
    )
    due = fields.String(
        allow_none=True,
        metadata=described(
            "The active player and the phase; null if that does not explain the finding.",
            "The game was in Ann's turn, …",
        ),
    )
    happened = _facts("For a slip: the facts at the table after it; for a skipped step, what came next or late.")
    expected = _facts("For each of these, the fact by the rules, or the step that was due.")
    changed = _sentences("Later effects of it.", "No later move depended on it.")
    noticed_at = fields.Nested(
        AuditedPlace,
        allow_none=True,
        metadata={"description": "For a slip: the event that first shows it in the record; null if none does."},
    )


class Level(Schema):
    """The reliability of a record; several members may apply."""

    by_the_rules = fields.Boolean(
        required=True,
        metadata=described("True if there is nothing to check, and nothing was changed by hand.", example=True),
    )
    slips = _count("Number of times that the table broke rules.")
    adjusted = _count("Number of times that the table was changed by hand.")
    begun_mid_game = fields.Boolean(
        required=True, metadata=described("True if it begins in the middle of a game.", example=False)
    )
    imported = _count("Number of imported events, which this service did not record.")
    broken = fields.Boolean(
        required=True, metadata=described("True if it cannot be replayed to its end.", example=False)
    )
    house_rules = _count("Number of house rules in effect at its end: the actions that they allow are legal.")


class Verdicts(Schema):
    """Number of events by verdict."""

    legal = _count("By the rules.", 96)
    illegal = _count("Against the rules.")
    unknowable = _count("Depends on an unknown result.")


class RuleVerdicts(Verdicts):
    """Number of events that one rule governs, by verdict."""

    rule = fields.String(required=True, metadata=described("The rulebook heading.", "Shore Up"))


class Correction(Schema):
    """An undo, an amend or a reveal."""

    seq = _seq("The correcting event.")
    turn = _turn()
    type = Choice(CORRECTION_TYPE, required=True, metadata=described("The kind of correction.", "undo"))
    took_off = fields.List(
        fields.Integer(),
        required=True,
        metadata=described("The places that are no longer in effect after it.", [15, 16]),
    )
    brought_back = fields.List(
        fields.Integer(), required=True, metadata=described("The places that are in effect again after it.", [])
    )
    impact = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata=described("The impact on later events: the number of each effect.", {"unchanged": 12}),
    )
    message = _message("Undone in turn 4: “Ann draws Sandbags” (with 1 drawn or rolled result).")


class Adjustment(Schema):
    """An adjustment of the table by hand."""

    seq = _seq("Its place.")
    turn = _turn()
    reason = fields.String(required=True, metadata=described("Why.", "We forgot to raise the water."))
    agreed = fields.List(
        fields.String(), required=True, metadata=described("The names of those who agreed.", ["Ann", "Bob"])
    )
    facts = fields.List(
        fields.Dict(),
        required=True,
        metadata=described("Its facts, as the ruleset declares them.", [{"fact": "water_level", "level": 3}]),
    )
    patch = _patch("The change as a JSON Patch (RFC 6902), in earlier records and for rulesets without facts.")
    changes = fields.Boolean(
        metadata=described("True if it changed the table; false if the record was right.", example=True)
    )
    stands = fields.Boolean(
        required=True, metadata=described("True if it was not undone or amended since.", example=True)
    )
    message = _message("Event 17 changes the table by hand: We forgot to raise the water.")
    before = _facts("The changed facts, with their previous values.")
    after = _facts("The same facts, with their new values.")
    changed = _sentences("Later effects of it.", "No later move depended on it.")
    recorded_at = fields.String(
        allow_none=True, metadata=described("When it was recorded.", "2026-11-20T19:04:11.512Z")
    )
    recorded_by = fields.String(
        allow_none=True, metadata=described("The name of who recorded it; null if unknown.", "Ann")
    )


class Determinism(Schema):
    """The recorded states, compared with those of the replay."""

    recorded = _count("Number of events with a recorded state.", 14)
    equal = _count("Number of these whose state is the same now.", 14)
    differences = _each(AuditedPlace, "The events whose state is different now.")
    message = _message("The state was recorded 14 times, and the replay gives the same.")


class ValueLuck(Schema):
    """How often one value resulted, compared with its probability."""

    value = fields.Raw(
        required=True, metadata=described("The card, tile or number.", "earth_stone", type=["string", "integer"])
    )
    label = fields.String(required=True, metadata=described("The players' name for it.", "Earth Stone"))
    count = _count("Number of times that it occurred.", 3)
    expected = fields.Float(required=True, metadata=described("Expected number of times.", 2.5))
    p = fields.Float(
        required=True,
        allow_none=True,
        metadata=described(
            "Probability of a difference this large by chance alone; null if there are too few draws.", 0.62
        ),
    )
    p_exact = fraction(
        "The same as a fraction in lowest terms; also null if there are too many draws for a fraction.",
        "31/50",
        allow_none=True,
    )
    adjusted = fields.Float(
        required=True,
        allow_none=True,
        metadata=described("The same, corrected for the number of tested values (Holm).", 1.0),
    )
    message = _message("Earth Stone: 3 times, 2.5 expected.")


class KindLuck(Schema):
    """Results of one kind of chance."""

    name = fields.String(required=True, metadata=described("Its name.", "treasure_card"))
    draws = _count("Number of draws that could have had another result.", 41)
    method = Choice(
        LUCK_METHOD,
        required=True,
        metadata=described("The exact distribution of the test.", "hypergeometric"),
    )
    message = _message("Treasure card, 41 results: nothing unusual.")
    values = _each(ValueLuck, "Each value whose count could have been different.")


class Luck(Schema):
    """Results compared with their probabilities. For information only, never a finding."""

    message = _message("This game has too few draws and rolls to judge its luck.")
    tested = _count("Number of values for which each p is corrected.", 12)
    kinds = _each(KindLuck, "By kind of chance.")


class Ruling(Schema):
    """The verdict of a version of the rules on an event."""

    verdict = Choice(
        RULING_VERDICT,
        required=True,
        metadata=described("`impossible`: the result cannot have occurred.", "illegal"),
    )
    rule = fields.String(metadata=described("The rulebook heading, if it is illegal.", "Shore Up"))
    reason = fields.String(metadata=described("The reason, if it is illegal.", "Coral Palace is not flooded."))


class RulesDifference(Schema):
    """An event that other rules judge differently, or after which they give a different table."""

    seq = _seq("The event.")
    turn = _turn()
    was = fields.Nested(Ruling, required=True, metadata={"description": "The verdict of its own rules."})
    is_ = fields.Nested(
        Ruling, required=True, data_key="is", metadata={"description": "The verdict of the other rules."}
    )
    patch = _patch("The difference of the tables after it: a JSON Patch (RFC 6902) from the one to the other.")
    facts = fields.List(
        fields.String(),
        required=True,
        metadata=described("The difference in sentences.", ["The water is at 3."]),
    )
    message = _message("Event 17 (shore up) was legal, and is illegal: Coral Palace is not flooded. (Shore Up).")


class RulesComparison(Schema):
    """A record judged by other rules."""

    recorded = _version("The recorded version.", "1")
    replayed = _version("The requested version.", "2")
    message = _message("Under version 2 of the rules, every event is judged as under version 1.")
    first = fields.Nested(
        RulesDifference,
        required=True,
        allow_none=True,
        metadata={"description": "The first difference; null if there is none."},
    )
    verdicts = _count("Number of events with a different verdict.")
    states = _count("Number of events with a different table afterwards.")
    differences = _each(
        RulesDifference,
        "Each event that is judged differently, or after which the tables differ in a new way.",
    )


def _nested(kind: type[Schema], description: str) -> fields.Nested:
    return fields.Nested(kind, required=True, allow_none=True, metadata={"description": description})


class Audit(Job):
    """An audit: its job, and the report once it is done."""

    id = fields.String(required=True, metadata=described("The audit's id.", EXAMPLE_GAME))
    game = fields.String(required=True, metadata=described("The game's id.", EXAMPLE_GAME))
    verdict = Choice(
        AUDIT_VERDICT,
        required=True,
        allow_none=True,
        metadata=described("`broken`: the chain is broken, or the log cannot be replayed to its end.", "clean"),
    )
    findings = fields.List(fields.Nested(Finding), required=True, metadata=described("The findings.", []))
    head = fields.String(
        required=True, allow_none=True, metadata=described("The hash of the last event audited.", EXAMPLE_HASH)
    )
    events = fields.Integer(required=True, metadata=described("Number of audited events.", 97))
    message = _message("The record is valid: 97 events, all by the rules.", allow_none=True)
    level = fields.Nested(
        Level,
        metadata={"description": "The reliability of the record. Earlier reports have none."},
    )
    by_the_rules = _sentences(
        "The game without its slips and manual corrections, as far as `changed` does not describe it.",
        "The result does not depend on a slip or on a correction.",
    )
    notes = fields.List(
        fields.String(),
        required=True,
        metadata=described("Further notes.", ["The record begins in the middle of a game."]),
    )
    events_by_verdict = _nested(Verdicts, "The verdicts on the events in effect.")
    rules_applied = _each(RuleVerdicts, "The same by rule, in the rulebook's order.")
    corrections = _each(Correction, "Each undo, amend and reveal.")
    adjustments = _each(Adjustment, "Each adjustment of the table.")
    determinism = _nested(Determinism, "Comparison of the states with the recorded ones.")
    luck = _nested(Luck, "The results, compared with their probabilities.")
    rules = _nested(RulesComparison, "The comparison with other rules; null if it was not requested.")
