"""Decide whether adjustments decided the outcome of a game.

To test this, the line is replayed without its adjustments. The outcome is "by hand" if the replay ends differently, or
if the last event of the game is legal in the line and illegal in the replay. Adjustments that only confirm the table
are ignored. The answer is computed from the log, and is not stored.
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
    """Return True if an event adjusts the table. This quick check can save a replay."""
    return any(map(adjusts, events))


def adjusts(event: Event) -> bool:
    """Return True if an event is an adjustment that changes the table, or an amend that contains one."""
    if event.type == "adjust":
        return changes(event.params)
    brought = (event.params.get(name) for name in ("event", "insert")) if event.type == "amend" else ()
    return any(one is not None and one["type"] == "adjust" for one in brought)


def is_by_hand(rules: Rules, line: Line) -> bool:
    """Return True if adjustments decided the outcome of `line`. Its game must be won, lost or drawn."""
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
    # `first` is not 0, because a line begins with the setup.
    state = line[first - 1].after
    for slot in line[first:]:
        if slot.entry is None or slot.entry.type in _NO_PLAY:
            continue
        state, judgement, _ = rules.replay(state, slot.entry, slot.number, sound_only=True, keeps_turn=slot.keeps_turn)
        if state is not None and state.outcome is not None:
            is_broken = judgement is not None and slot.judgement is None
            return is_broken or state.outcome != end.outcome
    return True
