"""Tuples with other entries."""

from __future__ import annotations

import pytest

from engine.core.errors import Unclear
from engine.kit.entries import exchanged, with_entry, without


def test_one_entry_is_another() -> None:
    assert with_entry(("a", "b", "c"), 1, "d") == ("a", "d", "c")


def test_what_was_there_takes_the_place_of_what_comes() -> None:
    assert exchanged(("a", "b", "c"), 0, "c") == ("c", "b", "a")
    assert exchanged(("a", "b", "c"), 0, "a") == ("a", "b", "c")
    assert exchanged(("a", "b", "c"), 0, "d") == ("d", "b", "c")


def test_some_of_the_same_entries_are_gone() -> None:
    assert without(("a", "b", "b", "c"), "b") == ("a", "b", "c")
    assert without(("a", "b", "b", "c"), "b", 2) == ("a", "c")
    with pytest.raises(Unclear):
        without(("a", "c"), "b")
