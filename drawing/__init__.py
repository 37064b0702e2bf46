"""Draw a scene as SVG.

Drawing is a pure function: the same `Scene` always gives the same bytes. A picture has no ids, scripts or references to
other files, so a page can contain several pictures. Attributes identify the elements of a picture:
- `data-kind` (plane, tile, path, piece, card, gauge, step, panel) and `data-id`;
- `data-place`: the element's value in the params of actions; `data-seat`: its owner;
- `data-box` and `data-backdrop` of a plane: its position and background, for pages that show only the plane;
- the class `dl-face` of a tile's outline;
- `data-state` of a tile; `data-changed` if it differs from the scene before. The layout `board` has the data of the
panels (players, meters and piles) in `metadata` as JSON, for pages that show these data around the board. The colours
are CSS variables (`--dl-…`) under the class `dl-board`, light or dark by `prefers-color-scheme`. The picture contains
the style sheet `STYLE`, which is always the same. A Content-Security-Policy allows it with `STYLE_SOURCE`. A plain
picture has the light colours inlined, for converters that do not support variables.
"""

from __future__ import annotations

from drawing.layout import LAYOUTS, Layout, draw_layout
from drawing.palette import POLICY, STYLE, STYLE_SOURCE
from drawing.pictures import pictures
from engine.kit.scene import Scene

__all__ = ["LAYOUTS", "POLICY", "STYLE", "STYLE_SOURCE", "VERSION", "Layout", "pictures", "svg"]

VERSION = "9"
"""Part of the entity tag of a picture. Increment this number when the same scene is drawn differently."""


def svg(scene: Scene, before: Scene | None = None, *, layout: Layout = "wide", plain: bool = False) -> bytes:
    """Draw `scene` as an SVG document.

    Args:
        before: an earlier scene of the same game. The picture draws a ring around each difference.
        layout: `wide` has the panels beside the planes, for a screen or a page. `tall` has the panels below the planes,
            for a phone. `board` has only the planes, or only the panels if there are no planes. `panels` has only the
            panels.
        plain: True to inline the light colours instead of a style sheet.
    """
    return draw_layout(scene, before, layout, plain=plain)
