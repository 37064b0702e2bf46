"""Movement of a pawn: step by step, through tunnels, on the Climber's rope, and by the Navigator."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import lru_cache

from engine.games.forbidden_desert.components import AROUND, BLOCKED, INDEX, ORTHOGONAL, SPACES, Role, Space
from engine.games.forbidden_desert.state import DesertState, Tile

GUIDED_STEPS = 3
"""Maximum number of steps that the Navigator moves another player for one action."""

_NEAR = {Role.EXPLORER: AROUND}
"""The neighbours of each space, for adventurers who also move diagonally."""

Board = tuple[Tile | None, ...]
"""The member `board` of a state."""
Pawns = tuple[Space, ...]
Trip = tuple[Space, Space]
"""A trip of a passenger: the spaces where the Climber picks up and drops the pawn."""


def near(state: DesertState, seat: int) -> dict[Space, frozenset[Space]]:
    """Return the neighbours of each space, for the moves of the seat's adventurer (FD-R16, FD-R20, FD-R25)."""
    return _NEAR.get(state.roles[seat], ORTHOGONAL)


def is_within_reach(state: DesertState, seat: int, space: Space) -> bool:
    """Return True if `space` is the space of the seat's pawn, or is adjacent to that space."""
    here = state.pawns[seat]
    return state.board[INDEX[space]] is not None and (space == here or space in near(state, seat)[here])


def can_step(state: DesertState, seat: int, start: Space, to: Space) -> bool:
    """Return True if the seat's pawn can go from `start` to `to` in one move (FD-R18 to R21, R33, R36)."""
    tile, left = state.board[INDEX[to]], state.tile(start)
    if tile is None or to == start:
        return False
    if to not in near(state, seat)[start] and not (tile.is_tunnel and left.is_tunnel):
        return False
    if state.roles[seat] is Role.CLIMBER:
        return True
    return tile.sand < BLOCKED and (left.sand < BLOCKED or start == state.climber_at())


def steps(state: DesertState, seat: int, start: Space) -> list[Space]:
    """Return the spaces that the seat's pawn can reach from `start` in one move."""
    ahead: Iterable[Space] = near(state, seat)[start]
    if state.tile(start).is_tunnel:
        ahead = {*ahead, *_tunnels(state.board)}
    return [to for to in ahead if can_step(state, seat, start, to)]


def guided_spaces(state: DesertState, seat: int) -> frozenset[Space]:
    """Return the spaces to which the Navigator can move the seat's pawn, up to three steps away (FD-R22).

    For the Climber, use `climbs`.
    """
    return _guided_spaces(state.board, state.pawns[seat], state.roles[seat], state.climber_at())


# Cached, because listing legal actions checks every destination.
@lru_cache(maxsize=64)
def _guided_spaces(board: Board, start: Space, role: Role, climber: Space | None) -> frozenset[Space]:
    around, tunnels = _NEAR.get(role, ORTHOGONAL), _tunnels(board)
    clear = {space for space, tile in zip(SPACES, board, strict=True) if tile is not None and tile.sand < BLOCKED}
    reached = {start} if start in clear or start == climber else set()
    for _ in range(GUIDED_STEPS):
        through = () if reached.isdisjoint(tunnels) else tunnels
        reached |= clear & set(through).union(*[around[at] for at in reached])
    return frozenset(reached - {start})


def climbs(state: DesertState, seat: int) -> set[tuple[Space, Pawns]]:
    """Return the spaces to which the Navigator can move the Climber, each with all pawns' new positions (FD-R22).

    On each step, the Climber takes along nobody or one pawn from his space.
    """
    others = [other for other in range(state.seats) if other != seat]
    found: set[tuple[Space, Pawns]] = set()
    for to, paths in _paths(state.pawns[seat], state.hole, _tunnels(state.board)).items():
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
    """Return True if the Navigator can move the Climber to `to`, and the Climber can carry passengers on `trips`."""
    return _is_climb(state.pawns[seat], state.hole, _tunnels(state.board), to, tuple(sorted(trips)))


def _tunnels(board: Board) -> tuple[Space, ...]:
    # Same as `Tile.is_tunnel`, inlined for speed.
    tiles = zip(SPACES, board, strict=True)
    return tuple([space for space, tile in tiles if tile and tile.is_excavated and tile.city_side == "tunnel"])


# Cached, because legal actions need the same paths and trips many times.
@lru_cache(maxsize=4096)
def _is_climb(start: Space, hole: Space, tunnels: tuple[Space, ...], to: Space, trips: tuple[Trip, ...]) -> bool:
    return any(_carries(path, trips) for path in _paths(start, hole, tunnels).get(to, ()))


def _carries(path: tuple[Space, ...], trips: tuple[Trip, ...]) -> bool:
    """Return True if the Climber can make all trips along the path, in any order, carrying one passenger at a time."""
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
    """Return the paths of one to three steps, grouped by last space. Sand is ignored: it does not block the Climber."""
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
