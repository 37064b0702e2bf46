"""Readings: results of parsing handwritten text."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import described
from schemas.games import Game
from schemas.named import READ, Choice


class ReadItem(Schema):
    """The result for one part of the text."""

    line = fields.Integer(required=True, metadata=described("Its line, from 1; of a spreadsheet the row.", 14))
    column = fields.Integer(required=True, metadata=described("Where in it the piece begins, from 1.", 4))
    text = fields.String(required=True, metadata=described("As it stands there.", "Ana: give Statue to Ben"))
    status = Choice(
        READ,
        required=True,
        metadata=described(
            "`understood`. `incomplete`: a result is unknown, and entered so. `irregular`: entered, and against "
            "the rules, or not as is written beside it. `wrong`: a question is open. `unread`: answer what is asked "
            "before it first.",
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
        metadata=described("What is unknown, irregular or wrong.", "the result is unknown: treasure card"),
    )
    events = fields.List(
        fields.Integer(), required=True, metadata=described("The events that it became, by their `seq`.", [3])
    )


class Answer(Schema):
    """A possible meaning of a line."""

    label = fields.String(required=True, metadata=described("As a player reads it.", "Ana: move to Lost Lagoon"))
    text = fields.String(
        required=True,
        metadata=described("What to write in place of the question's `text`.", "Ana: move to Lost Lagoon anyway"),
    )


class Question(Schema):
    """A line with several possible meanings, or with no meaning."""

    line = fields.Integer(required=True, metadata=described("Its line, from 1; of a spreadsheet the row.", 14))
    column = fields.Integer(required=True, metadata=described("Where `text` begins in it, from 1.", 4))
    text = fields.String(
        required=True, metadata=described("The piece that an answer replaces.", "Ana: move to Loost Lagon")
    )
    message = fields.String(required=True, metadata=described("What is asked.", "is this meant?"))
    answers = fields.List(
        fields.Nested(Answer), required=True, metadata={"description": "The best first; the last keeps a note."}
    )


class Reading(Schema):
    """The result of parsing a text."""

    items = fields.List(
        fields.Nested(ReadItem), required=True, metadata={"description": "Piece by piece, without gaps."}
    )
    questions = fields.List(
        fields.Nested(Question),
        required=True,
        metadata={
            "description": "All that are open. Replace the `text` of each by that of an answer, and send it again."
        },
    )
    text = fields.String(
        required=True,
        metadata=described("What was read, which answers are put into: of a sheet the same as lines.", "Game: …"),
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
    """A game that was opened from an import."""

    items = fields.List(
        fields.Nested(ReadItem),
        metadata={"description": "Of what was written by hand: what became of it, piece by piece."},
    )
