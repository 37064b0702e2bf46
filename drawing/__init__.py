"""Drawing: a scene as SVG.

Pure: a `Scene` in, bytes out, the same ones each time. Nothing in it refers to anything outside it, no ids, no
scripts, so that several pictures can stand in one page. What a page needs to know an element again:

- `data-kind` (plane, tile, path, piece, card, gauge, step, panel), `data-id`;
- `data-place`: the value by which the params of actions mean it; `data-seat`: whose it is;
- `data-box` and `data-backdrop` of a plane: where it is in the picture, so that a page can show it alone, and on what;
- the class `dl-face` of a tile's outline;
- `data-state` of a tile; `data-changed` where it is not as it was in the scene before.

The layout `board` has in its `metadata`, as JSON, what the panels would say of players, meters and piles: a page tells
it round the board in its own way, and it is always of the same moment as the picture.

The colours are CSS variables (`--dl-…`) under the class `dl-board`, light and dark by `prefers-color-scheme`. They come
in a style sheet within the picture, always the same `STYLE`: a page with a Content-Security-Policy allows it by
`STYLE_SOURCE`. A plain picture has the light colours in place, for converters that know no variables.
"""

from __future__ import annotations

from drawing.layout import LAYOUTS, Layout, drawn
from drawing.palette import POLICY, STYLE, STYLE_SOURCE
from drawing.pictures import pictures
from engine.kit.scene import Scene

__all__ = ["LAYOUTS", "POLICY", "STYLE", "STYLE_SOURCE", "VERSION", "Layout", "pictures", "svg"]

VERSION = "4"
"""Goes up whenever the same scene would be drawn otherwise: part of a picture's entity tag."""


def svg(scene: Scene, before: Scene | None = None, *, layout: Layout = "wide", plain: bool = False) -> bytes:
    """`scene` as an SVG document.

    Args:
        before: an earlier scene of the same game: what differs from it is ringed.
        layout: `wide` for a screen or a page, panels beside the planes; `tall` for a phone, panels below them;
            `board` the planes alone, `panels` the panels alone.
        plain: without a style sheet: the light colours as they are.
    """
    return drawn(scene, before, layout, plain=plain)
