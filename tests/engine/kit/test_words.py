"""Counted nouns in a player's words."""

from __future__ import annotations

from engine.kit.words import actions_left, alternatives, counted, join_words, one_after_the_other


def test_counted__one_several_and_none() -> None:
    assert [counted(count, "card") for count in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert [counted(count, "box", "boxes", none="no") for count in (0, 1, 2)] == ["no boxes", "1 box", "2 boxes"]


def test_actions_left__in_words_up_to_four() -> None:
    assert [actions_left(count) for count in (0, 1, 4, 5)] == [
        "No actions left",
        "One action left",
        "Four actions left",
        "5 actions left",
    ]


def test_alternatives__none_one_two_and_more() -> None:
    assert [alternatives(["move", "fly", "draw"][:count]) for count in range(4)] == [
        "",
        "move",
        "move or fly",
        "move, fly, or draw",
    ]


def test_listed__none_one_and_more() -> None:
    assert [join_words(things) for things in ([], [3], ("hull", "crew"))] == ["nothing", "3", "hull, crew"]


def test_one_after_the_other__none_one_and_more() -> None:
    steps = ["hull −2", "threat +1", "turn to page 12"]
    assert [one_after_the_other(steps[:count]) for count in range(4)] == [
        "",
        "hull −2",
        "hull −2, then threat +1",
        "hull −2, threat +1, then turn to page 12",
    ]
