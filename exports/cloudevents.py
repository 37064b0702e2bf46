"""cloudevents: the log as CloudEvents 1.0, one for each event, for brokers, functions and whatever else takes those.

As a batch (JSON Event Format, 4: one array) or one a line, each the same:

    id             the event's number, which is its own within `source`
    source         `/games/<game>`
    type           `org.driftlog.<ruleset>.<type of the event>.v<version of the rules>`
    subject        `turn/7/p2`, or `turn/7` where it is nobody's action
    time           when it happened, as far as that is known: else when it was written down
    recordedtime   when it was written down
    sequence       the number again, in nine digits: in the order of text, events are in the order of the log
    partitionkey   the game: a broker keeps events of one game in their order
    data           the event, as json and ndjson have it

What a viewer may not see is not in `data`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import msgspec

from engine.core.events import Event
from engine.review.playing_time import happened_at
from exports.log import Format, Log, chunks

SPECVERSION = "1.0"
DIGITS = 9
"""Of a `sequence`: no log has more events."""
_IN_A_HEADER = "!#$&'()*+,/:;<=>?@[\\]^`{|}"
"""What stands in a header as it is; a space, a quotation mark and a percent sign do not."""


def attributes(game_id: str, ruleset: tuple[str, str], event: Event) -> dict[str, str]:
    """What is said of an event's data.

    Args:
        ruleset: its id and version.
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
    """Attributes as the headers of a message whose body is the data (HTTP Protocol Binding, 3.1: binary mode)."""
    return {f"ce-{name}": quote(value, safe=_IN_A_HEADER) for name, value in told.items()}


def write_batch(log: Log) -> Iterator[bytes]:
    """`log` as a batch, an event a line."""
    return chunks(_batch(log))


def write_lines(log: Log) -> Iterator[bytes]:
    """`log` as one CloudEvent a line."""
    return chunks(line + b"\n" for line in _lines(log))


def _batch(log: Log) -> Iterator[bytes]:
    separator = b"[\n"
    for line in _lines(log):
        yield separator + line
        separator = b",\n"
    yield b"\n]\n"


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
    loses="The signed head, which is beside it.",
    write=write_batch,
    needs_rules=False,
)
LINES = Format(
    name="cloudevents_ndjson",
    media_type="application/x-ndjson",
    extension="cloudevents.ndjson",
    loses="The signed head, which is beside it.",
    write=write_lines,
    needs_rules=False,
)
