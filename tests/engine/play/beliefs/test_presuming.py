"""Presumptions about a partly unknown line, and the effect of corrections on them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import IllegalAction, Malformed
from engine.play.beliefs.belief import Belief, likeliest
from engine.play.corrections.reveals import unknowns
from engine.play.fold import fold
from engine.play.line import Slot
from engine.play.rules import Rules
from engine.review.audit import audit
from tests.engine.recording import dealt
from tests.recording import Recording

LIFT = {"pawns": ["p1"]}


def two_lifts() -> Recording:
    """Ada twice draws an unseen card and plays a Helicopter Lift; Bo has the third Lift."""
    recording = dealt(mode="as_played")
    for to in ("coral_palace", "gold_gate"):
        recording.add("draw_treasure_card", "p1", [None])
        recording.add("play_helicopter_lift", "p1", to=to, **LIFT)
    recording.add("annotate", text="was it so?")
    recording.add("amend", seq=7, remove=True)
    for tile in ("breakers_bridge", "bronze_gate"):
        recording.add("draw_flood_card", "p1", [tile])
    recording.add("draw_treasure_card", "p2", [None])
    return recording


def slots(recording: Recording) -> dict[int, Slot]:
    return {slot.number: slot for slot in recording.history.mainline}


def chances(recording: Recording) -> dict[int, Any]:
    found = unknowns(recording.history.rules, recording.history.mainline)
    return {one.seq: one.point.probabilities() for one in found}


def test_the_rules_were_kept_as_long_as_what_is_told_allows_that() -> None:
    recording = two_lifts()
    assert [slots(recording)[seq].judgement.verdict for seq in (4, 6)] == ["unknowable"] * 2  # type: ignore[union-attr]  # see there
    recording.add("abandon", reason="dinner")
    seq = 11
    assert 0 < chances(recording)[seq]["helicopter_lift"] < 1

    recording.add("reveal", seq=seq, value="helicopter_lift")

    line = slots(recording)
    assert line[4].judgement.verdict == "unknowable"  # type: ignore[union-attr]  # see above
    slip = line[6]
    assert slip.judgement is not None
    assert (slip.judgement.verdict, slip.judgement.has_effect, slip.broken) == ("illegal", False, "now_illegal")
    (told,) = recording.history.impacts[recording.events[-2].seq].newly_broken()
    assert (told.seq, told.effect) == (6, "now_illegal")
    assert likeliest(recording.game.state).pawns[0] == "coral_palace"
    assert recording.game.outcome is not None
    assert fold(recording.events) == recording.game
    assert {one.kind for one in audit(recording.events).findings} == {"illegal_action"}
    recording.add("reveal", seq=3, value="earth_stone")
    assert likeliest(recording.game.state).pawns[0] == "gold_gate"


def test_an_event_without_effect_has_no_outcome_that_could_be_told() -> None:
    recording = dealt(mode="as_played")
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("abandon", reason="dinner")
    recording.add("amend", seq=4, insert={"type": "abandon", "params": {"reason": "supper"}})
    assert chances(recording).keys() == {3}
    with pytest.raises(Malformed, match="event 4 had no effect, so it has no result"):
        recording.add("reveal", seq=4, value="sandbags")
    recording.add("reveal", seq=3, value="sandbags")
    assert chances(recording) == {}
    assert fold(recording.events) == recording.game


def test_what_had_no_effect_needs_no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = dealt(mode="as_played")
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("amend", seq=3, insert={"type": "abandon", "params": {"reason": "supper"}})

    def too_many(*_: Any, **__: Any) -> None:
        raise IllegalAction("", "More tables are possible than can be looked at")

    monkeypatch.setattr(Rules, "trace", too_many)
    assert chances(recording) == {}


def test_what_cannot_have_come_up_any_more_has_no_effect_and_tells_nothing() -> None:
    recording = dealt(mode="as_played")
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    draw = {"type": "draw_treasure_card", "actor": "p1", "outcomes": ["sandbags"]}
    recording.add("amend", seq=4, insert=draw)
    assert slots(recording)[4].broken == "outcome_impossible"
    assert isinstance(recording.game.state, Belief)
    assert "earth_stone" in chances(recording)[3]
    recording.add("reveal", seq=3, value="earth_stone")
    assert fold(recording.events) == recording.game


def test_a_fact_that_does_not_follow_any_more_tells_nothing() -> None:
    recording = dealt(mode="as_played")
    recording.add("draw_treasure_card", "p1", [None])
    gone = {"fact": "has_cards", "seat": "p2", "card": "helicopter_lift", "count": 0}
    recording.add("adjust", facts=[gone], reason="it lies there")
    lift = {"type": "play_helicopter_lift", "actor": "p2", "params": {"to": "coral_palace", "pawns": ["p2"]}}
    recording.add("amend", seq=4, insert=lift)
    judgement = slots(recording)[4].judgement
    assert judgement is not None
    assert (judgement.has_effect, slots(recording)[4].broken) == (False, "now_illegal")
    assert chances(recording)[3]["sandbags"] > 0
    assert fold(recording.events) == recording.game
