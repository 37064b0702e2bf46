"""What was said about a game."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_TIME, described
from schemas.named import MARK, Choice


class Note(Schema):
    """Something that was said about an event."""

    seq = fields.Integer(required=True, metadata=described("The event in which it was said.", 44))
    about = fields.Integer(required=True, metadata=described("The event that it is about.", 42))
    turn = fields.Integer(required=True, metadata=described("The turn of that event.", 7))
    sentence = fields.String(required=True, metadata=described("That event, told.", "Bob moves to Coral Palace."))
    text = fields.String(required=True, allow_none=True, metadata=described("What was said.", "Here it was lost."))
    mark = Choice(MARK, required=True, allow_none=True, metadata=described("Its mark.", "?!"))
    bookmark = fields.String(
        required=True, allow_none=True, metadata=described("The bookmark's name.", "The last shore")
    )
    recorded_at = fields.String(required=True, metadata=described("When it was recorded.", EXAMPLE_TIME))
    occurred_at = fields.String(
        required=True, allow_none=True, metadata=described("When it was said, if somebody told.", EXAMPLE_TIME)
    )
    recorded_by = fields.String(required=True, allow_none=True, metadata=described("Who recorded it, if known.", "Ann"))
    superseded_by = fields.Integer(
        required=True, allow_none=True, metadata=described("The event that took it back; null where it stands.")
    )


class NoteList(Schema):
    """All that was said about a game."""

    notes = fields.List(fields.Nested(Note), required=True, metadata={"description": "As they were written."})
    version = fields.Integer(required=True, metadata=described("The `seq` of the game's last event.", 47))
