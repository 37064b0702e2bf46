"""Draw tiles with vignettes: the shore below the tiles, their faces, the water and sand on them, and signs at the rim.

Nothing is clipped, because a clip path needs an id. Instead, a vignette fills its box, and then the surrounding ground
is painted over the corners outside the face.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from drawing.geometry import Point, below
from drawing.pen import Attribute, Pen, number
from drawing.pieces import ROUNDED, disc_sign, glyph
from drawing.text import width_of, wrap
from engine.kit.scene.planes import Badge, Tile
from engine.kit.vignette import BOX, Vignette

INSET = 0.045
"""The gap between a face and the edge of its space, in units."""
CORNER = 0.16
"""The radius of a square face's corners, relative to the size of the face."""
THICK = 0.07
"""Thickness of a dry tile, in units."""
SUNK = 0.03
"""Depth of a flooded tile below a dry one."""
SHELF, BEACH = 0.34, 0.16
"""Widths of the two bands of the shore, in units."""
WASH = "M0 33Q6 29 12 33T24 33T36 33T48 33V48H0z"
FOAM = "M1 33Q6 29 12 33T24 33T36 33T47 33M5 41Q10 38 15 41T25 41T35 41T44 41"
HEAPS = ("M-24 18Q-12 13-7 3Q-3-5 3-3Q9 0 12 8Q16 15 24 18z", "M-29 18Q-17 12-13-2Q-8-16 1-14Q8-12 12 0Q18 13 29 18z")
"""The outlines of the sand for one marker and for several markers, on a tile with sides of 64."""
SIGN = 0.18
"""The radius of a sign on a tile, in units."""
NAMED = 88.0
"""Minimum pixels per unit for names."""
NAME = 12.5
TITLE = 20.0
"""Size of the title of a wide picture, if it fits."""

Box = tuple[float, float, float]
"""Left, top and size of a square face."""


def shore(pen: Pen, outlines: Sequence[list[Point]], unit: float) -> None:
    """Draw shelf and beach around all remaining tiles; a sunk tile has no shore."""
    for token, width in (("shelf", SHELF), ("beach", BEACH)):
        for outline in outlines:
            pen.polygon(outline, fill=token, stroke=token, stroke_width=width * unit, stroke_linejoin="round")


def face(tile: Tile, at: Point, unit: float) -> Box:
    """Return the face of a square tile whose space is centred on `at`."""
    size = (tile.width - 2 * INSET) * unit
    top = at[1] - size / 2 + (SUNK * unit if tile.is_flooded else 0)
    return at[0] - size / 2, top, size


def square(pen: Pen, tile: Tile, at: Point, unit: float, bed: str) -> None:
    """Draw a square tile: its thickness, its vignette, and its water. `bed` is the ground visible at its corners."""
    pen.insert(_square(tile, at, unit, bed, plain=pen.plain))


# Most tiles do not change from one event to the next.
@functools.lru_cache(maxsize=512)
def _square(tile: Tile, at: Point, unit: float, bed: str, *, plain: bool) -> str:
    pen = Pen(plain=plain)
    left, top, size = face(tile, at, unit)
    radius, wet = size * CORNER, tile.is_flooded
    edge = "under-water" if wet else "under"
    pen.rect(left, top + (SUNK if wet else THICK) * unit, size, size, radius, fill=edge)
    scale = size / BOX
    with pen.group(transform=f"translate({number(left)} {number(top)}) scale({scale:.3f})"):
        with pen.use_tones(tile):
            pen.path(f"M0 0H{BOX:g}V{BOX:g}H0z", fill="a")
            shapes(pen, tile.vignette)
        if wet:
            pen.path(WASH, fill="wash", opacity="0.6")
            pen.path(FOAM, fill="none", stroke="foam", stroke_width=2, **ROUNDED)
        if tile.pattern == "cross":
            hatching = "M5 20L20 5M5 35L35 5M17 38L43 12M32 38L43 27"
            pen.path(hatching, fill="none", stroke="block", stroke_width=1.5, opacity="0.5", **ROUNDED)
        rounding, foot = BOX * CORNER, BOX + (SUNK if wet else THICK) * unit / scale
        pen.path(_corners(rounding, BOX), fill=edge)
        pen.path(_corners(rounding, 0) + _corners(rounding, foot), fill=bed)
    style: dict[str, Attribute] = {"stroke": "frame-water" if wet else "frame", "stroke_width": 1}
    if tile.is_strong or tile.pattern == "cross":
        style = {"stroke": "block" if tile.pattern == "cross" else "outline", "stroke_width": max(2.4, unit * 0.045)}
    pen.rect(left, top, size, size, radius, fill="none", class_="dl-face", **style)
    return pen.markup()


def _corners(radius: float, y: float) -> str:
    """Return a path: the areas that rounding cuts off a box at the upper edge (y = 0), or at the lower edge at `y`."""
    inward = y + radius if y == 0 else y - radius
    bend = 0 if y else 1
    other = 1 - bend
    return (
        f"M-0.2 {inward:.3g}A{radius:g} {radius:g} 0 0 {bend} {radius:g} {y:.3g}H-0.2z"
        f"M{BOX + 0.2:g} {inward:.3g}A{radius:g} {radius:g} 0 0 {other} {BOX - radius:g} {y:.3g}H{BOX + 0.2:g}z"
    )


