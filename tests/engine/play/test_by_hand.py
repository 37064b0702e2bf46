"""Outcomes that adjustments decided (API.md, "Illegal events, explanations, verdicts"): `by_hand`."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import IllegalAction
from engine.play.by_hand import adjusts, has_adjustments
from engine.play.fold import fold
from engine.review.audit import verify
from tests.engine.recording import dealt
from tests.recording import Recording, chained, forged

TREASURES = ("earth_stone", "statue_of_the_wind", "crystal_of_fire", "oceans_chalice")
LANDED = {"fact": "stands_on", "seat": "p1", "tile": "fools_landing"}
WATER = {"fact": "water_level", "level": 1}


def captured_facts(*treasures: str) -> list[dict[str, Any]]:
    return [{"fact": "captured", "treasure": one} for one in treasures]


def win_by_facts(*facts: dict[str, Any]) -> Recording:
    """One event captures all treasures by hand, another adjusts `facts`, and the team lifts off."""
    recording = dealt()
    recording.add("adjust", facts=[*captured_facts(*TREASURES), LANDED], reason="We had them all.")
    recording.add("adjust", facts=list(facts) or [WATER], reason="So we saw.")
    recording.add("lift_off", "p2")
    return recording


def late() -> Recording:
    """Return a record that begins one action before the win."""
    start = dealt()
    start.add("adjust", facts=[*captured_facts(*TREASURES), LANDED], reason="The table as it is.")
    recording = Recording()
    state = start.game.state
    assert state is not None
    recording.add("set_up", position=start.game.ruleset.to_document(state))
    return recording


def is_by_hand(recording: Recording) -> bool:
    game = fold(recording.events)
    assert game.outcome is not None
    assert verify(recording.events).outcome == game.outcome
    return game.outcome.by_hand


def test_a_win_made_possible_by_hand_is_by_hand() -> None:
    recording = win_by_facts()
    assert has_adjustments(recording.events)
    assert is_by_hand(recording)
    assert recording.game.outcome is not None
    assert recording.game.outcome.result == "won"


def test_a_win_that_the_table_played_is_not() -> None:
    recording = late()
    recording.add("lift_off", "p2")
    assert not is_by_hand(recording)
    assert not has_adjustments(recording.events)


def test_facts_that_confirm_the_table_decide_nothing() -> None:
    recording = late()
    recording.add("adjust", facts=captured_facts(*TREASURES), reason="Looked.")
    recording.add("lift_off", "p2")
    assert not is_by_hand(recording)


def test_a_change_that_the_end_does_not_need_decides_nothing() -> None:
    recording = late()
    recording.add("adjust", facts=[{"fact": "water_level", "level": 3}], reason="It was at 3.")
    recording.add("lift_off", "p2")
    assert not is_by_hand(recording)


def test_a_confirmation_of_what_was_set_by_hand_does_not_make_it_true() -> None:
    assert is_by_hand(win_by_facts(*captured_facts(*TREASURES)))


def test_a_game_that_ends_with_the_adjustment_is_by_hand() -> None:
    recording = dealt()
    recording.add("adjust", facts=[{"fact": "tile_is", "tile": "fools_landing", "state": "sunk"}], reason="It sank.")
    assert is_by_hand(recording)


def test_another_ending_than_the_one_without_is_by_hand() -> None:
    """Ada lifts off with a Helicopter Lift that only an adjustment gave her; Bo was dealt another one."""
    recording = late()
    recording.add(
        "adjust", facts=[{"fact": "has_cards", "seat": "p1", "card": "helicopter_lift", "count": 1}], reason="Mine."
    )
    recording.add("lift_off", "p1")
    assert is_by_hand(recording)


def test_an_adjustment_that_was_undone_decides_nothing() -> None:
    recording = late()
    recording.add("adjust", facts=[{"fact": "water_level", "level": 3}], reason="Wrong.")
    recording.add("undo", to=2)
    recording.add("lift_off", "p2")
    assert not is_by_hand(recording)


def test_an_adjustment_that_an_amend_brought_counts() -> None:
    recording = dealt()
    recording.add("move", "p1", to="howling_garden")
    insert = {"type": "adjust", "params": {"facts": [*captured_facts(*TREASURES), LANDED], "reason": "Late."}}
    recording.add("amend", seq=3, insert=insert, accept_broken=True)
    recording.add("adjust", facts=[LANDED], reason="Back.")
    assert has_adjustments(recording.events[:4])
    recording.add("lift_off", "p2")
    assert is_by_hand(recording)


def test_a_removed_event_has_no_part_in_it() -> None:
    recording = late()
    recording.add("adjust", facts=[{"fact": "water_level", "level": 3}], reason="It was at 3.")
    recording.add("adjust", facts=[{"fact": "stands_on", "seat": "p1", "tile": "howling_garden"}], reason="Wrong.")
    recording.add("amend", seq=4, remove=True)
    recording.add("lift_off", "p2")
    assert not is_by_hand(recording)


def test_a_game_that_was_stopped_is_not_by_hand() -> None:
    recording = dealt()
    recording.add("adjust", facts=captured_facts(*TREASURES), reason="We had them all.")
    recording.add("abandon", reason="Dinner.")
    assert not is_by_hand(recording)


def test_a_game_that_goes_on_is_not() -> None:
    recording = dealt()
    assert not fold(recording.events).by_hand
    assert not fold(recording.events[:1]).by_hand


def test_it_is_in_no_event_and_no_log_may_claim_it() -> None:
    """Logs of earlier releases lack this member, and their bytes never change."""
    recording = win_by_facts()
    closed = recording.events[-1]
    assert "by_hand" not in closed.params["outcome"]
    claimed = forged(closed, params={"outcome": {**closed.params["outcome"], "by_hand": True}})
    with pytest.raises(IllegalAction, match="it follows from its events"):
        fold(chained([*recording.events[:-1], claimed]))


def test_amends_are_looked_into_for_adjustments() -> None:
    recording = dealt()
    recording.add("move", "p1", to="howling_garden")
    recording.add("amend", seq=3, event={"type": "move", "actor": "p1", "params": {"to": "howling_garden"}})
    assert not has_adjustments(recording.events)


def test_an_adjustment_changes_the_table_or_confirms_it() -> None:
    recording = dealt()
    (changed,) = recording.add("adjust", facts=[{"fact": "water_level", "level": 3}], reason="It was at 3.")
    (confirmed,) = recording.add("adjust", facts=[{"fact": "water_level", "level": 3}], reason="Looked.")
    assert (adjusts(changed), adjusts(confirmed)) == (True, False)
