"""Games recorded as played: illegal actions of the table are recorded with their verdicts."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from rq.timeouts import JobTimeoutException

from engine.core.errors import (
    GameOver,
    IllegalAction,
    ImpossibleOutcome,
    Malformed,
    OutcomeRequired,
    UnclearEffect,
)
from engine.core.events import Event
from engine.games.forbidden_island.actions import Move
from engine.play.fold import fold, history
from engine.review.audit import audit
from tests.engine.recording import DEAL
from tests.recording import Recording


def table(mode: Any = "as_played") -> Recording:
    """Ada the Messenger on Silver Gate, Bo the Pilot on Fools' Landing."""
    recording = Recording(mode=mode)
    recording.add("set_up", outcomes=DEAL)
    return recording


def last(recording: Recording) -> tuple[Any, Any, Any]:
    event = recording.events[-1]
    return event.verdict, event.rule, event.reason


def state(recording: Recording) -> Any:
    return recording.game.state


def round_trip(recording: Recording) -> None:
    events = msgspec.json.decode(msgspec.json.encode(recording.events), type=list[Event])
    assert fold(events) == recording.game
    assert not [one for one in audit(events).findings if one.kind != "illegal_action"]


def test_every_event_carries_a_verdict() -> None:
    recording = table()
    recording.add("move", "p1", to="howling_garden")
    recording.add("annotate", text="so far")
    assert [event.verdict for event in recording.events[1:]] == ["legal"] * 3
    assert [event.rule for event in recording.events] == [None] * 4


def test_a_strict_game_carries_none_and_refuses() -> None:
    recording = table("strict")
    with pytest.raises(IllegalAction):
        recording.add("move", "p1", to="gold_gate")
    assert [event.verdict for event in recording.events] == [None, None]


def test_a_pawn_that_went_too_far_went_there() -> None:
    recording = table()
    recording.add("move", "p1", to="gold_gate")
    assert last(recording) == ("illegal", "Move", "Gold Gate is more than one move from Silver Gate.")
    assert state(recording).pawns[0] == "gold_gate"
    assert state(recording).actions_left == 2
    round_trip(recording)


def test_the_pilot_flew_twice() -> None:
    recording = table()
    for _ in range(2):
        recording.add("draw_treasure_card", "p1", ["oceans_chalice"])
    for tile in ("breakers_bridge", "bronze_gate"):
        recording.add("draw_flood_card", "p1", [tile])
    recording.add("fly", "p2", to="gold_gate")
    recording.add("fly", "p2", to="coral_palace")
    assert last(recording) == ("illegal", "Move", "The Pilot flies once per turn.")
    assert state(recording).pawns[1] == "coral_palace"
    round_trip(recording)


def test_what_has_no_clear_effect_is_told_how_to_enter() -> None:
    recording = table()
    with pytest.raises(UnclearEffect, match="There is no Sandbags in that hand") as error:
        recording.add("play_sandbags", "p2", tile="observatory")
    assert "adjust" in error.value.instead
    assert recording.game.version == 2


@pytest.mark.parametrize("raised", [ZeroDivisionError, KeyError, AssertionError, MemoryError, JobTimeoutException])
def test_a_defect_of_the_rules_is_no_unclear_effect(raised: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> Any:
        raise raised

    recording = table()
    monkeypatch.setattr(Move, "apply", fails)
    with pytest.raises(raised):
        recording.add("move", "p1", to="gold_gate")
    assert recording.game.version == 2


def test_chance_is_asked_as_ever() -> None:
    recording = table()
    with pytest.raises(OutcomeRequired):
        recording.add("draw_treasure_card", "p2")
    with pytest.raises(ImpossibleOutcome):
        recording.add("draw_treasure_card", "p2", ["pilot"])
    recording.add("draw_treasure_card", "p2", ["oceans_chalice"])
    assert last(recording)[0] == "illegal"
    assert "oceans_chalice" in state(recording).hands[1]
    round_trip(recording)


def test_nobody_acts_who_is_not_there_or_when_it_is_over() -> None:
    recording = table()
    with pytest.raises(Malformed):
        recording.add("move", "p4", to="gold_gate")
    recording.add("abandon", reason="dinner")
    with pytest.raises(GameOver):
        recording.add("move", "p1", to="gold_gate")


def test_a_seeded_game_draws_for_what_is_illegal_too() -> None:
    recording = Recording(seed="tides", mode="as_played")
    recording.add("set_up")
    recording.add("draw_treasure_card", "p2")
    assert last(recording)[0] == "illegal"
    recording.add("abandon", reason="dinner")
    round_trip(recording)


def test_an_amend_needs_no_leave_to_break_what_follows() -> None:
    recording = table()
    recording.add("move", "p1", to="howling_garden")
    recording.add("move", "p1", to="gold_gate")
    recording.add("amend", seq=3, remove=True)
    (slot,) = history(recording.events).mainline[2:]
    assert slot.judgement is not None
    assert (slot.judgement.verdict, slot.judgement.has_effect) == ("illegal", True)
    assert state(recording).pawns[0] == "gold_gate"
    round_trip(recording)


def test_an_amend_may_bring_what_is_illegal() -> None:
    recording = table()
    recording.add("move", "p1", to="howling_garden")
    recording.add("amend", seq=3, event={"type": "move", "actor": "p1", "params": {"to": "gold_gate"}})
    assert last(recording)[0] == "illegal"
    assert history(recording.events).mainline[-1].judgement is not None
    round_trip(recording)
