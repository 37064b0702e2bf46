"""Positioned elements of a picture: a plane, and everything on it."""

from __future__ import annotations

from math import sqrt
from typing import Literal

import msgspec

from engine.kit.scene.looks import Colour, Form, Ground, Pattern, Symbol
from engine.kit.vignette import Family, Metal, Tint, Vignette


class Badge(msgspec.Struct, frozen=True, gc=False):
    """A small sign on a tile: a symbol (or a pawn's form), a short text, or both."""

    symbol: Symbol | None = None
    text: str = ""
    title: str = ""
    """The meaning of the sign, in words."""
    form: Form | None = None
    """A form in `colour` instead of a symbol."""
    colour: Colour | None = None
    tint: Tint | None = None
    """Colour that makes the badge stand out. Over a vignette, only badges with a tint are drawn."""
    pips: tuple[int, int] | None = None
    """A small number and its maximum, drawn as dots, such as fertility 5 of 6."""


class Tile(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A space on a plane: a tile, a hex, a star, a line of a page."""

    id: str
    x: float
    y: float
    shape: Literal["square", "rectangle", "hexagon", "flat_hexagon", "circle", "polygon"] = "square"
    """`hexagon` stands on a corner, `flat_hexagon` on a side. A rectangle is wider than high; its pieces are at the
    right.
    """
    width: float = 1.0
    height: float = 1.0
    """Ignored for a square, circle or hexagon. For a polygon, `width` and `height` are the size of its text area."""
    points: tuple[tuple[float, float], ...] = ()
    """For a polygon: the corners of its convex outline, relative to the tile's centre, clockwise."""
    label: str = ""
    """The name. If it does not fit in a legible size, two letters are drawn. Over a vignette, no name is drawn."""
    vignette: Vignette = ()
    """The picture. For a polygon or a rectangle it is 48 by 16, and the tile must have that shape. For a flat hexagon
    it is 48 by 32, and the label is below it.
    """
    family: Family = "rocky"
    """The palette of the vignette."""
    metal: Metal = "wood"
    is_flooded: bool = False
    """True if the tile is under water."""
    heap: int = 0
    """Number of sand markers on the tile."""
    ground: Ground = "land"
    pattern: Pattern = ""
    state: str = ""
    """The meaning of ground and pattern in a word or two: 'flooded'."""
    is_gone: bool = False
    """True if the tile has been removed: only its outline and a faint name are drawn."""
    is_strong: bool = False
    """True to draw a strong outline."""
    badges: tuple[Badge, ...] = ()
    place: str | None = None
    title: str = ""
    """The full description; by default label and state."""


class Piece(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A piece of the game, on a tile or elsewhere on the plane."""

    id: str
    on: str | None = None
    """The id of the tile with the piece; the renderer positions it beside other pieces there."""
    x: float = 0.0
    y: float = 0.0
    """The position, if the piece is not on a tile."""
    form: Form | None = None
    """For a pawn: its outline, drawn in `colour` with `text` inside."""
    symbol: Symbol | None = None
    """For other pieces: the drawing, in `colour`. If `form` is set, the drawing is over the outline of the form."""
    colour: Colour | None = None
    text: str = ""
    """One or two characters, drawn inside a pawn or a coloured symbol, and beside other symbols."""
    tint: Tint | None = None
    """For a plinth with its symbol: the colour of the symbol."""
    pips: tuple[int, int] | None = None
    """For a plinth: the number reached and the number needed."""
    is_done: bool = False
    """True if the goal of the plinth is reached; it is then drawn filled."""
    rider: Colour | None = None
    """Colour of a smaller piece inside, drawn at the upper right: a canoe docked in a hut."""
    count: int = 1
    """Number of pieces. The picture shows the number if it is at least 2."""
    size: float = 1.0
    """Size relative to other pieces."""
    is_faint: bool = False
    """True for a piece that is spent, asleep or fallen."""
    is_active: bool = False
    """True if it is the pawn of the current player."""
    seat: str | None = None
    """The owner: p1, p2, …"""
    place: str | None = None
    title: str = ""


class Path(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A line over the plane: a link between stars, a tunnel, a border."""

    id: str
    points: tuple[tuple[float, float], ...]
    dash: Literal["", "dashed", "dotted"] = ""
    has_arrow: bool = False
    is_strong: bool = False
    title: str = ""


class Caption(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A text on the plane: a heading, the number of a row."""

    id: str
    x: float
    y: float
    text: str
    is_strong: bool = False


class Plane(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A part of the table with positioned elements, drawn in this order: tiles, paths, pieces."""

    id: str
    width: float
    height: float
    """Height in units; the plane starts at (0, 0)."""
    title: str = ""
    backdrop: Ground | None = "water"
    """The background; None: nothing."""
    tiles: tuple[Tile, ...] = ()
    paths: tuple[Path, ...] = ()
    captions: tuple[Caption, ...] = ()
    pieces: tuple[Piece, ...] = ()


def hexagon(q: int, r: int) -> tuple[float, float]:
    """Return the centre of the hexagon at axial coordinates (q, r), if hexagons have width 1 and stand on a corner."""
    return q + r / 2, r * sqrt(3) / 2
