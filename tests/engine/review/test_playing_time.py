"""When a game was played, and for how long."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.core.events import Event
from engine.review.playing_time import Clock, began_at
from tests.playouts import playout
from tests.recording import forged

TYPED = "2026-11-27T20:00:00.000Z"
LAST_WEEK = "2026-11-20T19:%02d:00.000Z"


def evening(*occurred: str | None) -> Sequence[Event]:
    """The opening, the setup and moves: all typed in at one time, and some with the time when they happened."""
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
        # A setup that was typed in afterwards does not say when it was.
        ((None, LAST_WEEK % 5, LAST_WEEK % 9), LAST_WEEK % 5),
        ((None, "2026-11-28T19:00:00.000Z", LAST_WEEK % 9), TYPED),
    ],
)
def test_a_game_began_when_its_first_events_happened(occurred: tuple[str | None, ...], began: str) -> None:
    events = evening(*occurred)
    assert began_at(events) == began
    clock = Clock().after(events)
    assert clock.began_at == (began if occurred else None)
    # Bit by bit, as projections read it.
    assert Clock().after(events[:2]).after(events[2:]) == clock
