"""Lay out a picture: the title, the planes, and the panels beside or below them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, Literal, get_args

import msgspec

from drawing import panels
from drawing.column import DrawingColumn
from drawing.pen import Attribute, Pen
from drawing.pieces import RING
from drawing.plane import PlaneDrawing
from drawing.text import fit, wrap
from engine.core.text import sentence
from engine.kit.scene import Scene
from engine.kit.scene.panels import CardStack, Charts, Counters, Meter, Panel, PlayerMat, Table
from engine.kit.scene.planes import Plane
from engine.kit.scenes import changes

Layout = Literal["wide", "tall", "board", "panels"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)


class Measures(msgspec.Struct, frozen=True):
    """The sizes of a layout, in pixels at its natural size."""

    width: float
    planes: float
    """Maximum width of the planes."""
    height: float
    """Maximum height of the whole drawing of planes."""
    columns: int
    """Maximum number of panels side by side."""
    margin: float
    title: float
    """Font size of the title."""


MEASURES: dict[Layout, Measures] = {
    "wide": Measures(1200, 640, 760, 2, 24, 22),
    "tall": Measures(360, 344, 700, 1, 8, 17),
    "board": Measures(360, 352, 700, 0, 4, 0),
    "panels": Measures(360, 344, 0, 1, 8, 0),
}
GUTTER = 12.0


class News(msgspec.Struct, frozen=True):
    """The differences between a scene and an earlier one."""

    changed: frozenset[str] = frozenset()
    """The ids of changed elements."""
    planes: dict[str, Plane] = {}
    """The earlier planes, by id."""


class PanelStack(msgspec.Struct):
    """A column of panels, with the position of the next panel."""

    left: float
    width: float
    end: float
    is_below: bool = False
    """True if the column is below the planes, beside other columns. Such a column has no players and no wide panels."""


def draw_layout(scene: Scene, before: Scene | None, layout: Layout, *, plain: bool) -> bytes:
    """Draw the scene in a layout, as an SVG document."""
    # A game without planes has only panels.
    measures = MEASURES["panels" if layout == "board" and not scene.planes else layout]
    news = News() if before is None else News(changes(before, scene), {plane.id: plane for plane in before.planes})
    if layout == "panels":
        scene = msgspec.structs.replace(scene, planes=())
    pen = Pen(plain=plain)
    body = pen.sheet()
    top = _title(body, scene, measures) if measures.title else measures.margin
    bottom, right = _planes(body, scene.planes, measures, top, news)
    if measures.columns:
        stacks = _stacks(layout, measures, top, (right, bottom) if scene.planes else None)
        bottom = max(bottom, _panels(body, scene.panels, stacks, news.changed))
    width = measures.width if measures.columns else right + measures.margin
    height = bottom + measures.margin
    pen.start(width, height, scene.title, " ".join(filter(None, (sentence(scene.subtitle), scene.description))))
    if layout == "board":
        pen.metadata(summary(scene))
    pen.rect(0, 0, width, height, fill="page")
    pen.put(body)
    return pen.finish()


def summary(scene: Scene) -> dict[str, Any]:
    """Return the data that a page shows around the board: players with their cards, the meters, the pile sizes."""
    of = {kind: [panel for panel in scene.panels if isinstance(panel, kind)] for kind in (PlayerMat, Meter)}
    vital = [panel for panel in scene.panels if isinstance(panel, Counters) and panel.is_vital]
    piles = [(panel.title, panel.count) for panel in scene.panels if isinstance(panel, CardStack)]
    found: dict[str, Any] = msgspec.to_builtins(
        {
            "players": of[PlayerMat],
            "meters": of[Meter],
            "vital": vital,
            "piles": piles,
            "passage": scene.passage,
        }
    )
    if scene.spots or scene.dials:
        found |= msgspec.to_builtins({"spots": scene.spots, "dials": scene.dials, "has_board": bool(scene.planes)})
    return found


def _title(pen: Pen, scene: Scene, measures: Measures) -> float:
    room = measures.width - 2 * measures.margin
    y = measures.margin + measures.title
    pen.text(measures.margin, y, fit(scene.title, measures.title, room, bold=True), measures.title, bold=True)
    size = max(12.0, measures.title * 0.68)
    for line in wrap(scene.subtitle, size, room, 2):
        y += size * 1.45
        pen.text(measures.margin, y, line, size, fill="soft")
    return y + GUTTER


def _planes(pen: Pen, planes: Sequence[Plane], measures: Measures, top: float, news: News) -> tuple[float, float]:
    y, right = top, measures.margin
    shown = [plane for plane in planes if plane.width and plane.height]
    titles = sum(20 for plane in shown if plane.title)
    room = measures.height - titles - GUTTER * max(0, len(shown) - 1)
    widest = max((plane.width for plane in shown), default=1.0)
    highest = sum(plane.height * widest / plane.width for plane in shown) or 1.0
    width = min(measures.planes, room / highest * widest) if measures.columns > 1 else measures.planes
    for plane in shown:
        if plane.title:
            with pen.group(class_="dl-plane-title"):
                pen.text(measures.margin, y + 13, fit(plane.title, 13, width, bold=True), 13, bold=True)
            y += 20
        unit = width / plane.width
        PlaneDrawing(pen, plane, measures.margin, y, unit).draw(news.changed, news.planes.get(plane.id))
        y += plane.height * unit + GUTTER
        right = measures.margin + width
    return (y - GUTTER if shown else y), right


def _stacks(layout: Layout, measures: Measures, top: float, planes: tuple[float, float] | None) -> list[PanelStack]:
    """Return the columns for panels: in the layout `tall` below the planes, otherwise beside the planes and then below.

    Args:
        planes: the coordinates of the right and bottom edges of the planes.
    """
    margin, count = measures.margin, measures.columns
    left = margin
    if planes is not None:
        right, bottom = planes
        if layout == "tall":
            return [PanelStack(margin, measures.width - 2 * margin, bottom + GUTTER)]
        left = right + GUTTER * 1.5
    width = (measures.width - margin - left - GUTTER * (count - 1)) / count
    beside = [PanelStack(left + at * (width + GUTTER), width, top) for at in range(count)]
    return beside if planes is None else [*beside, PanelStack(margin, right - margin, bottom + GUTTER, is_below=True)]


def _panels(pen: Pen, shown: Sequence[Panel], stacks: Sequence[PanelStack], changed: frozenset[str]) -> float:
    """Draw each panel at the highest free position, players in order; return the y below all panels."""
    side = [stack for stack in stacks if not stack.is_below]
    seats = count()
    for panel in shown:
        if isinstance(panel, PlayerMat):
            among = [side[next(seats) % len(side)]]
        elif panels.is_wide(panel):
            among = side
        else:
            among = [min(stacks, key=lambda stack: stack.end)]
        y = max(stack.end for stack in among)
        width = among[-1].left + among[-1].width - among[0].left
        sheet = pen.sheet()
        height = panels.draw(DrawingColumn(sheet, width, changed), panel)
        _panel(pen, panel, sheet, (among[0].left, y, width, height), is_changed=panel.id in changed)
        for stack in among:
            stack.end = y + height + GUTTER
    return max(stack.end for stack in stacks) - GUTTER


def _panel(pen: Pen, panel: Panel, sheet: Pen, box: tuple[float, float, float, float], *, is_changed: bool) -> None:
    x, y, width, height = box
    seat = panel.seat if isinstance(panel, PlayerMat) else None
    attributes: dict[str, Attribute] = {
        "class_": "dl-panel",
        "data_kind": "player" if seat else "panel",
        "data_id": panel.id,
        "data_seat": seat,
        "data_place": seat,
        "data_changed": "true" if is_changed else None,
        "transform": f"translate({x:.1f} {y:.1f})",
    }
    is_active = isinstance(panel, PlayerMat) and panel.is_active
    has_ring = is_changed and not isinstance(
        panel, Charts | Meter | CardStack | Table
    )  # these panels draw the rings around their own changed parts
    rim, line = ("accent", RING) if has_ring else ("ink", 2.0) if is_active else ("rim", 1.0)
    with pen.group("", **attributes):
        pen.rect(0, 0, width, height, 10, fill="panel", stroke=rim, stroke_width=line)
        pen.put(sheet)
