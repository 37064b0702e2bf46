"""Draw pawns, symbols, and rings around changes."""

from __future__ import annotations

from contextlib import AbstractContextManager

from drawing.geometry import Point
from drawing.pen import Attribute, Pen
from drawing.symbols import SYMBOLS, SymbolPaths, outline
from drawing.text import width_of
from engine.kit.scene.looks import FORMS, Colour, Form, Symbol
from engine.kit.scene.planes import Piece
from engine.kit.vignette import Tint

RING = 2.5
"""Width of the ring around a change."""


LETTERED: dict[Symbol, SymbolPaths] = {
    "hut": SymbolPaths(fill="M12 1L23 12H20V22H4V12H1z"),
    "canoe": SymbolPaths(fill="M-1 5C5 9 19 9 25 5C25 18 20 23 12 23C4 23 -1 18 -1 5z"),
}
"""Variants of symbols that have no lines where letters are drawn."""
ROUNDED: dict[str, Attribute] = {"stroke_linecap": "round", "stroke_linejoin": "round"}


def glyph(pen: Pen, symbol: Symbol, at: Point, size: float, fill: str = "ink") -> None:
    """Draw a symbol in a box of `size` around `at`."""
    with _boxed_group(pen, at, size):
        _strokes(pen, SYMBOLS[symbol], fill)


def _boxed_group(pen: Pen, at: Point, size: float) -> AbstractContextManager[None]:
    x, y = at
    return pen.group(transform=f"translate({x - size / 2:.1f} {y - size / 2:.1f}) scale({size / 24:.3f})")


def _strokes(pen: Pen, drawn: SymbolPaths, fill: str) -> None:
    if drawn.fill:
        pen.path(drawn.fill, fill=fill, fill_rule="evenodd")
    if drawn.line:
        pen.path(drawn.line, fill="none", stroke=fill, stroke_width=2, **ROUNDED)


def disc_sign(pen: Pen, symbol: Symbol, tint: Tint, at: Point, radius: float) -> None:
    """Draw a white symbol on a disc in the colour of `tint`. A rim separates the disc from the background."""
    x, y = at
    pen.circle(x, y, radius, fill=f"{tint}-tint", stroke="tint-ink", stroke_width=max(1.2, radius * 0.16))
    glyph(pen, symbol, at, radius * 1.35, "tint-ink")


def token(pen: Pen, form: Form, colour: Colour, at: Point, radius: float, *, text: str = "") -> None:
    """Draw a pawn's form in its colour, with `text` inside."""
    x, y = at
    style: dict[str, Attribute] = {
        "fill": f"{colour}-pawn",
        "stroke": "outline",
        "stroke_width": max(0.8, radius * 0.08),
    }
    edge = outline(form, x, y, radius)
    halo: dict[str, Attribute] = {"fill": "halo", "stroke": "halo", "stroke_width": max(3.0, radius * 0.4)}
    if edge:
        pen.polygon(edge, stroke_linejoin="round", **halo)
        pen.polygon(edge, stroke_linejoin="round", **style)
    else:
        pen.circle(x, y, radius, **halo)
        pen.circle(x, y, radius, **style)
    if text:
        size = min(radius * (1.25 if len(text) == 1 else 0.95), radius * 1.6 * 12 / max(1.0, width_of(text, 12)))
        drop = 0.12 if form == "triangle" else 0
        pen.text(x, y + size * (0.35 + drop), text, size, fill=f"{colour}-letter", bold=True, anchor="middle")


