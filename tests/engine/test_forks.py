"""Forks: a game of its own that begins with another's events."""

from __future__ import annotations

import pytest

from engine.audit import audit
from engine.chance import Seeded, seed_commitment
from engine.errors import Malformed
from engine.events import Draft
from engine.fold import fold
from engine.forks import fork
from engine.record import record
from tests.engine.recording import dealt, ended, played
from tests.playouts import clock, playout
from tests.recording import forged

LATER = clock(99)


def test_fork__is_the_parents_state() -> None:
    recording = played()
    game, events = fork(recording.events, 4, game="parent", seed=None, recorded_at=LATER)
    assert (game.state, game.version, game.head) == (recording.states[4], 4, events[-1].hash)
    assert fold(events) == game


def test_fork__says_where_it_comes_from() -> None:
    recording = played()
    _, events = fork(recording.events, 4, game="parent", seed=None, recorded_at=LATER, recorded_by="desk")
    assert events[0].params["fork"] == {"game": "parent", "at": 4, "hash": recording.events[3].hash}
    assert (events[0].recorded_at, events[0].recorded_by) == (LATER, "desk")


def test_fork__copies_what_was_recorded() -> None:
    recording = played()
    _, events = fork(recording.events, 5, game="parent", seed=None, recorded_at=LATER, recorded_by="desk")
    for copy, event in zip(events[1:], recording.events[1:], strict=True):
        assert forged(copy, prev=event.prev) == event
        assert copy.hash != event.hash


def test_fork__at_its_opening() -> None:
    game, events = fork(played().events, 1, game="parent", seed=None, recorded_at=LATER)
    assert (game.status, len(events)) == ("setup", 1)


def test_fork__an_undo_is_copied_with_what_it_undid() -> None:
    recording = played()
    recording.add("undo", to=3)
    game, events = fork(recording.events, 6, game="parent", seed=None, recorded_at=LATER)
    assert game.state == recording.states[3]
    assert len(events) == 6


def test_fork__of_a_seeded_game_has_a_seed_of_its_own() -> None:
    log = playout(seed=4, chance="seeded")
    game, _ = fork(log, 12, game="parent", seed="another", recorded_at=LATER)
    assert game.header.seed_commitment == seed_commitment("another")
    assert game.header.chance == "seeded"


def test_fork__its_seed_answers_only_for_its_own_draws() -> None:
    game, events = fork(playout(seed=4, chance="seeded"), 12, game="parent", seed="another", recorded_at=LATER)
    drafts = [Draft(type="abandon", params={"reason": "dinner"})]
    _, added = record(game, drafts, Seeded("another"), lambda _: None, recorded_at=LATER)
    assert added[-1].params["seed"] == "another"
    assert audit([*events, *added]).verdict == "clean"


def test_fork__of_a_fork() -> None:
    recording = played()
    _, events = fork(recording.events, 4, game="parent", seed=None, recorded_at=LATER)
    game, again = fork(events, 3, game="child", seed=None, recorded_at=LATER)
    assert game.state == recording.states[3]
    assert again[0].params["fork"] == {"game": "child", "at": 3, "hash": events[2].hash}


def test_fork__goes_on_like_any_game() -> None:
    log = playout(seed=4)
    _, events = fork(log, len(log) - 2, game="parent", seed=None, recorded_at=LATER)
    assert audit(events).verdict == "clean"


@pytest.mark.parametrize("at", [-1, 0, 6])
def test_fork__at_an_event_that_there_is(at: int) -> None:
    with pytest.raises(Malformed) as error:
        fork(played().events, at, game="parent", seed=None, recorded_at=LATER)
    assert error.value.pointer == "/at"


@pytest.mark.parametrize("at", [6, 7])
def test_fork__not_of_a_game_that_is_over(at: int) -> None:
    with pytest.raises(Malformed) as error:
        fork(ended().events, at, game="parent", seed=None, recorded_at=LATER)
    assert error.value.message == "the game is over there: fork it at an earlier event"


@pytest.mark.parametrize(("parent", "seed"), [(None, "another"), ("tides", None)])
def test_fork__is_seeded_exactly_if_its_parent_is(parent: str | None, seed: str | None) -> None:
    with pytest.raises(Malformed) as error:
        fork(dealt(parent).events, 2, game="parent", seed=seed, recorded_at=LATER)
    assert error.value.pointer == "/seed"
