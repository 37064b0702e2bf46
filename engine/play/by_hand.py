"""Outcomes that adjustments decided.

The test: take every adjustment out of the line, and play the rest as an amend that removes them would. The outcome is
by hand if the game does not end so, or if what ends it is against the rules only without them. Adjustments that confirm
the table decide nothing. The answer follows from the log, and is not stored in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import lifecycle
from engine.core.events import Event
from engine.play.corrections.adjusting import changes
from engine.play.line import Line
from engine.play.rules import Rules

_NO_PLAY = ("adjust", lifecycle.GAME_CLOSED)


def has_adjustments(events: Sequence[Event]) -> bool:
    """Return True if an event adjusts the table: a quick look before the log is played."""
    return any(map(adjusts, events))


def adjusts(event: Event) -> bool:
    """Return True if an event changes the table by hand, or brings an event that does."""
    if event.type == "adjust":
        return changes(event.params)
    brought = (event.params.get(name) for name in ("event", "insert")) if event.type == "amend" else ()
    return any(one is not None and one["type"] == "adjust" for one in brought)


def is_by_hand(rules: Rules, line: Line) -> bool:
    """Return True if adjustments decided how the game of `line`, which is won, lost or drawn, ended."""
    end = line[-1].after
    assert end is not None
    adjusted = (
        index
        for index, slot in enumerate(line)
        if slot.entry is not None and slot.entry.type == "adjust" and changes(slot.entry.params)
    )
    first = next(adjusted, None)
    if first is None:
        return False
    # A game begins with its set-up: an adjustment has a place before it.
    state = line[first - 1].after
    for slot in line[first:]:
        if slot.entry is None or slot.entry.type in _NO_PLAY:
            continue
        state, judgement, _ = rules.replay(state, slot.entry, slot.number, sound_only=True)
        if state is not None and state.outcome is not None:
            is_broken = judgement is not None and slot.judgement is None
            return is_broken or state.outcome != end.outcome
    return True
