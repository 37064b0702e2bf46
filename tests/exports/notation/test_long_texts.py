"""Texts that were made to take long: each is read in a few steps a character, or the test does not end."""

from __future__ import annotations

import pytest

from engine.core import effort
from exports.notation.scanning import Misread, Scanner, split
from tests.exports.notation.test_reading import reading

LONG = 50_000


@pytest.mark.parametrize(
    ("text", "tags", "found"),
    [
        ("a\n" * LONG, 0, LONG),
        ("[A" + " " * LONG, 0, 1),
        ("[A" + " " * LONG + "]", 1, 0),
        ('[A "x"' + " " * LONG + "]x", 0, 1),
        ("{\n" * LONG, 0, LONG),
        ("/ " * LONG, 0, 1),
        (" " * LONG + "/ " * LONG, 0, 1),
        ("turn" + " " * LONG, 0, 1),
        ("„a" * LONG, 0, 1),
    ],
    ids=[
        "lines",
        "no tag",
        "an empty tag",
        "a tag and more",
        "open comments",
        "strokes",
        "late strokes",
        "turn",
        "quotes",
    ],
)
def test_it_is_read(text: str, tags: int, found: int) -> None:
    read = Scanner(text).read()

    assert (len(read[0]), len(read[1])) == (tags, found)
    assert "".join(split(text)) == text


def test_where_a_comment_is_not_closed_none_after_it_is() -> None:
    _, found = Scanner("a {b}\nc {d\ne {f\ng").read()

    assert [isinstance(one, Misread) for one in found] == [False, True, True, False]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("ann moves " * LONG, 1),
        ("move " * LONG, 1),
        ("ann: move to " + "the " * LONG, 1),
        pytest.param("ann: shore up " + "fools + " * LONG, 1, marks=pytest.mark.long),
        ("# Turn 1\n" * LONG, LONG),
    ],
    ids=["words", "a verb", "articles", "a list", "lines without a text"],
)
def test_what_it_means_is_told(lines: str, found: int) -> None:
    read = reading(lines)

    assert [item.status for item in read.items].count("wrong") == found


def test_reading_is_counted() -> None:
    def end() -> None:
        raise effort.Exhausted

    with effort.counted(end), pytest.raises(effort.Exhausted):
        Scanner("a\nb").read()
