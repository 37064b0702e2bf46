from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.core.events import GENESIS, Draft, Event, Explanation, seal
from engine.core.values import Verdict
from store.errors import Corrupt, Damaged
from store.log import codec
from tests.playouts import playout

TEXTS = st.text(st.characters(codec="utf-8"))
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1)
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
MOMENTS = st.datetimes().map(lambda moment: moment.isoformat(timespec="milliseconds") + "Z")


EVENTS = st.builds(
    seal,
    st.builds(
        Draft,
        type=TEXTS,
        actor=st.none() | TEXTS,
        occurred_at=st.none() | MOMENTS | TEXTS,
        note=st.none() | TEXTS,
        explanation=st.just(msgspec.UNSET)
        | st.builds(Explanation, kind=st.just("late_step"), seat=st.just("p2"), events=st.just(()) | st.just((3, 5))),
    ),
    seq=st.integers(1, 2**40),
    turn=st.integers(0, 10_000),
    params=st.dictionaries(TEXTS, DOCUMENTS, max_size=4),
    outcomes=st.lists(NUMBERS | TEXTS, max_size=4).map(tuple),
    recorded_at=MOMENTS | TEXTS,
    recorded_by=st.none() | TEXTS,
    prev=st.just(GENESIS),
    verdict=st.none() | st.sampled_from(get_args(Verdict)),
    rule=st.none() | TEXTS,
    reason=st.none() | TEXTS,
    state_hash=st.none() | st.just("5" * 64),
    keeps_turn=st.none() | st.just(True),
    sets_aside=st.none() | st.just(True),
)


def entry(event: Event) -> list[Any]:
    e, h = codec.encode(event)
    return [b"%d-0" % event.seq, [b"e", e, b"h", h]]


def test_an_entry_has_every_member_of_an_event() -> None:
    elsewhere = {"seq", "prev", "hash", "state_hash"}
    assert {*codec.EventRow.__struct_fields__, *elsewhere} == {*Event.__struct_fields__}


@pytest.mark.parametrize("text", [b"{}", b"", b'["move"]', b'["move","p1",{},[],1,"x"', b'[1,2,3,4,5,6],["x"]'])
def test_a_log_with_an_entry_that_is_none_is_damaged_there(text: bytes) -> None:
    entries = list(map(entry, playout(limit=4)))
    entries[2][1][1] = text
    with pytest.raises(Damaged) as damaged:
        codec.decode(entries, GENESIS)
    assert damaged.value.seq == 3


@given(EVENTS)
def test_an_event_comes_back_as_it_was(event: Event) -> None:
    assert codec.decode([entry(event)], GENESIS) == [event]
    (row,) = codec.decode_rows([entry(event)])
    assert (row.type, row.actor, row.params, row.outcomes) == (event.type, event.actor, event.params, event.outcomes)


@given(EVENTS, st.sampled_from([name for name in Event.__struct_fields__ if name not in {"hash", "prev", "seq"}]))
def test_a_row_matches_the_hash_of_its_event_only(event: Event, name: str) -> None:
    assert codec.decode_sound([entry(event)], event.seq, event.prev)[0].params == event.params
    other: Any = {"turn": event.turn + 1, "params": {"another": [event.params]}, "outcomes": (*event.outcomes, 1)}
    if name not in {"verdict", "explanation", "keeps_turn", "sets_aside"}:
        changed = other.get(name, f"{getattr(event, name) or ''}5" if name != "state_hash" else "6" * 64)
        with pytest.raises(Damaged):
            codec.decode_sound([entry(msgspec.structs.replace(event, **{name: changed}))], event.seq, event.prev)


def test_a_whole_log_comes_back_chained() -> None:
    events = playout(seed=1)
    assert codec.decode([entry(event) for event in events], GENESIS) == events


