"""The playing time of a game: the time between its events, breaks left out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from engine.core.events import Event
from engine.review.playing_time import Clock, began_at, moment
from tests.engine.recording import dealt, ended
from tests.recording import forged


def evening(*minutes: int) -> list[Event]:
    """A game whose events happened so many minutes after eight."""
    events = ended().events
    times = [datetime(2026, 5, 1, 20 + minute // 60, minute % 60, tzinfo=UTC).isoformat() for minute in minutes]
    return [forged(event, occurred_at=time) for event, time in zip(events, times, strict=False)]


@pytest.mark.parametrize(
    ("minutes", "played"),
    [
        ((0, 10, 25), 25),
        # A break, longer than an hour.
        ((0, 10, 75, 80), 15),
        # Clocks that go back.
        ((10, 20, 5, 8), 13),
        # All was entered at once: nobody knows.
        ((0, 0, 0), None),
    ],
)
def test_breaks_are_left_out(minutes: tuple[int, ...], played: int | None) -> None:
    assert Clock().after(evening(*minutes)).minutes == played


def test_a_short_game_lasts_a_minute() -> None:
    assert Clock(milliseconds=900).minutes == 1


def test_notes_and_ends_are_not_played() -> None:
    events = evening(0, 10, 20, 30, 40, 55, 55)
    assert [event.type for event in events[5:]] == ["abandon", "game_closed"]
    clock = Clock().after(events)
    assert (clock.minutes, clock.at, clock.began_at) == (40, events[4].occurred_at, events[1].occurred_at)


def test_a_game_begins_with_its_first_event_after_the_opening() -> None:
    events = evening(0, 10, 20)
    assert began_at(events) == events[1].occurred_at
    assert began_at(events[:1]) == events[0].occurred_at
    assert began_at(dealt().events[:1]) == dealt().events[0].recorded_at


def test_a_moment_without_a_zone_is_in_utc_and_what_is_none_counts_for_nothing() -> None:
    assert moment("2026-05-01T20:00:00") == moment("2026-05-01T22:00:00+02:00")
    assert moment("yesterday") == moment("last week")
