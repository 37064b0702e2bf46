"""What a table may forget, and how its game goes on then.

A swim is none of it: a pawn in the water has to go somewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.forbidden_island.components import METER
from engine.games.forbidden_island.headings import DRAW_FLOOD, HAND_LIMIT_RULE
from engine.games.forbidden_island.state import IslandState, replace
from engine.games.forbidden_island.turn import settle
from engine.kit.steps import DueStep, Skip

DISCARD = DueStep("discard", "discard of a card over the limit", HAND_LIMIT_RULE)
FLOOD_CARDS = DueStep("flood_cards", "Flood cards", DRAW_FLOOD, is_plural=True)


def skips(state: IslandState, cards: DueStep) -> Iterator[Skip[IslandState]]:
    """The step that is due, and the table without it.

    Args:
        cards: the step of drawing two cards of the other deck.
    """
    match state.phase:
        case "actions" | "draw_treasure":
            due = METER[state.water_level - 1]
            without = replace(state, actions_left=0, treasure_draws_left=0, flood_draws_left=due)
            yield Skip(cards, state.active, settle(without))
        case "draw_flood":
            yield Skip(FLOOD_CARDS, state.active, settle(replace(state, flood_draws_left=0)))
        case "discard":
            seat = state.over_limit()
            if seat is not None:
                yield Skip(DISCARD, seat, settle(state.with_overlooked(seat)))
