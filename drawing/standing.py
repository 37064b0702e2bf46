"""Find positions for pieces: side by side on their tile, or at their own coordinates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import ceil

import msgspec

from drawing.geometry import room
from engine.kit.scene.planes import Piece, Plane, Tile

PIECE = 0.3
"""Size of a piece, in units, if it has enough space."""
LINE = 0.38
"""Size of a piece in a row of a page, in units."""
SMALLEST = 0.2
LARGE = 2.0
"""Minimum size of a piece that is so large that it also takes the space of the tile's name."""
PAWN = 0.8
"""The size of a pawn in front of a vignette, visible on a phone from a metre away."""
FIGURE = 0.8
"""The size of a piece on a shore."""
SHORE = (1.75, 0.87)
"""Maximum width and height of all pieces on a shore."""
BODY = 0.83
"""The size of a piece without its rim, as a share of its whole size."""
ABREAST = 4
"""Maximum number of pieces side by side in a single row on a shore."""
ASIDE = 1.2
"""Distance of two pieces on a shore that leave its middle free, in sizes of a piece."""
SEEN = 0.7
"""Minimum part of a pawn that the next pawn must leave visible. It includes the pawn's letter."""


class PieceSpot(msgspec.Struct, frozen=True):
    """Position and size of a piece, in units."""

    x: float
    y: float
    size: float


def spots(plane: Plane) -> dict[str, PieceSpot]:
    """Return the spot of every piece: side by side on its tile, or at its own position."""
    found: dict[str, PieceSpot] = {}
    standing: dict[str, list[Piece]] = defaultdict(list)
    for one in plane.pieces:
        if one.on is None:
            found[one.id] = PieceSpot(one.x, one.y, PIECE * one.size)
        else:
            standing[one.on].append(one)
    for tile in plane.tiles:
        found |= _arrange(tile, standing[tile.id])
    return found


def _arrange(tile: Tile, pieces: list[Piece]) -> dict[str, PieceSpot]:
    if not pieces:
        return {}
    if tile.vignette:
        return _before_scenery(tile, pieces)
    width, height = room(tile)
    is_alone = not tile.label and not tile.badges
    # Leave room for a name, if there is one.
    share = 1.0 if tile.shape == "rectangle" else 0.75 if is_alone or max(one.size for one in pieces) >= LARGE else 0.5
    rows, size = _rows(
        len(pieces),
        width,
        height * share,
        (LINE if tile.shape == "rectangle" else PIECE) * max(one.size for one in pieces),
    )
    per_row = ceil(len(pieces) / rows)
    found = {}
    for at, one in enumerate(pieces):
        row, column = divmod(at, per_row)
        in_row = min(per_row, len(pieces) - row * per_row)
        x = tile.x + (column - (in_row - 1) / 2) * size
        y = tile.y + (row - (rows - 1) / 2) * size
        if tile.shape == "rectangle":
            # The ring around an active pawn is wider than the pawn.
            x = tile.x + width / 2 - size * (in_row - column - 0.4)
        elif not is_alone:
            y = tile.y + height / 2 - size * (rows - row - 0.5)
        found[one.id] = PieceSpot(x, y, size)
    return found


def _rows(count: int, width: float, height: float, size: float) -> tuple[int, float]:
    """Return the number of rows for `count` pieces, and the size of a piece."""
    sizes = [(min(size, width / ceil(count / rows), height / rows), rows) for rows in (1, 2, 3)]
    for fitting, rows in sizes:
        if fitting >= SMALLEST:
            return rows, fitting
    fitting, rows = max(sizes)
    return rows, fitting


def extent(found: Sequence[PieceSpot]) -> tuple[float, float]:
    """Return the width and height of all pieces of a tile, in units."""
    xs, ys = [spot.x for spot in found], [spot.y for spot in found]
    size = found[0].size
    return max(xs) - min(xs) + size, max(ys) - min(ys) + size


def _before_scenery(tile: Tile, pieces: list[Piece]) -> dict[str, PieceSpot]:
    """Place pieces in front of a vignette. In a square, a single piece is at the right, several are in the middle."""
    count, biggest = len(pieces), max(one.size for one in pieces)
    if tile.shape != "square":
        return _on_shore(tile, pieces, FIGURE * biggest)
    width, height = 1.1, 1.0
    rows = 1 if count <= 2 else 2
    per_row = ceil(count / rows)
    tallest = height * 1.35 if rows == 1 else height / (1 + SEEN)
    size = min(PAWN * biggest, tallest, width / (1 + SEEN * (per_row - 1)))
    found = {}
    for at, one in enumerate(pieces):
        row, column = divmod(at, per_row)
        in_row = min(per_row, count - row * per_row)
        step = min(size * 1.02, (width - size) / (in_row - 1)) if in_row > 1 else 0.0
        x = tile.x + step * (column - (in_row - 1) / 2) + (0.17 if count == 1 else 0)
        found[one.id] = PieceSpot(x, tile.y + size * SEEN * (row - (rows - 1) / 2) + 0.14, size)
    return found


def _on_shore(tile: Tile, pieces: list[Piece], largest: float) -> dict[str, PieceSpot]:
    """Place pieces side by side, in two rows if there are more than four. Only the rims of pieces may overlap.

    A piece that represents the shore is in the middle. A piece that stands alone on a shore is beside the middle, which
    stays free for taps.
    """
    count = len(pieces)
    # The number at the right of several canoes would hide a hut.
    own = sorted((one for one in pieces if one.place == tile.place), key=lambda one: -one.count)
    others = [one for one in pieces if one.place != tile.place]
    half = ceil(len(others) / 2)
    pieces = [*others[:half], *own, *others[half:]]
    rows = 1 if count <= ABREAST else 2
    per_row = ceil(count / rows)
    size = min(largest, SHORE[0] / (1 + BODY * (per_row - 1)), SHORE[1] * (0.75 if rows == 1 else 0.54))
    step = min(size * (ASIDE if count == 2 else 1.02), SHORE[0] / per_row) if rows == 1 else size * BODY
    found = {}
    for at, one in enumerate(pieces):
        row, column = divmod(at, per_row)
        in_row = min(per_row, count - row * per_row)
        x = tile.x + step * (column - (in_row - 1) / 2)
        if count == 1 and others:
            x -= size * ASIDE / 2
        found[one.id] = PieceSpot(x, tile.y + size * BODY * (row - (rows - 1) / 2), size)
    return found
