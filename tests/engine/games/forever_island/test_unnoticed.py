"""Forever Island: an unnoticed win with three totems, and the game after it (FV-R20)."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.games.forever_island.components import Goods
from engine.games.forever_island.facts import complete_table
from engine.kit.steps import ENDING
from tests.engine.games.forever_island.positions import RULES, atoll
from tests.engine.games.playing import do

THREE = ["hog_1_a", "hog_2_a", "log_1_a"]


def win_by_totem(**fields: Any) -> Any:
    """Ada erects her third standing totem."""
    position = {"huts": [[*THREE, "frog_2_b"]], "standing": THREE[:2], "hands": [Goods(hog=5)], **fields}
    return do(atoll(**position), "p1", "erect", totem="log_1_a")


def play_on(state: Any) -> Any:
    (skip,) = RULES.overlooks(state)
    assert skip.step is ENDING
    assert RULES.check_invariants(skip.state) == []
    return skip.state


def test_three_totems__nobody_notices_and_the_player_goes_on() -> None:
    state = play_on(win_by_totem())
    assert (state.outcome, state.unnoticed, state.phase, state.active) == (None, ("three_totems",), "actions", 0)
    assert do(state, "p1", "mobilize", hut="p1_hut_4").outcome is None
    assert do(state, "p1", "end_turn").active == 1


def test_three_totems__win_again_once_one_was_lost() -> None:
    state = do(play_on(win_by_totem(canoes=[["log_1_b"]])), "p1", "mobilize", hut="p1_hut_3")
    assert (state.outcome, state.unnoticed) == (None, ())
    rich = (Goods(hog=1, frog=1), state.hands[1])
    state = msgspec.structs.replace(state, hands=rich, piles=state.piles - Goods(hog=1, frog=1))
    assert do(state, "p1", "settle", canoe="log_1_a").outcome.reason == "three_totems"


def test_adjust__what_the_table_says_does_not_end_a_game_that_it_plays_on() -> None:
    state = play_on(win_by_totem())
    assert complete_table(state).outcome is None


def test_last_survivor__nobody_is_left_to_play_on_against() -> None:
    huts = [["hog_1_a", "frog_2_a"], ["hog_1_b"]]
    state = do(atoll(huts=huts, fertility={"hog_1": 1}), "p1", "harvest", hut="p1_hut_1")
    assert state.outcome.reason == "last_survivor"
    assert list(RULES.overlooks(state)) == []
    assert list(RULES.overlooks(atoll())) == []
