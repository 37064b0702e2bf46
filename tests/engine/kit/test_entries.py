"""Tuples with other entries."""

from __future__ import annotations

from engine.kit.entries import exchanged, with_entry


def test_one_entry_is_another() -> None:
    assert with_entry(("a", "b", "c"), 1, "d") == ("a", "d", "c")


def test_what_was_there_takes_the_place_of_what_comes() -> None:
    assert exchanged(("a", "b", "c"), 0, "c") == ("c", "b", "a")
    assert exchanged(("a", "b", "c"), 0, "a") == ("a", "b", "c")
    assert exchanged(("a", "b", "c"), 0, "d") == ("d", "b", "c")
