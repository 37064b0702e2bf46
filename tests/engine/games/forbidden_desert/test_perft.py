"""Forbidden Desert: the number of histories of a given length from a position, counted by hand."""

from __future__ import annotations

import pytest

from engine.games.forbidden_desert.state import DesertState
from engine.kit.chance import Observed
from tests.engine.games.forbidden_desert.positions import RULES, table


def perft(state: DesertState, events: int) -> int:
    """Return the number of distinct histories of this length: actions with every possible outcome."""
    if events == 0:
        return 1
    found = 0
    for legal in RULES.legal_actions(state):
        point = RULES.chance_point(state, legal)
        for value in point.probabilities() if point is not None else [None]:
            chance = Observed()
            chance.begin(3, () if value is None else (value,))
            found += perft(legal.action.apply(state, legal.seat, chance), events - 1)
    return found


# Under a plain tile: 8 clues, the gear, the launch pad, the tunnel. In the storm deck: 12 winds, the sun, the pick-up.
SIDES = 11
CARDS = 14

CORNER = table("archeologist", "meteorologist", actions_left=1)
"""Both pawns are in a bare corner with full canteens; p1 has one action left."""
ROPE = table("climber", "explorer", actions_left=1, sand={"r1c2": 2})
"""The same with the Climber, and a blocked tile to the east."""
WORD = table("navigator", "archeologist", actions_left=1, hole="r5c5")
"""The same with the Navigator, and the storm far away."""


@pytest.mark.parametrize(
    ("state", "count"),
    [
        # 2 moves.
        (CORNER, 2 + SIDES + CARDS),
        # 2 moves, alone or with p2; a marker from the blocked tile.
        (ROPE, 2 * 2 + 1 + SIDES + CARDS),
        # 2 moves; p2 to 9 tiles: 2 in one step, 3 in two, 4 in three.
        (WORD, 2 + 9 + SIDES + CARDS),
    ],
)
def test_perft_1(state: DesertState, count: int) -> None:
    assert perft(state, 1) == count


def test_perft_2() -> None:
    # After a move the storm; after a gear or a tunnel one of 6 equipment cards, after another side the storm.
    # After a storm card the next, but a card of which there is only 1 (wind of 3, in 4 directions) cannot come again;
    # after the sun, with both canteens 1 below full, each may give the other 1.
    actions = 2 * CARDS + 2 * 6 + 9 * CARDS
    storm = 10 * CARDS + 4 * (CARDS - 1) + 2
    assert perft(CORNER, 2) == actions + storm
