"""Vignettes: pictures on tiles, as shapes whose colours the renderer chooses.

A game declares a vignette for each kind of tile. It fills a box of 48 by 48. It shows one subject from the front, on a
ground line between y = 40 and y = 44. Put important details at the upper left, because pawns cover the lower right; but
avoid the area around (10, 10), where a badge can be. Details smaller than 1.2 units are invisible.

Shapes have tones instead of colours. A dry tile has the tones of its `Family`, and a flooded tile has blue tones: one
drawing works in every state and in both themes.
"""

from __future__ import annotations

from typing import Literal

import msgspec

BOX = 48.0
"""Width and height of a vignette."""

Tone = Literal["a", "b", "c", "d", "e", "m", "w"]
"""A tone of a shape. In this order: sky, distance, body, dark, light, metal or wood, water."""

Family = Literal[
    "dune", "earth", "fire", "frog", "gate", "hog", "log", "night", "ocean", "red", "rocky", "sandy", "stone",
    "volcano", "wild", "wind",
]  # fmt: skip
"""A palette for the tiles that share a property."""

Metal = Literal["wood", "bronze", "copper", "gold", "iron", "silver", "steel"]
"""Material that the tone `m` shows."""

Tint = Literal["fire", "earth", "ocean", "wind", "steel", "sack", "rise", "sand", "blue", "leaf", "clay"]
"""The colour of a kind of card, resource or treasure, strong enough for a white symbol on it."""


class Shape(msgspec.Struct, frozen=True, gc=False):
    """An SVG path, filled, or drawn as a line with round ends."""

    tone: Tone
    d: str
    width: float = 0.0
    """The width of the line; 0: filled."""
    opacity: float = 1.0


Vignette = tuple[Shape, ...]


def fill(tone: Tone, d: str, opacity: float = 1.0) -> Shape:
    """Return a filled path."""
    return Shape(tone, d, opacity=opacity)


def line(tone: Tone, d: str, width: float = 2.0, opacity: float = 1.0) -> Shape:
    """Return a line of that width."""
    return Shape(tone, d, width, opacity)


def oval(tone: Tone, x: float, y: float, rx: float, ry: float | None = None, *, width: float = 0.0) -> Shape:
    """Return an ellipse around (x, y); without `ry`, a circle."""
    high = rx if ry is None else ry
    arc = f"a{rx:g} {high:g} 0 1 0 "
    return Shape(tone, f"M{x - rx:g} {y:g}{arc}{2 * rx:g} 0{arc}{-2 * rx:g} 0z", width)
