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

The `index` of an engine error is the position of the rejected draft. The function also accepts an internal error: if
the first drafts are already in the log, the list stops at the draft that failed.
"""


class AppendMetrics(Protocol):
    """Metrics of appends."""

    def count_append(self, events: int, seconds: float) -> None:
        """Count appended events, and the seconds that the store took."""

    def count_conflict(self) -> None:
        """Count a conflict with another writer, after which the append is retried."""


class NoMetrics:
    """Metrics that are not collected."""

    def count_append(self, events: int, seconds: float) -> None:
        pass

    def count_conflict(self) -> None:
        pass


UNMETERED = NoMetrics()


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
    """True if an earlier attempt of this request appended the events."""
    impact: tuple[Impact, ...] | None = None
    """The impact of the corrections on later events; None if there were no corrections, or it was not determined."""
    stopped: StoppedList | None = None
    """None if the whole list was appended."""


def both(one: tuple[Impact, ...] | None, more: Iterable[Impact] | None) -> tuple[Impact, ...] | None:
    """Combine the impact of the earlier events of a list with that of the next event; None if there is no impact."""
    return one if more is None else (*(one or ()), *more)
