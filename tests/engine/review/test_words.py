"""Counts and lists in words."""

from __future__ import annotations

import pytest

from engine.play.registry import ruleset
from engine.review.words import describe_duration, event_name, first_sentence, join_words, times


def test_times() -> None:
    assert [times(count) for count in (0, 1, 2)] == ["0 times", "once", "2 times"]


def test_listed() -> None:
    names = ["Ada", "Bo", "Cleo"]
    assert [join_words(names[:count]) for count in (1, 2, 3)] == ["Ada", "Ada and Bo", "Ada, Bo and Cleo"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Mr. Bo rolls 5. It was small.", "Mr. Bo rolls 5."),
        ("Mr. Bo says: “Go. Now.” It was small. It sank.", "Mr. Bo says: “Go. Now.” It was small."),
        ("Mr. Bo says: “Go. Now.”", "Mr. Bo says: “Go. Now.”"),
        ("Mr. Bo rolls 5.", "Mr. Bo rolls 5."),
    ],
)
def test_first_sentence(text: str, told: str) -> None:
    assert first_sentence(text, ["Ada", "Mr. Bo"]) == told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(59, "under a minute"), (60, "1 minute"), (3599, "59 minutes"), (3600, "1 h 0 min"), (7_500, "2 h 5 min")],
)
def test_how_long_it_lasted(seconds: int, told: str) -> None:
    assert describe_duration(seconds) == told


@pytest.mark.parametrize(
    ("ruleset_id", "type_", "name"),
    [
        ("forgotten-waters", "fill_star", "fill in a star"),
        ("forbidden-island", "play_sandbags", "play sandbags"),
        ("any-game", "draw", "draw from a pile"),
        ("any-game", "set", "set"),
        ("forbidden-island", "set_up", "set up"),
    ],
)
def test_an_event_is_named_within_a_sentence(ruleset_id: str, type_: str, name: str) -> None:
    assert event_name(ruleset(ruleset_id), type_) == name
