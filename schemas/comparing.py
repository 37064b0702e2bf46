"""Comparison of two games."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, Operation, described, viewer
from schemas.events import LARGEST_SEQ, Event
from schemas.reading import State


class CompareQuery(Schema):
    """The point in time and the viewer of a comparison."""

    viewer = viewer()
    at = fields.Integer(
        validate=validate.Range(min=1, max=LARGEST_SEQ),
        metadata=described("The game after this event (default: the current one).", 42),
    )
    other_at = fields.Integer(
        validate=validate.Range(min=1, max=LARGEST_SEQ),
        metadata=described("The other game after this event (default: the current one).", 42),
    )
    limit = fields.Integer(
        load_default=1000,
        validate=validate.Range(min=1, max=1000),
        metadata=described("The maximum number of events of each game.", 1000),
    )


class CommonPrefix(Schema):
    """The common beginning of two games."""

    events = fields.Integer(required=True, metadata=described("Number of common events at the beginning.", 40))
    at = fields.Integer(required=True, metadata=described("The last of them in the game; 0 if there is none.", 40))
    other_at = fields.Integer(required=True, metadata=described("The last of them in the other game.", 40))


class ToldEvent(Event):
    """An event and its sentence."""

    sentence = fields.String(required=True, metadata=described("It, told.", "Bob moves to Coral Palace."))


class ComparedGame(State):
    """One of the two games: its table, and its events after the common beginning."""

    id = fields.String(required=True, metadata=described("The game's id.", EXAMPLE_GAME))
    events = fields.List(
        fields.Nested(ToldEvent), required=True, metadata={"description": "The events after the common beginning."}
    )
    has_more = fields.Boolean(
        required=True, metadata=described("True if there are more events after the last of `events`.", example=False)
    )


class Comparison(Schema):
    """Two games side by side."""

    common = fields.Nested(CommonPrefix, required=True, metadata={"description": "The common beginning."})
    game = fields.Nested(ComparedGame, required=True, metadata={"description": "The requested game."})
    other = fields.Nested(ComparedGame, required=True, metadata={"description": "The other game."})
    difference = fields.List(
        fields.Nested(Operation),
        required=True,
        metadata={"description": "The JSON Patch (RFC 6902) from one state to the other."},
    )
    facts = fields.List(
        fields.String(),
        required=True,
        metadata=described("Facts of the other table that differ, in sentences.", ["The water is at 3."]),
    )
