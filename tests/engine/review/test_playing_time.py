"""The playing time of a game: the time between its events, without breaks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from engine.core.events import Event
from engine.review.playing_time import Clock, began_at, moment
from tests.engine.recording import dealt, ended
from tests.playouts import playout
from tests.recording import forged

TYPED = "2026-11-27T20:00:00.000Z"
LAST_WEEK = "2026-11-20T19:%02d:00.000Z"


def evening(*minutes: int) -> list[Event]:
    """A game whose events happened at the given minutes after eight o'clock."""
    events = ended().events
    times = [datetime(2026, 5, 1, 20 + minute // 60, minute % 60, tzinfo=UTC).isoformat() for minute in minutes]
    return [forged(event, occurred_at=time) for event, time in zip(events, times, strict=False)]


@pytest.mark.parametrize(
    ("minutes", "played"),
    [
        ((0, 10, 25), 25),
        # A break, longer than an hour.
        ((0, 10, 75, 80), 15),
        # A clock that went backward.
        ((10, 20, 5, 8), 13),
        # All events were entered at once, so the playing time is unknown.
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


def typed_events(*occurred: str | None) -> Sequence[Event]:
    """The opening, the setup and moves, entered at one time; some have the time when they happened."""
    events = playout(limit=1 + len(occurred))
    moments = (None, *occurred)
    return [
        forged(event, recorded_at=TYPED, occurred_at=at)
        for event, at in zip(events[: len(moments)], moments, strict=True)
    ]


@pytest.mark.parametrize(
    ("occurred", "began"),
    [
        ((), TYPED),
        ((None, None), TYPED),
        ((LAST_WEEK % 5, LAST_WEEK % 9), LAST_WEEK % 5),
        # A setup entered afterwards does not say when it happened.
        ((None, LAST_WEEK % 5, LAST_WEEK % 9), LAST_WEEK % 5),
        ((None, "2026-11-28T19:00:00.000Z", LAST_WEEK % 9), TYPED),
    ],
)
def test_a_game_began_when_its_first_events_happened(occurred: tuple[str | None, ...], began: str) -> None:
    events = typed_events(*occurred)
    assert began_at(events) == began
    clock = Clock().after(events)
    assert clock.began_at == (began if occurred else None)
    # One event at a time, as projections read them.
    assert Clock().after(events[:2]).after(events[2:]) == clock


NINE = LAST_WEEK % 9


@pytest.mark.parametrize(
    ("occurred", "minutes", "ended"),
    [
        # Moves entered without their time do not end the evening, and take no time.
        ((LAST_WEEK % 5, None, None, LAST_WEEK % 35, None, LAST_WEEK % 55), 50, LAST_WEEK % 55),
        ((LAST_WEEK % 5, None, LAST_WEEK % 9, None), 4, NINE),
        # Only the setup has a reported time; the game continued when the moves were recorded.
        ((LAST_WEEK % 5, None, None), None, TYPED),
        # It continued after a break, at reported times.
        ((LAST_WEEK % 5, LAST_WEEK % 9, None, "2026-11-27T20:10:00.000Z"), 14, "2026-11-27T20:10:00.000Z"),
        ((LAST_WEEK % 5, None, "2026-11-27T22:10:00.000Z"), None, "2026-11-27T22:10:00.000Z"),
        # A phone with a slow clock: its events take no time, and the game does not end before it began.
        ((LAST_WEEK % 5, LAST_WEEK % 35, LAST_WEEK % 15, LAST_WEEK % 36, LAST_WEEK % 16), 31, LAST_WEEK % 36),
        ((LAST_WEEK % 5, LAST_WEEK % 9, "2026-11-20T02:00:00.000Z"), 4, LAST_WEEK % 5),
    ],
)
def test_moves_typed_in_later_take_no_time(occurred: tuple[str | None, ...], minutes: int | None, ended: str) -> None:
    events = typed_events(*occurred)
    clock = Clock().after(events)
    assert (clock.minutes, clock.ended_at(None), clock.began_at) == (minutes, ended, LAST_WEEK % 5)
    assert Clock().after(events[:3]).after(events[3:]) == clock


def test_the_time_after_a_break_counts() -> None:
    events = [
        forged(event, occurred_at=None, recorded_at=f"2026-11-20T{time}:00.000Z")
        for event, time in zip(playout(limit=6), ("19:00", "19:05", "19:15", "21:00", "21:10", "21:40"), strict=True)
    ]
    clock = Clock().after(events)
    assert (clock.minutes, clock.ended_at(None)) == (55, events[-1].recorded_at)


def move(at: str | None) -> dict[str, Any]:
    return {"type": "move", "actor": "p1", "params": {"to": "howling_garden"}} | ({"occurred_at": at} if at else {})


@pytest.mark.parametrize(
    ("amends", "began", "at"),
    [
        ([{"seq": 2, "event": move("2026-05-01T19:00:00Z")}], "19:00", "20:40"),
        ([{"seq": 2, "event": move(None)}], "20:10", "20:40"),
        ([{"seq": 5, "event": move("2026-05-01T20:50:00Z")}], "20:10", "20:50"),
        ([{"seq": 2, "insert": move("2026-05-01T19:00:00Z")}], "19:00", "20:40"),
        ([{"seq": 2, "insert": move(None)}], "20:10", "20:40"),
        ([{"seq": 2, "insert": move(None)}, {"seq": 6, "event": move("2026-05-01T19:30:00Z")}], "19:30", "20:40"),
        ([{"seq": 5, "remove": True}], "20:10", "20:30"),
        ([{"seq": 5, "remove": True}, {"seq": 5, "event": move("2026-05-01T20:50:00Z")}], "20:10", "20:50"),
        ([{"seq": 5, "remove": True}, {"to": 5}], "20:10", "20:40"),
        ([{"seq": 5, "remove": True}, {"to": 5}, {"to": 6}], "20:10", "20:30"),
    ],
)
def test_the_time_of_an_amended_event_is_that_of_the_event_in_effect(
    amends: list[dict[str, Any]], began: str, at: str
) -> None:
    events = evening(0, 10, 20, 30, 40)
    for params in amends:
        kind = "undo" if "to" in params else "amend"
        events.append(forged(events[-1], seq=len(events) + 1, type=kind, actor=None, params=params, occurred_at=None))
    clock = Clock.of(events)
    assert [f"{moment(one or ''):%H:%M}" for one in (clock.began_at, clock.at)] == [began, at]


def test_a_game_with_a_date_of_play_ends_after_its_length() -> None:
    clock = Clock.of(evening(0, 10, 20, 30, 40))
    assert clock.ended_at(None) == clock.at
    assert clock.ended_at("2024-12-24T20:00:00+01:00") == "2024-12-24T19:40:00.000Z"
