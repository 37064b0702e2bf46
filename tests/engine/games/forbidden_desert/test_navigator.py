"""Forbidden Desert, rulebook: Meet the Adventurers: the Navigator, who moves the others."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from engine.games.forbidden_desert.adventurers import Navigate, Passenger
from engine.games.forbidden_desert.components import SPACES
from engine.games.forbidden_desert.movement import steps
from engine.games.forbidden_desert.state import DesertState, replace
from tests.engine.games.forbidden_desert.positions import table
from tests.engine.games.playing import do, offered, refused


def guided_spaces(state: DesertState, seat: str) -> set[str]:
    return {to for who, to, _ in offered(state, "p1", "navigate") if who == seat}


def test_navigator__another_player_up_to_3_tiles() -> None:
    """FD-R22."""
    state = table("navigator", "archeologist", hole="r5c5")
    assert guided_spaces(state, "p2") == {
        "r1c2", "r1c3", "r1c4", "r2c1", "r2c2", "r2c3", "r3c1", "r3c2", "r4c1",
    }  # fmt: skip


def test_navigator__for_one_action() -> None:
    """FD-R22."""
    state = do(table("navigator", "archeologist"), "p1", "navigate", seat="p2", to="r2c3")
    assert (state.pawns, state.actions_left) == (("r1c1", "r2c3"), 3)


def test_navigator__not_herself() -> None:
    """FD-R22."""
    assert (
        "can only move another player"
        in refused(table("navigator", "archeologist"), "p1", "navigate", seat="p1", to="r1c2").message
    )


def test_navigator__nobody_who_is_not_at_the_table() -> None:
    assert (
        "can only move another player"
        in refused(table("navigator", "archeologist"), "p1", "navigate", seat="p3", to="r1c2").message
    )


def test_navigator__around_blocked_tiles_and_the_storm() -> None:
    state = table("navigator", "archeologist", at=("r1c1", "r2c3"), sand={"r2c4": 2, "r1c3": 2})
    assert guided_spaces(state, "p2") == {"r2c2", "r2c1", "r1c2", "r3c2", "r1c1", "r3c1", "r4c2"}


def test_navigator__not_farther() -> None:
    assert "3 moves" in refused(table("navigator", "archeologist"), "p1", "navigate", seat="p2", to="r3c3").message


def test_navigator__through_a_tunnel_as_one_step() -> None:
    state = table("navigator", "archeologist", at=("r1c1", "r1c2"), city={"r1c1": "tunnel", "r5c4": "tunnel"})
    assert {"r5c4", "r5c3", "r4c4", "r5c5"} <= guided_spaces(state, "p2")


def test_navigator__cannot_pull_out_a_buried_pawn() -> None:
    state = table("navigator", "archeologist", at=("r1c1", "r1c2"), sand={"r1c2": 2})
    assert guided_spaces(state, "p2") == set()


def test_navigator__moves_the_explorer_diagonally() -> None:
    assert do(table("navigator", "explorer"), "p1", "navigate", seat="p2", to="r4c3").pawns == ("r1c1", "r4c3")


def test_navigator__moves_the_climber_through_blocked_tiles() -> None:
    state = table("navigator", "climber", sand={"r1c2": 2, "r2c1": 2, "r2c2": 5})
    assert do(state, "p1", "navigate", seat="p2", to="r2c2").pawns == ("r1c1", "r2c2")


def climb(to: Any, *passengers: tuple[Any, Any]) -> dict[str, Any]:
    return {"seat": "p2", "to": to, "passengers": [{"seat": seat, "to": end} for seat, end in passengers]}


def test_navigator__the_climber_takes_along_the_navigator_herself() -> None:
    state = table("navigator", "climber", sand={"r1c2": 2})
    assert do(state, "p1", "navigate", **climb("r1c3", ("p1", "r1c3"))).pawns == ("r1c3", "r1c3")


def test_navigator__the_climber_leaves_a_passenger_on_the_way() -> None:
    """FD-R22."""
    state = table("navigator", "climber")
    assert do(state, "p1", "navigate", **climb("r1c4", ("p1", "r1c2"))).pawns == ("r1c2", "r1c4")


def test_navigator__the_climber_takes_another_one_at_each_step() -> None:
    state = table("navigator", "climber", "explorer", "archeologist", at=("r1c1", "r1c1", "r1c2", "r1c3"))
    after = do(state, "p1", "navigate", **climb("r1c4", ("p4", "r1c4"), ("p1", "r1c2"), ("p3", "r1c3")))
    assert after.pawns == ("r1c2", "r1c4", "r1c3", "r1c4")


def test_navigator__the_climber_fetches_one_and_comes_back() -> None:
    """FD-R22."""
    state = table("navigator", "climber", "explorer", at=("r1c1", "r1c1", "r1c2"))
    assert do(state, "p1", "navigate", **climb("r1c1", ("p3", "r1c1"))).pawns == ("r1c1", "r1c1", "r1c1")


def test_navigator__the_climber_does_not_take_two_at_once() -> None:
    state = table("navigator", "climber", "explorer")
    assert "3 moves" in refused(state, "p1", "navigate", **climb("r1c3", ("p1", "r1c2"), ("p3", "r1c2"))).message


def test_navigator__the_climber_takes_two_by_going_back() -> None:
    state = table("navigator", "climber", "explorer")
    after = do(state, "p1", "navigate", **climb("r1c2", ("p1", "r1c2"), ("p3", "r1c2")))
    assert after.pawns == ("r1c2", "r1c2", "r1c2")


def test_navigator__passengers_have_one_spelling() -> None:
    passengers = (Passenger("p3", "r1c2"), Passenger("p1", "r1c3"))
    assert Navigate("p2", "r1c4", passengers) == Navigate("p2", "r1c4", passengers[::-1])


@pytest.mark.parametrize(
    "passengers",
    [
        [("p1", "r1c1")],
        [("p2", "r1c2")],
        [("p5", "r1c2")],
        [("p1", "r1c2"), ("p1", "r1c3")],
    ],
)
def test_navigator__who_is_no_passenger(passengers: list[tuple[str, str]]) -> None:
    """FD-R22."""
    assert refused(table("navigator", "climber"), "p1", "navigate", **climb("r1c3", *passengers)).message


def test_navigator__only_the_climber_takes_others_along() -> None:
    state = table("navigator", "explorer")
    assert "Only the Climber" in refused(state, "p1", "navigate", **climb("r1c2", ("p1", "r1c2"))).message


def test_navigator__to_the_own_tile_is_no_move() -> None:
    """FD-R22."""
    assert "already" in refused(table("navigator", "climber"), "p1", "navigate", **climb("r1c1")).message


def test_navigator__not_when_buried() -> None:
    """FD-R43."""
    state = table("navigator", "explorer", at=("r1c1", "r3c2"), sand={"r1c1": 2})
    assert "buried" in refused(state, "p1", "navigate", seat="p2", to="r3c1").message


def test_navigator__nobody_else_moves_others() -> None:
    assert "Only the Navigator" in refused(table("climber", "explorer"), "p1", "navigate", seat="p2", to="r1c2").message


def walk_positions(state: DesertState) -> set[tuple[str, ...]]:
    """Return the possible positions of the pawns after three moves of p2, each with or without a passenger."""
    reached = {state.pawns}
    for _ in range(3):
        for pawns in reached.copy():
            now = replace(state, pawns=pawns)
            for to in steps(now, 1, pawns[1]):
                riders = [None, *(now.companions(1) if now.roles[1] == "climber" else [])]
                reached.update(
                    tuple(to if seat in {1, rider} else space for seat, space in enumerate(pawns)) for rider in riders
                )
    return reached - {state.pawns}


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("moved", ["climber", "explorer", "archeologist"])
def test_navigator__three_steps_each_legal_for_that_pawn(moved: str, seed: int) -> None:
    """FD-R22."""
    rng = random.Random(seed)
    spaces = [space for space in SPACES if space != "r3c3"]
    near = rng.sample(spaces, 3)
    state = table(
        "navigator", moved, "water_carrier", "meteorologist",
        at=["r1c1" if rng.random() < 0.1 else rng.choice(near) for _ in range(4)],
        sand={space: rng.choice((0, 0, 1, 2, 3)) for space in spaces if rng.random() < 0.7},
        city=dict.fromkeys(rng.sample(spaces, 3), "tunnel"),
    )  # fmt: skip
    if state.is_buried(0):
        state = replace(state, board=table("navigator", moved).board)
    ends = [
        do(state, "p1", "navigate", seat=who, to=to, passengers=msgspec.to_builtins(passengers)).pawns
        for who, to, passengers in offered(state, "p1", "navigate")
        if who == "p2"
    ]
    assert set(ends) == walk_positions(state)
    assert len(set(ends)) == len(ends)
