"""Draw planes: tiles with their names and signs, the pieces on them, and the lines between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import atan2, cos, hypot, pi, sin

from drawing import scenery
from drawing.geometry import Point, corners, room, waves
from drawing.patterns import draw_pattern
from drawing.pen import Attribute, Pen, number
from drawing.pieces import glyph, piece, token
from drawing.standing import PieceSpot, extent, spots
from drawing.text import ELLIPSIS, fit, width_of, wrap
from engine.kit.scene.planes import Badge, Caption, Path, Piece, Plane, Tile

GAP = 0.03
"""The gap between a tile and the edge of its space, in units."""
MIN_TEXT = 13.0
"""Minimum font size in a picture 360 wide: smaller text is illegible."""
CHART_TEXT = 17.0
"""Minimum font size on a map on which players look for the names of places to tap."""
ROW_TEXT = 16.0
"""Font size of a name in a list, if the name fits into one line."""
PAIR = 22.0
"""Font size of the two letters that replace a name if there is no room for the name."""
BACKDROPS = {"water": "sea", "sand": "desert"}
"""The token of the plane's background, by the ground, if it differs from the fill of tiles."""
DASHES = {"": None, "dashed": "6 4", "dotted": "1.5 4"}


class PlaneDrawing:
    """Draws a plane with its corner at (x, y), `unit` pixels per unit, and rings around elements in `changed`."""

    def __init__(self, pen: Pen, plane: Plane, x: float, y: float, unit: float) -> None:
        self._pen = pen
        self._plane = plane
        self._x = x
        self._y = y
        self._unit = unit
        self._spots = spots(plane)
        standing: dict[str, list[PieceSpot]] = defaultdict(list)
        for one in plane.pieces:
            if one.on is not None:
                standing[one.on].append(self._spots[one.id])
        self._strips = {tile: extent(found) for tile, found in standing.items()}

    def draw(self, changed: frozenset[str], before: Plane | None) -> None:
        """Draw the plane, with a trail behind every piece that has moved since `before`."""
        plane = self._plane
        box = " ".join(map(number, (self._x, self._y, plane.width * self._unit, plane.height * self._unit)))
        with self._pen.group(
            class_="dl-plane",
            data_kind="plane",
            data_id=plane.id,
            data_box=box,
            data_backdrop=plane.backdrop,
            data_title=plane.title or None,
        ):
            if plane.backdrop is not None:
                self._backdrop()
            if plane.backdrop == "water":
                scenery.shore(self._pen, [self._outline(one) for one in plane.tiles if _has_shore(one)], self._unit)
            for tile in plane.tiles:
                self._tile(tile, is_changed=tile.id in changed)
            for path in plane.paths:
                self._path(path, is_changed=path.id in changed)
            for caption in plane.captions:
                self._caption(caption)
            if before is not None:
                self._trails(changed, spots(before))
            for one in plane.pieces:
                self._piece(one, is_changed=one.id in changed)

    def _at(self, x: float, y: float) -> Point:
        return self._x + x * self._unit, self._y + y * self._unit

    def _backdrop(self) -> None:
        width, height = self._plane.width * self._unit, self._plane.height * self._unit
        backdrop = self._plane.backdrop or ""
        fill = BACKDROPS.get(backdrop, f"{backdrop}-fill")
        self._pen.rect(self._x, self._y, width, height, 14, fill=fill)

    def _tile(self, tile: Tile, *, is_changed: bool) -> None:
        pen, unit = self._pen, self._unit
        x, y = self._at(tile.x, tile.y)
        attributes: dict[str, Attribute] = {
            "class_": "dl-tile",
            "data_kind": "tile",
            "data_id": tile.id,
            "data_place": tile.place,
            "data_state": tile.state or None,
            "data_changed": "true" if is_changed else None,
        }
        title = tile.title or ", ".join(filter(None, (tile.label, tile.state)))
        with pen.group(title, **attributes):
            outline = self._outline(tile)
            if tile.vignette and not tile.is_gone:
                self._scene(tile, outline, x, y)
            else:
                self._body(tile, outline)
                if not tile.vignette or unit >= scenery.NAMED:
                    self._words(tile, x, y)
            # The pieces on a row tell what has changed there; the rows of a page that was turned are all new.
            if is_changed and tile.shape != "rectangle":
                high = tile.height if tile.shape == "polygon" else tile.width
                self._fresh(x + tile.width * unit * 0.34, y - high * unit * 0.34)

    def _outline(self, tile: Tile) -> list[Point]:
        x, y = self._at(tile.x, tile.y)
        gap = scenery.INSET * (3 if tile.is_gone else 1) if tile.vignette and tile.shape == "square" else GAP
        return [(x + u * self._unit, y + v * self._unit) for u, v in corners(tile, gap)]

    def _scene(self, tile: Tile, outline: list[Point], x: float, y: float) -> None:
        pen, unit = self._pen, self._unit
        if tile.shape == "rectangle":
            scenery.header(pen, tile, (x, y), unit)
            return
        if tile.shape == "flat_hexagon":
            self._face(tile, outline)
            scenery.sight(pen, tile, (x, y), unit)
            pen.text(x, y + unit * 0.34, tile.label, CHART_TEXT, bold=True, anchor="middle")
            return
        if tile.shape != "square":
            scenery.region(pen, tile, outline, (x, y), unit)
            for badge in tile.badges:
                size = unit * 0.5
                pen.circle(x, y + size, size * 0.56, fill="panel", stroke="outline", stroke_width=1.6)
                pen.text(x, y + size * 1.25, badge.text, size * 0.7, bold=True, anchor="middle")
            return
        backdrop = self._plane.backdrop
        bed = "beach" if backdrop == "water" else BACKDROPS.get(backdrop or "", "page")
        scenery.square(pen, tile, (x, y), unit, bed)
        if tile.heap:
            scenery.heap(pen, tile, (x, y), unit)
        scenery.signs(pen, tile, (x, y), unit)
        scenery.name_plate(pen, tile, (x, y), unit)

    def _fresh(self, x: float, y: float) -> None:
        """Draw the dot that marks a change."""
        self._pen.circle(x, y, max(4.0, self._unit * 0.085), fill="fresh", stroke="halo", stroke_width=1.6)

    def _shape(self, tile: Tile, outline: list[Point], shift: float = 0.0, /, **style: Attribute) -> None:
        pen = self._pen
        if tile.shape in {"square", "rectangle"}:
            (left, top), _, (right, bottom), _ = outline
            radius = min(0.1 * self._unit, (bottom - top) * 0.3)
            pen.rect(left, top + shift, right - left, bottom - top, radius, **style)
        elif tile.shape == "circle":
            x, y = self._at(tile.x, tile.y)
            pen.circle(x, y + shift, (tile.width / 2 - GAP) * self._unit, **style)
        elif tile.shape == "flat_hexagon":
            # Relative, so that equal spaces have equal text, which is compressed well.
            (right, top), (u, v), *_ = outline
            wide, high, side = number(right - u), number(v - top), number(2 * (right - u))
            around = f"l-{wide} {high}h-{side}l-{wide}-{high} {wide}-{high}h{side}z"
            pen.path(f"M{number(right)} {number(top)}{around}", **style)
        else:
            pen.polygon([(x, y + shift) for x, y in outline], stroke_linejoin="round", **style)

    def _body(self, tile: Tile, outline: list[Point]) -> None:
        unit = self._unit
        if tile.is_gone:
            self._hole(tile, outline)
            return
        if tile.shape != "flat_hexagon":
            self._shape(tile, outline, unit * 0.025, fill="shade")
        self._face(tile, outline)
        if tile.pattern:
            draw_pattern(self._pen, tile.pattern, tile.ground, outline, unit)

    def _face(self, tile: Tile, outline: list[Point]) -> None:
        self._shape(
            tile,
            outline,
            fill=f"{tile.ground}-fill",
            stroke="outline" if tile.is_strong else f"{tile.ground}-line",
            stroke_width=max(1.0, self._unit * (0.03 if tile.is_strong else 0.012)),
            class_="dl-face",
        )

    def _hole(self, tile: Tile, outline: list[Point]) -> None:
        style: dict[str, Attribute] = {"fill": "none", "stroke": "sea-line"}
        dotted: dict[str, Attribute] = {"stroke_dasharray": "1.6 5", "stroke_linecap": "round", "stroke_width": 1.6}
        self._shape(tile, outline, class_="dl-face", **dotted, **style)
        left, right = min(x for x, _ in outline), max(x for x, _ in outline)
        bottom = max(y for _, y in outline)
        inset = (right - left) * 0.18
        for height in (0.14, 0.26):
            start = left + inset, bottom - height * self._unit
            wave = waves(start, right - left - 2 * inset, length=self._unit * 0.2)
            self._pen.path(wave, stroke_width=1.3, stroke_linecap="round", **style)

    def _words(self, tile: Tile, x: float, y: float) -> None:
        """Draw a tile's badges and name: top left in a square, otherwise in the middle."""
        unit = self._unit
        if any(badge.pips for badge in tile.badges):
            scenery.band(self._pen, tile, tile.badges[0], (x, y), unit)
            return
        if tile.shape == "rectangle":
            self._row(tile, x, y)
            return
        width, height = (length * unit for length in room(tile))
        strip_height = self._strips.get(tile.id, (0.0, 0.0))[1] * unit
        ink = _ink(tile)
        # A star is small, and its texts fill it.
        text_share, badge_share = (0.33, 0.4) if tile.shape == "circle" else (0.155, 0.2)
        size = CHART_TEXT if tile.shape == "flat_hexagon" else max(MIN_TEXT, min(unit * text_share, 16))
        badge = max(11.0, unit * badge_share) if tile.badges else 0.0
        free = height - badge - strip_height
        lines = wrap(tile.label, size, width, min(3, int(free / (size * 1.1))))
        if any(line.endswith(ELLIPSIS) for line in lines):
            lines, size = [pair_of(tile.label)], min(PAIR, width * 0.6)
        if tile.shape == "square":
            top = y - height / 2
            if tile.badges:
                if tile.pattern:
                    row = sum(self._badge_width(one, badge) for one in tile.badges)
                    self._plate(tile, (x - width / 2 - 2, top - 1, row + 2, badge + 2))
                self._badges(tile.badges, x - width / 2, top + badge / 2, badge, ink)
            self._lines(tile, lines, (x - width / 2, top + badge * 1.08), size)
            return
        top = y - (len(lines) * size * 1.15 + badge + strip_height) / 2
        if tile.badges:
            row = sum(self._badge_width(one, badge) for one in tile.badges)
            self._badges(tile.badges, x - row / 2, top + badge / 2, badge, ink)
        self._lines(tile, lines, (x, top + badge), size)

    def _row(self, tile: Tile, x: float, y: float) -> None:
        """Draw a row of a list: its number on a disc, its name, and below that its state and its signs."""
        unit, ink = self._unit, _ink(tile)
        width = room(tile)[0] * unit
        left, right = x - width / 2, x + width / 2 - self._strips.get(tile.id, (0.0, 0.0))[0] * unit
        number_, signs = [one for one in tile.badges if not one.symbol], [one for one in tile.badges if one.symbol]
        for badge in number_:
            radius = unit * 0.14
            self._pen.circle(left + radius, y, radius, fill="soft", class_="dl-number")
            self._pen.text(left + radius, y + 6, badge.text, 17, fill="panel", bold=True, anchor="middle")
            left += radius * 2 + unit * 0.07
        size = ROW_TEXT if width_of(tile.label, ROW_TEXT) <= right - left else MIN_TEXT
        lines = wrap(tile.label, size, right - left, 2)
        below = unit * 0.19 if tile.state or signs else 0.0
        top = y - (len(lines) * size * 1.12 + below) / 2
        self._lines(tile, lines, (left, top), size)
        top += len(lines) * size * 1.12
        if tile.state:
            if tile.pattern:
                self._plate(tile, (left - 2, top, width_of(tile.state, MIN_TEXT) + 4, below))
            left += self._pen.text(left, top + below * 0.72, tile.state, MIN_TEXT, fill=ink) + unit * 0.08
        for badge in signs:
            # Above the ring around the row
            radius = below * 0.45
            # A skill is checked, everything else is gained or lost.
            ground, sign_ink = ("panel", "ink") if badge.text else ("ink", "panel")
            with self._pen.group(badge.title):
                centre = left + radius, top + radius
                self._pen.circle(*centre, radius, fill=ground, stroke="ink", stroke_width=1)
                glyph(self._pen, badge.symbol or "question", centre, radius * 1.45, sign_ink)
            left += radius * 2 + unit * 0.03

    def _lines(self, tile: Tile, lines: Sequence[str], at: Point, size: float) -> None:
        """Draw the lines of a name below `at`, left-aligned in squares and rectangles, otherwise centred."""
        x, top = at
        is_centred = tile.shape not in {"square", "rectangle"}
        wide = max((width_of(line, size) for line in lines), default=0.0) / 1.1
        if tile.pattern and lines and not tile.is_gone:
            left = x - wide / 2 if is_centred else x
            high = size * (1.12 * len(lines) + 0.12)
            self._plate(tile, (left - 2, top + size * 0.1, wide + 4, high))
        for row, line in enumerate(lines):
            base = top + size * (0.95 + 1.12 * row)
            self._pen.text(x, base, line, size, fill=_ink(tile), anchor="middle" if is_centred else "start")

    def _plate(self, tile: Tile, box: tuple[float, float, float, float]) -> None:
        """Draw a plate behind a tile's words, so that the tile's pattern does not cross the words."""
        x, y, width, height = box
        self._pen.rect(x, y, width, height, 3, fill=f"{tile.ground}-fill", fill_opacity="0.85")

    def _badge_width(self, badge: Badge, size: float) -> float:
        text = width_of(badge.text, size * 0.72, bold=True) if badge.text else 0.0
        return text + (size if badge.symbol or badge.form else 0.0) + size * 0.2

    def _badges(self, badges: Iterable[Badge], x: float, y: float, size: float, ink: str) -> float:
        """Draw a row of badges from x to the right, centred on y; return its width."""
        start = x
        for badge in badges:
            with self._pen.group(badge.title):
                drawn = 0.0
                if badge.form is not None:
                    token(self._pen, badge.form, badge.colour or "white", (x + size / 2, y), size * 0.34)
                    drawn = size
                elif badge.symbol is not None:
                    glyph(self._pen, badge.symbol, (x + size / 2, y), size * 0.92, ink)
                    drawn = size
                if badge.text:
                    self._pen.text(x + drawn, y + size * 0.26, badge.text, size * 0.72, fill=ink, bold=True)
            x += self._badge_width(badge, size)
        return x - start

    def _path(self, path: Path, *, is_changed: bool) -> None:
        points = [self._at(x, y) for x, y in path.points]
        d = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
        style: dict[str, Attribute] = {
            "fill": "none", "stroke": "accent" if is_changed else "ink" if path.is_strong else "soft",
            "stroke_width": max(1.2, self._unit * (0.05 if path.is_strong else 0.022)), "stroke_linejoin": "round",
            "stroke_linecap": "round", "stroke_dasharray": DASHES[path.dash],
        }  # fmt: skip
        with self._pen.group(
            path.title, data_kind="path", data_id=path.id, data_changed="true" if is_changed else None
        ):
            self._pen.path(d, **style)
            if path.has_arrow:
                self._arrow(points[-2], points[-1], str(style["stroke"]))

    def _arrow(self, start: Point, end: Point, fill: str) -> None:
        (u, v), (x, y) = start, end
        angle, length = atan2(y - v, x - u), max(5.0, self._unit * 0.12)
        wings = [(x - length * cos(angle + turn), y - length * sin(angle + turn)) for turn in (pi / 7, -pi / 7)]
        self._pen.polygon([(x, y), *wings], fill=fill)

    def _caption(self, caption: Caption) -> None:
        x, y = self._at(caption.x, caption.y)
        size = max(MIN_TEXT, min(self._unit * 0.38, 24))
        across = 2 * min(caption.x, self._plane.width - caption.x) * self._unit
        text = fit(caption.text, size, across, bold=caption.is_strong)
        self._pen.text(x, y + size * 0.35, text, size, bold=caption.is_strong, anchor="middle")

    def _trails(self, changed: frozenset[str], was: dict[str, PieceSpot]) -> None:
        for one in self._plane.pieces:
            old, new = was.get(one.id), self._spots[one.id]
            if one.id not in changed or old is None or hypot(new.x - old.x, new.y - old.y) < new.size:
                continue
            (x, y), (u, v) = self._at(old.x, old.y), self._at(new.x, new.y)
            angle = atan2(v - y, u - x)
            reach = new.size * self._unit * 0.62
            end = u - reach * cos(angle), v - reach * sin(angle)
            line = f"M{number(x)} {number(y)}L{number(end[0])} {number(end[1])}"
            for stroke, width in (("halo", 5.0), ("fresh", 2.6)):
                self._pen.path(line, fill="none", stroke=stroke, stroke_width=width, stroke_dasharray="5 4")
            self._fresh(x, y)
            self._arrow((x, y), end, "fresh")

    def _piece(self, one: Piece, *, is_changed: bool) -> None:
        spot = self._spots[one.id]
        x, y = self._at(spot.x, spot.y)
        size = spot.size * self._unit
        attributes: dict[str, Attribute] = {
            "class_": "dl-piece",
            "data_kind": "piece",
            "data_id": one.id,
            "data_seat": one.seat,
            "data_place": one.place,
            "data_changed": "true" if is_changed else None,
        }
        with self._pen.group(one.title, **attributes):
            piece(self._pen, one, (x, y), size)
            if is_changed:
                self._fresh(x + size * 0.36, y - size * 0.36)


def _ink(tile: Tile) -> str:
    return "night-ink" if tile.ground == "night" else "ink"


def pair_of(label: str) -> str:
    """Return two letters for a name: the initials of its first and last word, or the first two of its only word."""
    words = [word for word in label.split() if word[:1].isalnum()] or [label]
    return (words[0][0] + words[-1][0]).upper() if len(words) > 1 else words[0][:2].capitalize()


def _has_shore(tile: Tile) -> bool:
    return not tile.is_gone and ((bool(tile.vignette) and tile.shape == "square") or tile.shape == "hexagon")
