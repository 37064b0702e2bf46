"""Problem documents (RFC 9457) and the members that they add."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import GameOutcome, described


class ProblemError(Schema):
    """One thing that is wrong, and where."""

    pointer = fields.String(
        required=True,
        metadata=described("RFC 6901 pointer into the body; for a bad query, `/<parameter>`.", "/seats/0/name"),
    )
    message = fields.String(required=True, metadata=described("What is wrong.", "Missing data for required field."))


class PossibleOutcome(Schema):
    """Something that can come up."""

    value = fields.Raw(
        required=True, metadata={**described("What to report.", "coral_palace"), "type": ["string", "integer"]}
    )
    label = fields.String(required=True, metadata=described("What a player calls it.", "Coral Palace"))
    count = fields.Integer(metadata=described("How many of them there are, where that is known: 3 of 8 cards.", 3))
    p = fields.Float(required=True, metadata=described("Its probability.", 0.375))
    at = fields.List(
        fields.Integer(),
        allow_none=True,
        metadata=described("In a `set_up`: column and row, from 1, where it is a space of a grid; else null.", [2, 5]),
    )


class ChancePoint(Schema):
    """A place where the rules ask chance."""

    name = fields.String(required=True, metadata=described("What is drawn, rolled or turned.", "flood_card"))
    position = fields.Integer(metadata=described("Its place among the outcomes of the event, from 0.", 0))
    outcomes = fields.List(
        fields.Nested(PossibleOutcome),
        required=True,
        metadata={"description": "All that can come up, in listed order."},
    )


class Place(Schema):
    """One thing that a set-up asks of the table."""

    group = fields.String(required=True, metadata=described("What it belongs to.", "The island"))
    label = fields.String(required=True, metadata=described("Which one it is.", "row 1, space 2"))
    at = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        metadata=described("Column and row, from 1, where the group lies in a grid; else null.", [4, 1]),
    )


class Problem(Schema):
    """An RFC 9457 problem document."""

    type = fields.String(
        required=True, metadata=described("Which problem; GET it for an explanation.", "/problems/illegal-action")
    )
    title = fields.String(required=True, metadata=described("The problem's name.", "The rules forbid this now"))
    status = fields.Integer(required=True, metadata=described("The HTTP status.", 422))
    detail = fields.String(
        required=True, metadata=described("What happened here.", "Coral Palace is not flooded. (Shore Up)")
    )
    errors = fields.List(fields.Nested(ProblemError), metadata={"description": "`malformed`, `invalid`: each error."})
    rule = fields.String(metadata=described("`illegal-action`: the rulebook's heading.", "Shore Up"))
    message = fields.String(
        metadata=described("`illegal-action`: the sentence a player reads.", "Coral Palace is not flooded.")
    )
    index = fields.Integer(metadata=described("The place in a list of events of the one that is refused, from 0.", 0))
    chance = fields.Nested(
        ChancePoint,
        metadata={"description": "`outcome-required`, `impossible-outcome`: what chance is asked for."},
    )
    places = fields.List(
        fields.Nested(Place),
        metadata={"description": "The same of a `set_up`: all that it asks, in order, as far as can be foreseen."},
    )
    given = fields.Raw(
        metadata={**described("`impossible-outcome`: what was reported.", "watchtower"), "type": ["string", "integer"]}
    )
    version = fields.Integer(metadata=described("`version-conflict`: the game's version now.", 43))
    outcome = fields.Nested(GameOutcome, metadata={"description": "`game-over`: how the game ended."})
    seq = fields.Integer(metadata=described("`log-does-not-verify`: the first event that fails.", 17))
    reason = fields.String(
        metadata=described("`log-does-not-verify`: why.", "its contents do not have the hash that it carries")
    )
