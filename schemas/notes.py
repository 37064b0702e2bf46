"""Notes on the events of a game."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_TIME, described, next_cursor
from schemas.named import MARK, Choice


class Note(Schema):
    """A note about an event."""

    seq = fields.Integer(required=True, metadata=described("The event with the note.", 44))
    about = fields.Integer(required=True, metadata=described("The event that it is about.", 42))
    turn = fields.Integer(required=True, metadata=described("The turn of that event.", 7))
    sentence = fields.String(
        required=True, metadata=described("The sentence of that event.", "Bob moves to Coral Palace.")
    )
    text = fields.String(required=True, allow_none=True, metadata=described("The text.", "Here it was lost."))
    mark = Choice(MARK, required=True, allow_none=True, metadata=described("Its mark.", "?!"))
    bookmark = fields.String(
        required=True, allow_none=True, metadata=described("The bookmark's name.", "The last shore")
    )
    recorded_at = fields.String(required=True, metadata=described("When it was recorded.", EXAMPLE_TIME))
    occurred_at = fields.String(
        required=True, allow_none=True, metadata=described("The time of the note, if given.", EXAMPLE_TIME)
    )
    recorded_by = fields.String(
        required=True, allow_none=True, metadata=described("The user who recorded it, if known.", "Ann")
    )
    superseded_by = fields.Integer(
        required=True, allow_none=True, metadata=described("The event that undid it; null if it is in effect.")
    )


class NoteList(Schema):
    """All notes of a game."""

    notes = fields.List(fields.Nested(Note), required=True, metadata={"description": "In the order of recording."})
    version = fields.Integer(required=True, metadata=described("The `seq` of the game's last event.", 47))
    next_cursor = next_cursor()
