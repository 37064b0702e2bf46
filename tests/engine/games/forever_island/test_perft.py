"""Forever Island: positions with histories counted by hand, for each action and its outcomes."""

from __future__ import annotations

from typing import Any

from engine.kit.chance import Observed
from tests.engine.games.forever_island.positions import RULES, atoll
from tests.engine.games.playing import do


def perft(state: Any, depth: int) -> int:
    """Return the number of histories of this length from `state`."""
    if depth == 0:
        return 1
    count = 0
    for legal in RULES.legal_actions(state):
        point = RULES.chance_point(state, legal)
        for outcomes in [()] if point is None else [(value,) for value in dict.fromkeys(point.options)]:
            chance = Observed()
            chance.begin(3, outcomes)
            count += perft(legal.action.apply(state, legal.seat, chance), depth - 1)
    return count


def test_perft__placement() -> None:
    # Each of two players places on one of 12 shores, then the die has six sides.
    state = atoll(turn=0, phase="placement", huts=[(), ()])
    assert [perft(state, depth) for depth in (1, 2, 3)] == [12, 144, 864]


def test_perft__a_lone_hut() -> None:
    # 1: harvest, mobilize, pass the die.
    # 2: after the harvest mobilize or pass, now with a frog in hand (one gift to offer): 3; after mobilizing the canoe
    #    crosses to the other shore, or the die is passed: 2; after passing the six sides of the die: 6.
    assert [perft(atoll(huts=[["frog_2_a"]]), depth) for depth in (1, 2)] == [3, 11]


def test_perft__a_raid() -> None:
    # Two pieces each on a shore: 1 or 2 spears, then 7 guesses each. The losses leave no choice.
    state = atoll(huts=[["log_1_b"] * 2, ["log_1_b"] * 2], has_erected=True)
    state = do(state, "p1", "declare_raid", defender="p2", area="log_1_b")
    assert [perft(state, depth) for depth in (1, 2)] == [2, 14]
