"""Counted nouns in a player's words."""

from __future__ import annotations

from engine.kit.words import counted


def test_counted__one_several_and_none() -> None:
    assert [counted(count, "card") for count in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert [counted(count, "box", "boxes", none="no") for count in (0, 1, 2)] == ["no boxes", "1 box", "2 boxes"]
