"""Positions of pieces on a tile: none hides the letter of another."""

from __future__ import annotations

from itertools import combinations

import pytest
from msgspec import structs

from drawing.standing import SEEN, spots
from engine.kit.scene.planes import Piece, Plane, Tile
from engine.kit.vignette import fill

SCENE = (fill("c", "M4 4H44V44H4z"),)
SQUARE = Tile(id="tile", x=1, y=1, vignette=SCENE)
SHORE = Tile(
    id="tile",
    x=1,
    y=1,
    shape="polygon",
    points=((0, -1), (1, 0), (0, 1), (-1, 0)),
    width=1.56,
    height=0.58,
    vignette=SCENE,
)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("tile", [SQUARE, SHORE], ids=["square", "shore"])
def test_each_letter_stays_free(tile: Tile, count: int) -> None:
    pieces = tuple(Piece(id=f"pawn.{at}", on="tile", symbol="pawn") for at in range(count))
    standing = spots(Plane(id="board", width=2, height=2, tiles=(tile,), pieces=pieces)).values()
    for one, other in combinations(standing, 2):
        apart = max(abs(one.x - other.x), abs(one.y - other.y))
        assert apart >= SEEN * one.size - 1e-9


@pytest.mark.parametrize("huts", [1, 2])
@pytest.mark.parametrize("totems", [0, 1])
def test_only_a_piece_of_the_shore_covers_its_middle(huts: int, totems: int) -> None:
    shore = structs.replace(SHORE, place="hog_1_a")
    pieces = tuple(
        Piece(id=f"{place}.{at}", on="tile", symbol="hut", place=place)
        for place, count in (("hog_1_a", totems), ("hut", huts))
        for at in range(count)
    )
    standing = spots(Plane(id="board", width=2, height=2, tiles=(shore,), pieces=pieces))
    covering = {piece.place for piece in pieces if abs(standing[piece.id].x - shore.x) < standing[piece.id].size / 2}
    assert covering <= {"hog_1_a"}


@pytest.mark.parametrize(("count", "least"), [(2, 0.58), (4, 0.58)])
def test_pawns_on_a_square_stay_large(count: int, least: float) -> None:
    """A unit is 58 px on a phone; a pawn has 34 px."""
    pieces = tuple(Piece(id=f"pawn.{at}", on="tile", symbol="pawn") for at in range(count))
    standing = spots(Plane(id="board", width=2, height=2, tiles=(SQUARE,), pieces=pieces))
    assert min(spot.size for spot in standing.values()) >= least
