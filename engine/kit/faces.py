"""Where each thing that can come up has its place on a page: hands that know the place need not read."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.core.values import Value
from engine.kit.scene.looks import Symbol
from engine.kit.vignette import Tint


class Face(msgspec.Struct, frozen=True, kw_only=True):
    """A thing that can come up, and its cell."""

    value: Value
    symbol: Symbol
    tint: Tint = "steel"
    text: str = ""
    """What stands beside the symbol where the thing's name would be too long: how far the wind blows."""
    column: int
    row: int
    """From 1."""
    width: int = 1
    """Over how many columns it goes."""


class FaceLayout(msgspec.Struct, frozen=True):
    """All that can come up at one question to chance, in so many columns. What is in no cell follows after them."""

    columns: int
    faces: tuple[Face, ...]


def dice(sides: int, columns: int) -> FaceLayout:
    """A die: its numbers, row by row."""
    return FaceLayout(
        columns,
        tuple(
            Face(value=number, symbol="die", text=str(number), column=at % columns + 1, row=at // columns + 1)
            for at, number in enumerate(range(1, sides + 1))
        ),
    )


def cards(values: Sequence[tuple[Value, Symbol, Tint]], columns: int = 4) -> FaceLayout:
    """Cards in rows, always in this order."""
    return FaceLayout(
        columns,
        tuple(
            Face(value=value, symbol=symbol, tint=tint, column=at % columns + 1, row=at // columns + 1)
            for at, (value, symbol, tint) in enumerate(values)
        ),
    )
