"""Events in a request to append.

Their schemas use msgspec, not marshmallow. A request may have a thousand events, and marshmallow would take longer to
load them than the rules take to play them. msgspec also writes their JSON Schema.
"""

from __future__ import annotations

from typing import Any

import msgspec
from marshmallow import ValidationError

from engine.core.documents import malformed_error, params_schema
from engine.core.errors import Malformed
from engine.core.events import Draft
from schemas.common import EXAMPLE_TIME, NAME, TITLE, Text, first_unseen
from schemas.members import describe
from schemas.times import utc

MOST_AT_ONCE = 1000
"""Maximum number of events in a request."""
MOST_NOTE = 2000
MOST_OUTCOMES = 1000
"""Maximum number of outcomes of an event. No setup needs a tenth of that number."""
LONGEST_EVENT = 64 * 1024
"""Maximum bytes of an event as JSON. A record that begins in the middle of a game needs a tenth of that size."""
LONGEST_APPEND = 1024 * 1024
"""Maximum bytes of an append: a kilobyte for each of `MOST_AT_ONCE` events."""

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
    """Validate a draft that was not parsed from JSON; raise `Malformed` if it is too large or invalid."""
    _check_lengths([draft], is_list=False)
    _check_seen([draft], is_list=False)
    return _check_draft(draft, "")


def _check_lengths(drafts: list[Draft], *, is_list: bool) -> None:
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
        raise Malformed(pointer, "must not be blank: give a reason")


def _check_draft(draft: Draft, under: str) -> Draft:
    """Check a draft's note and outcomes, and return the draft with its time in UTC.

    Do the same for the event in an amend.

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
            "An unknown result must have had no visible effect: for example, an unknown card was not a Waters Rise! "
            "card, which would have raised the water. In a seeded game, the service draws: send none.",
            [],
        ),
        "occurred_at": describe(
            "The time of the action, RFC 3339. A time before the previous event changes neither the order nor the "
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
