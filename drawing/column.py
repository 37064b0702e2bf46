"""Draw the parts of panels from top to bottom: headings, paragraphs, chips, gauges, boxes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from drawing.pen import Attribute, Pen
from drawing.pieces import glyph, ring
from drawing.text import fit, width_of, wrap
from engine.core.language import say
from engine.kit.scene.panels import Card, Gauge

PAD = 12.0
CHIP = 22.0
SMALL = 12.0
TEXT = 13.0
BOXES = 10
"""The maximum number of cards that are drawn one by one."""


class DrawingColumn(msgspec.Struct):
    """A column of the given width; each method draws at `y` and moves `y` down."""

    pen: Pen
    width: float
    changed: frozenset[str]
    y: float = PAD

    @property
    def inner(self) -> float:
        """The width between the margins."""
        return self.width - 2 * PAD

    def heading(self, title: str, reading: str = "") -> None:
        """Draw the panel's name, and a short text at the right."""
        room = self.inner
        if reading:
            reading = fit(reading, TEXT, self.inner * 0.62)
            room -= width_of(reading, TEXT) + 8
            self.pen.text(self.width - PAD, self.y + 11, reading, TEXT, fill="soft", anchor="end")
        self.pen.text(PAD, self.y + 11, fit(title, TEXT + 1, room, bold=True), TEXT + 1, bold=True)
        self.y += 20

    def paragraph(self, text: str, lines: int = 12) -> None:
        """Draw wrapped text."""
        for line in wrap(text, SMALL, self.inner, lines):
            self.y += SMALL * 1.3
            self.pen.text(PAD, self.y - SMALL * 0.25, line, SMALL, fill="soft")
        self.y += 4

    def chips(self, cards: Sequence[Card]) -> None:
        """Draw cards as chips, in rows as full as possible."""
        x = PAD
        for card in cards:
            count = f"×{card.count}" if card.count != 1 else ""
            extra = 14 + (17 if card.symbol else 0) + (width_of(count, SMALL, bold=True) + 4 if count else 0)
            label = fit(card.label, SMALL, self.inner - extra)
            wide = extra + width_of(label, SMALL)
            if x > PAD and x + wide > self.width - PAD:
                x, self.y = PAD, self.y + CHIP + 5
            self._chip(card, x, wide, label, count)
            x += wide + 5
        if cards:
            self.y += CHIP + 6

    def _chip(self, card: Card, x: float, wide: float, label: str, count: str) -> None:
        ink = "soft" if card.is_faint else "night-ink" if card.ground == "night" else "ink"
        with self.pen.group(card.title, **self.tags("card", card.id, card.place)):
            self.card_box(card, x, self.y, wide, CHIP)
            at = x + 7
            if card.symbol:
                glyph(self.pen, card.symbol, (at + 7, self.y + CHIP / 2), 14, ink)
                at += 17
            at += self.pen.text(at, self.y + 15, label, SMALL, fill=ink)
            if count:
                self.pen.text(at + 4, self.y + 15, count, SMALL, fill=ink, bold=True)

    def card_box(self, card: Card, x: float, y: float, wide: float, high: float) -> None:
        """Draw the background of a card: dashed if the card is missing, with a ring if the card has changed."""
        if card.is_faint:
            self.pen.rect(x, y, wide, high, 5, fill="none", stroke="rim", stroke_width=1.2, stroke_dasharray="4 3")
        else:
            line = f"{card.ground}-line"
            self.pen.rect(x, y, wide, high, 5, fill=f"{card.ground}-fill", stroke=line, stroke_width=1)
        if card.id in self.changed:
            ring(self.pen, (x, y, wide, high), 5)

    def tags(self, kind: str, id_: str, place: str | None) -> dict[str, Attribute]:
        """Return the attributes that identify an element to a page."""
        return {
            "class_": f"dl-{kind}",
            "data_kind": kind,
            "data_id": id_,
            "data_place": place,
            "data_changed": "true" if id_ in self.changed else None,
        }

    def gauges(self, gauges: Sequence[Gauge]) -> None:
        """Draw numbers, in two columns if they fit."""
        widest = max((gauge_width(gauge) for gauge in gauges), default=0.0)
        columns = max(1, min(len(gauges), 4, int((self.inner + 14) / (widest + 14))))
        wide = (self.inner - 14 * (columns - 1)) / columns
        for at, gauge in enumerate(gauges):
            column = at % columns
            if at and column == 0:
                self.y += 20
            self._gauge(gauge, PAD + column * (wide + 14), wide)
        if gauges:
            self.y += 23

    def _gauge(self, gauge: Gauge, x: float, wide: float) -> None:
        ink = "grave" if gauge.is_grave else "ink"
        with self.pen.group(_describe_gauge(gauge), **self.tags("gauge", gauge.id, None)):
            if gauge.id in self.changed:
                ring(self.pen, (x - 3, self.y, wide + 6, 18), 4)
            at, right = x, x + wide
            if gauge.symbol:
                glyph(self.pen, gauge.symbol, (x + 7, self.y + 9), 14, ink)
                at += 19
            boxes = _boxes(gauge)
            if boxes:
                for box in reversed(boxes):
                    right -= 11
                    self._box(box, right, self.y + 4.5, ink)
                right -= 5
            else:
                right -= self.pen.text(right, self.y + 13, _value(gauge), TEXT, fill=ink, bold=True, anchor="end") + 6
            label = f"{gauge.label} {gauge.note}".strip() if gauge.note else gauge.label
            self.pen.text(at, self.y + 13, fit(label, SMALL, right - at), SMALL, fill="soft")

    def _box(self, box: str, x: float, y: float, ink: str) -> None:
        match box:
            case "#":
                self.pen.rect(x, y, 9, 9, 2, fill=ink, stroke=ink, stroke_width=1)
            case "x":
                self.pen.rect(x, y + 4, 9, 1.5, fill="rim")
            case _:
                self.pen.rect(x, y, 9, 9, 2, fill="none", stroke="soft", stroke_width=1)
                if box == "*":
                    glyph(self.pen, "star", (x + 4.5, y + 4.5), 7, "soft")


def _boxes(gauge: Gauge) -> str:
    if gauge.boxes:
        return gauge.boxes
    if gauge.of is not None and 0 <= gauge.value <= gauge.of <= BOXES:
        return "#" * gauge.value + "." * (gauge.of - gauge.value)
    return ""


def _value(gauge: Gauge) -> str:
    return str(gauge.value) if gauge.of is None else f"{gauge.value} / {gauge.of}"


def _describe_gauge(gauge: Gauge) -> str:
    if gauge.of is None:
        return f"{gauge.label}: {gauge.value}"
    return say("{what}: {value} of {of}", what=gauge.label, value=gauge.value, of=gauge.of)


def gauge_width(gauge: Gauge) -> float:
    """Return the preferred width of a gauge."""
    boxes = _boxes(gauge)
    value = 11 * len(boxes) + 5 if boxes else width_of(_value(gauge), TEXT, bold=True) + 6
    label = f"{gauge.label} {gauge.note}" if gauge.note else gauge.label
    return value + width_of(label, SMALL) + (19 if gauge.symbol else 0)
