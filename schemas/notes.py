"""Notes on the events of a game."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_TIME, described, next_cursor
from schemas.named import MARK, Choice


class Note(Schema):
    """A note about an event."""

    seq = fields.Integer(required=True, metadata=described("The `seq` of the event that contains the note.", 44))
    about = fields.Integer(required=True, metadata=described("The `seq` of the event that the note is about.", 42))
    turn = fields.Integer(required=True, metadata=described("The turn of the event that the note is about.", 7))
    sentence = fields.String(
        required=True,
        metadata=described("The event that the note is about, as a sentence.", "Bob moves to Coral Palace."),
    )
    text = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The text of the note; null if it has none.", "Here it was lost."),
    )
    mark = Choice(
        MARK, required=True, allow_none=True, metadata=described("The mark of the note; null if it has none.", "?!")
    )
    bookmark = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The name of the bookmark; null if there is none.", "The last shore"),
    )
    recorded_at = fields.String(required=True, metadata=described("The time of recording.", EXAMPLE_TIME))
    occurred_at = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The time of the note; null if nobody gave it.", EXAMPLE_TIME),
    )
    recorded_by = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The name of the user who recorded the note; null if unknown.", "Ann"),
    )
    superseded_by = fields.Integer(
        required=True,
        allow_none=True,
        metadata=described("The `seq` of the event that superseded the note; null if the note is in effect."),
    )


class NoteList(Schema):
    """All notes of a game."""

    notes = fields.List(
        fields.Nested(Note), required=True, metadata={"description": "The notes, in the order of recording."}
    )
    version = fields.Integer(required=True, metadata=described("The `seq` of the game's last event.", 47))
    next_cursor = next_cursor()
