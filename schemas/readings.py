"""Readings: results of parsing handwritten text."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.games import Game
from schemas.members import describe, optional, required
from schemas.named import READ


class ReadItem(Schema):
    """The result for one part of the text."""

    line = required.integer(
        "The number of the line that contains the piece, from 1; in a spreadsheet, the number of the row.", 14
    )
    column = required.integer("The column in the line at which the piece begins, from 1.", 4)
    text = required.text("The text of the piece, unchanged.", "Ana: give Statue to Ben")
    status = required.choice(READ, "The result of reading the piece.", "understood")
    said = required.text(
        "The meaning of the piece, as a sentence; null if it has none yet.",
        "Ana gives Statue of the Wind to Ben.",
        allow_none=True,
    )
    problem = required.text(
        "The unknown, irregular or wrong part; null if there is none.",
        "the result is unknown: treasure card",
        allow_none=True,
    )
    events = fields.List(
        fields.Integer(), required=True, metadata=describe("The `seq` of each event that records the piece.", [3])
    )


class Answer(Schema):
    """A possible meaning of a line."""

    label = required.text("The answer to show to the user.", "Ana: move to Lost Lagoon")
    text = required.text("The text that replaces the question's `text`.", "Ana: move to Lost Lagoon anyway")


class Question(Schema):
    """A line with several possible meanings, or with no meaning."""

    line = required.integer("The number of the line, from 1; in a spreadsheet, the number of the row.", 14)
    column = required.integer("The column in the line at which `text` begins, from 1.", 4)
    text = required.text("The part of the line that an answer replaces.", "Ana: move to Loost Lagon")
    message = required.text("The question to show to the user.", "did you mean this?")
    answers = required.each(Answer, "The possible answers, best first. The last one keeps the text as a note.")


class Reading(Schema):
    """The result of parsing a text."""

    items = required.each(ReadItem, "The result for each piece of the text, in order, without gaps.")
    questions = required.each(
        Question,
        "All open questions. Replace the `text` of each by the `text` of an answer, and send the whole text again.",
    )
    text = required.text(
        "The text that was read, in which you replace questions by answers. A sheet is converted to lines of text.",
        "Game: …",
    )
    is_whole = required.flag(
        "True if you can import the whole text, because no piece is `wrong` or `unread`.", example=True
    )
    events = required.integer("Number of events that an import of the text appends.", 42)
    ruleset = required.text("The id of the ruleset; null if it is not known.", "forbidden-island", allow_none=True)
    status = required.text(
        "The status of the game at the end of the text; null if it is not known.", "in_progress", allow_none=True
    )
    turn = required.integer("The turn at the end of the text; 0 before the first turn.", 5)


class ImportedGame(Game):
    """A game that was opened from an import."""

    items = optional.each(ReadItem, "For a handwritten game: the result for each piece of the text.")
