"""Parse imported events. Only their form is checked here; the audit judges their content."""

from __future__ import annotations

import codecs
import json
import re
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from engine.core.canonical import check_value
from engine.core.documents import malformed_error
from engine.core.errors import Malformed
from engine.core.events import Event

T = TypeVar("T")

DEEPEST = 32
"""Maximum depth of nested objects and arrays; real events need about five."""

_EVENT = msgspec.json.Decoder(Event)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z", re.ASCII)


def read_event(raw: bytes, pointer: str) -> Event:
    """Return the event whose JSON is `raw`.

    Args:
        pointer: the position of the event in the file (RFC 6901).

    Raises:
        Malformed: `raw` is not an event's JSON; the error's pointer begins with `pointer`.
    """
    event = decode(_EVENT, raw, pointer)
    # msgspec accepts repeated names (the last one wins), and any JSON if the type of a param is open.
    try:
        document = json.loads(raw, object_pairs_hook=_members)
    except (ValueError, RecursionError) as error:
        raise Malformed(pointer, str(error)) from None
    check_value(document, pointer, DEEPEST)
    check_time(event.recorded_at, f"{pointer}/recorded_at")
    if event.occurred_at is not None:
        check_time(event.occurred_at, f"{pointer}/occurred_at")
    return event


def decode(decoder: msgspec.json.Decoder[T], raw: bytes, pointer: str) -> T:
    """Decode `raw` with `decoder`.

    Raises:
        Malformed: `raw` is not JSON in UTF-8, or does not fit the type; the error's pointer begins with `pointer`.
    """
    if raw.startswith(codecs.BOM_UTF8):
        raise Malformed(pointer, "JSON must not begin with a byte order mark")
    try:
        raw.decode()
        return decoder.decode(raw)
    except msgspec.ValidationError as error:
        raise malformed_error(error, pointer, decoder.type) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(pointer, str(error)) from None
    except RecursionError:
        raise Malformed(pointer, "the JSON is nested too deeply") from None


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise ValueError(f"the name {name!r} appears twice in an object")
        members[name] = value
    return members


def check_time(text: str, pointer: str) -> None:
    """Reject an invalid time of an event.

    Raises:
        Malformed: the time is invalid.
    """
    if not _TIME.fullmatch(text) or not _exists(text):
        raise Malformed(pointer, "must be an RFC 3339 time in UTC, such as 2026-11-20T19:04:11.512Z")


def _exists(time: str) -> bool:
    try:
        datetime.fromisoformat(time)
    except ValueError:
        return False
    return True
