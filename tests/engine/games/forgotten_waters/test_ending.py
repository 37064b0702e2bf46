"""Forgotten Waters: End of the Game, and Saving your Game."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.values import GameOutcome
from engine.games.forgotten_waters.state import WatersState
from engine.kit.ruleset import Refusal
from engine.play import registry
from tests.engine.games.forgotten_waters.positions import having, resolving, voyage
from tests.engine.games.playing import do, kinds, refused, said

END = "End of the Game"
SAVING = "Saving your Game"
NAMES = ("Ada", "Bo", "Cleo")
RULES: Any = registry.ruleset("forgotten-waters")


def lost_outcome(reason: str) -> GameOutcome:
    return GameOutcome("lost", (), reason, END)


def test_drowned__hull_0() -> None:
    assert resolving({"do": "ship", "stat": "hull", "n": -10}).outcome == lost_outcome("drowned")


def test_drowned__not_with_hull_1() -> None:
    assert resolving({"do": "ship", "stat": "hull", "n": -9}).outcome is None


def test_drowned__at_once() -> None:
    """FW-R12: pending effects are not resolved."""
    state = resolving({"do": "ship", "stat": "hull", "n": -10}, {"do": "ship", "stat": "hull", "n": 5})
    assert state.hull == 0


def test_mutiny__discontent_equal_to_crew() -> None:
    assert resolving({"do": "ship", "stat": "discontent", "n": 11}).outcome == lost_outcome("mutiny")


def test_mutiny__crew_down_to_discontent() -> None:
    assert resolving({"do": "ship", "stat": "crew", "n": -11}).outcome == lost_outcome("mutiny")


def test_mutiny__not_below() -> None:
    assert resolving({"do": "ship", "stat": "discontent", "n": 10}).outcome is None


def test_threat__the_last_event() -> None:
    state = resolving({"do": "check_threat"}, state=voyage(threat=4, threat_events=6))
    assert state.outcome == lost_outcome("threat")


def test_threat__not_the_one_before() -> None:
    assert resolving({"do": "check_threat"}, state=voyage(threat=4, threat_events=5)).outcome is None


def at_goal(*events: int) -> WatersState:
    state = voyage()
    for seat, count in enumerate(events):
        state = having(state, seat, events=count)
    return resolving({"do": "reach_goal"}, state=state)


def test_goal__those_with_4_events_win() -> None:
    """FW-R22."""
    assert at_goal(4, 3, 4).outcome == GameOutcome("won", ("p1", "p3"), "goal_reached", END)


def test_goal__5_events_are_a_superior_victory() -> None:
    """FW-R22."""
    assert at_goal(4, 5, 0).outcome == GameOutcome("won", ("p1", "p2"), "superior_victory", END, ("p2",))


def test_goal__each_player_who_won_superiorly_is_told() -> None:
    """FW-R22."""
    outcome = at_goal(5, 4, 5).outcome
    assert outcome is not None
    assert (outcome.winners, outcome.superior) == (("p1", "p2", "p3"), ("p1", "p3"))
    assert msgspec.to_builtins(outcome)["superior"] == ("p1", "p3")
    assert "superior" not in msgspec.to_builtins(at_goal(4, 4, 4).outcome)


def test_goal__with_fewer_nobody_wins() -> None:
    """FW-R22."""
    assert at_goal(3, 3, 3).outcome == lost_outcome("goal_without_glory")


def test_goal__who_won_superiorly_is_told_by_name() -> None:
    """FW-R22."""
    assert RULES.overview(at_goal(5, 4, 5), NAMES)["Superior victory"] == "Ada, Cleo"
    assert "Superior victory" not in RULES.overview(at_goal(4, 4, 4), NAMES)


def test_endings__from_the_highest_infamy_clockwise() -> None:
    state = voyage(infamy=(1, 0, 2))
    for seat, count in enumerate((5, 4, 1)):
        state = having(state, seat, events=count)
    read = RULES.overview(resolving({"do": "reach_goal"}, state=state), NAMES)["Endings"]
    assert read.startswith("Bo: You are exempt, for life, in writing. Cleo: Your stew is remembered by a plaque")
    assert read.endswith("Ada: On still nights the sea itself tolls, and sailors take off their hats to you.")


def test_endings__everyone_reads_one_where_nobody_has_won() -> None:
    """FW-R22."""
    read = RULES.overview(at_goal(3, 3, 3), NAMES)["Endings"]
    assert all(f"{name}: " in read for name in NAMES)


def test_endings__nobody_reads_one_of_a_ship_that_is_lost() -> None:
    assert "Endings" not in RULES.overview(resolving({"do": "ship", "stat": "hull", "to": 0}), NAMES)


def test_every_ending_is_declared() -> None:
    reasons = {"drowned", "mutiny", "threat", "goal_reached", "superior_victory", "goal_without_glory"}
    assert set(RULES.endings) == reasons


def test_over__nothing_is_legal() -> None:
    assert list(RULES.legal_actions(at_goal(4, 4, 4))) == []


# Saving


def between() -> WatersState:
    return resolving({"do": "complete_part"}, {"do": "turn_page", "page": "small_hours_beach"}, seat=1)


def test_saving__offered_when_a_part_is_complete() -> None:
    state = between()
    assert (RULES.awaiting(state), kinds(state, "p1")) == ((0,), ["save_game", "play_on"])


def test_saving__or_one_plays_on() -> None:
    state = do(between(), "p1", "play_on")
    assert (state.part, state.page) == (2, "small_hours_beach")


def test_saving__the_game_goes_on_on_another_day() -> None:
    saved = do(between(), "p1", "save_game")
    assert (saved.part, saved.page, kinds(saved, "p1")) == (2, "gullet_harbour", ["play_on"])
    again = do(saved, "p1", "play_on")
    assert (again.part, again.page) == (2, "small_hours_beach")


def test_saving__nothing_else_meanwhile() -> None:
    saved = do(between(), "p1", "save_game")
    closed = Refusal(SAVING, "The game is saved. Continue it first.")
    assert refused(saved, "p3", "discard_cannon", level=1, is_loaded=True) == closed
    assert refused(having(saved, treasures=("false_flag",)), "p1", "use_treasure", treasure="false_flag") == closed


def test_saving__is_the_scribes() -> None:
    assert refused(between(), "p2", "save_game") == Refusal(SAVING, "Only the Ship Scribe can save the game.")
    assert refused(between(), "p2", "play_on") == Refusal(SAVING, "Only the Ship Scribe can continue the ship's log.")


def test_saving__only_between_the_parts() -> None:
    assert refused(voyage(), "p1", "save_game") == Refusal(
        SAVING, "You can only save the game between two parts of its scenario."
    )
    assert refused(voyage(), "p1", "play_on") == Refusal(SAVING, "No part of the scenario has just been completed.")


def test_saving__is_told() -> None:
    assert said(between(), "p1", "save_game") == ("Save the game", "Ada saves the game after part 1.")
    assert said(between(), "p1", "play_on")[0] == "Play on"


def test_state_sheet__says_all_that_has_to_be_laid_out_again() -> None:
    state = resolving(
        {"do": "turn_page", "page": "unlit_fog"}, state=voyage(threat=2, counts=(("rope", 1),), infamy=(2, 0, 1))
    )
    state = having(state, treasures=("iron_ladle",), stories=("gull_friend",), stars=("a1",), events=1)
    lines = [f"{label}: {text}" for label, text in RULES.overview(state, NAMES).items()]
    assert lines[:6] == [
        "Scenario: The Bell Below",
        "Part: 1, round 2",
        "Page: The Unlit Fog",
        "Objective: Rope, Clapper, Song (threat limit 4)",
        "Threat: 2; 0 of 7 threat events checked off",
        "Ship: crew 14 of 20, discontent 3 of 20, hull 10 of 14, supplies 6 of 12",
    ]
    assert "Infamy: Cleo, Ada, Bo" in lines
    assert "Dials: Lost 3 of 6" in lines
    assert "Log: Rope 1" in lines
    assert lines[-3] == (
        "Ada (The Bellringer's Child): Ada, black; aim 0, brawn 0, exploration 0, hunting 0, navigation 0, swagger 0; "
        "stars a1; 1 events completed, 0 event tokens; treasures Iron Ladle; stories Friend of Gulls; "
        "0 re-roll, 0 misfortune"
    )


def test_headline() -> None:
    assert RULES.headline(voyage(), NAMES) == ("Round 1: crew 14, discontent 3, hull 10, supplies 6, threat 0 of 4")


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("iron_ladle", "Iron Ladle"),
        ("bottle", "Message in a bottle"),
        ("cook", "The Cook Who Was Asked to Leave"),
        (7, "7"),
        ("p1", "Player 1"),
    ],
)
def test_value_label(value: Any, label: str) -> None:
    assert RULES.value_label(value) == label


def test_view__everything_lies_open() -> None:
    assert RULES.view(voyage(), None) == RULES.to_document(voyage())


def test_active__whose_turn_it_is() -> None:
    assert RULES.active(voyage()) == 1
    assert RULES.active(resolving(seat=2)) == 2
    assert RULES.active(voyage(phase="end_of_round", active=None)) == 0
