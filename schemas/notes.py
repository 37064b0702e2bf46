"""Notes on the events of a game."""

from __future__ import annotations

from marshmallow import Schema

from schemas.common import EXAMPLE_TIME, next_cursor
from schemas.members import required
from schemas.named import MARK


class Note(Schema):
    """A note about an event."""

    seq = required.integer("The `seq` of the event that contains the note.", 44)
    about = required.integer("The `seq` of the event that the note is about.", 42)
    turn = required.integer("The turn of the event that the note is about.", 7)
    sentence = required.text("The event that the note is about, as a sentence.", "Bob moves to Coral Palace.")
    text = required.text("The text of the note; null if it has none.", "Here it was lost.", allow_none=True)
    mark = required.choice(MARK, "The mark of the note; null if it has none.", "?!", allow_none=True)
    bookmark = required.text("The name of the bookmark; null if there is none.", "The last shore", allow_none=True)
    recorded_at = required.text("The time of recording.", EXAMPLE_TIME)
    occurred_at = required.text("The time of the note; null if nobody gave it.", EXAMPLE_TIME, allow_none=True)
    recorded_by = required.text("The name of the user who recorded the note; null if unknown.", "Ann", allow_none=True)
    superseded_by = required.integer(
        "The `seq` of the event that superseded the note; null if the note is in effect.", allow_none=True
    )


class NoteList(Schema):
    """All notes of a game."""

    notes = required.each(Note, "The notes, in the order of recording.")
    version = required.integer("The `seq` of the game's last event.", 47)
    next_cursor = next_cursor()
