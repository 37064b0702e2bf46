"""Habits of handwriting are read, or asked about with the right answer first; nobody is accused."""

from __future__ import annotations

import pytest

from exports.notation import TextReading, read
from service.languages import catalogue
from tests.exports.notation.answering import insert_answer
from tests.exports.notation.habits import HABITS, Habit

AT = "2026-11-20T19:00:00.000Z"
NOT_YET = {
    "forbidden-island": {"Ben: Watchtower, shore x2"},
    "forbidden-island-archaens": set(),
    "forbidden-desert": {"1. Ann moves r2c2, then clears r2c3? no: r2c4"},
    "forever-island": {"1) Ann – die: 4"},
    "forgotten-waters": {"Ann: resolves her action - die 7"},
}
"""Habits that are read differently, or asked about without the right answer first."""


def reading(text: str) -> TextReading:
    german = catalogue("de")
    assert german is not None
    return read(text, recorded_at=AT, catalogues=[german])


def actions(found: TextReading) -> list[tuple[object, ...]]:
    """Return the actions, without notes and forgotten draws."""
    return [
        (event.type, event.actor, event.params, event.outcomes)
        for event in found.events
        if event.type not in {"annotate", "adjust"}
    ]


def is_met(base: str, habit: Habit) -> bool:
    text = f"{base}{habit.before}{habit.line}\n"
    found = reading(text)
    if found.questions:
        last = found.questions[-1]
        found = reading(insert_answer(text, last, last.answers[0]))
    meant = reading(f"{base}{habit.before}{habit.meaning or ''}\n")
    return not found.questions and actions(found) == actions(meant)


@pytest.mark.parametrize("game", HABITS)
def test_habits_are_read_or_asked_with_the_right_answer_first(game: str) -> None:
    base, habits = HABITS[game]
    assert {habit.line for habit in habits if not is_met(base, habit)} == NOT_YET[game]


@pytest.mark.parametrize("game", HABITS)
def test_no_line_accuses_anybody(game: str) -> None:
    base, habits = HABITS[game]
    text = base + "".join(f"{habit.line}\n" for habit in habits)
    found = reading(text)
    assert not [event for event in found.events if event.type == "left_out"]
    lines = {item.line for item in found.items}
    assert lines >= {number for number, line in enumerate(text.splitlines(), 1) if line.strip()} - {1, 2, *range(5, 9)}
