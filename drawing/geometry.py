"""Outlines, and patterns within outlines. Patterns are drawn line by line, because clipping would need ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, sin

from drawing.pen import number
from engine.kit.scene.planes import Tile

Point = tuple[float, float]
Corners = Sequence[Point]


def corners(tile: Tile, inset: float = 0.0) -> list[Point]:
    """Return the corners of a tile's outline, in units from its centre; `inset` moves them inward."""
    half, upright = tile.width / 2 - inset, tile.height / 2 - inset
    match tile.shape:
        case "square":
            return [(-half, -half), (half, -half), (half, half), (-half, half)]
        case "rectangle":
            return [(-half, -upright), (half, -upright), (half, upright), (-half, upright)]
        case "hexagon":
            return _around(6, half / cos(pi / 6), pi / 6)
        case "flat_hexagon":
            return _around(6, half, 0)
        case "circle":
            return _around(24, half, 0)
        case _:
            scale = 1 - 2 * inset / min(tile.width, tile.height)
            return [(x * scale, y * scale) for x, y in tile.points]


def _around(count: int, radius: float, turned: float) -> list[Point]:
    return [(radius * cos(turned + 2 * pi * at / count), radius * sin(turned + 2 * pi * at / count))
            for at in range(count)]  # fmt: skip


def room(tile: Tile) -> tuple[float, float]:
    """Return the space for text and pieces: width and height in units, around the centre."""
    match tile.shape:
        case "square":
            return tile.width * 0.86, tile.width * 0.86
        case "rectangle":
            return tile.width - 0.14, tile.height - 0.1
        case "hexagon":
            return tile.width * 0.84, tile.width * 0.76
        case "flat_hexagon":
            return tile.width * 0.66, tile.width * 0.76
        case "circle":
            return tile.width * 0.72, tile.width * 0.7
        case _:
            return tile.width, tile.height


def hatch_path(outline: Corners, gap: float) -> str:
    """Return slanting lines within a convex outline, as a path."""
    return "".join(_segments(outline, 1, 1, gap))


def cross_hatch_path(outline: Corners, gap: float) -> str:
    """Return lines that slant both ways within a convex outline, as a path."""
    return "".join((*_segments(outline, 1, 1, gap), *_segments(outline, 1, -1, gap)))


def _segments(outline: Corners, a: float, b: float, gap: float) -> Iterator[str]:
    """Yield the parts of the lines a·x + b·y = k·gap that are within the outline."""
    levels = [a * x + b * y for x, y in outline]
    step = int(min(levels) // gap) + 1
    while step * gap < max(levels):
        (x, y), (u, v) = sorted(_crossings(outline, levels, step * gap))
        yield f"M{number(x)} {number(y)}L{number(u)} {number(v)}"
        step += 1


def _crossings(outline: Corners, levels: Sequence[float], level: float) -> Iterator[Point]:
    for at, (x, y) in enumerate(outline):
        before = levels[at - 1]
        if (before < level) != (levels[at] < level):
            u, v = outline[at - 1]
            share = (level - before) / (levels[at] - before)
            yield u + (x - u) * share, v + (y - v) * share


def level(outline: Corners, y: float) -> Point:
    """Return the left and the right x at which the horizontal line at `y` crosses a convex outline."""
    ends = [x for x, _ in _crossings(outline, [v for _, v in outline], y)]
    return min(ends), max(ends)


def below(outline: Corners, y: float) -> list[Point]:
    """Return the part of a convex outline below the horizontal line at `y`."""
    found: list[Point] = []
    for at, (u, v) in enumerate(outline):
        s, t = outline[at - 1]
        if (t < y) != (v < y):
            found.append((s + (u - s) * (y - t) / (v - t), y))
        if v >= y:
            found.append((u, v))
    return found


def waves(start: Point, width: float, *, length: float, rise: float = 0.55) -> str:
    """Return a wavy line from `start` to the right, as a path with as many whole waves as fit into `width`.

    Args:
        length: approximate length of a wave.
        rise: height of a wave, as a multiple of half the wave's length.
    """
    count = max(1, round(width / length))
    half = width / count / 2
    height = half * rise
    first = f"M{number(start[0])} {number(start[1])}"
    wave = (
        f"q{number(half / 2)} {number(-height)} {number(half)} 0q{number(half / 2)} {number(height)} {number(half)} 0"
    )
    return first + wave * count


def dots(outline: Corners, gap: float, radius: float) -> str:
    """Return small dots within a convex outline, as a filled path."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    found = []
    for row in range(int(min(ys) // gap), int(max(ys) // gap) + 1):
        for column in range(int(min(xs) // gap), int(max(xs) // gap) + 1):
            x, y = (column + (row % 2) / 2) * gap, row * gap
            if _is_within(outline, x, y, radius * 2.5):
                found.append(
                    f"M{number(x - radius)} {number(y)}a{number(radius)} {number(radius)} 0 1 0 {number(2 * radius)} 0"
                    f"a{number(radius)} {number(radius)} 0 1 0 {number(-2 * radius)} 0z"
                )
    return "".join(found)


def _is_within(outline: Corners, x: float, y: float, margin: float) -> bool:
    """Return True if (x, y) is within a convex clockwise outline, at least `margin` away from each side."""
    for at, (u, v) in enumerate(outline):
        s, t = outline[at - 1]
        length = ((u - s) ** 2 + (v - t) ** 2) ** 0.5
        if (u - s) * (y - t) - (v - t) * (x - s) < margin * length:
            return False
    return True
