"""Invariants of every position: the components are conserved, and the counters stay in their range."""

from __future__ import annotations

from engine.core.language import marked
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.components import treasure_deck
from engine.games.forbidden_island.state import IslandState
from engine.games.forbidden_island.turn import apply_loss, floods_due, phase_of


def violations(state: IslandState) -> list[str]:
    """Return the violated invariants of the turn."""
    draws, floods = state.treasure_draws_left, state.flood_draws_left
    most = floods_due(state.water_level)
    checks = {
        marked("turns are counted from 1"): state.turn >= 1,
        marked("the phase matches the table"): state.outcome is not None or state.phase == phase_of(state),
        marked("actions are left only before the first card is drawn"): not state.actions_left
        or draws == box.TREASURE_DRAWS,
        marked("Flood cards are drawn last"): not (draws and floods),
        marked("at most as many Flood cards to draw as the water level says"): floods <= most,
        marked("the skull, a sunk Fools' Landing or an unreachable treasure ends the game"): state.outcome is not None
        or apply_loss(state).outcome is None,
    }
    return [name for name, holds in checks.items() if not holds]


def broken_components(state: IslandState) -> list[str]:
    """Return the violated invariants of the components and counters."""
    treasure_cards = sorted(
        [*state.treasure_pile.cards(), *state.treasure_discard, *(card for hand in state.hands for card in hand)]
    )
    flood_cards = sorted([*state.flood_pile.cards(), *state.flood_discard, *state.sunk, *state.face_up])
    seats = len(state.roles)
    is_over = state.outcome is not None
    checks = {
        marked("24 tiles, one on each space"): sorted(state.layout) == list(box.TILES),
        marked("a tile is dry, flooded or sunk"): state.flooded.isdisjoint(state.sunk),
        marked("24 flood cards: drawn from the pile, discarded, or out of the game with their tile"): flood_cards
        == list(box.TILES),
        marked("every tile in the flood discard pile is flooded or was shored up"): state.sunk.isdisjoint(
            state.flood_discard
        ),
        marked("28 treasure cards"): treasure_cards == list(treasure_deck(state.edition)),
        marked("no hand contains a card that raises the water"): all(
            state.edition.rising_card not in hand for hand in state.hands
        ),
        marked("a role, a pawn and a hand for each seat"): seats == len(state.pawns) == len(state.hands),
        marked("each role once"): len(set(state.roles)) == seats and set(state.roles) <= set(state.edition.roles),
        marked("each treasure captured once"): len(set(state.captured)) == len(state.captured) <= len(box.TREASURES),
        marked("the water level is on the meter"): 1 <= state.water_level <= box.SKULL,
        marked("0 to 3 actions left"): 0 <= state.actions_left <= box.ACTIONS_PER_TURN,
        marked("0 to 2 treasure draws left"): 0 <= state.treasure_draws_left <= box.TREASURE_DRAWS,
        marked("0 to 5 flood draws left"): 0 <= state.flood_draws_left <= max(box.METER),
        marked("the active seat has a player"): 0 <= state.active < seats,
        marked("hands are sorted"): all(list(hand) == sorted(hand) for hand in state.hands),
        marked("the layers of a pile are sorted, and none is empty"): all(
            layer and list(layer) == sorted(layer) for layer in (*state.treasure_pile.layers, *state.flood_pile.layers)
        ),
        marked("pawns are in the water only while they swim"): is_over or state.phase == "swim" or not state.swimmers(),
        marked("only a player who must discard is over the hand limit"): is_over
        or state.phase == "discard"
        or state.over_limit() is None,
    }
    return [name for name, holds in checks.items() if not holds]
