"""Lay out linked points as a tree, and draw the links."""

from __future__ import annotations

from collections.abc import Mapping, Set
from math import hypot

from engine.kit.paths import distances

Point = tuple[float, float]


def tree(links: Mapping[str, Set[str]], start: str) -> dict[str, Point]:
    """Return the centre of each point in a tree of shortest paths from `start`; columns and rows are 1 apart.

    The start is at the left. The successors of a point are to its right, and each branch ends in a row of its own.

    Args:
        links: the points that are linked to each point. The start needs no entry.
    """
    after = _successors(links, start)
    found: dict[str, Point] = {}
    ends = 0

    def place(point: str, depth: int) -> float:
        nonlocal ends
        below = [place(next_, depth + 1) for next_ in after[point]]
        ends += not below
        y = sum(below) / len(below) if below else ends - 0.5
        found[point] = (depth + 0.5, y)
        return y

    place(start, 0)
    return found


def _successors(links: Mapping[str, Set[str]], start: str) -> dict[str, list[str]]:
    _, *points = reached = distances(start, lambda here: [point for point, near in links.items() if here in near])
    after: dict[str, list[str]] = {point: [] for point in reached}
    for point in points:
        after[next(one for one in reached if one in links[point])].append(point)
    return after


def between(one: Point, other: Point, width: float) -> tuple[Point, ...]:
    """Return the corners of a line between the rims of two circles. The line bends around circles in between."""
    (x, y), (u, v) = one, other
    if abs(u - x) == 1:
        return _from_rim(one, other, width), _from_rim(other, one, width)
    corner = max(x, u) + 0.5, (y + v) / 2
    return _from_rim(one, corner, width), corner, _from_rim(other, corner, width)


def _from_rim(centre: Point, to: Point, width: float) -> Point:
    """Return the point where a line from a circle's centre crosses the circle's rim."""
    (x, y), (u, v) = centre, to
    share = width / 2 / hypot(u - x, v - y)
    return x + (u - x) * share, y + (v - y) * share
