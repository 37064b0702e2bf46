"""What became of a text: piece by piece, and nothing left out."""

from __future__ import annotations

from typing import Literal

import msgspec

from engine.core.errors import EngineError, GameOver, IllegalAction, ImpossibleOutcome, Malformed, TooMuchWork
from engine.core.events import Event
from engine.kit.presentation import AnyPresentation
from engine.play.game import Game
from exports.notation.scanning import Misread, Written

Status = Literal["understood", "incomplete", "irregular", "wrong", "unread"]
"""`incomplete`: something is not known, and entered so. `irregular`: it was not by the rules, and is entered as it was
played; or it does not quite fit what is written beside it. `unread`: what stands before it has to be mended first."""


class Item(msgspec.Struct, frozen=True):
    """What became of a piece of the text."""

    line: int
    """From 1."""
    column: int
    """From 1."""
    text: str
    """As it stands there."""
    status: Status
    said: str | None = None
    """What was understood, as a player says it."""
    problem: str | None = None
    """What is missing, irregular or wrong."""
    events: tuple[int, ...] = ()
    """The events that it became, by their `seq`."""


class Reading(msgspec.Struct, frozen=True):
    """What was made of a text."""

    items: tuple[Item, ...]
    """In the order of the text; nothing of it is left out."""
    events: tuple[Event, ...] = ()
    """The log that it is, up to the first item that is wrong; none where its tags are."""
    game: Game | None = None
    """The game after them."""

    @property
    def problem(self) -> Item | None:
        """The first item that is wrong; None where all of it can be entered."""
        return next((item for item in self.items if item.status == "wrong"), None)


def unread(one: Written | Misread) -> Item:
    """A piece that comes after one that is wrong; where it cannot be read it is wrong itself."""
    if isinstance(one, Misread):
        return Item(one.line, one.column, "", "wrong", problem=one.message)
    return Item(one.line, one.column, one.text, "unread")


def told(error: EngineError, ruleset: AnyPresentation) -> str:
    """Why something was refused, as a person reads it."""
    match error:
        case IllegalAction():
            return f"{error.message} ({error.rule})"
        case GameOver():
            return f"the game is over by then: {ruleset.endings.get(error.outcome.reason, error.outcome.reason)}"
        case ImpossibleOutcome():
            return f"{error.given} cannot have come up for the {error.point.name.replace('_', ' ')}"
        case Malformed():
            return error.message
        case TooMuchWork():
            return "too much is not known before this: write what came up"
    return str(error)
