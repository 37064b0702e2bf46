"""Forbidden Desert, rulebook: Game End."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import GameOver
from engine.core.values import GameOutcome
from engine.games.forbidden_desert.state import DesertState, replace
from tests.engine.games.forbidden_desert.positions import RULES, table
from tests.engine.games.playing import do

ALL: Any = ("propeller", "engine", "solar_crystal", "navigation_deck")
PAD = {"r2c2": "launch_pad"}


def ready(*, at: Any = ("r2c3", "r2c2"), **changes: Any) -> DesertState:
    """p2 is on the Launch Pad, p1 beside it, and the team has all parts."""
    return table("archeologist", "explorer", at=at, **{"city": PAD, "collected": ALL, **changes})


def is_won(state: DesertState) -> bool:
    return state.outcome is not None and state.outcome.reason == "took_off"


# Winning the Game


def test_winning__all_parts_and_all_players_on_the_launch_pad() -> None:
    """FD-R30."""
    outcome = do(ready(), "p1", "move", to="r2c2").outcome
    assert outcome is not None
    assert (outcome.result, outcome.winners, outcome.reason) == ("won", ("p1", "p2"), "took_off")


def test_winning__every_player() -> None:
    assert not is_won(do(ready(at=("r2c3", "r1c1")), "p1", "move", to="r2c2"))


def test_winning__every_part() -> None:
    assert not is_won(do(ready(collected=ALL[:3]), "p1", "move", to="r2c2"))


def test_winning__with_the_last_part_picked_up_on_the_pad() -> None:
    state = ready(at="r2c2", collected=ALL[:3], parts={"r2c2": ("navigation_deck",)})
    assert is_won(do(state, "p1", "pick_up_part", part="navigation_deck"))


def test_winning__the_launch_pad_has_to_be_excavated() -> None:
    state = ready(city={}, peeked=PAD)
    assert not is_won(do(state, "p1", "move", to="r2c2"))


def test_winning__when_the_launch_pad_is_excavated_under_everyone() -> None:
    """FD-R30."""
    assert is_won(do(ready(at="r2c2", city={}), "p1", "excavate", "launch_pad"))


def test_winning__the_launch_pad_may_carry_one_marker() -> None:
    """FD-R30."""
    assert is_won(do(ready(sand={"r2c2": 1}), "p1", "move", to="r2c2"))


def test_winning__the_launch_pad_must_be_unblocked() -> None:
    """FD-R30."""
    state = table("climber", "explorer", at=("r2c3", "r2c2"), city=PAD, collected=ALL, sand={"r2c2": 2})
    assert not is_won(do(state, "p1", "move", to="r2c2"))


def test_winning__a_removed_marker_can_win() -> None:
    assert is_won(do(ready(at="r2c2", sand={"r2c2": 2}), "p1", "remove_sand", tile="r2c2"))


def test_winning__a_dune_blaster_can_win_on_any_turn() -> None:
    """FD-R30."""
    state = ready(at="r2c2", sand={"r2c2": 5}, equipment=((), ("dune_blaster",)))
    assert is_won(do(state, "p2", "play_dune_blaster", tile="r2c2"))


def test_winning__a_jet_pack_can_win() -> None:
    state = ready(at=("r5c4", "r2c2"), equipment=(("jet_pack",), ()))
    assert is_won(do(state, "p1", "play_jet_pack", to="r2c2"))


def test_winning__by_the_navigators_word() -> None:
    state = table("navigator", "explorer", at=("r2c2", "r4c4"), city=PAD, collected=ALL)
    assert is_won(do(state, "p1", "navigate", seat="p2", to="r2c2"))


def test_winning__not_by_passing_over_the_launch_pad() -> None:
    """FD-R42."""
    state = table("navigator", "explorer", at=("r2c2", "r2c3"), city=PAD, collected=ALL)
    assert not is_won(do(state, "p1", "navigate", seat="p2", to="r2c1"))


# Losing the Game


@pytest.mark.parametrize(
    ("card", "changes", "reason"),
    [
        ("sun_beats_down", {"water": (0, 3)}, "thirst"),
        ("wind_north_1", {"sand": {"r1c1": 48}}, "buried"),
        ("storm_picks_up", {"storm_tick": 13}, "swept_away"),
    ],
)
def test_losing__three_ways(card: str, changes: dict[str, Any], reason: str) -> None:
    """FD-R31."""
    state = do(table("archeologist", "explorer", **changes), "p1", "draw_storm_card", card)
    assert state.outcome is not None
    assert (state.outcome.result, state.outcome.winners, state.outcome.reason) == ("lost", (), reason)
    assert reason in RULES.endings


def test_losing__nothing_can_be_done_any_more() -> None:
    state = do(table("archeologist", "explorer", water=(0, 3)), "p1", "draw_storm_card", "sun_beats_down")
    assert list(RULES.legal_actions(state)) == []
    assert RULES.awaiting(state) == ()
    with pytest.raises(GameOver):
        do(state, "p1", "move", to="r1c2")


def test_winning__a_table_overlooks_no_loss() -> None:
    assert list(RULES.overlooks(ready(storm_tick=1))) == []
    won_table = replace(ready(), outcome=GameOutcome("won", ("p1", "p2"), "took_off", "Winning the Game"))
    assert list(RULES.overlooks(won_table)) == []
