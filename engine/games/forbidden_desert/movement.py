"""Where a pawn can go: step by step, through tunnels, on the Climber's rope, and by the Navigator's word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.games.forbidden_desert.components import AROUND, BLOCKED, INDEX, ORTHOGONAL, SPACES, Role, Space
from engine.games.forbidden_desert.state import DesertState

GUIDED_STEPS = 3
"""How far the Navigator moves another player for one action."""

Pawns = tuple[Space, ...]


def near(state: DesertState, seat: int) -> dict[Space, frozenset[Space]]:
    """What is adjacent to each space, as that seat's adventurer counts (FD-R16, FD-R20, FD-R25)."""
    return AROUND if state.roles[seat] is Role.EXPLORER else ORTHOGONAL


def is_within_reach(state: DesertState, seat: int, space: Space) -> bool:
    """Whether `space` has that seat's own tile or one adjacent to it."""
    here = state.pawns[seat]
    return state.board[INDEX[space]] is not None and (space == here or space in near(state, seat)[here])


def can_step(state: DesertState, pawns: Pawns, seat: int, to: Space) -> bool:
    """Whether that seat's pawn can go to `to` for one move, the pawns standing so (FD-R18 to R21, R33, R36)."""
    board, start = state.board, pawns[seat]
    tile, left = board[INDEX[to]], board[INDEX[start]]
    assert left is not None
    if tile is None or to == start:
        return False
    if to not in near(state, seat)[start] and not (tile.is_tunnel and left.is_tunnel):
        return False
    if state.roles[seat] is Role.CLIMBER:
        return True
    if tile.sand >= BLOCKED:
        return False
    return left.sand < BLOCKED or (Role.CLIMBER in state.roles and pawns[state.roles.index(Role.CLIMBER)] == start)


def steps(state: DesertState, pawns: Pawns, seat: int) -> list[Space]:
    """Where that seat's pawn can go for one move, the pawns standing so."""
    start = pawns[seat]
    left = state.board[INDEX[start]]
    assert left is not None
    ahead: Iterable[Space] = near(state, seat)[start]
    if left.is_tunnel:
        tunnels = (
            space for space, tile in zip(SPACES, state.board, strict=True) if tile is not None and tile.is_tunnel
        )
        ahead = {*ahead, *tunnels}
    return [to for to in ahead if can_step(state, pawns, seat, to)]


def guided(state: DesertState, seat: int, passengers: tuple[int, ...]) -> set[Pawns]:
    """How the pawns can stand after the Navigator has moved that seat's up to three steps (FD-R22).

    `passengers` are those whom the Climber may take along, one a step.
    """
    reached = {state.pawns}
    frontier = {state.pawns}
    for _ in range(GUIDED_STEPS):
        frontier = {after for pawns in frontier for after in _after_step(state, pawns, seat, passengers)} - reached
        reached |= frontier
    return reached - {state.pawns}


def _after_step(state: DesertState, pawns: Pawns, seat: int, passengers: tuple[int, ...]) -> Iterator[Pawns]:
    start = pawns[seat]
    for to in steps(state, pawns, seat):
        alone = (*pawns[:seat], to, *pawns[seat + 1 :])
        yield alone
        for other in passengers:
            if pawns[other] == start:
                yield (*alone[:other], to, *alone[other + 1 :])
