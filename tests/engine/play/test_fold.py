"""The line of a log: the events in effect after all undos and amends."""

from __future__ import annotations

import pytest

from engine.core.errors import Malformed
from engine.core.events import Draft
from engine.play.fold import History, fold, history, steps
from engine.play.past import KnownPast
from tests.engine.recording import played
from tests.playouts import long_record


def places(events):
    return [slot.number for slot in history(events).mainline]


def test_standing__all_where_nothing_was_undone() -> None:
    assert [slot.entry for slot in history(played().events).mainline] == played().events[1:]


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
    line = history(long_record(300, 5)).mainline
    assert all(slot.entry is not None and slot.entry.type != "undo" for slot in line)
    assert [slot.number for slot in line] == sorted(slot.number for slot in line)


def test_steps__go_on_from_any_state() -> None:
    recording = played()
    first, *since = recording.events[2:]
    found = list(steps(recording.history.rules, enumerate(since, 4), recording.states[3], KnownPast({})))
    assert [entry for entry, _, _ in found] == since
    assert [state for _, state, _ in found] == recording.states[4:]
    assert first.seq == 3


def test_steps__say_which_event_fails() -> None:
    recording = played()
    with pytest.raises(Malformed) as failed:
        list(
            steps(recording.history.rules, enumerate([recording.events[1], Draft(type="fly")], 7), None, KnownPast({}))
        )
    assert failed.value.seq == 8


def test_history__goes_on_from_a_game() -> None:
    recording = long_record(300, 5)
    for at in (1, 2, 40, 290):
        begun = fold(recording[:at])
        more = History(begun.header, begun, history(recording[:at]))
        more.fold(recording[at:])
        whole = history(recording)
        assert (more.version, more.states) == (whole.version, whole.states[at:])
        assert list(more.mainline) == list(whole.mainline)
        assert more.state(at // 2) == whole.state(at // 2)


def test_known__says_what_is_not_known() -> None:
    assert KnownPast().state(1) is None
    with pytest.raises(Malformed, match="event 5 is unknown"):
        KnownPast().state(5)
    with pytest.raises(Malformed, match="after event 5"):
        KnownPast({5: None}).line(5)
    assert KnownPast({5: None}).state(5) is None
