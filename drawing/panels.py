"""Draw the panels: all parts of the table except the boards (planes).

Each panel is drawn at (0, 0), in a given width.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

from drawing.column import PAD, SMALL, TEXT, DrawingColumn
from drawing.geometry import corners
from drawing.patterns import draw_pattern
from drawing.pieces import glyph, piece, ring, token
from drawing.plane import PlaneDrawing
from drawing.text import fit, width_of, wrap
from engine.core.language import say
from engine.kit.scene.panels import (
    CardStack,
    Charts,
    Counters,
    Legend,
    Meter,
    Note,
    Panel,
    PlayerMat,
    Shelf,
    Sign,
    Table,
    Track,
)
from engine.kit.scene.planes import Tile

TICK = 30.0
CHART = 140.0
"""The minimum width of a chart."""


def is_wide(panel: Panel) -> bool:
    """Return True if a panel needs the whole width, and no panel can be beside it."""
    match panel:
        case Meter():
            return len(panel.levels) > 6
        case Track():
            return len(panel.steps) > 4
        case Table():
            return len(panel.head) > 3
        case Charts():
            return len(panel.planes) > 2
        case _:
            return False


def draw(column: DrawingColumn, panel: Panel) -> float:
    """Draw `panel` in an empty column; return its height."""
    _DRAWN[type(panel)](column, panel)
    return column.y + PAD - 6


def _standing(player: PlayerMat) -> str:
    if player.is_out:
        return say("out")
    if player.is_awaited:
        return say("to act")
    return say("turn") if player.is_active else ""


def _player(column: DrawingColumn, player: PlayerMat) -> None:
    pen, width = column.pen, column.width
    token(pen, player.form, player.colour, (PAD + 13, PAD + 13), 11.5, text=player.initials)
    right = width - PAD
    pill = _standing(player)
    if pill:
        wide = width_of(pill, SMALL, bold=True) + 14
        right -= wide + 6
        fill, ink = ("ink", "page") if player.is_awaited else ("rim", "ink")
        pen.rect(width - PAD - wide, PAD + 1, wide, 18, 9, fill=fill)
        pen.text(width - PAD - wide / 2, PAD + 13.5, pill, SMALL, fill=ink, bold=True, anchor="middle")
    left = PAD + 36
    base = PAD + 11 if player.role else PAD + 18
    pen.text(left, base, fit(player.name, TEXT + 2, right - left, bold=True), TEXT + 2, bold=True, strike=player.is_out)
    if player.role:
        pen.text(left, PAD + 26, fit(player.role, SMALL, right - left), SMALL, fill="soft")
    column.y = PAD + 37
    column.gauges(player.gauges)
    column.chips(player.cards)
    if player.note:
        column.paragraph(player.note, 4)
    if not player.cards and player.empty:
        column.paragraph(player.empty, 1)


def _counters(column: DrawingColumn, counters: Counters) -> None:
    column.heading(counters.title)
    column.gauges(counters.gauges)


def _note(column: DrawingColumn, note: Note) -> None:
    column.heading(note.title)
    column.paragraph(note.text)


def _meter(column: DrawingColumn, meter: Meter) -> None:
    column.heading(meter.title, meter.reading)
    pen, count = column.pen, len(meter.levels)
    wide = column.inner / count
    top = column.y + 8
    has_notes = all(width_of(level.note, SMALL) <= wide - 2 for level in meter.levels)
    for at, level in enumerate(meter.levels):
        x = PAD + at * wide
        is_reached, is_end = at <= meter.at, level.symbol == "skull"
        fill = "sea-deep" if is_reached else "panel"
        pen.rect(x + 1, top, wide - 2, TICK, 4, fill=fill, stroke="grave" if is_end else "sea-deep", stroke_width=1.2)
        ink = "panel" if is_reached else "grave" if is_end else "ink"
        if level.symbol is not None:
            glyph(pen, level.symbol, (x + wide / 2, top + TICK / 2), min(18.0, wide - 6), ink)
        else:
            pen.text(x + wide / 2, top + 20, level.label, TEXT + 1, fill=ink, bold=at == meter.at, anchor="middle")
        if level.note and has_notes:
            pen.text(x + wide / 2, top + TICK + 11, level.note, SMALL, fill="soft", anchor="middle")
    x = PAD + (meter.at + 0.5) * wide
    pen.polygon([(x - 6, top - 8), (x + 6, top - 8), (x, top - 1)], fill="ink")
    if meter.id in column.changed:
        ring(pen, (PAD + meter.at * wide + 1, top, wide - 2, TICK), 4)
    column.y = top + TICK + (18 if has_notes and any(level.note for level in meter.levels) else 8)


def _pile(column: DrawingColumn, pile: CardStack) -> None:
    pen, top = column.pen, column.y
    for at in range(min(3, pile.count)):
        pen.rect(PAD + 4 - 2 * at, top + 4 - 2 * at, 26, 34, 4, fill="sea-deep", stroke="panel", stroke_width=1.5)
    if not pile.count:
        pen.rect(PAD, top, 26, 34, 4, fill="none", stroke="rim", stroke_width=1.5, stroke_dasharray="4 3")
    ink = "panel" if pile.count else "soft"
    pen.text(PAD + 13, top + 22, str(pile.count), TEXT + 2, fill=ink, bold=True, anchor="middle")
    left = PAD + 40
    pen.text(left, top + 13, fit(pile.title, TEXT + 1, column.width - PAD - left, bold=True), TEXT + 1, bold=True)
    told = say("to draw")
    if pile.discarded is not None:
        told = say("to draw · {count} discarded", count=pile.discarded)
    for at, line in enumerate(filter(None, (told, say("on top: {card}", card=pile.top) if pile.top else ""))):
        text = fit(line, SMALL, column.width - PAD - left)
        pen.text(left, top + 28 + 14 * at, text, SMALL, fill="soft")
    if pile.id in column.changed:
        ring(pen, (PAD, top, 30, 38), 4)
    column.y = top + (52 if pile.top else 46)
    for heading, cards in ((say("Remaining"), pile.left), (say("Discarded"), pile.discard)):
        if cards:
            pen.text(PAD, column.y + 8, heading, SMALL, fill="soft", bold=True)
            column.y += 14
            column.chips(cards)
    for note in pile.notes:
        column.paragraph(note)


def _per_row(count: int, room: float, narrowest: float, gap: float) -> int:
    """Return the number of items per row that makes all rows about equally long."""
    most = max(1, int((room + gap) / (narrowest + gap)))
    rows = ceil(count / most)
    return ceil(count / rows) if rows else 1


def _shelf(column: DrawingColumn, shelf: Shelf) -> None:
    column.heading(shelf.title)
    pen, gap = column.pen, 6.0
    per_row = _per_row(len(shelf.cards), column.inner, 54, gap)
    wide = (column.inner - gap * (per_row - 1)) / per_row
    for at, card in enumerate(shelf.cards):
        if at and at % per_row == 0:
            column.y += 62
        x, y = PAD + (at % per_row) * (wide + gap), column.y
        ink = "soft" if card.is_faint else "ink"
        with pen.group(card.title, **column.tags("card", card.id, card.place)):
            column.card_box(card, x, y, wide, 56)
            size, middle, most = (SMALL, y + 42.5, 2) if card.symbol else (SMALL, y + 28, 4)
            if card.symbol:
                glyph(pen, card.symbol, (x + wide / 2, y + 16), 21, ink)
            elif len(card.label) <= len("12"):
                size = TEXT * 1.7
            lines = wrap(card.label, size, wide - 6, most)
            for line_at, line in enumerate(lines):
                base = middle + size * (0.35 + 1.15 * (line_at - (len(lines) - 1) / 2))
                pen.text(x + wide / 2, base, line, size, fill=ink, anchor="middle")
            if card.count != 1:
                pen.text(x + wide - 5, y + 13, f"×{card.count}", SMALL, fill=ink, bold=True, anchor="end")
    column.y += 64


def _track(column: DrawingColumn, track: Track) -> None:
    column.heading(track.title)
    pen, gap = column.pen, 5.0
    per_row = _per_row(len(track.steps), column.inner, 58, gap)
    wide = (column.inner - gap * (per_row - 1)) / per_row
    for at, step in enumerate(track.steps):
        if at and at % per_row == 0:
            column.y += 56
        x, y, is_now = PAD + (at % per_row) * (wide + gap), column.y, at == track.at
        with pen.group(step.label, **column.tags("step", step.id, step.place)):
            fill, line = ("sea", "ink") if is_now else ("page", "rim")
            pen.rect(x, y, wide, 50, 5, fill=fill, stroke=line, stroke_width=2 if is_now else 1)
            if step.id in column.changed:
                ring(pen, (x, y, wide, 50), 5)
            label = fit(step.label, SMALL, wide - 6)
            pen.text(x + wide / 2, y + 12.5, label, SMALL, fill="ink" if is_now else "soft", anchor="middle")
            size = min(32.0, (wide - 6) / max(1, len(step.pieces)))
            for place, one in enumerate(step.pieces):
                middle = x + wide / 2 + (place - (len(step.pieces) - 1) / 2) * size
                with pen.group(one.title, **column.tags("piece", one.id, one.place), data_seat=one.seat):
                    piece(pen, one, (middle, y + 31), size)
                    if one.id in column.changed:
                        ring(pen, (middle - size / 2 + 2, y + 31 - size / 2 + 2, size - 4, size - 4), size / 2)
    column.y += 58


def _table(column: DrawingColumn, table: Table) -> None:
    column.heading(table.title)
    pen, count = column.pen, max(1, len(table.head))
    rest = column.inner * 0.68 / (count - 1) if count > 1 else 0
    first = column.inner - rest * (count - 1)
    for at, row in enumerate((table.head, *table.rows)):
        if at:
            pen.rect(PAD, column.y - 2, column.inner, 1, fill="rim")
        x = PAD
        for cell_at, cell in enumerate(row[:count]):
            wide = rest if cell_at else first
            text = fit(cell, SMALL, wide - 6, bold=not at)
            pen.text(x, column.y + 11, text, SMALL, fill="ink" if at else "soft", bold=not at)
            x += wide
        column.y += 18
    if table.id in column.changed:
        ring(pen, (PAD - 4, PAD + 18, column.inner + 8, column.y - PAD - 18), 4)
    column.y += 4


def _charts(column: DrawingColumn, charts: Charts) -> None:
    column.heading(charts.title)
    pen, gap, planes = column.pen, 14.0, charts.planes
    per_row = max(1, min(len(planes), int((column.inner + gap) / (CHART + gap))))
    wide = (column.inner - gap * (per_row - 1)) / per_row
    for start in range(0, len(planes), per_row):
        row = planes[start : start + per_row]
        for at, plane in enumerate(row):
            x = PAD + at * (wide + gap)
            pen.text(x, column.y + 11, fit(plane.title, SMALL, wide), SMALL, fill="soft")
            PlaneDrawing(pen, plane, x, column.y + 18, wide / plane.width).draw(column.changed, None)
        column.y += 24 + max(wide * plane.height / plane.width for plane in row)


def _legend(column: DrawingColumn, legend: Legend) -> None:
    column.heading(legend.title)
    x = PAD
    for sign in legend.signs:
        text = fit(sign.text, SMALL, column.inner - 24)
        wide = 22 + width_of(text, SMALL) + 10
        if x > PAD and x + wide > column.width - PAD + 10:
            x, column.y = PAD, column.y + 21
        _swatch(column, sign, x)
        column.pen.text(x + 22, column.y + 12.5, text, SMALL, fill="soft")
        x += wide
    column.y += 25


def _swatch(column: DrawingColumn, sign: Sign, x: float) -> None:
    pen, y = column.pen, column.y
    if sign.is_gone:
        pen.rect(x, y, 16, 16, 3, fill="none", stroke="soft", stroke_width=1.2, stroke_dasharray="3 2")
    elif sign.ground is not None:
        line = f"{sign.ground}-line"
        pen.rect(x, y, 16, 16, 3, fill=f"{sign.ground}-fill", stroke=line, stroke_width=1)
        if sign.pattern:
            tile = Tile(id="", x=0, y=0, width=15)
            outline = [(x + 8 + u, y + 8 + v) for u, v in corners(tile)]
            draw_pattern(pen, sign.pattern, sign.ground, outline, 36)
    if sign.symbol is not None:
        ink = "night-ink" if sign.ground == "night" else "ink"
        glyph(pen, sign.symbol, (x + 8, y + 8), 14 if sign.ground is None else 11, ink)


_DRAWN: dict[type[Any], Callable[[DrawingColumn, Any], None]] = {
    PlayerMat: _player,
    Meter: _meter,
    CardStack: _pile,
    Shelf: _shelf,
    Counters: _counters,
    Track: _track,
    Table: _table,
    Note: _note,
    Charts: _charts,
    Legend: _legend,
}
