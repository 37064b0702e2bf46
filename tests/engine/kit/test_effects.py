"""Lookups of effects, and the error if a component is missing."""

from __future__ import annotations

import pytest

from engine.core.errors import Unclear
from engine.kit.effects import needed, needed_at, place_of


def test_what_is_there() -> None:
    assert needed(0) == 0
    assert needed_at("ab", 1) == "b"
    assert place_of("b", "ab") == 1


def test_what_is_not_there() -> None:
    with pytest.raises(Unclear):
        needed(None)
    for index in (-1, 2):
        with pytest.raises(Unclear):
            needed_at("ab", index)
    with pytest.raises(Unclear):
        place_of("c", ("a", "b"))
