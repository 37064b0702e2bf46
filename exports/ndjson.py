"""ndjson: one event a line, the first of them the header event; nothing else.

For programs that take a log as it comes: a line is an event as the API gives it. A log that lacks its last lines is
still a log; that it is whole shows in `game_closed`, or in the hash of its last event.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.errors import Malformed
from engine.events import Event
from exports.log import Log, chunks
from exports.reading import read_event


def write(log: Log) -> Iterator[bytes]:
    """`log` as NDJSON."""
    encode = msgspec.json.Encoder().encode
    return chunks(encode(event) + b"\n" for event in log.events)


def read(data: bytes) -> list[Event]:
    """The events of an NDJSON file; empty lines are passed over.

    Raises:
        Malformed: a line is not an event; its number (from 1) begins the pointer, and stands in the message.
    """
    events: list[Event] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            events.append(read_event(line, f"/{number}"))
        except Malformed as error:
            raise Malformed(error.pointer, f"line {number}: {error.message}") from None
    if not events:
        raise Malformed("", "there is no event in it")
    return events
