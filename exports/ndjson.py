"""ndjson: one event per line, from event 1 on, and nothing else.

This format is for programs that process a log as it arrives. A line is an event, as in the API. A truncated log is
still valid; only `game_closed` or the hash of the last event shows that it is complete. In an export of many games each
line begins with the game's id and ruleset, so that files can be concatenated. The rest of the line is the event, byte
for byte. A file of one game can be imported with or without these members.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import msgspec

from engine.core.errors import Malformed
from engine.core.events import Event
from exports.log import ExportedFile, Format, Log
from exports.reading import read_event

BEGINNINGS = (b'{"seq":', b'{"game":')
"""The possible first bytes of an NDJSON file."""
_WHOSE = re.compile(rb'\{"game":"([\x20\x21\x23-\x5b\x5d-\x7e]{1,64})","ruleset":"([a-z0-9-]{1,64})",')
"""The beginning of a line in a file of many games: the game's id and ruleset, before the event."""


def write(log: Log) -> Iterator[bytes]:
    """Write `log` as NDJSON."""
    encode = msgspec.json.Encoder().encode
    lines = (encode(log.show(event)) + b"\n" for event in log.events)
    if not log.is_one_of_many:
        return lines
    whose = encode({"game": log.game_id, "ruleset": log.header().ruleset})[:-1] + b","
    return (whose + line[1:] for line in lines)


def read(data: bytes) -> ExportedFile:
    """Return the events of an NDJSON file, and the game's id if the lines have it. Skip empty lines.

    Raises:
        Malformed: a line is not an event, or belongs to another game; the pointer begins with the line's number (from
            1).
    """
    events: list[Event] = []
    whose: tuple[bytes, bytes] | None = None
    # Do not use `split`, which would create an object for each of sixty million empty lines.
    for number, line in enumerate(io.BytesIO(data), 1):
        if not line.strip():
            continue
        named = _WHOSE.match(line)
        its = None if named is None else (named[1], named[2])
        whose = its if not events else whose
        if its != whose:
            raise Malformed(f"/{number}/game", f"line {number}: another game begins here: send one game per file")
        try:
            events.append(read_event(line if named is None else b"{" + line[named.end() :], f"/{number}"))
        except Malformed as error:
            raise Malformed(error.pointer, f"line {number}: {error.message}") from None
    if not events:
        raise Malformed("", "the log has no events")
    if whose is None:
        return ExportedFile(events)
    flaw = None
    if events[0].params.get("ruleset") != whose[1].decode():
        flaw = Malformed("/1/ruleset", "line 1: the ruleset differs from the ruleset of event 1")
    return ExportedFile(events, whose[0].decode(), flaw=flaw)


KIND = Format(
    name="ndjson",
    media_type="application/x-ndjson",
    extension="ndjson",
    loses="The signed head, which shows if adjustments by hand decided the result.",
    write=write,
    read=read,
    is_as_stored=True,
    needs_rules=False,
)
