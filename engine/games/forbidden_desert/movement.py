"""Where a pawn can go: step by step, through tunnels, on the Climber's rope, and by the Navigator's word."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import lru_cache

from engine.games.forbidden_desert.components import AROUND, BLOCKED, INDEX, ORTHOGONAL, SPACES, Role, Space
from engine.games.forbidden_desert.state import DesertState

GUIDED_STEPS = 3
"""How far the Navigator moves another player for one action."""

Pawns = tuple[Space, ...]
Trip = tuple[Space, Space]
"""Where a passenger gets on, and where off."""


def near(state: DesertState, seat: int) -> dict[Space, frozenset[Space]]:
    """What is adjacent to each space, as that seat's adventurer counts (FD-R16, FD-R20, FD-R25)."""
    return AROUND if state.roles[seat] is Role.EXPLORER else ORTHOGONAL


def is_within_reach(state: DesertState, seat: int, space: Space) -> bool:
    """Whether `space` has that seat's own tile or one adjacent to it."""
    here = state.pawns[seat]
    return state.board[INDEX[space]] is not None and (space == here or space in near(state, seat)[here])


def can_step(state: DesertState, seat: int, start: Space, to: Space) -> bool:
    """Whether that seat's pawn can go from `start` to `to` for one move (FD-R18 to R21, R33, R36)."""
    tile, left = state.board[INDEX[to]], state.tile(start)
    if tile is None or to == start:
        return False
    if to not in near(state, seat)[start] and not (tile.is_tunnel and left.is_tunnel):
        return False
    if state.roles[seat] is Role.CLIMBER:
        return True
    return tile.sand < BLOCKED and (left.sand < BLOCKED or start == state.climber_at())


def steps(state: DesertState, seat: int, start: Space) -> list[Space]:
    """Where that seat's pawn can go from `start` for one move."""
    ahead: Iterable[Space] = near(state, seat)[start]
    if state.tile(start).is_tunnel:
        ahead = {*ahead, *_tunnels(state)}
    return [to for to in ahead if can_step(state, seat, start, to)]


# Memoized: a listing asks for each space that it offers whether the Navigator can get there.
@lru_cache(maxsize=64)
def guided(state: DesertState, seat: int) -> frozenset[Space]:
    """Where the Navigator can take that seat's pawn, up to three steps from where it stands (FD-R22).

    For the Climber see `climbs`.
    """
    start = state.pawns[seat]
    reached, frontier = {start}, {start}
    for _ in range(GUIDED_STEPS):
        frontier = {to for at in frontier for to in steps(state, seat, at)} - reached
        reached |= frontier
    return frozenset(reached - {start})


def climbs(state: DesertState, seat: int) -> set[tuple[Space, Pawns]]:
    """Where the Navigator can take the Climber, and how all other pawns can stand then (FD-R22).

    On each step he takes along one of those who stand with him, or nobody.
    """
    others = [other for other in range(state.seats) if other != seat]
    found: set[tuple[Space, Pawns]] = set()
    for to, paths in _paths(state.pawns[seat], state.hole, _tunnels(state)).items():
        for path in paths:
            carried = {state.pawns}
            for here, there in itertools.pairwise(path):
                carried |= {
                    (*pawns[:other], there, *pawns[other + 1 :])
                    for pawns in carried
                    for other in others
                    if pawns[other] == here
                }
            found.update((to, pawns) for pawns in carried)
    return found - {(state.pawns[seat], state.pawns)}


def can_climb(state: DesertState, seat: int, to: Space, trips: list[Trip]) -> bool:
    """Whether the Navigator can take the Climber `to`, who takes others along on `trips`."""
    return _is_climb(state.pawns[seat], state.hole, _tunnels(state), to, tuple(sorted(trips)))


def _tunnels(state: DesertState) -> tuple[Space, ...]:
    # As `Tile.is_tunnel`, less a call for each tile of the board.
    board = zip(SPACES, state.board, strict=True)
    return tuple([space for space, tile in board if tile and tile.city_side == "tunnel" and tile.is_excavated])


# Memoized: whoever boards at one tile makes the same trip, and legal actions ask for the same paths again and again.
@lru_cache(maxsize=4096)
def _is_climb(start: Space, hole: Space, tunnels: tuple[Space, ...], to: Space, trips: tuple[Trip, ...]) -> bool:
    return any(_carries(path, trips) for path in _paths(start, hole, tunnels).get(to, ()))


def _carries(path: tuple[Space, ...], trips: tuple[Trip, ...]) -> bool:
    """Whether the Climber can make the trips along the path, in some order, with one passenger at a time."""
    if not trips:
        return True
    for number, (start, end) in enumerate(trips):
        for at, space in enumerate(path):
            if space == start and end in path[at + 1 :]:
                rest = path[path.index(end, at + 1) :]
                if _carries(rest, trips[:number] + trips[number + 1 :]):
                    return True
    return False


@lru_cache(maxsize=1024)
def _paths(start: Space, hole: Space, tunnels: tuple[Space, ...]) -> dict[Space, list[tuple[Space, ...]]]:
    """By its end: every path of one to three steps that no sand can block."""
    found: dict[Space, list[tuple[Space, ...]]] = {}
    frontier: list[tuple[Space, ...]] = [(start,)]
    for _ in range(GUIDED_STEPS):
        frontier = [(*path, to) for path in frontier for to in _beside(path[-1], hole, tunnels)]
        for path in frontier:
            found.setdefault(path[-1], []).append(path)
    return found


def _beside(space: Space, hole: Space, tunnels: tuple[Space, ...]) -> frozenset[Space]:
    through = ORTHOGONAL[space].union(tunnels) if space in tunnels else ORTHOGONAL[space]
    return through - {space, hole}