def test_an_entry_is_short_and_can_be_read_by_a_person() -> None:
    event = seal(
        Draft(type="move", actor="p1"),
        seq=7,
        turn=2,
        params={"to": "coral_palace"},
        outcomes=(),
        recorded_at="2026-11-20T19:04:11.512Z",
        recorded_by=None,
        prev=GENESIS,
    )
    e, h = codec.encode(event)
    assert e == b'["move","p1",{"to":"coral_palace"},[],2,1795201451512]'
    assert h.hex() == event.hash


@given(MOMENTS)
@example("0001-01-01T00:00:00.000Z")
@example("1969-12-31T23:59:59.999Z")
@example("9999-12-31T23:59:59.999Z")
def test_a_time_with_milliseconds_becomes_a_number(text: str) -> None:
    stamp = codec.to_stamp(text)
    assert isinstance(stamp, int)
    assert codec.from_stamp(stamp) == text
    assert datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=stamp) == datetime.fromisoformat(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026-11-20T19:04:11Z",
        "2026-11-20T19:04:11.5Z",
        "2026-11-20T19:04:11.512345Z",
        "2026-11-20T19:04:11.512+00:00",
        "2026-11-20t19:04:11.512Z",
        "2026-11-20 19:04:11.512Z",
        "2026-11-20T19:04:11,512Z",
        "2026-11-20T19:04:60.000Z",
        "2026-11-20T24:00:00.000Z",
        "2026-02-30T00:00:00.000Z",
        "2026-W47-5T19:04:11.51Z",
        "٢٠٢٦-11-20T19:04:11.512Z",
        "2026-11-20T19:04:11.٥١٢Z",
    ],
)
def test_a_time_of_any_other_form_stays_text(text: str) -> None:
    assert codec.to_stamp(text) == text
    assert codec.from_stamp(text) == text


def test_undos_are_found_among_entries() -> None:
    entries = [
        [b"5-0", [b"e", b'["undo",null,{"to":2},[],1,0]', b"h", b"\0" * 32]],
        [b"6-0", [b"e", b'["undone",null,{},[],1,0]', b"h", b"\0" * 32]],
        [b"7-0", [b"e", b'["undo",null,{"to":5},[],1,0]', b"h", b"\0" * 32]],
    ]
    assert codec.undos_of(entries) == [(5, 2), (7, 5)]


@pytest.mark.parametrize(
    "text",
    [
        b"garbage",
        b'["move","p1",{},[],1,0],["move","p1",{},[],1,0]',
        b'["undo",null,{},[],1,0]',
        b'["undo",null,{"to":"1"},[],1,0]',
        b'["undo",null,{"to":3},[],1,0]',
        b'["undo",null,{"to":0},[],1,0]',
    ],
)
def test_which_entry_is_none_is_said(text: bytes) -> None:
    """Most important are references to later events: a reader that followed them would never end."""
    good = [b'["move","p1",{},[],1,0]', b'["undo",null,{"to":1},[],1,0]']
    entries = [entry_of(seq, one) for seq, one in enumerate([*good, text], 1)]
    ask = codec.undos_of if text.startswith(b'["undo"') else codec.decode_rows
    with pytest.raises(Damaged) as damaged:
        ask(entries)
    assert damaged.value.seq == 3


def entry_of(seq: int, text: bytes) -> codec.Entry:
    return [f"{seq}-0".encode(), [b"e", text, b"h", bytes(32)]]


@pytest.mark.parametrize(
    "fields",
    [
        [b"e", b"garbage", b"h", b"\0" * 32],
        [b"e", b"{}", b"h", b"\0" * 32],
        [b"e", b'["move"]', b"h", b"\0" * 32],
        [b"e", b'["move",null,{},[],1,999999999999999999]', b"h", b"\0" * 32],
        [b"e", b'["move",null,{},[],1,0]'],
        [],
    ],
)
def test_an_entry_that_is_none_is_said_to_be_corrupt(fields: list[bytes]) -> None:
    with pytest.raises(Corrupt):
        codec.decode([[b"1-0", fields]], GENESIS)
