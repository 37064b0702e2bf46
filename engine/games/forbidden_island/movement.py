"""Movement of pawns: own moves, moves by the Navigator, and swimming after a tile sinks."""

from __future__ import annotations

from engine.games.forbidden_island.components import AROUND, ORTHOGONAL, Power, Tile, distance
from engine.games.forbidden_island.state import IslandState
from engine.kit.paths import distances


def move_targets(state: IslandState, seat: int) -> set[Tile]:
    """Return the tiles that the seat's pawn can reach for one action, except by flying (FI-R2, FI-R5)."""
    if state.power(seat) is Power.SWIM:
        return dive_targets(state, seat)
    return state.tiles_near(seat) - state.sunk


def can_move(state: IslandState, seat: int, to: Tile) -> bool:
    """Return True if `to` is one of the `move_targets`. The tile `to` must not have sunk."""
    if state.is_near(seat, to):
        return True
    return state.power(seat) is Power.SWIM and to in dive_targets(state, seat)


def dive_targets(state: IslandState, seat: int) -> set[Tile]:
    """Return the tiles that the Diver can reach through flooded and missing spaces (FI-R5)."""
    start = state.layout.index(state.pawns[seat])
    return _tiles(state, _dive(state, start)) - {state.pawns[seat]}


def navigate_targets(state: IslandState, seat: int) -> set[Tile]:
    """Return the tiles to which the Navigator can move another seat's pawn in one or two steps (FI-R4).

    The option `navigator_uses_target_power` decides if the pawn's own power applies. Flying never applies.
    """
    use = state.options.navigator_uses_target_power
    power = state.power(seat)
    start = state.layout.index(state.pawns[seat])
    near = AROUND if power is Power.DIAGONAL and use != "none" else ORTHOGONAL
    sunk = {space for space, tile in enumerate(state.layout) if tile in state.sunk}
    first: frozenset[int]
    if power is Power.SWIM and use == "full":
        first = _dive(state, start) - sunk
        spaces = first.union(*(_dive(state, space) for space in first))
    else:
        first = near[start] if power is Power.SWIM and use == "steps" else near[start] - sunk
        spaces = first.union(*(near[space] for space in first))
    return _tiles(state, spaces - sunk - {start})


def swim_targets(state: IslandState, seat: int) -> set[Tile]:
    """Return the tiles to which a pawn on a sunk tile can swim (FI-R20); empty if it cannot."""
    power = state.power(seat)
    if power is Power.FLY:
        return set(state.island())
    if power is not Power.SWIM:
        return state.tiles_near(seat) - state.sunk
    if state.options.diver_swim == "as_move":
        return dive_targets(state, seat)
    start = state.layout.index(state.pawns[seat])
    away = {tile: distance(start, state.layout.index(tile)) for tile in state.island()}
    nearest = min(away.values())
    return {tile for tile, steps in away.items() if steps == nearest}


def _dive(state: IslandState, start: int) -> frozenset[int]:
    """Return `start` and all spaces that can be reached from it through water, including flooded and missing ones."""
    water = {space for space, tile in enumerate(state.layout) if tile in state.flooded or tile in state.sunk}
    return frozenset(distances(start, lambda space: ORTHOGONAL[space] if space in water or space == start else ()))


def _tiles(state: IslandState, spaces: frozenset[int]) -> set[Tile]:
    return {state.layout[space] for space in spaces} - state.sunk
