"""The number of continuations of a position, compared with a count by hand."""

from __future__ import annotations

from typing import Any

from engine.kit.chance import Observed
from tests.engine.games.forbidden_island.positions import island
from tests.engine.games.playing import rules_of


def perft(state: Any, depth: int) -> int:
    """Return the number of histories of `depth` actions, with every possible outcome."""
    if depth == 0:
        return 1
    rules, chance, total = rules_of(state), Observed(), 0
    for legal in rules.legal_actions(state):
        point = rules.chance_point(state, legal)
        for outcomes in [()] if point is None else [(value,) for value in point.probabilities()]:
            chance.begin(1, outcomes)
            total += perft(legal.action.apply(state, legal.seat, chance), depth - 1)
    return total


def test_perft__the_first_turn_of_two_players_without_cards() -> None:
    """p1 stands on Breakers Bridge, p2 elsewhere; nothing is flooded.

    1: two tiles to move to, or one of the 7 kinds of card to draw: 2 + 7 = 9.
    2: from Bronze Gate two tiles again, 2 + 7; from Cave of Shadows four, 4 + 7. After a card another of 7 kinds, and
       after a Helicopter Lift also one pawn or the other to 23 tiles: 6 × 7 + 7 + 46 = 95. Sandbags find nothing.
       9 + 11 + 95 = 115.
    """
    state = island(pawns=["breakers_bridge"])
    assert [perft(state, depth) for depth in (1, 2)] == [9, 115]


def test_perft__the_last_flood_cards_of_a_turn() -> None:
    """Two draws from a pile of three cards; p2 stands on Watchtower, which is flooded.

    1: one of three cards.
    2: Watchtower sinks, and p2 swims to one of two tiles: 2. After another card, one of the two left: 2 × 2.
    3: after the swim, one of two cards: 2 × 2. After another card and then Watchtower, two tiles to swim to: 2 × 2.
       After both others it is p2's turn on Watchtower: two tiles to move to, the tile there to shore up, one of 7
       cards to draw: 2 × 10. 4 + 4 + 20 = 28.
    """
    state = island(
        phase="draw_flood",
        pawns=["iron_gate", "watchtower"],
        flooded=["watchtower"],
        flood_pile=["watchtower", "gold_gate", "copper_gate"],
    )
    assert [perft(state, depth) for depth in (1, 2, 3)] == [3, 6, 28]


def test_perft__a_hand_over_the_limit() -> None:
    """p1 has drawn a sixth card: three kinds to discard, of which Sandbags may be played on one flooded tile instead.

    1: 3 + 1 = 4.
    2: in each case the second draw, one of 7 kinds; where p1 kept Sandbags (two of the four), they may be played
       first: 4 × 7 + 2 = 30.
    """
    state = island(
        phase="discard",
        flooded=["watchtower"],
        hands=[["crystal_of_fire"] * 3 + ["earth_stone"] * 2 + ["sandbags"]],
    )
    assert [perft(state, depth) for depth in (1, 2)] == [4, 30]
