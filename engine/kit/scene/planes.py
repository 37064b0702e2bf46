"""What has a position in a picture: a plane, and what lies and stands on it."""

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
    """What it means, in words."""
    form: Form | None = None
    """A form in `colour` instead of a symbol."""
    colour: Colour | None = None
    tint: Tint | None = None
    """Of a sign that one looks for: where there is a vignette, only such badges are drawn over it."""
    pips: tuple[int, int] | None = None
    """A small number and its most, as so many dots: fertility 5 of 6."""


class Tile(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A space on a plane: a tile, a hex, a star, a line of a page."""

    id: str
    x: float
    y: float
    shape: Literal["square", "rectangle", "hexagon", "flat_hexagon", "circle", "polygon"] = "square"
    """`hexagon` stands on a point, `flat_hexagon` lies on a side. A rectangle is wider than high, and its pieces stand
    at its right."""
    width: float = 1.0
    height: float = 1.0
    """Of a square, circle or hexagon, `width` alone counts; of a polygon both say how much room its text has."""
    points: tuple[tuple[float, float], ...] = ()
    """Of a polygon: the convex outline, from the tile's centre, clockwise."""
    label: str = ""
    """Its name. It is written where there is room for it in letters that can be read, else two letters stand for it;
    where there is a vignette, that is the sign, and the name is in `title`."""
    vignette: Vignette = ()
    """What it shows. One for a polygon is 48 by 16, and fits where the polygon is that wide."""
    family: Family = "rocky"
    """The palette of the vignette."""
    metal: Metal = "wood"
    is_flooded: bool = False
    """Whether water stands on it."""
    heap: int = 0
    """How many markers of sand lie on it."""
    ground: Ground = "land"
    pattern: Pattern = ""
    state: str = ""
    """In a word or two, what the ground and the pattern say: 'flooded'."""
    is_gone: bool = False
    """Whether it is not there any more: only its outline is drawn, and its name is faint."""
    is_strong: bool = False
    """Whether it has a strong outline: it stands out from those around it."""
    badges: tuple[Badge, ...] = ()
    place: str | None = None
    title: str = ""
    """All of it in words; by default label and state."""


class Piece(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A thing that stands on a tile, or somewhere on the plane."""

    id: str
    on: str | None = None
    """The id of the tile on which it stands; the renderer finds it a spot beside the others there."""
    x: float = 0.0
    y: float = 0.0
    """Where it stands, if it is on no tile."""
    form: Form | None = None
    """A pawn: this outline in its colour, `text` inside."""
    symbol: Symbol | None = None
    """Anything else: this drawing, in `colour`; it has the outline of its form behind it if it has one."""
    colour: Colour | None = None
    text: str = ""
    """One or two characters: in a pawn, in a symbol that has a colour, beside any other symbol."""
    tint: Tint | None = None
    """It is a plinth with its symbol on it, and this is the colour of the symbol."""
    pips: tuple[int, int] | None = None
    """On a plinth: how many of how many."""
    is_done: bool = False
    """Whether what the plinth stands for is reached: it is filled."""
    rider: Colour | None = None
    """Of whose colour and form a smaller piece is in it, shown at its upper right: a canoe docked in a hut."""
    count: int = 1
    """How many of them stand there: shown from two on."""
    size: float = 1.0
    """How large, beside other pieces."""
    is_faint: bool = False
    """Whether it lies there spent, asleep or fallen."""
    is_active: bool = False
    """Whether it is the pawn whose turn it is."""
    seat: str | None = None
    """Whose it is: p1, p2, …"""
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
    """A part of the table where things have a position. They are drawn in this order: tiles, paths, pieces."""

    id: str
    width: float
    height: float
    """In units, from (0, 0)."""
    title: str = ""
    backdrop: Ground | None = "water"
    """What is under everything; None: nothing."""
    tiles: tuple[Tile, ...] = ()
    paths: tuple[Path, ...] = ()
    captions: tuple[Caption, ...] = ()
    pieces: tuple[Piece, ...] = ()


def hexagon(q: int, r: int) -> tuple[float, float]:
    """The centre of the hexagon at the axial coordinate (q, r), of width 1 and standing on a point."""
    return q + r / 2, r * sqrt(3) / 2
