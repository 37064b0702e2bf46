"""What can go wrong in the engine: one base class, the facts as attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.chance import ChancePoint
    from engine.events import GameOutcome, Value
    from engine.lines import Impact


class EngineError(Exception):
    """The base of every error that the engine raises.

    `index` is the place of the refused entry where a list was given (see `engine.record.record`), else None.
    """

    index: int | None = None


class UnknownRuleset(EngineError):
    """No ruleset of that id (and version) is installed."""

    def __init__(self, ruleset: str, version: str | None = None) -> None:
        super().__init__(f"no ruleset {ruleset!r}" + (f" of version {version!r}" if version else ""))
        self.ruleset = ruleset
        self.version = version


class Malformed(EngineError):
    """Data that does not have the shape it should have; `pointer` is the RFC 6901 path to it."""

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(f"{pointer or '/'}: {message}")
        self.pointer = pointer
        self.message = message


class IllegalAction(EngineError):
    """The rules forbid this action now; `rule` is the rulebook's heading, `message` what a player reads."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{message} ({rule})")
        self.rule = rule
        self.message = message


class UnclearEffect(IllegalAction):
    """What the table did is not legal, and what it did to the table is not clear; `instead` says what to enter."""

    def __init__(self, rule: str, message: str, instead: str) -> None:
        super().__init__(rule, message)
        self.instead = instead


class BreaksFollowers(IllegalAction):
    """A correction would leave later events broken; `impact` says what becomes of each.

    It is None where the service has still to draw what comes up: that may break them.
    """

    def __init__(self, rule: str, message: str, impact: tuple[Impact, ...] | None) -> None:
        super().__init__(rule, message)
        self.impact = impact


class GameOver(EngineError):
    """Nothing can be appended: the game has ended with `outcome`."""

    def __init__(self, outcome: GameOutcome) -> None:
        super().__init__(f"the game has ended: {outcome.reason}")
        self.outcome = outcome


class Undetermined(IllegalAction):
    """What the table looks like now depends on what nobody saw before; `look` names the parts that would tell."""

    def __init__(self, rule: str, look: tuple[str, ...]) -> None:
        message = f"This depends on what nobody saw. Look at the table ({_parts(look)}), and reveal what it was."
        super().__init__(rule, message)
        self.look = look


class OutcomeRequired(EngineError):
    """The rules ask chance for an outcome that was not reported; `point` says for which.

    Where None was reported and the board depends on it, `look` names the parts of the table that tell.
    """

    def __init__(self, point: ChancePoint, look: tuple[str, ...] = ()) -> None:
        message = f"what came up for {point.name}?"
        super().__init__(f"{message} It shows on the table: {_parts(look)}." if look else message)
        self.point = point
        self.look = look


class ImpossibleOutcome(EngineError):
    """What was reported (`given`) cannot have come up at `point`."""

    def __init__(self, point: ChancePoint, given: Value | None) -> None:
        super().__init__(f"{given!r} cannot have come up for {point.name}")
        self.point = point
        self.given = given


class NotDrawn(EngineError):
    """The rules ask chance for an outcome that is not to be drawn yet: see `engine.chance.Undrawn`."""


def _parts(look: tuple[str, ...]) -> str:
    return ", ".join(part.replace("_", " ") for part in look)


class LogDoesNotVerify(EngineError):
    """A log breaks its chain or the rules; `seq` is the first event that fails."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(f"event {seq}: {reason}")
        self.seq = seq
        self.reason = reason
