"""What comes of an append, why it may have stopped, and what counts it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import msgspec

from engine.core.events import Event
from engine.core.values import Impact
from engine.play.game import Game

Explain = Callable[[Exception, Game], dict[str, Any]]
"""Makes the document that says why a draft was refused, by the game as it stood. The `index` of an engine's error names
the draft. Any error may come, even a fault of ours: what was drawn before it is in the log, so the list ends there."""


class Meter(Protocol):
    """What counts and times appends."""

    def appended(self, events: int, seconds: float) -> None:
        """So many events went into the log, and the store took so long."""

    def conflicted(self) -> None:
        """Another writer was first: the append is tried again."""


class Unmetered:
    """A meter that nobody reads."""

    def appended(self, events: int, seconds: float) -> None:
        """As `Meter`."""

    def conflicted(self) -> None:
        """As `Meter`."""


UNMETERED = Unmetered()


class Stopped(msgspec.Struct, frozen=True):
    """Where a list ended before its end."""

    index: int
    """The place in the list of the event that was refused."""
    problem: dict[str, Any]
    """Why: the problem document."""


class Recorded(msgspec.Struct, frozen=True):
    """What came of an append."""

    game: Game
    """As it stands after the append."""
    events: list[Event]
    is_replay: bool = False
    """Whether it was done before, by the same request."""
    impact: tuple[Impact, ...] | None = None
    """What the corrections among the events do to those that follow them; None where there are none, or where it is
    not told."""
    stopped: Stopped | None = None
    """None where all of it is in the log."""


def both(one: tuple[Impact, ...] | None, more: Iterable[Impact] | None) -> tuple[Impact, ...] | None:
    """What a list has done so far and what its next event does; None where neither tells of any."""
    return one if more is None else (*(one or ()), *more)
