"""Texts that are designed to take long: the work is bounded, or the test does not end."""

from __future__ import annotations

import pytest

from engine.core import effort
from engine.core.values import State
from exports.notation import filling, split
from exports.notation.candidates import Candidates
from exports.notation.matching import ActionMatcher
from exports.notation.reader import MOST_BEFORE_SETUP
from exports.notation.reading import read as read_text
from exports.notation.syntax import lines
from tests.exports.notation.test_reading import HEAD, reading

LONG = 50_000


@pytest.mark.parametrize(
    ("text", "tags", "found"),
    [
        ("a\n" * LONG, 0, LONG),
        ("[A" + " " * LONG, 0, 1),
        ("[A" + " " * LONG + "]", 1, 0),
        ('[A "x"' + " " * LONG + "]x", 0, 1),
        (" " * LONG + "/ " * LONG, 0, 1),
    ],
    ids=["lines", "no tag", "an empty tag", "a tag and more", "strokes"],
)
def test_it_is_split(text: str, tags: int, found: int) -> None:
    read = lines(text)

    assert (len(read[0]), len(read[1])) == (tags, found)
    assert "".join(split(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "ann moves " * LONG,
        "ann: move to " + "the " * LONG,
        "ann: shore up " + "fools + " * LONG,
        "(" * LONG,
        "{" * LONG,
        '"' * LONG,
        "~~" * LONG,
        "x" * 20 * LONG,
        " -" * LONG,
    ],
    ids=["words", "articles", "a list", "brackets", "comments", "quotes", "crossed out", "one word", "dashes"],
)
def test_a_long_line_is_read(text: str) -> None:
    assert reading(text).items


def test_no_more_is_asked_than_anybody_answers() -> None:
    read = reading("".join(f"Ann: xq{number}zr move\n" for number in range(300)))
    assert len(read.questions) == 60
    assert read.items[-1].status == "unread"


@pytest.mark.parametrize("word", ["banana", "move"], ids=["remarks", "actions"])
def test_lines_without_a_setup_are_left_unread(word: str) -> None:
    read = read_text(HEAD + f"{word}\n" * 3000, recorded_at="2026-11-20T19:00:00.000Z")
    unread = [item for item in read.items if item.status == "unread"]
    assert [item.problem for item in unread] == ["describe the setup first"] * (3000 - MOST_BEFORE_SETUP)
    assert read.problem is not None


def test_notes_at_one_table_list_its_actions_once(monkeypatch: pytest.MonkeyPatch) -> None:
    states: list[State] = []

    def table(candidates: Candidates, state: State) -> ActionMatcher:
        states.append(state)
        return ActionMatcher(candidates, state)

    monkeypatch.setattr(filling, "ActionMatcher", table)
    read = reading("zorb the quux\n" * 20)
    assert [item.problem for item in read.items[-20:]] == ["stored as a note"] * 20
    assert len(states) == 1


def test_reading_is_counted() -> None:
    def end() -> None:
        raise effort.Exhausted

    with effort.count_steps(end), pytest.raises(effort.Exhausted):
        lines("a\nb")
