"""Distances between places, in steps."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

H = TypeVar("H", bound=Hashable)


def distances(start: H, near: Callable[[H], Iterable[H]]) -> dict[H, int]:
    """Return the number of steps from `start` to each place that can be reached, nearest first.

    Args:
        near: function from a place to the places that are one step away.
    """
    found, ahead = {start: 0}, deque([start])
    while ahead:
        here = ahead.popleft()
        for there in near(here):
            if there not in found:
                found[there] = found[here] + 1
                ahead.append(there)
    return found
