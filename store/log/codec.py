"""Encode an event as a stream entry, and decode it.

Entry `<seq>-0` has two fields. `e` is a JSON array, short and still readable with redis-cli:

[type, actor, params, outcomes, turn, recorded_at, occurred_at, recorded_by, note, verdict, rule, reason, keeps_turn,
explanation, sets_aside]

Nulls at the end of the array are omitted. `recorded_at` is in ms since 1970 if this is exact (RFC 3339 with three
decimals and `Z`), otherwise the original text. `h` is the event's hash (32 bytes), followed by the event's `state_hash`
(32 bytes) if there is one. The event's `prev` is not stored, because it is the hash of the previous entry.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from operator import attrgetter
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.canonical import digests
from engine.core.events import Content, Event, Explanation, event_hash
from engine.core.values import Value, Verdict
from store.errors import Corrupt, Damaged

Entry = Sequence[Any]
"""An entry as Redis returns it: `[id, [b"e", json, b"h", hash]]`."""

HASH_BYTES = 32
_HASH_LENGTH = 2 * HASH_BYTES
REWRITES = 0
"""Marks an event that rewrites an earlier event, instead of a target. No real target is 0."""

_DIGITS = 15
"""The maximum digits of a version, because scripts count exactly only up to 2^53."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_TIME_LENGTH = len("2026-11-20T19:04:11.512Z")
# Every event that is read needs its time as text, and formatting a number takes longer than all else about it.
_TWO_DIGITS = tuple(f"{number:02}" for number in range(60))
_THREE_DIGITS = tuple(f"{number:03}" for number in range(1000))


