"""What can go wrong in a use case besides what the engine and the store refuse: one base class, facts as attributes."""

from __future__ import annotations

from engine.core.language import say
from engine.core.values import not_a_seat
from exports.notation import Reading


class ServiceError(Exception):
    """The base of every error of a use case."""


class TooBusy(ServiceError):
    """So many write to a game that the turn did not come in time."""

    def __init__(self) -> None:
        super().__init__("too many write to this game now")


class TooManyLookups(ServiceError):
    """As many hosts are looked up as may be at a time."""

    def __init__(self) -> None:
        super().__init__("other hosts are being looked up now")


class VersionMismatch(ServiceError):
    """The game is at `version`, which is none of those at which the caller wants it."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the game is at version {version}")
        self.version = version


class UnknownViewer(ServiceError):
    """The game, which has so many `seats`, has no seat `viewer`."""

    def __init__(self, viewer: str, seats: int) -> None:
        super().__init__(not_a_seat(seats, viewer))


class UnknownTurn(ServiceError):
    """Nothing of turn `turn` stands in the game."""

    def __init__(self, turn: int) -> None:
        super().__init__(f"there is no turn {turn} in this game")
        self.turn = turn


class DifferentRulesets(ServiceError):
    """Two games of different rulesets, which cannot be compared."""

    def __init__(self) -> None:
        super().__init__("a game of another ruleset")


class Forbidden(ServiceError):
    """The caller is known, and may not do this: it takes the role `needs`, or a token that is not for one seat or one
    game alone; `message` says which.
    """

    def __init__(self, needs: str, message: str | None = None) -> None:
        super().__init__(message or say("this needs a token with the role {role}", role=needs))
        self.needs = needs


class NotUnderstood(ServiceError):
    """What was written by hand cannot be entered; `reading` says of each line what it is."""

    def __init__(self, reading: Reading) -> None:
        problem = reading.problem
        assert problem is not None
        super().__init__(say("line {line}: {problem}", line=problem.line, problem=problem.problem))
        self.reading = reading
