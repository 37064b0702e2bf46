"""Estimates of how close a position is to an ending, for the search of games that random play does not find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.games.forbidden_island.components import FOOLS_LANDING, HELICOPTER_LIFT, SITES, TREASURES, distance
from engine.games.forbidden_island.state import IslandState

Measure = Callable[[Any], float]


def escape(state: IslandState) -> float:
    """Return how close the team is to lifting off with everything."""
    layout = state.layout
    worth = 200.0 * len(state.captured) - 12 * state.water_level - 3 * len(state.sunk) - len(state.flooded)
    for treasure in TREASURES:
        if treasure not in state.captured:
            held = [min(4, hand.count(treasure)) for hand in state.hands]
            cards = max(held)
            worth += 3 * cards * cards
            left = [site for site in SITES[treasure] if site not in state.sunk]
            worth -= 6 * (2 - len(left)) + 2 * sum(site in state.flooded for site in left)
            if cards == 4:
                worth -= 2 * min(_apart(layout, state.pawns[held.index(4)], site) for site in left)
    worth -= 15 if FOOLS_LANDING in state.flooded else 0
    worth += 10 * any(HELICOPTER_LIFT in hand for hand in state.hands)
    if len(state.captured) == len(TREASURES):
        worth -= 4 * sum(_apart(layout, pawn, FOOLS_LANDING) for pawn in state.pawns)
    return worth


def escape_late(state: IslandState) -> float:
    """Return how close the team of Archaens is to lifting off after half of the island has sunk."""
    return escape(state) + 9 * min(13, len(state.sunk)) * (len(state.captured) + 1) / 2


def stay_behind(state: IslandState) -> float:
    """Return how close the players are to waiting together on Fools' Landing, on an island that does not sink."""
    return escape(state) - 20 * len(state.sunk)


def hold_out(state: IslandState) -> float:
    """Return how close the water is to the skull, with the island still there."""
    sites = sum(site in state.sunk for pair in SITES.values() for site in pair)
    flooded = sum(site in state.flooded for pair in SITES.values() for site in (*pair, FOOLS_LANDING))
    return 20.0 * state.water_level - 8 * sites - 2 * flooded - len(state.sunk)


MEASURES: dict[tuple[str, str], Measure] = {
    ("forbidden-island", "lifted_off"): escape,
    ("forbidden-island", "skull"): hold_out,
    ("forbidden-island-archaens", "lifted_off"): escape_late,
    ("forbidden-island-archaens", "invaders_followed"): stay_behind,
    ("forbidden-island-archaens", "skull"): hold_out,
}


def _apart(layout: tuple[Any, ...], one: Any, other: Any) -> int:
    return distance(layout.index(one), layout.index(other))
