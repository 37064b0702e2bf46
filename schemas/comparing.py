"""Two games side by side."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, Operation, described, viewer
from schemas.events import LARGEST_SEQ, Event
from schemas.reading import State


class CompareQuery(Schema):
    """As of when, and who looks."""

    viewer = viewer()
    at = fields.Integer(
        validate=validate.Range(min=1, max=LARGEST_SEQ),
        metadata=described("The game as it was when this event was its last (default: as it is).", 42),
    )
    other_at = fields.Integer(
        validate=validate.Range(min=1, max=LARGEST_SEQ),
        metadata=described("The other one as it was when this event was its last (default: as it is).", 42),
    )
    limit = fields.Integer(
        load_default=1000,
        validate=validate.Range(min=1, max=1000),
        metadata=described("How many events of each line are told at the most.", 1000),
    )


class CommonPrefix(Schema):
    """How far two games are the same."""

    events = fields.Integer(required=True, metadata=described("How many events their lines begin with that agree.", 40))
    at = fields.Integer(required=True, metadata=described("The last of them in the game; 0 where none agrees.", 40))
    other_at = fields.Integer(required=True, metadata=described("The last of them in the other one.", 40))


class ToldEvent(Event):
    """An event, and what a player would say of it."""

    sentence = fields.String(required=True, metadata=described("It, told.", "Bob moves to Coral Palace."))


class ComparedGame(State):
    """One of two games: the table, and the events after those that both have."""

    id = fields.String(required=True, metadata=described("The game's id.", EXAMPLE_GAME))
    events = fields.List(
        fields.Nested(ToldEvent), required=True, metadata={"description": "What stands after the common prefix."}
    )
    has_more = fields.Boolean(
        required=True, metadata=described("Whether more stands after the last of `events`.", example=False)
    )


class Comparison(Schema):
    """Two games side by side."""

    common = fields.Nested(CommonPrefix, required=True, metadata={"description": "How far they are the same."})
    game = fields.Nested(ComparedGame, required=True, metadata={"description": "The game that was asked for."})
    other = fields.Nested(ComparedGame, required=True, metadata={"description": "The other one."})
    difference = fields.List(
        fields.Nested(Operation),
        required=True,
        metadata={"description": "What makes the one state the other: a JSON Patch (RFC 6902)."},
    )