class EventRow(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The members of the field `e` by name: all data of an event that the fold needs. Append new members at the end."""

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
    keeps_turn: bool | None = None
    explanation: Explanation | None = None
    sets_aside: bool | None = None


_members = attrgetter(*EventRow.__struct_fields__)
_RECORDED_AT = EventRow.__struct_fields__.index("recorded_at")

_ENCODER = msgspec.json.Encoder()
UNDOS = msgspec.json.Decoder(list[tuple[int, int]])
"""Decoder of the field `undos` of a game's turns.

The field lists the events that do not continue from the previous event: the `seq` of each, and the event that it goes
back to, or `REWRITES`.
"""

_ROWS = msgspec.json.Decoder(list[EventRow])
_UNREADABLE = (msgspec.DecodeError, TypeError, ValueError, IndexError)


def encode(event: Event) -> tuple[bytes, bytes]:
    """Return the fields `e` and `h` of `event`."""
    row = list(_members(event))
    row[_RECORDED_AT] = to_stamp(event.recorded_at)
    while row[-1] is None:
        row.pop()
    return _ENCODER.encode(row), bytes.fromhex(event.hash + (event.state_hash or ""))


def decode_rows(entries: Iterable[Entry]) -> list[EventRow]:
    """Return the decoded field `e` of each entry, in order."""
    listed = list(entries)
    try:
        return _decode_entries(listed)
    except _UNREADABLE as error:
        first = next(seq_of(entry) for entry in listed if not _is_readable(entry))
        raise Damaged(first, f"an entry of the log cannot be decoded: {error}") from error


def _decode_entries(entries: Sequence[Entry]) -> list[EventRow]:
    rows = _ROWS.decode(b"[" + b",".join([fields[1] for _, fields in entries]) + b"]")
    if len(rows) != len(entries):
        raise ValueError("more than one array")
    return rows


def _is_readable(entry: Entry) -> bool:
    try:
        _decode_entries([entry])
    except _UNREADABLE:
        return False
    return True


def decode(entries: Sequence[Entry], prev: str) -> list[Event]:
    """Decode entries to events, in order.

    Args:
        prev: the hash of the event before the first.

    Raises:
        Damaged: an entry was not written by `encode`. The other functions of this module raise the same error.
    """
    events = []
    for entry, row in zip(entries, decode_rows(entries), strict=True):
        hash_, state_hash = _hashes_of(entry)
        events.append(
            Event(
                seq=seq_of(entry),
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
                state_hash=state_hash,
                keeps_turn=row.keeps_turn,
                explanation=row.explanation,
                sets_aside=row.sets_aside,
            )
        )
        prev = hash_
    return events


def check(events: Iterable[Event]) -> None:
    """Check events against their hashes; raise `Damaged` for the first event that does not match."""
    for event in events:
        if event_hash(event) != event.hash:
            raise _mismatch(event.seq)


def decode_sound(entries: Sequence[Entry], first: int, prev: str) -> list[EventRow]:
    """Decode entries to rows. Check that they begin with event `first`, have no gaps, and match their hashes.

    Args:
        prev: the hash of the event before the first.

    Raises:
        Damaged: an entry was not written by `encode`, an event does not match its hash, or an event is missing.
    """
    for seq, entry in enumerate(entries, first):
        if seq_of(entry) != seq:
            raise Damaged(seq, "the event is missing")
    rows = decode_rows(entries)
    contents, hashes = [], []
    for seq, (entry, row) in enumerate(zip(entries, rows, strict=True), first):
        hash_, state_hash = _hashes_of(entry)
        # Pass the members by position: keyword arguments take twice the time. `test_codec` compares the order with
        # `encode`.
        contents.append(
            Content(
                row.actor,
                None if row.explanation is None else msgspec.to_builtins(row.explanation),
                row.keeps_turn,
                row.note,
                row.occurred_at,
                row.outcomes,
                row.params,
                prev,
                row.reason,
                from_stamp(row.recorded_at),
                row.recorded_by,
                row.rule,
                seq,
                row.sets_aside,
                state_hash,
                row.turn,
                row.type,
                row.verdict,
            )
        )
        hashes.append(hash_)
        prev = hash_
    computed = digests(contents)
    if computed != hashes:
        raise _mismatch(
            next(seq for seq, pair in enumerate(zip(computed, hashes, strict=True), first) if pair[0] != pair[1])
        )
    return rows


def _mismatch(seq: int) -> Damaged:
    return Damaged(seq, "the hash does not match the contents of the event")


def undos_of(entries: Iterable[Entry]) -> list[tuple[int, int]]:
    """Return the undos and rewrites among `entries`, in the form of the field `undos`."""
    return [(seq, _to(seq, row)) for seq, row in of_types(entries, lifecycle.CORRECTING)]


def _to(seq: int, row: EventRow) -> int:
    """Return the event that the undo `seq` goes back to; `REWRITES` if event `seq` is not an undo."""
    if row.type != "undo":
        return REWRITES
    to = row.params.get("to")
    # An undo never refers to a later event. Without this check, a walk along damaged undos might never end.
    if not isinstance(to, int) or not 1 <= to < seq:
        raise Damaged(seq, f"the undo goes back to event {to!r}, which is impossible")
    return to


def of_types(entries: Iterable[Entry], types: Collection[str]) -> list[tuple[int, EventRow]]:
    """Return the `seq` and row of each entry whose event has one of `types`. Decode no other entries."""
    beginnings = tuple(f'["{type_}",'.encode() for type_ in types)
    found = [entry for entry in entries if entry[1][1].startswith(beginnings)]
    return list(zip(map(seq_of, found), decode_rows(found), strict=True))


def entries_of(reply: Sequence[Entry]) -> list[Entry]:
    """Return the entries of an XRANGE reply, even if the client has converted their fields to dicts."""
    return [
        (id_, [word for pair in fields.items() for word in pair]) if isinstance(fields, dict) else (id_, fields)
        for id_, fields in reply
    ]


def seq_of(entry: Entry) -> int:
    """Return the `seq` in the entry's id."""
    return int(entry[0][:-2])


def version_of(stored: bytes) -> int:
    """Return a game's version as its meta stores it; raise `Damaged` unless it is a positive number."""
    version = projected_version_of(stored)
    if version == 0:
        raise Damaged(None, "the stored version is not a positive number")
    return version


def projected_version_of(stored: bytes | Corrupt | None) -> int:
    """Return a projected version; 0 if it is missing or damaged, because the game can be projected again."""
    return int(stored) if isinstance(stored, bytes) and stored.isdigit() and len(stored) <= _DIGITS else 0


def hash_of(entry: Entry) -> str:
    """Return the hash of the entry's event, in lower-case hex."""
    return _hashes_of(entry)[0]


def _hashes_of(entry: Entry) -> tuple[str, str | None]:
    try:
        hashes: str = entry[1][3].hex()
    except IndexError as error:
        raise Damaged(seq_of(entry), "an entry of the log has no hash") from error
    return hashes[:_HASH_LENGTH], hashes[_HASH_LENGTH:] or None


def to_stamp(text: str) -> int | str:
    """Convert an RFC 3339 time to ms since 1970.

    If `from_stamp` would not return exactly `text`, return `text` unchanged.
    """
    return _stamp(text) if len(text) == _TIME_LENGTH else text


# Often the same time, because all events of a request share one.
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
    """Convert a result of `to_stamp` to its RFC 3339 time; raise `Corrupt` if this is impossible."""
    if isinstance(stamp, str):
        return stamp
    minute, ms = divmod(stamp, 60_000)
    second, ms = divmod(ms, 1000)
    return f"{_minute(minute)}:{_TWO_DIGITS[second]}.{_THREE_DIGITS[ms]}Z"


# Caching minutes is enough, because the events of a game are within a few hours.
@lru_cache(maxsize=4096)
def _minute(minute: int) -> str:
    try:
        return (_EPOCH + timedelta(minutes=minute)).isoformat()[:16]
    except OverflowError as error:
        raise Corrupt(f"minute {minute} after 1970 is not a valid date") from error


@lru_cache(maxsize=4096)
def _second(text: str) -> int | None:
    try:
        return (datetime.fromisoformat(text + "Z") - _EPOCH) // _SECOND
    except ValueError:
        return None
