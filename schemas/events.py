"""Events: what is appended, and the log itself.

`NewEvent` is not written in marshmallow: a request may bring a thousand of them, which marshmallow takes longer to
load than the rules to play. msgspec decodes and validates them (`parse_drafts`), and writes their JSON Schema too.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import msgspec
from marshmallow import Schema, fields, validate

from engine.core.documents import malformed, params_schema
from engine.core.errors import Malformed
from engine.core.events import Draft
from schemas.common import (
    EXAMPLE_GAME,
    EXAMPLE_HASH,
    EXAMPLE_TIME,
    Envelope,
    Operation,
    Seat,
    described,
    first_unseen,
    limit,
    seat_id,
    viewer,
)
from schemas.named import EFFECT, EXPLANATION_KIND, OPTIONS, PARAMS, VERDICT, Choice, Open
from schemas.problems import Problem

LARGEST_SEQ = 2**53
"""No number in a document is larger: JSON readers agree on integers up to it (RFC 7493)."""
MOST_AT_ONCE = 1000
"""The longest list of events that one request may bring."""
MOST_NOTE = 2000
MOST_OUTCOMES = 1000
"""The longest list of outcomes that an event may bring; no set-up has a tenth of them."""
LONGEST_EVENT = 64 * 1024
"""Bytes of an event as JSON: a record that begins in the middle of a game takes a tenth of them."""
LONGEST_WAIT = 30
"""Seconds that a request may wait for an event."""
LONGEST_APPEND = 1024 * 1024
"""Bytes of a body that appends: as many events as one may bring, with a kilobyte for each."""
_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)

_ONE = msgspec.json.Decoder(Draft)
_MANY = msgspec.json.Decoder(list[Draft])


class Unparsable(Exception):
    """The body is not JSON at all."""


def parse(body: bytes) -> Any:
    """Any JSON document.

    Raises:
        Unparsable: it is none; also where a number in it has no finite value, or it is nested too deep.
    """
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise Unparsable(str(error)) from None


_REASONED = frozenset({"adjust", "abandon"})
_LOOKED_INTO = _REASONED | {"amend"}


def parse_drafts(body: bytes) -> list[Draft]:
    """The events that a body asks to append: one object, or a list of them.

    Raises:
        Unparsable: it is not JSON.
        Malformed: it does not fit the schema; a pointer into a list begins with the place in it.
    """
    is_list = body.lstrip(b" \t\r\n")[:1] == b"["
    try:
        drafts = _MANY.decode(body) if is_list else [_ONE.decode(body)]
    except msgspec.ValidationError as error:
        # What does not fit may be followed by what is no JSON.
        parse(body)
        raise malformed(error, "", list[Draft] if is_list else Draft) from None
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise Unparsable(str(error)) from None
    if not 1 <= len(drafts) <= MOST_AT_ONCE:
        raise Malformed("", f"a list of 1 to {MOST_AT_ONCE} events, not {len(drafts)}")
    if len(body) > LONGEST_EVENT:
        _check_lengths(drafts, is_list=is_list)
    # Plain ASCII without an escape holds nothing that is not seen, and is the rule.
    if not body.isascii() or b"\\" in body or b"\x7f" in body:
        _check_seen(drafts, is_list=is_list)
    return [
        draft
        if draft.occurred_at is None
        and draft.note is None
        and draft.type not in _LOOKED_INTO
        and len(draft.outcomes) <= MOST_OUTCOMES
        else _checked(draft, f"/{index}" if is_list else "")
        for index, draft in enumerate(drafts)
    ]


def bounded(draft: Draft) -> Draft:
    """A draft that did not come as JSON, held to what an append takes.

    Raises:
        Malformed: it is more than that, or holds what cannot be seen.
    """
    _check_lengths([draft], is_list=False)
    _check_seen([draft], is_list=False)
    return _checked(draft, "")


def _check_lengths(drafts: list[Draft], *, is_list: bool) -> None:
    """Refuse an event that is longer than one may be, in a body that is long enough for that.

    Raises:
        Malformed: with its place.
    """
    for index, draft in enumerate(drafts):
        if len(msgspec.json.encode(draft)) > LONGEST_EVENT:
            raise Malformed(f"/{index}" if is_list else "", f"an event of at most {LONGEST_EVENT} bytes")


def _check_seen(drafts: list[Draft], *, is_list: bool) -> None:
    for index, draft in enumerate(drafts):
        said = {"params": draft.params, "note": draft.note}
        unseen = first_unseen(said, f"/{index}" if is_list else "")
        if unseen is not None:
            raise Malformed(*unseen)


def _check_reason(reason: object, pointer: str) -> None:
    # Not in the type of the event: logs of before may hold one.
    if isinstance(reason, str) and reason.isspace():
        raise Malformed(pointer, "a reason that is not blank")


def _checked(draft: Draft, under: str) -> Draft:
    """The draft with its time in UTC, its note and outcomes within bounds; and so the event that an amend brings."""
    if len(draft.outcomes) > MOST_OUTCOMES:
        raise Malformed(f"{under}/outcomes", f"at most {MOST_OUTCOMES} outcomes")
    if draft.type in _REASONED:
        _check_reason(draft.params.get("reason"), f"{under}/params/reason")
    if draft.type == "amend":
        params = dict(draft.params)
        for name in ("event", "insert"):
            if name in params:
                where = f"{under}/params/{name}"
                try:
                    brought = msgspec.convert(params[name], Draft)
                except msgspec.ValidationError as error:
                    raise malformed(error, where, Draft) from None
                params[name] = msgspec.to_builtins(_checked(brought, where))
        draft = msgspec.structs.replace(draft, params=params)
    if draft.note is not None and not 1 <= len(draft.note) <= MOST_NOTE:
        raise Malformed(f"{under}/note", f"a note of 1 to {MOST_NOTE} characters")
    if draft.occurred_at is None:
        return draft
    try:
        return msgspec.structs.replace(draft, occurred_at=utc(draft.occurred_at))
    except ValueError as error:
        raise Malformed(f"{under}/occurred_at", str(error)) from None


def utc(text: str) -> str:
    """An RFC 3339 time in UTC, to the millisecond.

    Raises:
        ValueError: it is not one.
    """
    if not _TIME.fullmatch(text):
        raise ValueError("a time as RFC 3339 has it, such as 2026-11-20T19:04:11Z")
    return rfc3339(datetime.fromisoformat(text.upper()))


def rfc3339(moment: datetime) -> str:
    """An aware moment in UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_event_schema() -> dict[str, Any]:
    """The JSON Schema of an event to append."""
    schema = params_schema(Draft)
    about = {
        "type": described("An action of the game's ruleset, or one that every record knows: `undo`, …", "move"),
        "actor": described("The seat that acts; null where nobody does.", "p2"),
        "params": described(
            "What the action needs, as its ruleset says; nothing where it is left out.", {"to": "coral_palace"}
        ),
        "outcomes": described(
            "What chance did, in the order in which the rules ask, null where nobody saw it; none if seeded.", []
        ),
        "occurred_at": described("When it happened, RFC 3339.", EXAMPLE_TIME, format="date-time"),
        "explanation": {
            "$ref": "#/components/schemas/Explanation",
            "description": "Why the table did it although the rules forbid it, as `explanations` of a refusal propose "
            "it: the event is then recorded, marked as this slip.",
        },
        "note": described("What the recorder has to say.", "a bold move", minLength=1, maxLength=MOST_NOTE),
    }
    # It has a name of its own.
    schema.pop("$defs")
    schema["properties"]["explanation"].clear()
    for name, metadata in about.items():
        schema["properties"][name].update(metadata)
    schema["properties"]["params"]["additionalProperties"] = {}
    return {"description": "An event to append.", **schema}


