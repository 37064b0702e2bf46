"""Superseded events: by every undo and amend, and the undos of undos."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.errors import EngineError
from engine.core.events import Event
from engine.play.corrections.undo import READ, SupersededRange, Ways, correction, superseded_events
from engine.play.fold import history
from tests.engine.recording import played

PLAIN = played().events[2]


def log(*corrections: tuple[int, str, dict[str, Any]]) -> list[Event]:
    """Return a log with only its corrections."""
    by_seq = {seq: (type_, params) for seq, type_, params in corrections}
    return [
        msgspec.structs.replace(PLAIN, seq=seq, type=by_seq[seq][0], params=by_seq[seq][1])
        if seq in by_seq
        else msgspec.structs.replace(PLAIN, seq=seq)
        for seq in range(1, max(by_seq, default=5) + 1)
    ]


def test_nothing_is_taken_back() -> None:
    assert superseded_events(log(), 5) == []


def test_an_undo_and_its_redo() -> None:
    events = log((9, "undo", {"to": 5}), (10, "undo", {"to": 8}))
    assert superseded_events(events, 9) == [SupersededRange(6, 8, 9)]
    assert superseded_events(events, 10) == [SupersededRange(9, 9, 10)]
    assert superseded_events(events, 8) == []


def test_undo_upon_undo() -> None:
    events = log((9, "undo", {"to": 7}), (12, "undo", {"to": 6}), (14, "undo", {"to": 13}))
    assert superseded_events(events, 12) == [SupersededRange(7, 11, 12)]
    assert superseded_events(log((9, "undo", {"to": 7}), (12, "undo", {"to": 10})), 12) == [
        SupersededRange(8, 8, 9),
        SupersededRange(11, 11, 12),
    ]
    assert superseded_events(events, 14) == [SupersededRange(7, 11, 12)]


def test_an_amend_stands_for_the_event_and_the_last_one_for_all_before_it() -> None:
    events = log((9, "amend", {"seq": 4, "event": {}}), (10, "amend", {"seq": 4, "remove": True}))
    assert superseded_events(events, 9) == [SupersededRange(4, 4, 9)]
    assert superseded_events(events, 10) == [SupersededRange(4, 4, 10), SupersededRange(9, 9, 10)]
    again = [*events, *log((11, "undo", {"to": 9}))[10:]]
    assert superseded_events(again, 11) == [SupersededRange(4, 4, 9), SupersededRange(10, 10, 11)]


def test_what_was_inserted_takes_nothing_off_and_can_be_amended_itself() -> None:
    events = log((9, "amend", {"seq": 4, "insert": {}}), (10, "amend", {"seq": 9, "event": {}}))
    assert superseded_events(events, 9) == []
    assert superseded_events(events, 10) == [SupersededRange(9, 9, 10)]


def test_what_is_written_anew_is_not_closed_by_what_closed_it() -> None:
    events = log((6, "game_closed", {}), (7, "amend", {"seq": 4, "event": {}}), (8, "game_closed", {}))
    assert superseded_events(events, 6) == []
    assert superseded_events(events, 8) == [SupersededRange(4, 4, 7), SupersededRange(6, 6, 7)]
    said = log((6, "game_closed", {}), (8, "amend", {"seq": 7, "remove": True}))
    assert superseded_events(said, 8) == [SupersededRange(7, 7, 8)]
    revealed = log((6, "game_closed", {}), (7, "reveal", {"seq": 4, "value": "x"}), (8, "game_closed", {}))
    assert superseded_events(revealed, 8) == [SupersededRange(6, 6, 7)]


@given(st.data())
def test_with_undos_alone_it_is_what_is_not_on_the_way_back(data: st.DataObject) -> None:
    version = data.draw(st.integers(4, 40))
    seqs = sorted(data.draw(st.sets(st.integers(4, version), max_size=8)))
    undos = [(seq, "undo", {"to": data.draw(st.integers(1, seq - 2))}) for seq in seqs]
    events = log(*undos, (version + 1, "annotate", {}))
    at, stands = version + 1, set()
    while at > 0:
        event = events[at - 1]
        stands.add(at)
        at = event.params["to"] if event.type == "undo" else at - 1
    found = superseded_events(events, version + 1)
    gone = [seq for one in found for seq in range(one.first, one.last + 1)]
    assert gone == sorted(set(range(1, version + 2)) - stands)
    assert all(one.by in stands for one in found)


OPERATIONS = st.one_of(
    st.tuples(st.just("undo"), st.integers(1, 20)),
    st.tuples(st.just("remove"), st.integers(2, 20)),
    st.tuples(st.just("event"), st.integers(2, 20)),
    st.tuples(st.just("insert"), st.integers(2, 20)),
    st.tuples(st.just("annotate"), st.just(0)),
    st.tuples(st.just("abandon"), st.just(0)),
)


@pytest.mark.no_cover
@settings(max_examples=400, deadline=None)
@given(st.lists(OPERATIONS, max_size=12))
def test_with_every_correction_it_is_what_is_not_in_the_line(operations: list[tuple[str, int]]) -> None:
    recording = played()
    note = {"type": "annotate", "params": {"text": "So it was."}}
    params: dict[str, Any]
    for name, seq in operations:
        match name:
            case "undo":
                type_, params = name, {"to": seq}
            case "remove":
                type_, params = "amend", {"seq": seq, "remove": True, "accept_broken": True}
            case "event" | "insert":
                type_, params = "amend", {"seq": seq, name: note, "accept_broken": True}
            case "annotate":
                type_, params = name, {"text": "Well."}
            case _:
                type_, params = name, {"reason": "dinner"}
        # An impossible event at this position is refused, and changes nothing.
        with suppress(EngineError):
            recording.add(type_, **params)
    events, version = recording.events, recording.game.version
    found = superseded_events(events, version)
    gone = {seq for one in found for seq in range(one.first, one.last + 1)}
    stands = {event.seq for event in events if event.seq not in gone and event.type != "undo"}
    assert stands == {1, *(slot.source for slot in history(events).mainline)}
    assert sum(one.last - one.first + 1 for one in found) == len(gone)
    assert all(events[one.by - 1].type in READ for one in found)


@st.composite
def many(draw: st.DrawFn) -> list[Event]:
    """Return a log with many undos, amends and endings, legal or not."""
    corrections = []
    for seq in sorted(draw(st.sets(st.integers(3, 40), max_size=20))):
        kind = draw(st.sampled_from(["undo", "undo", "amend", "insert", "reveal", "game_closed"]))
        place = draw(st.integers(1, seq - 1))
        params: dict[str, Any] = {"to": place} if kind == "undo" else {} if kind == "game_closed" else {"seq": place}
        if kind == "insert":
            kind, params["insert"] = "amend", {}
        corrections.append((seq, kind, params))
    return log(*corrections)


@given(many(), st.integers(0, 20))
def test_the_ways_back_tell_the_same_from_every_event(events: list[Event], known: int) -> None:
    found = [correction(event.seq, event) for event in events if event.type in READ]
    ways = Ways(found[:known]).and_on(found[known:])
    for version in range(len(events) + 1):
        gone = superseded_events(events, version)
        assert ways.superseded_events(version) == gone
        assert ways.length(version) == len(list(ways.back(version))) >= len(gone)
