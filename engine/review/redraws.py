"""Redraws: a draw of the service that was undone, and drawn once more.

Each correction that undoes a draw is allowed, and so is the next draw; together they are a second chance that nobody at
a table has. Found from the log alone, without playing a single event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.events import Event, Header
from engine.core.values import Value
from engine.play.corrections.superseded import SUPERSEDING


class Redrawn(msgspec.Struct, frozen=True):
    """A draw that was undone and drawn again. Fields are the `seq` of events."""

    first: int
    """The first draw."""
    by: int
    """The undo or amend that removed it."""
    again: int
    """The second draw: the next draw of that type that was not undone as well; if there is none, the first later draw
    that replaces it in the line.
    """


class _Draw(msgspec.Struct, frozen=True):
    """A draw that is in effect."""

    place: int
    """Its place on the line."""
    source: int
    """The event that drew it: the place itself, or a later amend."""
    type: str
    below: _Draw | None
    """The previous draw in effect."""
    height: int
    """The number of draws in effect up to here."""


def redrawn(header: Header, events: Iterable[Event]) -> list[Redrawn]:
    """Return the redraws of a log, in the order of the second draws.

    Args:
        events: the whole log, which replays.
    """
    found = Redraws(header)
    again = [one for one in map(found.read, events) if one is not None]
    return sorted([*again, *found.left()], key=lambda one: one.again)


class Redraws:
    """Reads a log event by event; results that the service did not draw are ignored."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._taken: dict[int, tuple[str, int]] = {}
        """Draws that were undone and not drawn again, oldest first: by the event of the draw, its type and the event
        that undid it.
        """
        self._tops: list[_Draw | None] = [None]
        """The last draw in effect after each event."""

    def read(self, event: Event) -> Redrawn | None:
        """Return the redraw that the next event makes, if any."""
        top = before = self._tops[-1]
        drawn = _drawn(event) if self._header.chance_at(event.seq) == "seeded" else None
        if event.type == "undo":
            top = self._tops[event.params["to"]]
        elif event.type == "amend":
            top = _amended(before, event, drawn)
        elif drawn is not None:
            top = _upon(before, event.seq, event.seq, drawn)
        self._tops.append(top)
        if event.type in SUPERSEDING:
            gone, back = _apart(before, top)
            self._taken.update({draw.source: (draw.type, event.seq) for draw in reversed(gone)})
            for draw in back:
                self._taken.pop(draw.source, None)
        if drawn is None:
            return None
        first = next((source for source, (type_, _) in self._taken.items() if type_ == drawn), None)
        return None if first is None else Redrawn(first, self._taken.pop(first)[1], event.seq)

    def left(self) -> Iterator[Redrawn]:
        """Yield draws that were undone and not repeated although a later draw of their type is in effect: one of both
        was chosen.

        Call it at the end of the log.
        """
        standing = sorted((draw.source, draw.type) for draw in _down(self._tops[-1]))
        for first, (type_, by) in self._taken.items():
            again = next((source for source, its in standing if its == type_ and source > first), None)
            if again is not None:
                yield Redrawn(first, by, again)


def drawn_by(event: Event) -> tuple[str, tuple[Value, ...]]:
    """Return the type of the action in `event` that asked chance, and the results; empty if it did not ask.

    For an amend, they are those of the event that it contains.
    """
    if event.type == "amend":
        brought: dict[str, Any] = event.params.get("event") or event.params.get("insert") or {}
        return brought.get("type", ""), tuple(brought.get("outcomes", ()))
    return event.type, tuple(value for value in event.outcomes if value is not None)


def _drawn(event: Event) -> str | None:
    """The type of the action that `event` drew for; None without a draw."""
    type_, outcomes = drawn_by(event)
    return type_ if outcomes and type_ not in lifecycle.KINDS else None


def _amended(top: _Draw | None, event: Event, drawn: str | None) -> _Draw | None:
    """Return the last draw in effect after `event`, an amend, has rewritten its place."""
    place = event.seq if event.params.get("insert") is not None else event.params["seq"]
    standing = list(_down(top))
    if any(draw.place == place for draw in standing):
        top = None
        for draw in reversed(standing):
            top = top if draw.place == place else _upon(top, draw.place, draw.source, draw.type)
    return top if drawn is None else _upon(top, place, event.seq, drawn)


def _upon(top: _Draw | None, place: int, source: int, type_: str) -> _Draw:
    return _Draw(place, source, type_, top, 1 if top is None else top.height + 1)


def _down(top: _Draw | None) -> Iterator[_Draw]:
    while top is not None:
        yield top
        top = top.below


def _apart(one: _Draw | None, other: _Draw | None) -> tuple[list[_Draw], list[_Draw]]:
    """The draws in effect up to `one` only, and those up to `other` only, latest first."""
    ones, others = [], []
    while one is not other:
        if other is None or (one is not None and one.height >= other.height):
            assert one is not None
            ones.append(one)
            one = one.below
        else:
            others.append(other)
            other = other.below
    both = {draw.source for draw in ones} & {draw.source for draw in others}
    return [draw for draw in ones if draw.source not in both], [draw for draw in others if draw.source not in both]
