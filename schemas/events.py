"""Events, as stored in the log. `schemas.drafts` parses events in requests."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import (
    EXAMPLE_GAME,
    EXAMPLE_HASH,
    EXAMPLE_TIME,
    Envelope,
    Operation,
    Seat,
    cursor,
    limit,
    next_cursor,
    seat_id,
    viewer,
)
from schemas.members import describe, optional, required
from schemas.named import EFFECT, EXPLANATION_KIND, OPTIONS, PARAMS, VERDICT
from schemas.problems import Problem

LONGEST_WAIT = 30
"""Maximum seconds that a request may wait for an event."""


def until() -> fields.Integer:
    """Return a field for the last event of a view."""
    return optional.seq(
        "The `seq` of the last event to include: the response shows nothing later (default: the last event in effect).",
        42,
    )


def after() -> fields.Integer:
    """Return a field for the event after which a page begins."""
    return optional.seq("The `seq` after which to begin.", 0, load_default=0, least=0)


class Explanation(Schema):
    """The players' slip that explains an illegal event."""

    kind = required.choice(EXPLANATION_KIND, "The kind of slip.", "one_too_many")
    seat = seat_id("The seat that made the slip.", required=True)
    events = fields.List(
        fields.Integer(validate=validate.Range(min=1)),
        validate=validate.Length(max=10),
        metadata=describe(
            "The `seq` of each earlier event that the explanation refers to, such as a `left_out`.", [17]
        ),
    )


class Event(Schema):
    """An action and its results, as stored permanently in the log."""

    seq = required.integer("The number of the event in the log: 1, 2, 3, …, without gaps.", 42)
    type = required.text("The type of the event.", "move")
    actor = seat_id("The acting seat; null if there is none.", required=True, allow_none=True)
    params = required.document(PARAMS, "The action's parameters.", {"to": "coral_palace"})
    outcomes = fields.List(
        fields.Raw(metadata={"type": ["string", "integer", "null"]}),
        required=True,
        metadata=describe("The results of draws and rolls, in order; null for an unknown result.", []),
    )
    turn = required.integer("The turn of the event; 0 before the first.", 7)
    recorded_at = required.text("The time of recording.", EXAMPLE_TIME)
    occurred_at = required.text("The time of the action; null if nobody gave it.", EXAMPLE_TIME, allow_none=True)
    recorded_by = required.text("The name of the user who recorded the event; null if unknown.", allow_none=True)
    note = required.text("The recorder's note; null if there is none.", "a bold move", allow_none=True)
    prev = required.text("The hash of the previous event; 64 zeros for the first.", EXAMPLE_HASH)
    hash = required.text("SHA-256 over the canonical JSON (RFC 8785) of the event without `hash`.", EXAMPLE_HASH)

    verdict = optional.choice(
        VERDICT, "The verdict of the rules, in a game recorded as played; omitted while the action is hidden.", "legal"
    )
    rule = optional.text(
        "The rulebook heading, if the verdict is not `legal`; `House rule` if a house rule makes it legal.", "Move"
    )
    reason = optional.text(
        "The reason, if the verdict is not `legal`. If a house rule makes the action legal: the text of that rule.",
        "The Pilot flies once per turn.",
    )
    state_hash = optional.text(
        "The digest of the state after the event; present only if a turn begins or the game ends. In "
        "events of earlier versions of Driftlog, it covers every member of the state.",
        EXAMPLE_HASH,
    )
    explanation = optional.nested_field(Explanation, "The explanation of an illegal action; absent if none was given.")
    sets_aside = optional.flag(
        "True for an action that carried out no later step of the turn, because these steps were set aside before it.",
        example=True,
    )
    keeps_turn = optional.flag(
        "True for an illegal action that does not change the turn. In a game recorded `as_played`, some actions out of "
        "turn do not change it either.",
        example=True,
    )


class Impact(Schema):
    """The effect of a correction on a later event."""

    seq = required.integer("The `seq` of the later event.", 43)
    effect = required.choice(EFFECT, "The effect on the later event.", "state_differs")
    rule = optional.text("The rulebook heading, if the event now breaks a rule.", "Move")
    reason = optional.text("The reason, if the event is no longer possible or legal.", "Coral Palace has sunk.")
    differences = optional.each(
        Operation,
        "The difference of the state after the event, as a JSON Patch (RFC 6902).",
        [{"op": "replace", "path": "/water_level", "value": 3}],
    )
    facts = optional.texts(
        "For the first event after which the table differs: the facts that differ, in sentences.",
        ["The water is at 3."],
    )


class Stopped(Schema):
    """The reason why a list of events stopped early."""

    index = required.integer("The index of the rejected event in the list, from 0.", 1)
    problem = required.nested_field(Problem, "The problem document.")


class Superseded(Schema):
    """Events that are no longer in effect."""

    first = required.integer("The `seq` of the first superseded event.", 40)
    last = required.integer("The `seq` of the last superseded event.", 42)
    by = required.integer("The `seq` of the undo or amend that superseded the events.", 43)


class EventList(Schema):
    """A part of the log."""

    events = required.each(Event, "The events, in log order.")
    superseded = required.each(
        Superseded, "The ranges of superseded events that overlap `events`, or whose undo or amend is in `events`."
    )
    version = required.integer("The `seq` of the game's last event.", 97)
    next_cursor = next_cursor()


class Viewed(Schema):
    """The viewer and the last event of a view."""

    viewer = viewer()
    until = until()


class EventQuery(Viewed):
    """A part of the log, the viewer, and the last event of the view."""

    after = after()
    limit = limit(100, most=1000)
    cursor = cursor()
    wait = optional.number(
        "The number of seconds to wait for an event if there is none yet. A waiting request counts as a live stream.",
        20,
        load_default=0.0,
        validate=validate.Range(min=0, max=LONGEST_WAIT),
    )


class Log(Schema):
    """A complete log as one document: the export format `json`."""

    format = required.text("The name of the format.", "driftlog", validate=validate.Equal("driftlog"))
    format_version = required.integer("The version of the format.", 1)
    game = required.text("The id of the exported game.", EXAMPLE_GAME)
    ruleset = required.text("The id of the ruleset.", "forbidden-island")
    ruleset_version = required.text("The version of the rules.", "1")
    seats = required.each(
        Seat, "The players when the game was opened, in seat order.", [{"name": "Ann"}, {"name": "Bob"}]
    )
    options = required.document(
        OPTIONS, "Every option with its value when the game was opened.", {"difficulty": "normal"}
    )
    events = required.each(Event, "All events of the log, in order.")
    head = required.text("The hash of the last event.", EXAMPLE_HASH)
    version = required.integer("The `seq` of the last event.", 97)
    proof = optional.nested_field(Envelope, "The signed head; absent if there is none.")
