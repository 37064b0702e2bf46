"""Draw single tiles as pictures, for a page that arranges them itself."""

from __future__ import annotations

from collections.abc import Mapping

from drawing import scenery
from drawing.pen import Attribute, Pen
from drawing.plane import BACKDROPS
from engine.kit.scene.looks import Ground
from engine.kit.scene.planes import Tile

UNIT = 64.0
"""The size of a picture in pixels, as on the page."""


def pictures(tiles: Mapping[str, Tile], backdrop: Ground) -> bytes:
    """Draw square tiles in one document with a style sheet. Each is an `svg` with the tile's name as `data-picture`.

    A tile that is gone is drawn as its dotted outline.
    """
    pen = Pen(plain=False)
    pen.start(0, 0, "", "")
    bed = "beach" if backdrop == "water" else BACKDROPS.get(backdrop, "page")
    for name, tile in tiles.items():
        with pen.picture(name, UNIT):
            if tile.is_gone:
                _outline(pen)
                continue
            middle = (UNIT / 2, UNIT / 2)
            scenery.square(pen, tile, middle, UNIT, bed)
            if tile.heap:
                scenery.heap(pen, tile, middle, UNIT)
            scenery.signs(pen, tile, middle, UNIT)
    return pen.finish()


def _outline(pen: Pen) -> None:
    inset = UNIT * scenery.INSET * 3
    dotted: dict[str, Attribute] = {"stroke_dasharray": "1.6 5", "stroke_linecap": "round", "stroke_width": 1.6}
    side = UNIT - 2 * inset
    pen.rect(inset, inset, side, side, UNIT * 0.1, fill="none", stroke="sea-line", **dotted)
