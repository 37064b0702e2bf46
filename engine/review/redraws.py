"""Redraws: draws that were undone, and that the service then drew again.

The correction that undoes a draw is allowed, and so is the next draw. Together they are a second chance, which nobody
has at a real table. Redraws are found from the log alone, without a replay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.events import Event, Header
from engine.core.values import Value
from engine.play.corrections.undo import SUPERSEDING


class Redraw(msgspec.Struct, frozen=True):
    """A draw that was undone and drawn again. Each field is the `seq` of an event."""

    first: int
    """The first draw."""
    by: int
    """The undo or amend that removed the first draw."""
    again: int
    """The draw that repeated the first one, or else the first later draw of the same type that is in effect.
    """


class _Draw(msgspec.Struct, frozen=True):
    place: int
    """The place in the line."""
    source: int
    """The `seq` of the event that drew: the place itself, or a later amend."""
    type: str
    below: _Draw | None
    """The previous draw in effect; None if there is none."""
    height: int
    """The number of draws in effect up to this one."""


def find_redraws(header: Header, events: Iterable[Event]) -> list[Redraw]:
    """Return the redraws of a log, in the order of the second draws.

    Args:
        events: the whole log, which must be replayable.
    """
    found = Redraws(header)
    again = [one for one in map(found.read, events) if one is not None]
    return sorted([*again, *found.unrepeated_draws()], key=lambda one: one.again)


class Redraws:
    """Finds redraws while it reads a log event by event. Results that the service did not draw are ignored."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._taken: dict[int, tuple[str, int]] = {}
        """By `seq`, oldest first, each undone draw that was not repeated: its type, and the event that undid it."""
        self._tops: list[_Draw | None] = [None]
        """The last draw that is in effect after each event."""

    def read(self, event: Event) -> Redraw | None:
        """Read the next event; return the redraw if the event draws again."""
        top = before = self._tops[-1]
        drawn = _drawn_type(event) if self._header.chance_at(event.seq) == "seeded" else None
        if event.type == "undo":
            top = self._tops[event.params["to"]]
        elif event.type == "amend":
            top = _draw_after_amend(before, event, drawn)
        elif drawn is not None:
            top = _push_draw(before, event.seq, event.seq, drawn)
        self._tops.append(top)
        if event.type in SUPERSEDING:
            gone, back = _apart(before, top)
            self._taken.update({draw.source: (draw.type, event.seq) for draw in reversed(gone)})
            for draw in back:
                self._taken.pop(draw.source, None)
        if drawn is None:
            return None
        first = next((source for source, (type_, _) in self._taken.items() if type_ == drawn), None)
        return None if first is None else Redraw(first, self._taken.pop(first)[1], event.seq)

    def unrepeated_draws(self) -> Iterator[Redraw]:
        """Yield the undone draws that were not repeated although a later draw of their type is in effect.

        In such a case, the recorder has chosen between two draws. Call this method at the end of the log.
        """
        standing = sorted((draw.source, draw.type) for draw in _down(self._tops[-1]))
        for first, (type_, by) in self._taken.items():
            again = next((source for source, its in standing if its == type_ and source > first), None)
            if again is not None:
                yield Redraw(first, by, again)


def drawn_results(event: Event) -> tuple[str, tuple[Value, ...]]:
    """Return the type of the action in `event`, and its random results, which are empty if it needed none.

    For an amend, return the type and the results of the event in the amend.
    """
    if event.type == "amend":
        brought: dict[str, Any] = event.params.get("event") or event.params.get("insert") or {}
        return brought.get("type", ""), tuple(brought.get("outcomes", ()))
    return event.type, tuple(value for value in event.outcomes if value is not None)


def _drawn_type(event: Event) -> str | None:
    """Return the type of the action for which `event` drew results; None if it drew none."""
    type_, outcomes = drawn_results(event)
    return type_ if outcomes and type_ not in lifecycle.KINDS else None


def _draw_after_amend(top: _Draw | None, event: Event, drawn: str | None) -> _Draw | None:
    place = event.seq if event.params.get("insert") is not None else event.params["seq"]
    standing = list(_down(top))
    if any(draw.place == place for draw in standing):
        top = None
        for draw in reversed(standing):
            top = top if draw.place == place else _push_draw(top, draw.place, draw.source, draw.type)
    return top if drawn is None else _push_draw(top, place, event.seq, drawn)


def _push_draw(top: _Draw | None, place: int, source: int, type_: str) -> _Draw:
    return _Draw(place, source, type_, top, 1 if top is None else top.height + 1)


def _down(top: _Draw | None) -> Iterator[_Draw]:
    while top is not None:
        yield top
        top = top.below


def _apart(one: _Draw | None, other: _Draw | None) -> tuple[list[_Draw], list[_Draw]]:
    """Return the draws that are in effect at `one` but not at `other`, and the reverse, latest first."""
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