def until() -> fields.Integer:
    """A field that says as of when somebody looks."""
    return fields.Integer(
        validate=validate.Range(min=1, max=LARGEST_SEQ),
        metadata=described(
            "As it was when this event was the last: nothing that came later is in the answer (default: as it is).", 42
        ),
    )


def after() -> fields.Integer:
    """A field that says where a page of events begins."""
    return fields.Integer(
        load_default=0,
        validate=validate.Range(min=0, max=LARGEST_SEQ),
        metadata=described("The events after this `seq`.", 0),
    )


class Explanation(Schema):
    """The slip of the table that an event is."""

    kind = Choice(EXPLANATION_KIND, required=True, metadata=described("What went wrong.", "one_too_many"))
    seat = seat_id("Who slipped.", required=True)
    events = fields.List(
        fields.Integer(),
        metadata=described("The `seq` of each earlier event that it speaks of, such as a `left_out`.", [17]),
    )


class Event(Schema):
    """One action and what chance did in it, as it stands in the log for ever."""

    seq = fields.Integer(required=True, metadata=described("Gapless from 1.", 42))
    type = fields.String(required=True, metadata=described("What was done.", "move"))
    actor = seat_id("The seat that acted; null where nobody did.", required=True, allow_none=True)
    params = Open(PARAMS, required=True, metadata=described("The action's parameters.", {"to": "coral_palace"}))
    outcomes = fields.List(
        fields.Raw(metadata={"type": ["string", "integer", "null"]}),
        required=True,
        metadata=described("What chance did; null where nobody saw it.", []),
    )
    turn = fields.Integer(required=True, metadata=described("The turn in which it happened; 0 before the first.", 7))
    recorded_at = fields.String(required=True, metadata=described("When it was recorded.", EXAMPLE_TIME))
    occurred_at = fields.String(
        required=True, allow_none=True, metadata=described("When it happened, if somebody said.", EXAMPLE_TIME)
    )
    recorded_by = fields.String(required=True, allow_none=True, metadata=described("Who recorded it, if known."))
    note = fields.String(required=True, allow_none=True, metadata=described("What the recorder said.", "a bold move"))
    prev = fields.String(
        required=True, metadata=described("The hash of the event before it; 64 zeros for the first.", EXAMPLE_HASH)
    )
    hash = fields.String(
        required=True,
        metadata=described("SHA-256 over the canonical JSON (RFC 8785) of the event without `hash`.", EXAMPLE_HASH),
    )

    verdict = Choice(
        VERDICT,
        metadata=described(
            "What the rules said of it, in a game recorded as played; not told while a player hides what it is of.",
            "legal",
        ),
    )
    rule = fields.String(metadata=described("The rulebook's heading, where the verdict is not `legal`.", "Move"))
    reason = fields.String(
        metadata=described("The reason, where the verdict is not `legal`.", "The Pilot flies once per turn.")
    )
    state_hash = fields.String(
        metadata=described(
            "The digest of the state after the event, where a turn begins or the game ends. "
            "Events of earlier versions cover every member of the state.",
            EXAMPLE_HASH,
        )
    )
    explanation = fields.Nested(
        Explanation, metadata={"description": "The slip of the table that it is, where somebody said so."}
    )
    keeps_turn = fields.Boolean(
        metadata=described(
            "True of an illegal act out of turn in a strict game: it leaves the turn as it is.", example=True
        )
    )


