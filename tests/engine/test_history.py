"""The line of a log: what stands once all that was undone and amended is taken into account."""

from __future__ import annotations

from engine.history import history
from tests.engine.recording import played
from tests.playouts import long_record


def places(events):
    return [slot.place for slot in history(events).standing]


def test_standing__all_where_nothing_was_undone() -> None:
    assert [slot.entry for slot in history(played().events).standing] == played().events[1:]


def test_standing__without_what_was_undone() -> None:
    recording = played()
    recording.add("undo", to=3)
    recording.add("move", "p1", to="silver_gate")
    assert places(recording.events) == [2, 3, 7]


def test_standing__with_what_was_redone() -> None:
    recording = played()
    recording.add("undo", to=3)
    recording.add("undo", to=5)
    assert places(recording.events) == [2, 3, 4, 5]


def test_standing__leads_to_the_same_state() -> None:
    line = history(long_record(300, 5)).standing
    assert all(slot.entry is not None and slot.entry.type != "undo" for slot in line)
    assert [slot.place for slot in line] == sorted(slot.place for slot in line)
