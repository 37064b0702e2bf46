"""Events of every game: undo, redo, annotate, abandon, and closing."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import GameOver, IllegalAction, Malformed
from engine.core.events import Draft
from engine.core.lifecycle import KINDS, RECORDABLE, RULE
from engine.play.fold import fold
from engine.play.judge import _CLOSING
from tests.engine.recording import DEAL, dealt, ended, played
from tests.recording import Recording

# undo


@pytest.mark.parametrize("to", [2, 3, 4])
def test_undo__goes_back_to_the_state_after_that_event(to: int) -> None:
    recording = played()
    recording.add("undo", to=to)
    assert recording.game.state == recording.states[to]
    assert fold(recording.events).state == fold(recording.events[:to]).state


def test_undo__keeps_what_is_undone_in_the_log() -> None:
    recording = played()
    recording.add("undo", to=2)
    assert recording.game.version == 6
    assert [event.type for event in recording.events[2:]] == ["move", "move", "draw_treasure_card", "undo"]


def test_undo__of_an_undo_is_a_redo() -> None:
    recording = played()
    recording.add("undo", to=2)
    recording.add("undo", to=5)
    assert recording.game.state == recording.states[5]


def test_undo__play_goes_on_from_there() -> None:
    recording = played()
    recording.add("undo", to=3)
    recording.add("move", "p1", to="silver_gate")
    assert recording.game.state != recording.states[4]
    assert fold(recording.events) == recording.game


def test_undo__to_before_the_set_up() -> None:
    recording = played()
    recording.add("undo", to=1)
    assert (recording.game.status, recording.game.turn) == ("setup", 0)
    recording.add("set_up", outcomes=DEAL)
    assert recording.game.state == recording.states[2]


def test_undo__the_deal_of_a_seeded_game_stands() -> None:
    recording = dealt("tides")
    recording.add("annotate", text="hm")
    with pytest.raises(IllegalAction) as error:
        recording.add("undo", to=1)
    assert (error.value.rule, error.value.message) == (RULE, "The setup of a seeded game cannot be changed.")


def test_undo__in_a_seeded_game_the_next_draw_is_another() -> None:
    """A draw depends on the number of its event, so the draw after an undo can have another result."""
    recording = dealt("tides")
    outcomes = set()
    for _ in range(12):
        outcomes.add(recording.add("draw_treasure_card", "p1")[0].outcomes)
        recording.add("undo", to=2)
    assert len(outcomes) > 1


def test_undo__reopens_an_observed_game_that_has_ended() -> None:
    recording = ended()
    recording.add("undo", to=5)
    assert (recording.game.status, recording.game.outcome) == ("in_progress", None)
    recording.add("draw_treasure_card", "p1", ["earth_stone"])
    assert fold(recording.events) == recording.game


def test_undo__a_game_that_ends_again_is_closed_again() -> None:
    recording = ended()
    recording.add("undo", to=5)
    assert [event.type for event in recording.add("abandon", reason="bed")] == ["abandon", "game_closed"]


def test_undo__back_to_the_end_closes_again() -> None:
    recording = ended()
    recording.add("undo", to=5)
    assert [event.type for event in recording.add("undo", to=7)] == ["undo", "game_closed"]
    assert fold(recording.events) == recording.game


def test_undo__does_not_reopen_a_seeded_game() -> None:
    recording = dealt("tides")
    recording.add("abandon", reason="dinner")
    with pytest.raises(GameOver):
        recording.add("undo", to=2)


@pytest.mark.parametrize("to", [5, 6, 100, 2**53])
def test_undo__to_an_event_before_the_last(to: int) -> None:
    with pytest.raises(Malformed) as error:
        played().add("undo", to=to)
    assert error.value.pointer == "/params/to"
    assert error.value.message == f"the last event is 5, so there is nothing after {to} to undo"


# annotate


@pytest.mark.parametrize("params", [{"text": "well done"}, {"text": "was it?", "seq": 3}, {"text": "now", "seq": 5}])
def test_annotate__changes_nothing(params: dict[str, Any]) -> None:
    recording = played()
    (event,) = recording.add("annotate", **params)
    assert event.params == params
    assert recording.game.state == recording.states[5]


def test_annotate__after_the_end() -> None:
    assert [event.type for event in ended().add("annotate", text="what a game")] == ["annotate"]


def test_annotate__an_event_that_there_is() -> None:
    with pytest.raises(Malformed) as error:
        played().add("annotate", text="hm", seq=6)
    assert (error.value.pointer, error.value.message) == ("/params/seq", "there is no event 6 yet")


# abandon


def test_abandon__ends_the_game() -> None:
    outcome = ended().game.outcome
    assert outcome is not None
    assert (outcome.result, outcome.winners, outcome.reason, outcome.rule) == ("abandoned", (), "abandoned", RULE)


def test_abandon__once() -> None:
    with pytest.raises(GameOver):
        ended().add("abandon", reason="again")


# all of them


@pytest.mark.parametrize(
    ("type_", "params"), [("undo", {"to": 1}), ("annotate", {"text": "hm"}), ("abandon", {"reason": "x"})]
)
def test_lifecycle__not_before_the_set_up(type_: str, params: dict[str, Any]) -> None:
    with pytest.raises(IllegalAction, match="Set up the game first"):
        Recording().add(type_, **params)


@pytest.mark.parametrize("type_", RECORDABLE)
def test_lifecycle__nobody_acts(type_: str) -> None:
    with pytest.raises(Malformed) as error:
        played().append(Draft(type=type_, actor="p1"))
    assert error.value.pointer == "/actor"


@pytest.mark.parametrize(
    ("type_", "params", "pointer"),
    [
        ("undo", {}, "/params"),
        ("undo", {"to": 0}, "/params/to"),
        ("undo", {"to": "2"}, "/params/to"),
        ("undo", {"to": 2, "why": "?"}, "/params"),
        ("annotate", {"text": ""}, "/params/text"),
        ("annotate", {"text": "x" * 2001}, "/params/text"),
        ("annotate", {"text": "x", "seq": 0}, "/params/seq"),
        ("abandon", {"reason": ""}, "/params/reason"),
        ("details_changed", {}, "/params"),
        ("details_changed", {"title": ""}, "/params/title"),
        ("details_changed", {"played_at": "2026-02-30T10:00:00Z"}, "/params"),
        ("details_changed", {"played_at": "2026-02-20"}, "/params"),
        ("seat_left", {"seat": "p9"}, "/params/seat"),
        ("seat_joined", {"seat": "p1", "name": ""}, "/params/name"),
        ("house_rule", {"text": "So.", "allows": []}, "/params/allows"),
        ("set_up", {"tiles": []}, "/params"),
    ],
)
def test_lifecycle__malformed(type_: str, params: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Malformed) as error:
        played().add(type_, **params)
    assert error.value.pointer == pointer


@pytest.mark.parametrize("type_", [type_ for type_ in RECORDABLE if type_ not in {"reveal", "left_out"}])
def test_lifecycle__chance_has_no_part_in_it(type_: str) -> None:
    sound: dict[str, dict[str, Any]] = {
        "undo": {"to": 3},
        "annotate": {"text": "hm"},
        "abandon": {"reason": "dinner"},
        "amend": {"seq": 3, "remove": True},
        "details_changed": {"title": "The long Friday"},
        "seat_left": {"seat": "p1"},
        "seat_joined": {"seat": "p1", "name": "Dana"},
        "house_rule": {"text": "Anything goes.", "allows": [{"type": "move"}]},
        "adjust": {"patch": [{"op": "replace", "path": "/water_level", "value": 3}], "reason": "a slip"},
    }
    with pytest.raises(Malformed) as error:
        played().add(type_, outcomes=["earth_stone"], **sound[type_])
    assert error.value.pointer == "/outcomes/0"


def test_closing__is_declared_beside_the_others() -> None:
    assert _CLOSING.type in KINDS
    assert _CLOSING.type not in RECORDABLE
