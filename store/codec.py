"""An event as an entry of a stream, and back.

Entry `<seq>-0` has two fields. `e` is a JSON array, short and still readable with redis-cli:

    [type, actor, params, outcomes, turn, recorded_at, occurred_at, recorded_by, note, verdict, rule, reason]

without the nulls at its end; `recorded_at` is in ms since 1970 where that says it exactly (RFC 3339 with three digits
and `Z`), else the text as it came. `h` is the event's hash, 32 bytes, and behind it, where the event has one, its
`state_hash`, 32 more. `prev` is the hash of the entry before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

import msgspec

from engine import lifecycle
from engine.events import GENESIS, Event, Value, Verdict
from store.errors import Corrupt

Entry = Sequence[Any]
"""An entry as Redis answers it: `[id, [b"e", json, b"h", hash]]`."""

GENESIS_BYTES = bytes.fromhex(GENESIS)
HASH_BYTES = 32
REWRITES = 0
"""Stands for the event that an undo goes back to, of an event that writes the line anew: there is no event 0."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_TIME_LENGTH = len("2026-11-20T19:04:11.512Z")


class Row(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The fields of `e`: all that the fold reads of an event."""

    type: str
    actor: str | None
    params: dict[str, Any]
    outcomes: tuple[Value | None, ...]
    turn: int
    recorded_at: int | str
    occurred_at: str | None = None
    recorded_by: str | None = None
    note: str | None = None
    verdict: Verdict | None = None
    rule: str | None = None
    reason: str | None = None


_ENCODER = msgspec.json.Encoder()
_TURNING = tuple(f'["{type_}",'.encode() for type_ in lifecycle.CORRECTING)
"""How the entries begin whose state does not come from the one before."""
UNDOS = msgspec.json.Decoder(list[tuple[int, int]])
"""Reads what stands under `undos` in a game's turns: of each event whose state does not come from the one before, its
`seq` and the event that it goes back to, or `REWRITES`."""

_ROWS = msgspec.json.Decoder(list[Row])


def encode(event: Event) -> tuple[bytes, bytes]:
    """The fields `e` and `h` of `event`."""
    row = (
        event.type,
        event.actor,
        event.params,
        event.outcomes,
        event.turn,
        to_stamp(event.recorded_at),
        event.occurred_at,
        event.recorded_by,
        event.note,
        event.verdict,
        event.rule,
        event.reason,
    )
    last = 12
    while last > 6 and row[last - 1] is None:
        last -= 1
    return _ENCODER.encode(row[:last]), bytes.fromhex(event.hash + (event.state_hash or ""))


def decode_rows(entries: Iterable[Entry]) -> list[Row]:
    """The rows of entries, in order.

    Raises:
        Corrupt: an entry is not one that `encode` wrote.
    """
    try:
        texts = [fields[1] for _, fields in entries]
        return _ROWS.decode(b"[" + b",".join(texts) + b"]")
    except (msgspec.DecodeError, TypeError, ValueError, IndexError) as error:
        raise Corrupt(f"an entry of the log does not decode: {error}") from error


def decode(entries: Sequence[Entry], prev: str) -> list[Event]:
    """The events of entries, in order; `prev` is the hash of the event before the first.

    Raises:
        Corrupt: an entry is not one that `encode` wrote.
    """
    events = []
    for entry, row in zip(entries, decode_rows(entries), strict=True):
        seq, hash_ = seq_of(entry), hash_of(entry)
        state_hash: bytes = entry[1][3][HASH_BYTES:]
        events.append(
            Event(
                seq=seq,
                type=row.type,
                actor=row.actor,
                params=row.params,
                outcomes=row.outcomes,
                turn=row.turn,
                recorded_at=from_stamp(row.recorded_at),
                occurred_at=row.occurred_at,
                recorded_by=row.recorded_by,
                note=row.note,
                prev=prev,
                hash=hash_,
                verdict=row.verdict,
                rule=row.rule,
                reason=row.reason,
                state_hash=state_hash.hex() or None,
            )
        )
        prev = hash_
    return events


def undos_of(entries: Iterable[Entry]) -> list[tuple[int, int]]:
    """The undos among entries, and what rewrites the line, as `UNDOS` reads them.

    Raises:
        Corrupt: an entry is not one that `encode` wrote.
    """
    undos = [entry for entry in entries if entry[1][1].startswith(_TURNING)]
    rows = decode_rows(undos)
    return [
        (seq_of(entry), row.params["to"] if row.type == "undo" else REWRITES)
        for entry, row in zip(undos, rows, strict=True)
    ]


def seq_of(entry: Entry) -> int:
    """The `seq` that the entry's id says."""
    return int(entry[0][:-2])


def hash_of(entry: Entry) -> str:
    """The hash of the entry's event, in lower-case hex.

    Raises:
        Corrupt: it has none.
    """
    try:
        hash_: bytes = entry[1][3]
    except IndexError as error:
        raise Corrupt("an entry of the log has no hash") from error
    return hash_[:HASH_BYTES].hex()


def to_stamp(text: str) -> int | str:
    """An RFC 3339 time as ms since 1970, or as it is where `from_stamp` would not write it the same."""
    return _stamp(text) if len(text) == _TIME_LENGTH else text


# The events of one request share their moment.
@lru_cache(maxsize=4096)
def _stamp(text: str) -> int | str:
    if text[-5] == "." and text[-1] == "Z" and text[-4:-1].isdecimal():
        second = _second(text[:-5])
        if second is not None:
            stamp = second * 1000 + int(text[-4:-1])
            if from_stamp(stamp) == text:
                return stamp
    return text


def from_stamp(stamp: int | str) -> str:
    """The RFC 3339 time of `to_stamp`.

    Raises:
        Corrupt: no time that RFC 3339 can write.
    """
    if isinstance(stamp, str):
        return stamp
    second, ms = divmod(stamp, 1000)
    return f"{_clock(second)}.{ms:03}Z"


@lru_cache(maxsize=4096)
def _clock(second: int) -> str:
    try:
        return (_EPOCH + timedelta(seconds=second)).isoformat()[:19]
    except OverflowError as error:
        raise Corrupt(f"{second} s is no time") from error


@lru_cache(maxsize=4096)
def _second(text: str) -> int | None:
    try:
        return (datetime.fromisoformat(text + "Z") - _EPOCH) // _SECOND
    except ValueError:
        return None
