"""Vignettes: what a tile shows instead of its name, as shapes whose colours the renderer chooses.

A game declares one for each kind of tile, in a box of 48 by 48 that it fills to the edges: one subject, seen from the
front, standing on one ground line at 40 to 44. What matters lies left and up, since pawns stand at the right below;
round (10, 10) nothing matters, for a badge may lie there. Nothing is smaller than 1.2 units: it could not be seen.

Shapes name tones, not colours. The tones of a dry tile are those of its `Family`, the tones of a flooded one are
blues: one drawing serves every state and both themes.
"""

from __future__ import annotations

from typing import Literal

import msgspec

BOX = 48.0
"""How wide and high a vignette is."""

Tone = Literal["a", "b", "c", "d", "e", "m", "w"]
"""Sky, distance, body, dark, light; metal or wood, and water."""

Family = Literal[
    "dune", "earth", "fire", "frog", "gate", "hog", "log", "night", "ocean", "red", "rocky", "sandy", "stone",
    "volcano", "wild", "wind",
]  # fmt: skip
"""A palette: what one needs to know of a tile before anything else."""

Metal = Literal["wood", "bronze", "copper", "gold", "iron", "silver", "steel"]
"""What the tone `m` is."""

Tint = Literal["fire", "earth", "ocean", "wind", "steel", "sack", "rise", "sand", "blue", "leaf", "clay"]
"""The colour of a kind of card, resource or treasure, strong enough for a white symbol on it."""


class Shape(msgspec.Struct, frozen=True, gc=False):
    """A path of SVG's own language, filled, or drawn as a line with round ends."""

    tone: Tone
    d: str
    width: float = 0.0
    """Of the line; 0: it is filled."""
    opacity: float = 1.0


Vignette = tuple[Shape, ...]


def fill(tone: Tone, d: str, opacity: float = 1.0) -> Shape:
    """A filled path."""
    return Shape(tone, d, opacity=opacity)


def line(tone: Tone, d: str, width: float = 2.0, opacity: float = 1.0) -> Shape:
    """A line of that width."""
    return Shape(tone, d, width, opacity)


def oval(tone: Tone, x: float, y: float, rx: float, ry: float | None = None, *, width: float = 0.0) -> Shape:
    """An ellipse round (x, y); a circle without `ry`."""
    high = rx if ry is None else ry
    arc = f"a{rx:g} {high:g} 0 1 0 "
    return Shape(tone, f"M{x - rx:g} {y:g}{arc}{2 * rx:g} 0{arc}{-2 * rx:g} 0z", width)
