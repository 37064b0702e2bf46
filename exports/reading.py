"""Reading events from outside: their shape is judged here, and nothing else (what they say is the audit's to judge)."""

from __future__ import annotations

import codecs
import json
import re
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from engine.core.canonical import check_value
from engine.core.documents import malformed
from engine.core.errors import Malformed
from engine.core.events import Event

T = TypeVar("T")

DEEPEST = 32
"""How many objects and arrays may lie within each other; the events of a game need a handful."""

_EVENT = msgspec.json.Decoder(Event)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z", re.ASCII)


def read_event(raw: bytes, pointer: str) -> Event:
    """The event whose JSON is `raw`.

    Args:
        pointer: where it stands in its file (RFC 6901).

    Raises:
        Malformed: it is not an event's JSON; the pointer begins with `pointer`.
    """
    event = decode(_EVENT, raw, pointer)
    # msgspec lets the last of two equal names win, and takes any JSON where the type of a param is open.
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
    """What `decoder` makes of `raw`.

    Raises:
        Malformed: it is not JSON in UTF-8, or does not fit; the pointer begins with `pointer`.
    """
    if raw.startswith(codecs.BOM_UTF8):
        raise Malformed(pointer, "a byte order mark, which JSON does not begin with")
    try:
        raw.decode()
        return decoder.decode(raw)
    except msgspec.ValidationError as error:
        raise malformed(error, pointer, decoder.type) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(pointer, str(error)) from None
    except RecursionError:
        raise Malformed(pointer, "too deep") from None


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise ValueError(f"the name {name!r} stands twice in an object")
        members[name] = value
    return members


def check_time(text: str, pointer: str) -> None:
    """Refuse what is no time as an event has it.

    Raises:
        Malformed: it is none.
    """
    if not _TIME.fullmatch(text) or not _exists(text):
        raise Malformed(pointer, "a time in UTC as RFC 3339 has it, such as 2026-11-20T19:04:11.512Z")


def _exists(time: str) -> bool:
    try:
        datetime.fromisoformat(time)
    except ValueError:
        return False
    return True
