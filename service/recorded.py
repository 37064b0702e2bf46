"""The result of an append, and the metrics of appends."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import msgspec

from engine.core.events import Event
from engine.core.values import Impact
from engine.play.game import Game
from store.documents import parser

Explain = Callable[[Exception, Game], dict[str, Any]]
"""Returns the problem document for a rejected draft, given the game on which it was judged.

The `index` of an engine error is the position of the rejected draft. The function also accepts an internal error,
because a list whose first drafts are already in the log ends at the draft that failed.
"""


class AppendMetrics(Protocol):
    """Metrics of appends."""

    def count_append(self, events: int, seconds: float) -> None:
        """Report the number of appended events, and the time that the store took."""

    def count_conflict(self) -> None:
        """Count a conflict with another writer. The append is retried after it."""


class Unmetered:
    """A meter that does nothing."""

    def count_append(self, events: int, seconds: float) -> None:
        pass

    def count_conflict(self) -> None:
        pass


UNMETERED = Unmetered()


class StoppedList(msgspec.Struct, frozen=True):
    """The reason why a list of drafts stopped early."""

    index: int
    """Index of the refused draft in the list."""
    problem: dict[str, Any]
    """The reason, as a problem document."""


stopped_of = parser(StoppedList, "the reason why a list stopped")
"""Decode the reason that was stored with the idempotency key of a list."""


class AppendResult(msgspec.Struct, frozen=True):
    """The result of an append."""

    game: Game
    """The game after the append."""
    events: list[Event]
    is_replay: bool = False
    """True if an earlier attempt of the same request appended the events."""
    impact: tuple[Impact, ...] | None = None
    """The impact of the corrections on later events; None if there were no corrections, or it was not computed."""
    stopped: StoppedList | None = None
    """None if the whole list was appended."""


def both(one: tuple[Impact, ...] | None, more: Iterable[Impact] | None) -> tuple[Impact, ...] | None:
    """Combine the impact of a list so far with that of its next event; None if neither has an impact."""
    return one if more is None else (*(one or ()), *more)
