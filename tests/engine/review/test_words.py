"""Counts and lists in words."""

from __future__ import annotations

from engine.review.words import listed, times


def test_times() -> None:
    assert [times(count) for count in (0, 1, 2)] == ["0 times", "once", "2 times"]


def test_listed() -> None:
    names = ["Ada", "Bo", "Cleo"]
    assert [listed(names[:count]) for count in (1, 2, 3)] == ["Ada", "Ada and Bo", "Ada, Bo and Cleo"]
