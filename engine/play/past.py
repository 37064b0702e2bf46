"""The past of a game: the states and lines of its log that an undo or an amend goes back to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from engine.core import lifecycle
from engine.core.errors import Malformed
from engine.core.values import State
from engine.play.impact import Impacts
from engine.play.line import Entry, Line


class Past(ABC):
    """What came before in a game's log: asked when something is undone or amended."""

    def __init__(self) -> None:
        self.lines: dict[int, Line] = {}
        """The line after each event that wrote it anew."""
        self.impacts: dict[int, Impacts] = {}
        """What each of those events did to those that follow."""

    @abstractmethod
    def state(self, at: int) -> State | None:
        """The state after event `at`; None where the game was not set up yet."""

    @abstractmethod
    def line(self, at: int) -> Line:
        """The line after event `at`."""

    def remember(self, seq: int, line: Line, impact: Impacts) -> None:
        """Event `seq` has written the line anew."""
        self.lines[seq] = line
        self.impacts[seq] = impact


class Known(Past):
    """The past of which only some states are known, as where nothing can be undone or amended: no line of it is.

    Args:
        states: the state after each event that an undo may go back to, by its `seq`; more may be added as they are
            played. Event 1 needs none.
    """

    def __init__(self, states: Mapping[int, State | None] | None = None) -> None:
        super().__init__()
        self._states = {1: None} if states is None else states

    def state(self, at: int) -> State | None:
        """The state after event `at`.

        Raises:
            Malformed: it is not known.
        """
        if at not in self._states:
            raise Malformed("/params/to", f"event {at} is not known here")
        return self._states[at]

    def line(self, at: int) -> Line:
        """No line is known: none that is asked for stands.

        Raises:
            Malformed: always.
        """
        raise Malformed("/params/seq", f"what stands after event {at} is not known here")


def is_ending(entry: Entry, before: State | None, after: State | None, past: Past) -> bool:
    """Whether an entry, which led from `before` to `after`, has to be followed by the game's closing."""
    if after is None or after.outcome is None:
        return False
    if before is None or before.outcome is None or entry.type in lifecycle.REWRITING:
        return True
    if entry.type != "undo":
        return False
    # Back to the event that ended the game is not back to the one that closed it.
    line = past.line(entry.params["to"])
    return all(slot.entry is None or slot.entry.type != lifecycle.GAME_CLOSED for slot in line)
