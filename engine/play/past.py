"""The past of a game: earlier states and lines, to which an undo or an amend goes back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from engine.core import lifecycle
from engine.core.errors import Malformed
from engine.core.values import State
from engine.play.impact import Impacts
from engine.play.line import Entry, Line


class Past(ABC):
    """The history of a game: the states and lines after earlier events."""

    def __init__(self) -> None:
        self.lines: dict[int, Line] = {}
        """The line after each event that rewrote it, by `seq`."""
        self.impacts: dict[int, Impacts] = {}
        """The impact of each event in `lines` on later events, by `seq`."""

    @abstractmethod
    def state(self, at: int) -> State | None:
        """Return the state after event `at`; None before the setup."""

    @abstractmethod
    def line(self, at: int) -> Line:
        """Return the line after event `at`."""

    def remember(self, seq: int, line: Line, impact: Impacts) -> None:
        """Store the line that event `seq` has rewritten, and its impact."""
        self.lines[seq] = line
        self.impacts[seq] = impact


class KnownPast(Past):
    """A past that knows only some states and no lines, for a replay without amends.

    Args:
        states: the state after each event to which an undo can go back, by `seq`. The caller can add states during the
            replay. No state is needed for event 1.
    """

    def __init__(self, states: Mapping[int, State | None] | None = None) -> None:
        super().__init__()
        self._states = {1: None} if states is None else states

    def state(self, at: int) -> State | None:
        """Return the state after event `at`.

        Raises:
            Malformed: the state is not known.
        """
        if at not in self._states:
            raise Malformed("/params/to", f"event {at} is unknown here")
        return self._states[at]

    def line(self, at: int) -> Line:
        """Raise Malformed: this object has states, but no lines."""
        raise Malformed("/params/seq", f"the state after event {at} is unknown here")


def is_ending(entry: Entry, before: State | None, after: State | None, past: Past) -> bool:
    """Return True if `game_closed` must follow an entry that changed the state from `before` to `after`."""
    if after is None or after.outcome is None:
        return False
    if before is None or before.outcome is None or entry.type in lifecycle.REWRITING:
        return True
    if entry.type != "undo":
        return False
    # An undo to the event that ended the game needs a new closing; an undo to a later event does not.
    line = past.line(entry.params["to"])
    return all(slot.entry is None or slot.entry.type != lifecycle.GAME_CLOSED for slot in line)
