"""Patterns on tiles, so that people who cannot tell colours apart still see the kind of a tile."""

from __future__ import annotations

from drawing.geometry import Point, cross_hatch_path, dots, hatch_path, level, waves
from drawing.pen import Pen
from engine.kit.scene.looks import Ground, Pattern


def draw_pattern(pen: Pen, pattern: Pattern, ground: Ground, outline: list[Point], unit: float) -> None:
    """Draw `pattern` within a convex outline; `unit` is the width of a tile."""
    inner = _inner(outline, 0.93)
    if pattern == "dots":
        pen.path(dots(inner, unit * 0.12, max(0.8, unit * 0.014)), fill=f"{ground}-line")
        return
    match pattern:
        case "hatch":
            lines = hatch_path(inner, unit * 0.13)
        case "cross":
            lines = cross_hatch_path(inner, unit * 0.16)
        case "waves":
            lines = _waves(inner, rows=5, length=unit * 0.2, rise=0.55)
        case _:
            lines = _waves(inner, rows=3, length=unit * 0.5, rise=0.32)
    width = max(1.0, unit * 0.016)
    pen.path(lines, fill="none", stroke=f"{ground}-line", stroke_width=width, stroke_linecap="round")


def _waves(outline: list[Point], *, rows: int, length: float, rise: float) -> str:
    top, bottom = min(y for _, y in outline), max(y for _, y in outline)
    found = ""
    for row in range(1, rows + 1):
        y = top + (bottom - top) * row / (rows + 1)
        left, right = level(outline, y)
        inset = (right - left) * (0.2 if row in {1, rows} else 0.1)
        found += waves((left + inset, y), right - left - 2 * inset, length=length, rise=rise)
    return found


def _inner(outline: list[Point], share: float) -> list[Point]:
    x = sum(u for u, _ in outline) / len(outline)
    y = sum(v for _, v in outline) / len(outline)
    return [(x + (u - x) * share, y + (v - y) * share) for u, v in outline]
