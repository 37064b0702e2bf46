"""Grids of result buttons. Each result has a fixed cell, so that users soon find it without reading."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.core.values import Value
from engine.kit.scene.looks import Symbol
from engine.kit.vignette import Tint


class Face(msgspec.Struct, frozen=True, kw_only=True):
    """A possible result, and the cell that shows it on a page."""

    value: Value
    symbol: Symbol
    tint: Tint = "steel"
    text: str = ""
    """Short text beside the symbol if the name is too long, such as the strength of a wind."""
    column: int
    row: int
    """Number of the row, from 1."""
    width: int = 1
    """Number of columns that the cell spans."""


class FaceLayout(msgspec.Struct, frozen=True):
    """The grid of result buttons for one kind of random result. Results without a cell are listed below the grid."""

    columns: int
    faces: tuple[Face, ...]
    is_beside: bool = False
    """True to show the results beside the other legal actions: one tap then records the action and its result."""


def dice(sides: int, columns: int) -> FaceLayout:
    """Lay out the numbers of a die, row by row."""
    return FaceLayout(
        columns,
        tuple(
            Face(value=number, symbol="die", text=str(number), column=at % columns + 1, row=at // columns + 1)
            for at, number in enumerate(range(1, sides + 1))
        ),
    )


def cards(values: Sequence[tuple[Value, Symbol, Tint]], columns: int = 4) -> FaceLayout:
    """Lay out cards row by row, in the given order."""
    return FaceLayout(
        columns,
        tuple(
            Face(value=value, symbol=symbol, tint=tint, column=at % columns + 1, row=at // columns + 1)
            for at, (value, symbol, tint) in enumerate(values)
        ),
    )
