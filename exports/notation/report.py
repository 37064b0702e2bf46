"""The result of reading a text: its pieces and the open questions."""

from __future__ import annotations

from typing import Literal

import msgspec

from engine.core.events import Event
from engine.play.game import Game

Status = Literal["understood", "incomplete", "irregular", "wrong", "unread"]
"""`incomplete`: a result is unknown.

`irregular`: the piece is illegal, or differs from another part of the text. `wrong`: a question is open. `unread`:
earlier questions are open, the game is unknown, or reading takes too long.
"""


class PieceResult(msgspec.Struct, frozen=True):
    """The result of a piece of the text."""

    line: int
    """The line of the piece, from 1."""
    column: int
    """The column of the piece, from 1."""
    text: str
    status: Status
    said: str | None = None
    """The meaning of the piece, as a sentence."""
    problem: str | None = None
    """A description of what is unknown, irregular or wrong."""
    events: tuple[int, ...] = ()
    """The `seq` of each event of the piece."""


class Meaning(msgspec.Struct, frozen=True):
    """A possible meaning of a line."""

    label: str
    """The text to show."""
    text: str
    """The text that replaces the question's `text`."""


class Question(msgspec.Struct, frozen=True):
    """A line with several meanings, or none."""

    line: int
    column: int
    text: str
    """The part of the line that an answer's `text` replaces."""
    message: str
    answers: tuple[Meaning, ...] = ()
    """The answers, best first."""


class TextReading(msgspec.Struct, frozen=True):
    """The result of reading a text."""

    items: tuple[PieceResult, ...]
    """Every piece, in the order of the text."""
    questions: tuple[Question, ...] = ()
    """The open questions."""
    events: tuple[Event, ...] = ()
    """The log, with the first answer to each question; empty if the tags are wrong."""
    game: Game | None = None
    """The game after the log."""
    text: str = ""
    """The text that was read, including its heading."""

    @property
    def problem(self) -> PieceResult | None:
        """The first piece that prevents recording; None if there is none."""
        return next((item for status in ("wrong", "unread") for item in self.items if item.status == status), None)
