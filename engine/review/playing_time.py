"""When a game was played, and for how long: the one source for pages, lists, figures and exports.

The moment of an event is when it happened, where the table said so, else when it was recorded. A game began at its
first event after the opening. Where only later ones say when they happened, and that was before, it began with these:
the setup was typed in afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import msgspec

from engine.core import lifecycle
from engine.core.events import Event

BREAK = timedelta(hours=1)
"""If nothing happens for longer, nobody played meanwhile."""
_NOT_PLAYED = frozenset(lifecycle.KINDS) - {lifecycle.SET_UP}
"""Notes, corrections and closings, which may be recorded long after the game was played."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class Clock(msgspec.Struct, frozen=True, array_like=True):
    """How long a game has been played: the time between its events, breaks left out."""

    milliseconds: int = 0
    at: str | None = None
    """The moment of the last event that was played; None before the first."""
    began_at: str | None = None
    """The moment when the game began; None before its first event."""

    def after(self, events: Iterable[Event]) -> Clock:
        """Return the clock after `events`."""
        clock = self
        for event in events:
            if event.type in _NOT_PLAYED:
                continue
            gap = timedelta(0) if clock.at is None else moment(happened_at(event)) - moment(clock.at)
            passed = gap // _MILLISECOND if timedelta(0) <= gap <= BREAK else 0
            began = clock.began_at
            if event.type != lifecycle.GAME_OPENED and (began is None or (clock.at == began and gap < timedelta(0))):
                began = happened_at(event)
            clock = Clock(clock.milliseconds + passed, happened_at(event), began)
        return clock

    @property
    def minutes(self) -> int | None:
        """At least one; None where the log does not tell, as of a game that was recorded in one go afterwards."""
        return max(1, round(self.milliseconds / 60_000)) if self.milliseconds else None


def happened_at(event: Event) -> str:
    """When an event happened (RFC 3339), as far as the log tells."""
    return event.occurred_at or event.recorded_at


def began_at(events: Iterable[Event]) -> str:
    """Return when a game began, as `Clock.began_at`; while it has only been opened, when that was."""
    opening, clock = "", Clock()
    for event in events:
        opening = opening or happened_at(event)
        clock = clock.after((event,))
        if clock.at != clock.began_at and clock.began_at is not None:
            break
    return clock.began_at or opening


def moment(text: str) -> datetime:
    """A time in RFC 3339; where a log from elsewhere says it otherwise, it passes for one moment."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return _EPOCH
    return found if found.tzinfo else found.replace(tzinfo=UTC)
