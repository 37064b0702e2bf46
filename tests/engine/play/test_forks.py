"""Forks: a game of its own that begins with another's events."""

from __future__ import annotations

import pytest

from engine.core.errors import IllegalAction, Malformed
from engine.core.events import Draft
from engine.kit.chance import Observed, Seeded, seed_commitment
from engine.play.fold import fold, history
from engine.play.forks import fork
from engine.play.past import KnownPast
from engine.play.record import record
from engine.review.audit import audit
from tests.engine.recording import dealt, ended, played
from tests.playouts import clock, playout
from tests.recording import Recording, forged

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
    _, added = record(game, drafts, Seeded("another"), KnownPast(), recorded_at=LATER)
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
    assert error.value.message == "the game is over at that event: fork it at an earlier one"


def test_fork__what_if_goes_on_by_a_seed() -> None:
    recording = played()
    game, events = fork(recording.events, 4, game="parent", seed="what if", recorded_at=LATER)
    assert game.state == recording.states[4]
    assert (game.header.chance, game.header.seed_commitment) == ("seeded", seed_commitment("what if"))
    assert events[0].params["fork"] == {
        "game": "parent",
        "at": 4,
        "hash": recording.events[3].hash,
        "chance": "observed",
    }
    for draft in (Draft(type="draw_treasure_card", actor="p1"), Draft(type="abandon", params={"reason": "dinner"})):
        game, added = record(game, [draft], Seeded("what if"), KnownPast(), recorded_at=LATER)
        events += added
    assert audit(events).verdict == "clean"


def test_fork__a_table_takes_over_from_a_seed() -> None:
    recording = dealt("tides")
    game, events = fork(recording.events, 2, game="parent", seed=None, recorded_at=LATER)
    assert game.state == recording.game.state
    assert (game.header.chance, game.header.seed_commitment) == ("observed", None)
    draw = Draft(type="draw_treasure_card", actor="p1", outcomes=("earth_stone",))
    _, added = record(game, [draw], Observed(), KnownPast(), recorded_at=LATER)
    assert audit([*events, *added]).verdict == "clean"


def test_fork__plays_its_parents_events_by_its_parents_kind_of_chance() -> None:
    """This holds for a fork of a fork, too. A rule about the kind of chance gets that of the event."""
    log = playout("forever-island", limit=6)
    child, events = fork(log, 4, game="parent", seed="child", recorded_at=LATER)
    assert child.state == fold(log[:4]).state
    _, added = record(
        child, [Draft(type="annotate", params={"text": "Ours."})], Seeded("child"), KnownPast(), recorded_at=LATER
    )
    grandchild, again = fork([*events, *added], 5, game="child", seed=None, recorded_at=LATER)
    assert grandchild.state == child.state
    assert [grandchild.header.chance_at(seq) for seq in (2, 4, 5, 6)] == ["observed", "observed", "seeded", "observed"]
    great, last = fork(again, 5, game="grandchild", seed=None, recorded_at=LATER)
    assert (great.state, fold(last)) == (child.state, great)
    assert great.header.fork is not None
    assert great.header.fork.fork == grandchild.header.fork


def test_fork__of_a_game_that_was_closed_and_opened_again_has_no_seed_to_reveal_there() -> None:
    recording = ended()
    recording.add("undo", to=5)
    _, events = fork(recording.events, 8, game="parent", seed="what if", recorded_at=LATER)
    assert audit(events).verdict == "clean"


def test_fork__may_have_tags_of_its_own() -> None:
    assert fork(played().events, 3, game="parent", seed=None, recorded_at=LATER)[0].header.tags == ()
    game, _ = fork(played().events, 3, game="parent", seed=None, recorded_at=LATER, tags=["what if"])
    assert game.header.tags == ("what if",)


def test_fork__of_a_record_that_was_corrected_has_its_corrections() -> None:
    recording = played()
    recording.add("amend", seq=4, event={"type": "move", "actor": "p1", "params": {"to": "silver_gate"}})
    recording.add("undo", to=5)
    recording.add("amend", seq=3, remove=True, accept_broken=True)
    for at in (6, 7, 8):
        game, events = fork(recording.events, at, game="parent", seed="what if", recorded_at=LATER)
        assert game.state == recording.states[at]
        assert fold(events) == game
        assert audit(events).verdict != "broken"


def test_fork__of_a_record_that_begins_in_the_middle() -> None:
    rules = dealt().game.ruleset
    position = rules.to_document(played().game.state)
    recording = Recording()
    recording.add("set_up", position=position)
    game, events = fork(recording.events, 2, game="parent", seed="what if", recorded_at=LATER)
    assert game.state == played().game.state
    assert fold(events) == game


def test_fork__by_a_seed_where_something_was_not_seen_goes_on_once_it_is_told() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("draw_treasure_card", "p1", ["earth_stone"])
    game, events = fork(recording.events, 4, game="parent", seed="what if", recorded_at=LATER)
    assert game.state == recording.game.state
    draw = Draft(type="draw_flood_card", actor="p1")
    with pytest.raises(IllegalAction):
        record(game, [draw], Seeded("what if"), history(events), recorded_at=LATER)
    told = Draft(type="reveal", params={"seq": 3, "value": "sandbags"})
    _, added = record(game, [told, draw], Seeded("what if"), history(events), recorded_at=LATER)
    assert audit([*events, *added]).verdict == "clean"
