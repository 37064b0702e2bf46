"""Errors of use cases, besides errors of the engine and the store: one base class, with details as attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.language import say
from engine.core.values import not_a_seat

if TYPE_CHECKING:
    from exports.notation import TextReading


class ServiceError(Exception):
    """The base class of all errors of use cases. Attributes of an error have the details."""


class TooBusy(ServiceError):
    """A write waited too long for other writes to the same game."""

    def __init__(self) -> None:
        super().__init__("this game is busy")


class TooManyLookups(ServiceError):
    """The limit of parallel DNS lookups is reached."""

    def __init__(self) -> None:
        super().__init__("too many host names are being looked up")


class VersionMismatch(ServiceError):
    """The game is at `version`, but the request expects another."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the game is at version {version}")
        self.version = version


class UnknownViewer(ServiceError):
    """The game has `seats` seats and no seat `viewer`."""

    def __init__(self, viewer: str, seats: int) -> None:
        super().__init__(not_a_seat(seats, viewer))


class UnknownTurn(ServiceError):
    """The game has no event in effect in turn `turn`."""

    def __init__(self, turn: int) -> None:
        super().__init__(f"there is no turn {turn} in this game")
        self.turn = turn


class UnknownMix(ServiceError):
    """There is no such mixed seed, or it has expired."""

    def __init__(self) -> None:
        super().__init__("there is no such seed, or it has expired")


class ShareRejected(ServiceError):
    """A share of a mixed seed cannot be committed or revealed now."""


class DifferentRulesets(ServiceError):
    """Games of different rulesets cannot be compared."""

    def __init__(self) -> None:
        super().__init__("the games have different rulesets")


class Forbidden(ServiceError):
    """The caller lacks permission.

    `needs` is the role required; But even with this role, a token may be refused because it is limited to one seat or
    game. `message` gives the reason.
    """

    def __init__(self, needs: str, message: str | None = None) -> None:
        super().__init__(message or say("this request needs a token with the role {role}", role=needs))
        self.needs = needs


class NotUnderstood(ServiceError):
    """Handwritten text has errors; `reading` has the result of each line."""

    def __init__(self, reading: TextReading) -> None:
        problem = reading.problem
        assert problem is not None
        super().__init__(say("line {line}: {problem}", line=problem.line, problem=problem.problem))
        self.reading = reading
