"""Audits: what may be asked, and what the report tells."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_HASH, Operation, described, fraction
from schemas.named import AUDIT_VERDICT, CORRECTION_TYPE, JOB_STATUS, LUCK_METHOD, RULING_VERDICT, Choice

PATCH = [{"op": "replace", "path": "/water_level", "value": 4}]


def _seq(description: str) -> fields.Integer:
    return fields.Integer(required=True, metadata=described(description, 17))


def _turn() -> fields.Integer:
    return fields.Integer(required=True, metadata=described("The turn in which it stands.", 3))


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
    """What to audit a record by, besides its own rules."""

    rules = fields.String(
        validate=validate.Length(min=1, max=80),
        metadata=described("A version of its rules to compare with: it has to read records of this one.", "2"),
    )


class Finding(Schema):
    """Something that an audit found."""

    seq = _seq("The event.")
    turn = _turn()
    kind = fields.String(required=True, metadata=described("For programs.", "illegal_action"))
    rule = fields.String(required=True, metadata=described("The rule it breaks.", "Shore Up"))
    message = _message("Coral Palace is not flooded.")
    actor = fields.String(allow_none=True, metadata=described("The seat that did it; null where nobody did.", "p2"))
    told = fields.String(
        allow_none=True,
        metadata=described(
            "What was done, in a sentence; null where it is nobody's act.", "Ben shores up Coral Palace."
        ),
    )
    due = fields.String(
        allow_none=True,
        metadata=described("Whose turn it was, and its phase, where the rules were broken.", "It was Ann's turn: …"),
    )


class Level(Schema):
    """How a record came about: several may hold of one record."""

    by_the_rules = fields.Boolean(
        required=True,
        metadata=described("Whether nothing calls for a look, and nothing was changed by hand.", example=True),
    )
    slips = _count("How often the table broke rules.")
    adjusted = _count("How often the table was changed by hand.")
    begun_mid_game = fields.Boolean(
        required=True, metadata=described("Whether it begins in the middle of a game.", example=False)
    )
    imported = _count("How many events came from a file: this service did not witness them.")
    broken = fields.Boolean(
        required=True, metadata=described("Whether it cannot be replayed to its end.", example=False)
    )


class Verdicts(Schema):
    """How events were judged."""

    legal = _count("By the rules.", 96)
    illegal = _count("Against the rules.")
    unknowable = _count("It depends on what nobody saw.")


class RuleVerdicts(Verdicts):
    """How the events that one rule governs were judged."""

    rule = fields.String(required=True, metadata=described("The rulebook's heading.", "Shore Up"))


class Correction(Schema):
    """An undo, an amend or a reveal."""

    seq = _seq("The event that corrects.")
    turn = _turn()
    type = Choice(CORRECTION_TYPE, required=True, metadata=described("The kind of correction.", "undo"))
    took_off = fields.List(
        fields.Integer(), required=True, metadata=described("The places that do not stand after it any more.", [15, 16])
    )
    brought_back = fields.List(
        fields.Integer(), required=True, metadata=described("The places that stand again after it.", [])
    )
    impact = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata=described("What it did to the events that follow: how many of each effect.", {"unchanged": 12}),
    )
    message = _message("Event 17 takes back events 15 to 16, one outcome of chance among them.")


class Adjustment(Schema):
    """The table brought in line by hand."""

    seq = _seq("Its place.")
    turn = _turn()
    reason = fields.String(required=True, metadata=described("Why.", "We forgot to raise the water."))
    agreed = fields.List(
        fields.String(), required=True, metadata=described("The names of those who agreed.", ["Ann", "Bob"])
    )
    facts = fields.List(
        fields.Dict(),
        required=True,
        metadata=described(
            "What it said that is so, as the ruleset declares it.", [{"fact": "water_level", "level": 3}]
        ),
    )
    patch = _patch(
        "What it changed, where an earlier record or a ruleset without facts has that as a JSON Patch (RFC 6902)."
    )
    changes = fields.Boolean(
        metadata=described("Whether it changed the table; else the record was right.", example=True)
    )
    stands = fields.Boolean(
        required=True, metadata=described("Whether it was not undone or amended since.", example=True)
    )
    message = _message("Event 17 brings the table in line by hand: We forgot to raise the water.")


class AuditedPlace(Schema):
    """An event and its turn."""

    seq = _seq("The event.")
    turn = _turn()


class Determinism(Schema):
    """The states as they were recorded, against those that the same events lead to now."""

    recorded = _count("How many events tell the state after them.", 14)
    equal = _count("After how many of them it is the same now.", 14)
    differences = _each(AuditedPlace, "Those after which it is another one now.")
    message = _message("The state was recorded 14 times along the way, and is the same now.")


class ValueLuck(Schema):
    """How often one value came up."""

    value = fields.Raw(
        required=True, metadata=described("The card, tile or number.", "earth_stone", type=["string", "integer"])
    )
    label = fields.String(required=True, metadata=described("What a player calls it.", "Earth Stone"))
    count = _count("How often it came up.", 3)
    expected = fields.Float(required=True, metadata=described("How often it was to be expected.", 2.5))
    p = fields.Float(
        required=True,
        allow_none=True,
        metadata=described("How likely chance alone leads as far from that; null where that is too few to say.", 0.62),
    )
    p_exact = fraction(
        "The same as a fraction in lowest terms; null, too, where more was drawn than that is worked out for.",
        "31/50",
        allow_none=True,
    )
    adjusted = fields.Float(
        required=True,
        allow_none=True,
        metadata=described("The same, corrected for how many values were looked at (Holm).", 1.0),
    )
    message = _message("Earth Stone: 3 times, 2.5 expected.")


class KindLuck(Schema):
    """What came up of one kind of chance."""

    name = fields.String(required=True, metadata=described("Its name.", "treasure_card"))
    draws = _count("How often it might have gone another way.", 41)
    method = Choice(
        LUCK_METHOD,
        required=True,
        metadata=described("The exact distribution by which it is judged.", "hypergeometric"),
    )
    message = _message("Treasure card, 41 results: nothing unusual.")
    values = _each(ValueLuck, "Each value that may have come up more or less often.")


class Luck(Schema):
    """What came up, against its probabilities. It is for information, and never a finding."""

    message = _message("This game has too few draws and rolls to judge its luck.")
    tested = _count("How many values each p is corrected for.", 12)
    kinds = _each(KindLuck, "By kind of chance.")


class Ruling(Schema):
    """What rules say of an event."""

    verdict = Choice(
        RULING_VERDICT,
        required=True,
        metadata=described("`impossible`: what came up cannot have come up.", "illegal"),
    )
    rule = fields.String(metadata=described("The rulebook's heading, where it is not legal.", "Shore Up"))
    reason = fields.String(metadata=described("Why, where it is not legal.", "Coral Palace is not flooded."))


class RulesDifference(Schema):
    """An event of which other rules say something else, or after which they leave another table."""

    seq = _seq("The event.")
    turn = _turn()
    was = fields.Nested(Ruling, required=True, metadata={"description": "What its own rules say."})
    is_ = fields.Nested(Ruling, required=True, data_key="is", metadata={"description": "What the other rules say."})
    patch = _patch("How the table after it differs: a JSON Patch (RFC 6902) from the one to the other.")
    message = _message("Event 17 (shore up) was legal, and is illegal: Coral Palace is not flooded. (Shore Up).")


class RulesComparison(Schema):
    """A record under other rules."""

    recorded = _version("The version by which it was recorded.", "1")
    replayed = _version("The version that was asked for.", "2")
    message = _message("By version 2 of the rules every event is judged as by version 1.")
    first = fields.Nested(
        RulesDifference, required=True, allow_none=True, metadata={"description": "Where the two part; null: nowhere."}
    )
    verdicts = _count("How many events are judged otherwise.")
    states = _count("After how many events the table is another one.")
    differences = _each(
        RulesDifference,
        "Each event that is judged otherwise, or after which the difference of the tables is not what it was before.",
    )


def _nested(kind: type[Schema], description: str) -> fields.Nested:
    return fields.Nested(kind, required=True, allow_none=True, metadata={"description": description})


class Audit(Schema):
    """The replay of a whole log, judged."""

    id = fields.String(required=True, metadata=described("The audit's id.", EXAMPLE_GAME))
    game = fields.String(required=True, metadata=described("The game's id.", EXAMPLE_GAME))
    status = Choice(JOB_STATUS, required=True, metadata=described("How far it is.", "done"))
    progress = fields.Float(required=True, metadata=described("From 0 to 1.", 1.0))
    verdict = Choice(
        AUDIT_VERDICT,
        required=True,
        allow_none=True,
        metadata=described("`broken`: the chain is broken, or the log cannot be replayed to its end.", "clean"),
    )
    findings = fields.List(fields.Nested(Finding), required=True, metadata=described("What was found.", []))
    head = fields.String(
        required=True, allow_none=True, metadata=described("The hash of the last event audited.", EXAMPLE_HASH)
    )
    events = fields.Integer(required=True, metadata=described("How many events were audited.", 97))
    message = _message(
        "The record holds: 97 events, and all that stands in it is as the rules have it.", allow_none=True
    )
    level = fields.Nested(
        Level,
        metadata={"description": "How far the record can be relied on. Reports that were made earlier have none."},
    )
    notes = fields.List(
        fields.String(),
        required=True,
        metadata=described("What else is to be known.", ["The record begins in the middle of a game."]),
    )
    events_by_verdict = _nested(Verdicts, "How the events that stand are judged.")
    rules_applied = _each(RuleVerdicts, "The same by rule, in the rulebook's order.")
    corrections = _each(Correction, "Each undo, amend and reveal.")
    adjustments = _each(Adjustment, "Each time the table was brought in line by hand.")
    determinism = _nested(Determinism, "Whether the states are those that were recorded.")
    luck = _nested(Luck, "What came up, against its probabilities.")
    rules = _nested(RulesComparison, "What other rules would have said; null where that was not asked.")
    error = fields.String(required=True, allow_none=True, metadata=described("Why it failed, if it did."))
