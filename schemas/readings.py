"""Readings: what was made of a text that somebody wrote by hand."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import described
from schemas.games import Game
from schemas.named import READ, Choice


class ReadItem(Schema):
    """What became of a piece of the text."""

    line = fields.Integer(required=True, metadata=described("Its line, from 1; of a spreadsheet the row.", 14))
    column = fields.Integer(required=True, metadata=described("Where in it the piece begins, from 1.", 4))
    text = fields.String(required=True, metadata=described("As it stands there.", "Ana: give Statue to Ben"))
    status = Choice(
        READ,
        required=True,
        metadata=described(
            "`understood`. `incomplete`: what came up is not known, and entered so. `irregular`: entered, and not by "
            "the rules, or not as is written beside it. `wrong`: it cannot be entered. `unread`: what is before it has "
            "to be mended first.",
            "understood",
        ),
    )
    said = fields.String(
        required=True,
        allow_none=True,
        metadata=described("What was understood, as a player says it.", "Ana gives Statue of the Wind to Ben."),
    )
    problem = fields.String(
        required=True,
        allow_none=True,
        metadata=described("What is not known, irregular or wrong.", "what came up is not known: treasure card"),
    )
    events = fields.List(
        fields.Integer(), required=True, metadata=described("The events that it became, by their `seq`.", [3])
    )


class Reading(Schema):
    """What a text would become."""

    items = fields.List(
        fields.Nested(ReadItem), required=True, metadata={"description": "Piece by piece; nothing is left out."}
    )
    is_whole = fields.Boolean(
        required=True, metadata=described("Whether all of it can be entered: nothing is `wrong`.", example=True)
    )
    events = fields.Integer(required=True, metadata=described("How many events it becomes.", 42))
    ruleset = fields.String(
        required=True, allow_none=True, metadata=described("The ruleset, as far as it is known.", "forbidden-island")
    )
    status = fields.String(
        required=True, allow_none=True, metadata=described("How far the game is by the end of it.", "in_progress")
    )
    turn = fields.Integer(required=True, metadata=described("The turn that it is in then; 0 before the first.", 5))


class ImportedGame(Game):
    """A game that was imported."""

    items = fields.List(
        fields.Nested(ReadItem),
        metadata={"description": "Of what was written by hand: what became of it, piece by piece."},
    )