class Impact(Schema):
    """What a correction does to a later event."""

    seq = fields.Integer(required=True, metadata=described("The event's place on the line.", 43))
    effect = Choice(EFFECT, required=True, metadata=described("What becomes of it.", "state_differs"))
    rule = fields.String(metadata=described("The rulebook's heading, where it is broken.", "Move"))
    reason = fields.String(metadata=described("Why it is broken.", "Coral Palace has sunk."))
    differences = fields.List(
        fields.Nested(Operation),
        metadata=described(
            "How the state after it differs: a JSON Patch (RFC 6902).",
            [{"op": "replace", "path": "/water_level", "value": 3}],
        ),
    )


class Stopped(Schema):
    """Where a list ended before its end."""

    index = fields.Integer(
        required=True, metadata=described("The place in the list of the event that was refused, from 0.", 1)
    )
    problem = fields.Nested(Problem, required=True, metadata={"description": "Why: the whole problem document."})


class Superseded(Schema):
    """Events that do not stand."""

    first = fields.Integer(required=True, metadata=described("The first of them.", 40))
    last = fields.Integer(required=True, metadata=described("The last of them.", 42))
    by = fields.Integer(required=True, metadata=described("The undo or amend because of which.", 43))


class EventList(Schema):
    """A part of the log."""

    events = fields.List(fields.Nested(Event), required=True, metadata={"description": "In order."})
    superseded = fields.List(
        fields.Nested(Superseded),
        required=True,
        metadata={"description": "What of the log does not stand, as far as it, or what took it back, is among these."},
    )
    version = fields.Integer(required=True, metadata=described("The `seq` of the game's last event.", 97))


class Viewed(Schema):
    """Who looks, and as of when."""

    viewer = viewer()
    until = until()


class EventQuery(Viewed):
    """Which part of the log, who looks, and as of when."""

    after = after()
    limit = limit(100, most=1000)
    wait = fields.Float(
        load_default=0.0,
        validate=validate.Range(min=0, max=LONGEST_WAIT),
        metadata=described("Seconds to wait for an event where there is none yet; it counts as a live stream.", 20),
    )


class Log(Schema):
    """A whole log as one document: what the export format `json` writes."""

    format = fields.String(
        required=True, validate=validate.Equal("driftlog"), metadata=described("What this is.", "driftlog")
    )
    format_version = fields.Integer(required=True, metadata=described("The version of the format.", 1))
    game = fields.String(required=True, metadata=described("The id of the game that was exported.", EXAMPLE_GAME))
    ruleset = fields.String(required=True, metadata=described("As in event 1.", "forbidden-island"))
    ruleset_version = fields.String(required=True, metadata=described("As in event 1.", "1"))
    seats = fields.List(
        fields.Nested(Seat), required=True, metadata=described("As in event 1.", [{"name": "Ann"}, {"name": "Bob"}])
    )
    options = Open(OPTIONS, required=True, metadata=described("As in event 1.", {"difficulty": "normal"}))
    events = fields.List(fields.Nested(Event), required=True, metadata={"description": "The whole log, in order."})
    head = fields.String(required=True, metadata=described("The hash of the last event.", EXAMPLE_HASH))
    version = fields.Integer(required=True, metadata=described("The `seq` of the last event.", 97))
    proof = fields.Nested(Envelope, metadata={"description": "The signed head; a log may come without."})
