"""Collect the results of reading a text: the read pieces, the questions, and the labels of events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.core import lifecycle
from engine.core.errors import Malformed
from engine.core.events import Draft, Event
from exports.notation.foresight import Start
from exports.notation.heading import Bounding
from exports.notation.recorder import Recorder
from exports.notation.report import PieceResult, Question, Status
from exports.notation.syntax import Line, WrittenPiece


class Place(NamedTuple):
    """A piece of the text."""

    line: int
    """The line, from 1."""
    column: int
    """The column, from 1."""
    text: str


def place_of(line: Line) -> Place:
    """Return the place of a whole line."""
    return Place(line.number, 1, line.text.strip())


class Results:
    """The results of the lines that were read, in reading order."""

    def __init__(self, recorder: Recorder, bounded: Bounding) -> None:
        self.items: list[PieceResult] = []
        self.questions: list[Question] = []
        self.labels = {"1": 1}
        """The labels in the text, each with the `seq` of its event."""
        self.last = 1
        """The last event that is an action from the text."""
        self._recorder = recorder
        self._bounded = bounded

    def start(self, line: Line, current: int | None) -> Start:
        """Return the record before a line."""
        counts = len(self.items), len(self.questions)
        return Start(line, self._recorder.game, current, self.last, *counts, dict(self.labels))

    def rewind(self, start: Start) -> None:
        """Remove the events and the results after `start`."""
        self._recorder.rewind(start.game)
        self.last = start.last
        del self.items[start.items :]

    def find(self, label: str) -> int:
        """Return the `seq` of the event with a label; raise `Malformed` if there is none."""
        if label not in self.labels:
            raise Malformed("", f"no action has the label #{label}")
        return self.labels[label]

    def wrong(self, at: Place, message: str) -> None:
        """Add a piece that could not be read."""
        self.items.append(PieceResult(*at, "wrong", problem=message))

    def leave(self, unread: Sequence[Line], problem: str) -> None:
        """Leave lines unread because of `problem`."""
        self.items += [PieceResult(*place_of(one), "unread", problem=problem) for one in unread]

    def remark(self, at: Place, text: str, *, is_known: bool) -> None:
        """Store a text as a note.

        Args:
            is_known: True if the text is certainly not an action.
        """
        events = self.annotate({"text": text[:2000]}) if self._recorder.state is not None else []
        status: Status = "understood" if is_known else "irregular"
        problem = None if is_known else "stored as a note"
        self.items.append(PieceResult(*at, status, problem=problem, events=tuple(event.seq for event in events)))

    def annotate(self, params: dict[str, Any]) -> list[Event]:
        """Append a note."""
        return self._recorder.commit(self._recorder.judge(self._bounded(Draft(type="annotate", params=params))))

    def finish(self, piece: WrittenPiece, events: list[Event], at: Place, unknown: Sequence[str]) -> None:
        """Add the result of a recorded piece, and its marks.

        Args:
            unknown: the names of the draws with unknown results.
        """
        own = [event for event in events if event.type not in {lifecycle.GAME_CLOSED, lifecycle.LEFT_OUT}] or events
        if own and not (own[-1].type == "annotate" and piece.is_silent and piece.text):
            self.last = own[-1].seq
            if piece.label is not None:
                self.labels[piece.label] = own[-1].seq
        for mark in piece.marks:
            events = [*events, *self.annotate({"mark": mark, "seq": self.last})]
        if not events:
            return
        problems = [f"the result is unknown: {name}" for name in dict.fromkeys(unknown)]
        problems += [
            f"against the rules: {event.reason}" for event in events if event.verdict == "illegal" and event.reason
        ]
        status: Status = "incomplete" if unknown else "irregular" if problems else "understood"
        said = " ".join(
            self._recorder.sentence(event) for event in events if event.type != "annotate" or piece.is_silent
        )
        seq = tuple(event.seq for event in events)
        self.items.append(PieceResult(*at, status, said or None, "; ".join(problems) or None, seq))
