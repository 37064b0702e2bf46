"""The order in which a line of Hebrew or Arabic is drawn from left to right."""

from __future__ import annotations

import pytest

from exports.direction import Direction, drawing_order, is_mixed, join_letters, main_direction


@pytest.mark.parametrize(
    ("text", "direction", "expected"),
    [
        ("Ann moves", "L", "Ann moves"),
        ("אבג moves", "L", "גבא moves"),
        ("אבג, דה and Ann", "L", "הד ,גבא and Ann"),
        ("אבג (דה)", "R", "(הד) גבא"),
        ("(אבג) x", "L", "(גבא) x"),
        ("אבג (Ann) 12", "R", "12 (Ann) גבא"),
        ("א\u200fב\u2068ג\u2069", "R", "גבא"),
    ],
)
def test_a_line_as_it_is_drawn(text: str, direction: Direction, expected: str) -> None:
    assert drawing_order(text, direction) == expected


def test_names_keep_the_sentence_around_them_in_order() -> None:
    text = join_letters("אבג, דה 3 and זח", ["אבג", "אבג דה", "דה", "Ann"])
    assert drawing_order(text, "L") == "גבא, הד 3 and חז"


def test_arabic_letters_are_joined() -> None:
    assert join_letters("سلام", ()) == "\ufeb3\ufefc\ufee1"
    assert join_letters("مُ", ()) == "\ufee1\u064f"


def test_the_first_letter_decides() -> None:
    assert [main_direction(text) for text in ("12 אב a", "a אב", "12")] == ["R", "L", "L"]
    assert [is_mixed(text) for text in ("Zoë", "雪", "aא", "م")] == [False, False, True, True]
