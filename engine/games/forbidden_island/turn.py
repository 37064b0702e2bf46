"""Order of play: the next step, and the end of the game (rulebook: Order of Play; Losing the Game)."""

from __future__ import annotations

import msgspec

from engine.core.values import GameOutcome
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.components import Tile, printed_name
from engine.games.forbidden_island.headings import LOSING
from engine.games.forbidden_island.movement import swim_targets
from engine.games.forbidden_island.state import IslandState, replace
from engine.kit.ruleset import Action


class IslandAction(Action[IslandState], frozen=True):
    """An action of Forbidden Island. Its texts use the printed names of components."""

    word = staticmethod(printed_name)


def spend_action(state: IslandState, seat: int) -> IslandState:
    """Return `state` with one action less. An action out of turn costs none."""
    if state.phase != "actions" or seat != state.active:
        return settle(state)
    left = state.actions_left - 1
    return replace(state, actions_left=left, phase="actions" if left else "draw_treasure").with_clock_started()


def settle(state: IslandState) -> IslandState:
    """Apply automatic consequences of a card or a swim: set the phase, or begin the next turn."""
    if state.overlooked or state.adrift:
        state = _keep_exceptions(state)
    phase = phase_of(state)
    if phase is None:
        return next_turn(state.with_clock_started().with_deadline_checked())
    if phase == "swim" and any(_is_lost(state, seat) for seat in state.swimmers()):
        return lose(state, "drowned")
    return (state if state.phase == phase else replace(state, phase=phase)).with_clock_started()


def phase_of(state: IslandState) -> str | None:
    """Return the phase of the table; None if nothing is left to do in this turn."""
    phase = state.interrupting_phase()
    if phase is not None:
        return phase
    if not state.sunk.isdisjoint(state.pawns) and state.swimmers():
        return "swim"
    if state.over_limit() is not None:
        return "discard"
    if state.flood_draws_left:
        return "draw_flood"
    if state.treasure_draws_left == box.TREASURE_DRAWS and state.actions_left:
        return "actions"
    return "draw_treasure" if state.treasure_draws_left else None


def _keep_exceptions(state: IslandState) -> IslandState:
    """Forget overlooked hands whose size has changed, and pawns in the water that have moved to another tile."""
    sizes = [size if size == len(hand) else 0 for size, hand in zip(state.overlooked or (), state.hands, strict=False)]
    left = [tile if tile == pawn else None for tile, pawn in zip(state.adrift or (), state.pawns, strict=False)]
    tiles = [tile if tile in state.sunk else None for tile in left]
    return replace(
        state,
        overlooked=tuple(sizes) if any(sizes) else msgspec.UNSET,
        adrift=tuple(tiles) if any(tiles) else msgspec.UNSET,
    )


def _is_lost(state: IslandState, seat: int) -> bool:
    """Return True if nothing can save the seat's pawn from the water (FI-R18, FI-R27)."""
    if swim_targets(state, seat):
        return False
    return not state.options.lift_rescues_sinking or not any(box.HELICOPTER_LIFT in hand for hand in state.hands)


def next_turn(state: IslandState) -> IslandState:
    if state.outcome is not None:
        return state
    return replace(
        state,
        turn=state.turn + 1,
        phase="actions",
        active=(state.active + 1) % len(state.roles),
        actions_left=box.ACTIONS_PER_TURN,
        treasure_draws_left=box.TREASURE_DRAWS,
        flood_draws_over=msgspec.UNSET,
        has_flown=False,
    )


def apply_loss(state: IslandState) -> IslandState:
    """Return `state` with the loss that the rulebook prescribes for it, if any.

    A loss that the players have not noticed is ignored.
    """
    found = _find_loss(state)
    return state if found.outcome is not None and found.outcome.reason in state.unnoticed else found


def _find_loss(state: IslandState) -> IslandState:
    if state.water_level >= box.SKULL:
        return lose(state, "skull")
    for tile in (box.FOOLS_LANDING, *box.TILES):
        if tile in state.sunk and state.outcome is None:
            state = _lose_tile(state, tile)
    return state if state.outcome is not None else state.overdue()


def floods_due(level: int) -> int:
    """Return the number of Flood cards drawn at a level. At the skull, this is the number of the tick below."""
    return box.METER[min(level, len(box.METER)) - 1]


def raise_water(state: IslandState) -> IslandState:
    """Move the water meter up one tick; at the skull, the game is lost."""
    state = replace(state, water_level=min(state.water_level + 1, box.SKULL))
    return lose(state, "skull") if state.water_level >= box.SKULL else state


def sink(state: IslandState, tile: Tile) -> IslandState:
    """Remove a flooded tile from the game, and apply a loss that follows (FI-R19)."""
    return _lose_tile(replace(state, flooded=state.flooded - {tile}, sunk=state.sunk | {tile}), tile)


def _lose_tile(state: IslandState, tile: Tile) -> IslandState:
    if tile == box.FOOLS_LANDING:
        return lose(state, "fools_landing_sank")
    for treasure, sites in box.SITES.items():
        if tile in sites and treasure not in state.captured and state.sunk.issuperset(sites):
            return lose(state, "treasure_lost")
    return state


def lose(state: IslandState, reason: str) -> IslandState:
    """End the game as lost for everyone."""
    return replace(state, outcome=GameOutcome("lost", (), reason, LOSING))