def header(pen: Pen, tile: Tile, at: Point, unit: float) -> None:
    """Draw a picture that is wider than high, with its title at the foot."""
    width, height = tile.width * unit, tile.height * unit
    left, top = at[0] - width / 2, at[1] - height / 2
    scale = width / BOX
    with pen.use_tones(tile), pen.group(transform=f"translate({number(left)} {number(top)}) scale({scale:.3f})"):
        pen.rect(0, 0, BOX, height / scale, fill="b")
        shapes(pen, tile.vignette)
    size = min(TITLE, TITLE * (width - 24) / max(1.0, width_of(tile.label, TITLE, bold=True)))
    wide = width_of(tile.label, size, bold=True) + 22
    pen.rect(left + 6, top + height - size * 1.5 - 6, wide, size * 1.5, 6, fill="panel", fill_opacity="0.9")
    pen.text(left + 14, top + height - size * 0.46 - 6, tile.label, size, bold=True)


def region(pen: Pen, tile: Tile, outline: list[Point], at: Point, unit: float) -> None:
    """Draw a tile that is not square: its ground, with its vignette in the middle."""
    is_shore = tile.shape == "polygon"
    top, bottom = min(y for _, y in outline), max(y for _, y in outline)
    size = unit * (1.5 if is_shore else tile.width * 0.74)
    scale = size / BOX
    high = size / 3 if is_shore else size
    with pen.use_tones(tile):
        pen.polygon(outline, fill="a")
        pen.polygon(below(outline, top + (bottom - top) * 0.55), fill="b")
        where = f"translate({number(at[0] - size / 2)} {number(at[1] - high / 2)}) scale({scale:.3f})"
        with pen.group(transform=where):
            shapes(pen, tile.vignette)
    pen.polygon(outline, fill="none", stroke="frame", stroke_width=1, stroke_linejoin="round", class_="dl-face")


def sight(pen: Pen, tile: Tile, at: Point, unit: float) -> None:
    """Draw the vignette in the upper part of a hexagon, above its label."""
    scale = 0.72 * unit / BOX
    where = f"translate({number(at[0] - 0.36 * unit)} {number(at[1] - 0.42 * unit)}) scale({scale:.3f})"
    with pen.use_tones(tile, transform=where):
        shapes(pen, tile.vignette)


def shapes(pen: Pen, vignette: Vignette) -> None:
    """Draw the shapes of a vignette in its own box, within `Pen.use_tones`."""
    for one in vignette:
        style: dict[str, Attribute] = {} if one.opacity == 1 else {"opacity": f"{one.opacity:g}"}
        if one.width:
            pen.path(one.d, fill="none", stroke=one.tone, stroke_width=f"{one.width:g}", **ROUNDED, **style)
        else:
            pen.path(one.d, fill=one.tone, **style)


def heap(pen: Pen, tile: Tile, at: Point, unit: float) -> None:
    """Draw the sand on a tile, with its number, at the lower left."""
    scale = unit / 70
    x, y = at[0] - 4 * scale, at[1] + 10 * scale
    with pen.group(transform=f"translate({number(x)} {number(y)}) scale({scale:.3f})"):
        pen.path(HEAPS[tile.heap > 1], fill="heap", stroke="heap-line", stroke_width=1.4, stroke_linejoin="round")
        pen.text(0, 16.5, str(tile.heap), 22, fill="heap-ink", bold=True, anchor="middle")


def signs(pen: Pen, tile: Tile, at: Point, unit: float) -> None:
    """Draw the most important signs, from the upper left corner to the right."""
    left, top, _ = face(tile, at, unit)
    radius = SIGN * unit
    x = left + radius * 1.02
    for badge in tile.badges:
        if badge.tint is None or badge.symbol is None:
            continue
        with pen.group(badge.title):
            disc_sign(pen, badge.symbol, badge.tint, (x, top + radius * 1.02), radius)
        x += radius * 2.1


def band(pen: Pen, tile: Tile, badge: Badge, at: Point, unit: float) -> None:
    """Draw the strip between two shores: the resources as dots and as a number, and the tile's name if it fits."""
    x, y = at
    half = tile.width * unit / 2
    letters = max(18.0, half * 0.4)
    glyph_size, step = half * 0.3, half * 0.135
    value, most = badge.pips or (0, 0)
    dots = most * step
    name = tile.label if width_of(tile.label, NAME) + glyph_size + dots + letters * 2 < half * 1.7 else ""
    width = glyph_size + dots + letters + (width_of(name, NAME) + step if name else 0)
    left = x - width / 2
    with pen.group(badge.title):
        if badge.symbol is not None:
            glyph(pen, badge.symbol, (left + glyph_size / 2, y), glyph_size, f"{badge.tint}-mark")
        left += glyph_size + step / 2
        if name:
            left += pen.text(left, y + NAME * 0.36, name, NAME, fill="ink") + step
        for pip in range(most):
            token = f"{badge.tint}-mark" if pip < value else "rim"
            pen.circle(left + step * (pip + 0.5), y, step * 0.4, fill=token)
        pen.text(left + dots + letters * 0.55, y + letters * 0.36, str(value), letters, bold=True, anchor="middle")


def name_plate(pen: Pen, tile: Tile, at: Point, unit: float) -> float:
    """Draw the name at the foot of a square tile, if there is room; return its height."""
    if unit < NAMED or not tile.label:
        return 0.0
    left, top, size = face(tile, at, unit)
    lines = wrap(tile.label, NAME, size - 8, 2)
    high = NAME * 1.15 * len(lines) + 4
    pen.rect(left + 2, top + size - high - 2, size - 4, high, 6, fill="panel", fill_opacity="0.92")
    for row, text in enumerate(lines):
        base = top + size - high + NAME * (0.92 + 1.15 * row)
        pen.text(at[0], base, text, NAME, fill="ink", anchor="middle")
    return high