def piece(pen: Pen, one: Piece, at: Point, size: float) -> None:
    """Draw a piece in a box of `size` around `at`."""
    x, y = at
    radius = size * 0.39
    if one.tint is not None:
        plinth(pen, one, at, size)
        return
    if one.is_active:
        # A symbol without a form of its own stands on a disc.
        fill = "none" if one.form else "halo"
        pen.circle(x, y, radius * 1.48, fill=fill, stroke="outline", stroke_width=max(1.2, size * 0.05))
    style: dict[str, Attribute] = {"opacity": "0.45"} if one.is_faint else {}
    with pen.group(**style):
        if one.form is not None:
            token(pen, one.form, one.colour or "white", (x, y), radius, text="" if one.symbol else one.text)
            if one.symbol is not None:
                glyph(pen, one.symbol, (x, y), radius * 1.3, f"{one.colour or 'white'}-letter")
        elif one.symbol is not None:
            _figure(pen, one, one.symbol, at, size * 0.88)
        elif one.text:
            pen.text(x, y + size * 0.2, one.text, size * 0.6, bold=True, anchor="middle")
    if one.rider is not None:
        token(pen, FORMS[one.rider], one.rider, (x + size * 0.34, y - size * 0.34), size * 0.2)
    is_beside = one.form is None and one.symbol is not None and one.colour is None
    beside = f"×{one.count}" if one.count > 1 else one.text if is_beside else ""
    if beside:
        letters = max(18.0, size * 0.42)
        wide = width_of(beside, letters, bold=True)
        pen.rect(x + size * 0.42 - wide / 2 - 1.5, y + size * 0.5 - letters, wide + 3, letters + 1.5, 3, fill="halo")
        pen.text(x + size * 0.42, y + size * 0.5 - letters * 0.12, beside, letters, bold=True, anchor="middle")


def plinth(pen: Pen, one: Piece, at: Point, size: float) -> None:
    """Draw a plinth: the place of a prize, with its symbol and progress pips.

    The plinth is filled after the prize is won.
    """
    x, y = at
    radius = size / 2
    tint = f"{one.tint}-mark"
    pen.circle(x, y, radius, fill=f"{one.tint}-tint" if one.is_done else "panel", stroke="rim", stroke_width=1.5)
    raised = 0 if one.is_done or one.pips is None else radius * 0.15
    if one.symbol is not None:
        glyph(pen, one.symbol, (x, y - raised), radius * 1.1, "tint-ink" if one.is_done else tint)
    value, most = one.pips or (0, 0)
    for pip in range(0 if one.is_done else most):
        place = x + (pip - (most - 1) / 2) * radius * 0.3
        style: dict[str, Attribute] = {"fill": tint} if pip < value else {"fill": "pip", "stroke": "pip-line"}
        pen.circle(place, y + radius * 0.66, radius * 0.115, **style)


def _figure(pen: Pen, one: Piece, symbol: Symbol, at: Point, size: float) -> None:
    """Draw a symbol in its player's colour, with an outline so that white and yellow stand out."""
    drawn = SYMBOLS[symbol]
    if one.colour and one.text:
        drawn = LETTERED.get(symbol, drawn)
    with _boxed_group(pen, at, size):
        if one.colour:
            for stroke, width in (("halo", 7.0), ("outline", 3.6)):
                pen.path(f"{drawn.fill}{drawn.line}", fill="none", stroke=stroke, stroke_width=width, **ROUNDED)
        _strokes(pen, drawn, f"{one.colour}-pawn" if one.colour else "ink")
    if one.colour and one.text:
        x, y = at
        letters = size * (0.8 if len(one.text) == 1 else 0.5)
        base = 0.33 if symbol == "hut" else 0.35
        pen.text(x, y + size * base, one.text, letters, fill=f"{one.colour}-letter", bold=True, anchor="middle")


def ring(pen: Pen, box: tuple[float, float, float, float], radius: float) -> None:
    """Draw a ring, which marks a change, just outside a rectangle (x, y, width, height)."""
    x, y, width, height = box
    out = RING * 0.7
    around = (x - out, y - out, width + 2 * out, height + 2 * out, radius + out)
    for stroke, line in (("halo", RING * 2.2), ("accent", RING)):
        pen.rect(*around, fill="none", stroke=stroke, stroke_width=line, class_="dl-ring")
