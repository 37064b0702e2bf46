"""Comparison of two games."""

from __future__ import annotations

from marshmallow import Schema, validate

from schemas.common import EXAMPLE_GAME, Operation, viewer
from schemas.events import Event
from schemas.members import optional, required
from schemas.reading import State


class CompareQuery(Schema):
    """The point in time and the viewer of a comparison."""

    viewer = viewer()
    at = optional.seq("The `seq` after which to view the game `game_id` (default: its last event).", 42)
    other_at = optional.seq("The `seq` after which to view the game `other_id` (default: its last event).", 42)
    limit = optional.integer(
        "The maximum number of events to return for each game.",
        1000,
        load_default=1000,
        validate=validate.Range(min=1, max=1000),
    )


class CommonPrefix(Schema):
    """The common beginning of two games."""

    events = required.integer("Number of events with which both games begin.", 40)
    at = required.integer("The `seq` of the last common event in the game `game_id`; 0 if there is none.", 40)
    other_at = required.integer("The `seq` of the last common event in the game `other_id`; 0 if there is none.", 40)


class NarratedEvent(Event):
    """An event, with a sentence that describes it."""

    sentence = required.text("The event, as a sentence.", "Bob moves to Coral Palace.")


class ComparedGame(State):
    """One of the two games: its table, and its events after the common beginning."""

    id = required.text("The game's id.", EXAMPLE_GAME)
    events = required.each(NarratedEvent, "The events after the common beginning.")
    has_more = required.flag("True if there are more events after the last of `events`.", example=False)


class Comparison(Schema):
    """Two games side by side."""

    common = required.nested_field(CommonPrefix, "The common beginning.")
    game = required.nested_field(ComparedGame, "The game `game_id`.")
    other = required.nested_field(ComparedGame, "The game `other_id`.")
    difference = required.each(Operation, "The JSON Patch (RFC 6902) from the state of `game` to the state of `other`.")
    facts = required.texts("The facts of `other` that are not true in `game`, in sentences.", ["The water is at 3."])
