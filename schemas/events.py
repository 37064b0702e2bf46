"""Events: as requests to append, and as stored in the log.

`NewEvent` is not written in marshmallow. A request may have a thousand events, and marshmallow takes longer to load
them than the rules to play them. msgspec decodes and validates them (`parse_drafts`), and writes their JSON Schema,
too.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import msgspec
from marshmallow import Schema, ValidationError, fields, validate

from engine.core.documents import malformed_error, params_schema
from engine.core.errors import Malformed
from engine.core.events import Draft
from schemas.common import (
    EXAMPLE_GAME,
    EXAMPLE_HASH,
    EXAMPLE_TIME,
    NAME,
    TITLE,
    Envelope,
    Operation,
    Seat,
    Text,
    cursor,
    first_unseen,
    limit,
    next_cursor,
    seat_id,
    viewer,
)
from schemas.members import describe, optional, required
from schemas.named import EFFECT, EXPLANATION_KIND, OPTIONS, PARAMS, VERDICT
from schemas.problems import Problem

MOST_AT_ONCE = 1000
"""Maximum number of events in a request."""
MOST_NOTE = 2000
MOST_OUTCOMES = 1000
"""Maximum number of outcomes of an event; no setup has a tenth as many."""
LONGEST_EVENT = 64 * 1024
"""Maximum bytes of an event as JSON; a record that begins in the middle of a game needs a tenth of that."""
LONGEST_WAIT = 30
"""Maximum seconds that a request may wait for an event."""
LONGEST_APPEND = 1024 * 1024
"""Maximum bytes of an append: a kilobyte for each of `MOST_AT_ONCE` events."""
_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)

_ONE = msgspec.json.Decoder(Draft)
_MANY = msgspec.json.Decoder(list[Draft])


class Unparsable(Exception):
    """The body is not JSON."""


def parse(body: bytes) -> Any:
    """Parse a JSON document.

    Raises:
        Unparsable: it is not JSON, has a number without a finite value, or is nested too deep.
    """
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise Unparsable(str(error)) from None


_REASONED = frozenset({"adjust", "abandon"})
_LOOKED_INTO = _REASONED | {"amend", "details_changed", "seat_joined"}
_NAMED: dict[str, tuple[tuple[str, Text], ...]] = {
    "details_changed": (("title", TITLE), ("place", TITLE), ("tags", NAME)),
    "seat_joined": (("name", NAME),),
}
"""Params that are names or lists of names, with their pattern."""


def parse_drafts(body: bytes) -> list[Draft]:
    """Parse the events in a body: one object, or a list.

    Raises:
        Unparsable: it is not JSON.
        Malformed: it does not match the schema; a pointer into a list begins with the index.
    """
    is_list = body.lstrip(b" \t\r\n")[:1] == b"["
    try:
        drafts = _MANY.decode(body) if is_list else [_ONE.decode(body)]
    except msgspec.ValidationError as error:
        # Check first that all of it is JSON: the decoder stops at the first mismatch with the schema.
        parse(body)
        raise malformed_error(error, "", list[Draft] if is_list else Draft) from None
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise Unparsable(str(error)) from None
    if not 1 <= len(drafts) <= MOST_AT_ONCE:
        raise Malformed("", f"must be a list of 1 to {MOST_AT_ONCE} events, not {len(drafts)}")
    if len(body) > LONGEST_EVENT:
        _check_lengths(drafts, is_list=is_list)
    # Fast path: plain ASCII text without escapes has no invisible characters.
    if not body.isascii() or b"\\" in body or b"\x7f" in body:
        _check_seen(drafts, is_list=is_list)
    return [
        draft
        if draft.occurred_at is None
        and draft.note is None
        and draft.type not in _LOOKED_INTO
        and len(draft.outcomes) <= MOST_OUTCOMES
        else _check_draft(draft, f"/{index}" if is_list else "")
        for index, draft in enumerate(drafts)
    ]


def validate_draft(draft: Draft) -> Draft:
    """Validate a draft that was not parsed from JSON.

    Raises:
        Malformed: it is too large, or has invisible characters.
    """
    _check_lengths([draft], is_list=False)
    _check_seen([draft], is_list=False)
    return _check_draft(draft, "")


def _check_lengths(drafts: list[Draft], *, is_list: bool) -> None:
    """Reject events that are too large.

    Raises:
        Malformed: an event is too large; the error has its index.
    """
    for index, draft in enumerate(drafts):
        if len(msgspec.json.encode(draft)) > LONGEST_EVENT:
            raise Malformed(f"/{index}" if is_list else "", f"must be an event of at most {LONGEST_EVENT} bytes")


def _check_seen(drafts: list[Draft], *, is_list: bool) -> None:
    for index, draft in enumerate(drafts):
        said = {"params": draft.params, "note": draft.note}
        unseen = first_unseen(said, f"/{index}" if is_list else "")
        if unseen is not None:
            raise Malformed(*unseen)


def _check_reason(reason: object, pointer: str) -> None:
    # Checked here and not in the event's type, because earlier logs may contain such a reason.
    if isinstance(reason, str) and reason.isspace():
        raise Malformed(pointer, "must be a reason that is not blank")


def _check_draft(draft: Draft, under: str) -> Draft:
    """Return the draft with its time in UTC, after checking its note and outcomes; the same for the event in an amend.

    Args:
        under: the pointer of the draft.
    """
    if len(draft.outcomes) > MOST_OUTCOMES:
        raise Malformed(f"{under}/outcomes", f"must have at most {MOST_OUTCOMES} outcomes")
    if draft.type in _REASONED:
        _check_reason(draft.params.get("reason"), f"{under}/params/reason")
    _check_names(draft, under)
    played_at = draft.params.get("played_at") if draft.type == "details_changed" else None
    if isinstance(played_at, str):
        draft = msgspec.structs.replace(
            draft, params={**draft.params, "played_at": _moment(played_at, f"{under}/params/played_at")}
        )
    if draft.type == "amend":
        params = dict(draft.params)
        for name in ("event", "insert"):
            if name in params:
                where = f"{under}/params/{name}"
                try:
                    brought = msgspec.convert(params[name], Draft)
                except msgspec.ValidationError as error:
                    raise malformed_error(error, where, Draft) from None
                params[name] = msgspec.to_builtins(_check_draft(brought, where))
        draft = msgspec.structs.replace(draft, params=params)
    if draft.note is not None and not 1 <= len(draft.note) <= MOST_NOTE:
        raise Malformed(f"{under}/note", f"must be a note of 1 to {MOST_NOTE} characters")
    if draft.occurred_at is None:
        return draft
    return msgspec.structs.replace(draft, occurred_at=_moment(draft.occurred_at, f"{under}/occurred_at"))


def _check_names(draft: Draft, under: str) -> None:
    for name, rule in _NAMED.get(draft.type, ()):
        given = draft.params.get(name)
        is_list = isinstance(given, list)
        for index, text in enumerate(given if isinstance(given, list) else [given]):
            if isinstance(text, str):
                try:
                    rule(text)
                except ValidationError as error:
                    where = f"{under}/params/{name}" + (f"/{index}" if is_list else "")
                    raise Malformed(where, str(error.messages[0])) from None


def _moment(text: str, pointer: str) -> str:
    try:
        return utc(text)
    except (ValueError, OverflowError) as error:
        raise Malformed(pointer, str(error)) from None


def utc(text: str) -> str:
    """Convert an RFC 3339 time to UTC, to the millisecond.

    Raises:
        ValueError: it is not in RFC 3339.
    """
    if not _TIME.fullmatch(text):
        raise ValueError("must be an RFC 3339 time, such as 2026-11-20T19:04:11Z")
    return rfc3339(datetime.fromisoformat(text.upper()))


def rfc3339(moment: datetime) -> str:
    """Format a timezone-aware datetime in UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_event_schema() -> dict[str, Any]:
    """Return the JSON Schema of an event to append."""
    schema = params_schema(Draft)
    about = {
        "type": describe(
            "An action of the game's ruleset, or an event type that every game has, such as `undo`.", "move"
        ),
        "actor": describe("The acting seat; null if there is none.", "p2"),
        "params": describe(
            "The params of the action, as its ruleset declares them (default: none).", {"to": "coral_palace"}
        ),
        "outcomes": describe(
            "The results of draws and rolls, in the order in which the rules need them; null for an unknown result. "
            "It had no effect that everyone could see: a Waters Rise! card would have raised the water, so an unknown "
            "card was none. In a seeded game, the service draws: send none.",
            [],
        ),
        "occurred_at": describe(
            "The time of the action, RFC 3339. One before that of the previous event changes neither the order nor the "
            "length of the game.",
            EXAMPLE_TIME,
            format="date-time",
        ),
        "explanation": {
            "$ref": "#/components/schemas/Explanation",
            "description": "The explanation of an illegal action, as in `explanations` of a rejection. The event is "
            "recorded and marked with it.",
        },
        "note": describe("The recorder's note.", "a bold move", minLength=1, maxLength=MOST_NOTE),
    }
    # The definition has its own named schema in openapi.yaml.
    schema.pop("$defs")
    schema["properties"]["explanation"].clear()
    for name, metadata in about.items():
        schema["properties"][name].update(metadata)
    schema["properties"]["params"]["additionalProperties"] = {}
    return {"description": "An event to append.", **schema}


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
        metadata=describe("The `seq` of each earlier event that it refers to, such as a `left_out`.", [17]),
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
    keeps_turn = optional.flag(
        "True for an illegal action out of turn in a strict game: it does not change the turn.", example=True
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
