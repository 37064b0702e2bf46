"""Events and the hash chain, compared with a computation by hand."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import msgspec
import pytest

from engine.core.canonical import digests
from engine.core.events import GENESIS, Content, Draft, Event, Header, Seat, event_hash, seal
from engine.core.values import SEAT_IDS
from tests.engine.recording import played

EXAMPLE: dict[str, Any] = {
    "seq": 42,
    "type": "move",
    "actor": "p2",
    "params": {"to": "coral_palace"},
    "outcomes": [],
    "turn": 7,
    "recorded_at": "2026-11-20T19:04:11.512Z",
    "occurred_at": None,
    "recorded_by": None,
    "note": "over the bridge – by night",
    "prev": "ab" * 32,
}


def by_hand(document: dict[str, Any]) -> str:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def sealed_event() -> Event:
    return seal(
        Draft(type="move", actor="p2", note="over the bridge – by night"),
        seq=42,
        turn=7,
        params={"to": "coral_palace"},
        outcomes=(),
        recorded_at="2026-11-20T19:04:11.512Z",
        recorded_by=None,
        prev="ab" * 32,
    )


def test_hash_of_the_worked_example() -> None:
    assert (
        sealed_event().hash == by_hand(EXAMPLE) == ("0eb335397ff2242fd2f6c4cb7b49e9cbe0535fc9101f6c4938027c4738078229")
    )


def test_a_sealed_event_has_every_member_of_the_document() -> None:
    document = msgspec.to_builtins(sealed_event())
    assert {**EXAMPLE, "outcomes": (), "hash": by_hand(EXAMPLE)} == document


def test_event_hash_is_the_hash_it_was_sealed_with() -> None:
    assert event_hash(sealed_event()) == sealed_event().hash


def test_every_event_of_a_log_hashes_to_what_it_carries() -> None:
    for event in played().events:
        document = json.loads(msgspec.json.encode(event))
        assert document.pop("hash") == by_hand(document)


def test_every_event_carries_the_hash_of_the_one_before() -> None:
    events = played().events
    assert [event.prev for event in events] == [GENESIS, *(event.hash for event in events[:-1])]


def test_genesis_is_64_zeros() -> None:
    assert GENESIS == "0" * 64


@pytest.mark.parametrize(
    "changes",
    [
        {"seq": 43},
        {"type": "fly"},
        {"actor": None},
        {"params": {}},
        {"outcomes": ("earth_stone",)},
        {"turn": 8},
        {"recorded_at": "2026-11-20T19:04:11.513Z"},
        {"occurred_at": "2026-11-20T19:04:11Z"},
        {"recorded_by": "Ada"},
        {"note": None},
        {"prev": GENESIS},
    ],
)
def test_every_member_counts(changes: dict[str, Any]) -> None:
    assert event_hash(msgspec.structs.replace(sealed_event(), **changes)) != sealed_event().hash


def test_header_knows_who_sits_where() -> None:
    header = Header(
        ruleset="forbidden-island",
        ruleset_version="1",
        seats=(Seat("Ada"), Seat("Bo"), Seat("Cleo")),
        options={},
        chance="observed",
        mode="strict",
    )
    assert header.names == ("Ada", "Bo", "Cleo")
    assert header.seat_ids == SEAT_IDS[:3] == ("p1", "p2", "p3")


def test_contents_of_events_have_the_hashes_of_the_events() -> None:
    """`Content` lists all hashed members in canonical order."""
    assert Content.__struct_fields__ == tuple(sorted({*Event.__struct_fields__} - {"hash"}))
    events = [sealed_event(), *played().events]
    contents = [Content(**{name: getattr(event, name) for name in Content.__struct_fields__}) for event in events]
    assert digests(contents) == [event.hash for event in events]
