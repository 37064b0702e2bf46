"""Order of play: what comes next, and how the game ends by it (rulebook: Order of Play; Losing the Game)."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.core.values import GameOutcome
from engine.games.forbidden_island.components import (
    ACTIONS_PER_TURN,
    FOOLS_LANDING,
    HELICOPTER_LIFT,
    SITES,
    SKULL,
    TILES,
    TREASURE_DRAWS,
    Tile,
)
from engine.games.forbidden_island.headings import LOSING
from engine.games.forbidden_island.movement import swim_targets
from engine.games.forbidden_island.state import IslandState, replace


def spend_action(state: IslandState, seat: int, **changes: Any) -> IslandState:
    """`state` with those changes and one action less; what is done out of turn costs none."""
    if state.phase != "actions" or seat != state.active:
        return settle(replace(state, **changes))
    left = state.actions_left - 1
    return replace(
        state, actions_left=left, phase="actions" if left else "draw_treasure", **changes
    ).with_clock_started()


def settle(state: IslandState) -> IslandState:
    """What the rules do by themselves after a card or a swim: who has to swim or discard, whose turn it is."""
    if state.overlooked is not msgspec.UNSET:
        state = _still_overlooked(state, state.overlooked)
    phase = phase_of(state)
    if phase is None:
        return _next_turn(state.with_clock_started().with_deadline_checked())
    if phase == "swim" and any(_is_lost(state, seat) for seat in state.swimmers()):
        return lose(state, "drowned")
    return (state if state.phase == phase else replace(state, phase=phase)).with_clock_started()


def phase_of(state: IslandState) -> str | None:
    """The phase that the table is in; None where nothing is left to do in this turn."""
    phase = state.interrupting_phase()
    if phase is not None:
        return phase
    if not state.sunk.isdisjoint(state.pawns):
        return "swim"
    if state.over_limit() is not None:
        return "discard"
    if state.flood_draws_left:
        return "draw_flood"
    if state.treasure_draws_left == TREASURE_DRAWS and state.actions_left:
        return "actions"
    return "draw_treasure" if state.treasure_draws_left else None


def _still_overlooked(state: IslandState, sizes: tuple[int, ...]) -> IslandState:
    """A hand that has changed is looked at again."""
    left = tuple(size if size == len(hand) else 0 for size, hand in zip(sizes, state.hands, strict=True))
    return replace(state, overlooked=left if any(left) else msgspec.UNSET)


def _is_lost(state: IslandState, seat: int) -> bool:
    """Whether nothing can save a pawn in the water (FI-R18, FI-R27)."""
    if swim_targets(state, seat):
        return False
    return not state.options.lift_rescues_sinking or not any(HELICOPTER_LIFT in hand for hand in state.hands)


def _next_turn(state: IslandState) -> IslandState:
    if state.outcome is not None:
        return state
    return replace(
        state,
        turn=state.turn + 1,
        phase="actions",
        active=(state.active + 1) % len(state.roles),
        actions_left=ACTIONS_PER_TURN,
        treasure_draws_left=TREASURE_DRAWS,
        has_flown=False,
    )


def ended(state: IslandState) -> IslandState:
    """`state` as it is where the rulebook names no ending for what lies on the table, else lost."""
    if state.water_level >= SKULL:
        return lose(state, "skull")
    for tile in (FOOLS_LANDING, *TILES):
        if tile in state.sunk and state.outcome is None:
            state = _lost_by(state, tile)
    return state if state.outcome is not None else state.overdue()


def raise_water(state: IslandState) -> IslandState:
    """One tick up on the water meter; at the skull the game is lost."""
    state = replace(state, water_level=state.water_level + 1)
    return lose(state, "skull") if state.water_level >= SKULL else state


def sink(state: IslandState, tile: Tile) -> IslandState:
    """Take a flooded tile out of the game, and what is lost by that (FI-R19)."""
    return _lost_by(replace(state, flooded=state.flooded - {tile}, sunk=state.sunk | {tile}), tile)


def _lost_by(state: IslandState, tile: Tile) -> IslandState:
    if tile == FOOLS_LANDING:
        return lose(state, "fools_landing_sank")
    for treasure, sites in SITES.items():
        if tile in sites and treasure not in state.captured and state.sunk.issuperset(sites):
            return lose(state, "treasure_lost")
    return state


def lose(state: IslandState, reason: str) -> IslandState:
    """The game is lost for everyone."""
    return replace(state, outcome=GameOutcome("lost", (), reason, LOSING))
