"""json: the whole log as one document, one event per line.

The top repeats the main facts of event 1: the game, its ruleset, the players and the options. The end has the hash and
number of the last event. A reader compares the top and the end with the events, to detect a truncated or edited
document. The last member is the signed head, if there is one (`proofs.heads`); readers may ignore it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from engine.core.errors import Malformed
from engine.core.events import GENESIS, Event
from exports.log import ExportedFile, Format, Log
from exports.reading import decode, read_event
from proofs.dsse import Envelope

FORMAT = "driftlog"
FORMAT_VERSION = 1
_REPEATED = ("ruleset", "ruleset_version", "seats", "options")


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    format: Literal["driftlog"]
    format_version: Literal[1]
    game: str
    ruleset: Any
    ruleset_version: Any
    seats: Any
    options: Any
    events: list[msgspec.Raw]
    head: str
    version: int
    proof: Envelope | None = None


_DOCUMENT = msgspec.json.Decoder(_Document)


def write(log: Log) -> Iterator[bytes]:
    """Write `log` as one JSON document."""
    encode = msgspec.json.Encoder().encode
    header = msgspec.to_builtins(log.header())
    top = {"format": FORMAT, "format_version": FORMAT_VERSION, "game": log.game_id}
    yield encode(top | {name: header[name] for name in _REPEATED})[:-1] + b',"events":['
    version, head, separator = 0, GENESIS, b"\n"
    for event in log.events:
        yield separator + encode(log.show(event))
        version, head, separator = event.seq, event.hash, b",\n"
    end: dict[str, Any] = {"head": head, "version": version}
    if log.proof is not None:
        end["proof"] = log.proof
    yield b"\n]," + encode(end)[1:] + b"\n"


def read(data: bytes) -> ExportedFile:
    """Return the contents of a JSON document, even if the top or the end contradicts the events.

    Raises:
        Malformed: `write` did not write the document, or the document has no event.
    """
    document = decode(_DOCUMENT, data, "")
    events = [read_event(bytes(raw), f"/events/{index}") for index, raw in enumerate(document.events)]
    if not events:
        raise Malformed("/events", "the log has no events")
    return ExportedFile(events, document.game, document.proof, _flaw(document, events))


def _flaw(document: _Document, events: list[Event]) -> Malformed | None:
    for name in _REPEATED:
        if getattr(document, name) != events[0].params.get(name):
            return Malformed(f"/{name}", "differs from event 1")
    if document.version != len(events):
        return Malformed(
            "/version", f"the document has the version {document.version}, but the log has {len(events)} events"
        )
    if document.head != events[-1].hash:
        return Malformed("/head", "must be the hash of the last event")
    return None


KIND = Format(
    name="json",
    media_type="application/json",
    extension="json",
    loses="",
    write=write,
    read=read,
    needs_rules=False,
)
