"""cloudevents: the log as CloudEvents 1.0, one per event, for brokers, functions and other consumers.

The events are written one per line, or as a batch: a JSON array, as in section 4 of the CloudEvents JSON Event Format.
Each event has:

    id             the event's number, unique within `source`
    source         `/games/<game>`
    type           `org.driftlog.<ruleset>.<type of the event>.v<version of the rules>`
    subject        `turn/7/p2`, or `turn/7` if no player acts
    time           time of the event, or else the time of recording
    recordedtime   time of recording
    sequence       the number with nine digits, so that sorting as text gives the order of the log
    partitionkey   the game, so that a broker keeps the order of its events
    data           the event, as in json and ndjson

`data` omits everything that the viewer may not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import msgspec

from engine.core.events import Event
from engine.review.playing_time import happened_at
from exports.log import Format, Log

SPECVERSION = "1.0"
DIGITS = 9
"""Number of digits of a `sequence`: enough for any log."""
_IN_A_HEADER = "!#$&'()*+,/:;<=>?@[\\]^`{|}"
"""Characters that need no escape in a header, unlike a space, a quotation mark and a percent sign."""


def attributes(game_id: str, ruleset: tuple[str, str], event: Event) -> dict[str, str]:
    """Return the CloudEvents attributes of an event.

    Args:
        ruleset: the id and version of the ruleset.
    """
    id_, version = ruleset
    return {
        "specversion": SPECVERSION,
        "id": str(event.seq),
        "source": f"/games/{game_id}",
        "type": f"org.driftlog.{id_}.{event.type}.v{version}",
        "subject": "/".join(filter(None, ("turn", str(event.turn), event.actor))),
        "time": happened_at(event),
        "recordedtime": event.recorded_at,
        "sequence": f"{event.seq:0{DIGITS}}",
        "partitionkey": game_id,
    }


def in_headers(told: dict[str, str]) -> dict[str, str]:
    """Return the attributes as headers of a message that has the data as its body.

    This is the binary mode of the HTTP Protocol Binding (3.1).
    """
    return {f"ce-{name}": quote(value, safe=_IN_A_HEADER) for name, value in told.items()}


def write_batch(log: Log) -> Iterator[bytes]:
    """Write `log` as a batch, one event per line."""
    separator = b"[\n"
    for line in _lines(log):
        yield separator + line
        separator = b",\n"
    yield b"\n]\n"


def write_lines(log: Log) -> Iterator[bytes]:
    """Write `log` as one CloudEvent per line."""
    return (line + b"\n" for line in _lines(log))


def _lines(log: Log) -> Iterator[bytes]:
    encode, header = msgspec.json.Encoder().encode, log.header()
    ruleset = header.ruleset, header.ruleset_version
    for event in log.events:
        shown = log.show(event)
        data: dict[str, Any] = {"datacontenttype": "application/json", "data": shown}
        yield encode(attributes(log.game_id, ruleset, shown) | data)


BATCH = Format(
    name="cloudevents",
    media_type="application/cloudevents-batch+json",
    extension="cloudevents.json",
    loses="The signed head, which shows if adjustments by hand decided the result.",
    write=write_batch,
    needs_rules=False,
)
LINES = msgspec.structs.replace(
    BATCH,
    name="cloudevents_ndjson",
    media_type="application/x-ndjson",
    extension="cloudevents.ndjson",
    write=write_lines,
)
