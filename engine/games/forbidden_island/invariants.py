"""What is true of every position: the components are conserved, and the counters stay in their range."""

from __future__ import annotations

from engine.core.language import marked
from engine.games.forbidden_island.components import (
    ACTIONS_PER_TURN,
    METER,
    SKULL,
    TILES,
    TREASURE_DRAWS,
    TREASURES,
    Tile,
    treasure_deck,
)
from engine.games.forbidden_island.state import IslandState
from engine.games.forbidden_island.turn import ended, phase_of


def violations(state: IslandState) -> list[str]:
    """Each thing that is wrong with the turn; empty for a position from which the rules go on."""
    draws, floods = state.treasure_draws_left, state.flood_draws_left
    most = METER[min(state.water_level, len(METER)) - 1]
    checks = {
        marked("turns are counted from 1"): state.turn >= 1,
        marked("the phase is the one that the table is in"): state.outcome is not None
        or state.phase == phase_of(state),
        marked("actions are left only before the first card is drawn"): not state.actions_left
        or draws == TREASURE_DRAWS,
        marked("Flood cards are drawn after the others"): not (draws and floods),
        marked("no more Flood cards to draw than the water level says"): floods <= most,
        marked("the skull, Fools' Landing and a treasure that cannot be had end the game"): state.outcome is not None
        or ended(state).outcome is None,
    }
    return [name for name, holds in checks.items() if not holds]


def broken_components(state: IslandState, face_up: tuple[Tile, ...] = ()) -> list[str]:
    """Each thing that is wrong with the components and the counters; empty for a sound position.

    Args:
        face_up: flood cards that have been revealed, and not been dealt with yet.
    """
    treasure_cards = sorted(
        [*state.treasure_pile.cards(), *state.treasure_discard, *(card for hand in state.hands for card in hand)]
    )
    flood_cards = sorted([*state.flood_pile.cards(), *state.flood_discard, *state.sunk, *face_up])
    seats = len(state.roles)
    is_over = state.outcome is not None
    checks = {
        marked("24 tiles, one on each space"): sorted(state.layout) == list(TILES),
        marked("a tile is dry, flooded or sunk"): state.flooded.isdisjoint(state.sunk),
        marked("24 flood cards: drawn from the pile, discarded, or out of the game with their tile"): flood_cards
        == list(TILES),
        marked("the tiles of the flood discard are flooded, or were shored up"): state.sunk.isdisjoint(
            state.flood_discard
        ),
        marked("28 treasure cards"): treasure_cards == list(treasure_deck(state.edition)),
        marked("no card that raises the water in a hand"): all(
            state.edition.rising_card not in hand for hand in state.hands
        ),
        marked("a role, a pawn and a hand for each seat"): seats == len(state.pawns) == len(state.hands),
        marked("each role once"): len(set(state.roles)) == seats and set(state.roles) <= set(state.edition.roles),
        marked("each treasure captured once"): len(set(state.captured)) == len(state.captured) <= len(TREASURES),
        marked("the water is on the meter"): 1 <= state.water_level <= SKULL,
        marked("0 to 3 actions left"): 0 <= state.actions_left <= ACTIONS_PER_TURN,
        marked("0 to 2 treasure draws left"): 0 <= state.treasure_draws_left <= TREASURE_DRAWS,
        marked("0 to 5 flood draws left"): 0 <= state.flood_draws_left <= max(METER),
        marked("the active seat is taken"): 0 <= state.active < seats,
        marked("hands are sorted"): all(list(hand) == sorted(hand) for hand in state.hands),
        marked("the layers of a pile are sorted, and none is empty"): all(
            layer and list(layer) == sorted(layer) for layer in (*state.treasure_pile.layers, *state.flood_pile.layers)
        ),
        marked("pawns are in the water only while they swim"): is_over or state.phase == "swim" or not state.swimmers(),
        marked("nobody is over the limit but to discard"): is_over
        or state.phase == "discard"
        or state.over_limit() is None,
    }
    return [name for name, holds in checks.items() if not holds]
