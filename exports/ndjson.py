"""ndjson: one event a line, the first of them the header event; nothing else.

In an export of many games each line has the game's id and its ruleset before the event, so that files can be put below
each other; what follows them is the event to the byte, and the file of a game is read back with them or without.

For programs that take a log as it comes: a line is an event as the API gives it. A log that lacks its last lines is
still a log; that it is whole shows in `game_closed`, or in the hash of its last event.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from engine.core.errors import Malformed
from engine.core.events import Event
from exports.log import File, Format, Log, chunks
from exports.reading import read_event

BEGINNINGS = (b'{"seq":', b'{"game":')
"""What the first line of such a file begins with."""
_WHOSE = re.compile(rb'\{"game":"([\x20\x21\x23-\x5b\x5d-\x7e]{1,64})","ruleset":"([a-z0-9-]{1,64})",')
"""What stands before the event in a line of many games."""


def write(log: Log) -> Iterator[bytes]:
    """`log` as NDJSON."""
    encode = msgspec.json.Encoder().encode
    lines = (encode(log.show(event)) + b"\n" for event in log.events)
    if not log.is_one_of_many:
        return chunks(lines)
    whose = encode({"game": log.game_id, "ruleset": log.header().ruleset})[:-1] + b","
    return chunks(whose + line[1:] for line in lines)


def read(data: bytes) -> list[Event]:
    """The events of an NDJSON file; empty lines are passed over.

    Raises:
        Malformed: a line is not an event, or is one of another game; its number (from 1) begins the pointer, and stands
            in the message.
    """
    return read_file(data).whole()


def read_file(data: bytes) -> File:
    """The same, with the game that its lines name where they name one.

    Raises:
        Malformed: as `read`.
    """
    events: list[Event] = []
    whose: tuple[bytes, bytes] | None = None
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        named = _WHOSE.match(line)
        its = None if named is None else (named[1], named[2])
        whose = its if not events else whose
        if its != whose:
            raise Malformed(f"/{number}/game", f"line {number}: another game begins here: a log is of one")
        try:
            events.append(read_event(line if named is None else b"{" + line[named.end() :], f"/{number}"))
        except Malformed as error:
            raise Malformed(error.pointer, f"line {number}: {error.message}") from None
    if not events:
        raise Malformed("", "there is no event in it")
    if whose is None:
        return File(events)
    flaw = Malformed("/1/ruleset", "line 1: not what the event says")
    return File(events, whose[0].decode(), flaw=None if events[0].params.get("ruleset") == whose[1].decode() else flaw)


KIND = Format(
    name="ndjson",
    media_type="application/x-ndjson",
    extension="ndjson",
    loses="The signed head, which is beside it.",
    write=write,
    read=read,
    is_as_stored=True,
    needs_rules=False,
)
