"""What can go wrong in the engine: one base class, the facts as attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core.language import say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.core.events import Proposal
    from engine.core.values import ChancePoint, GameOutcome, Impact, Omission, Value, Violation


DEFECTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)
"""What the code of a ruleset may raise by itself on a state that somebody wrote; where the rules alone made the state,
each of them is a defect. Not everything: what ends a job that takes too long, or tells that there is no more memory,
has nothing to do with the table."""


class EngineError(Exception):
    """The base of every error that the engine raises.

    `index` is the place of the refused entry where a list was given (see `engine.play.record.record`), else None;
    `seq` the event of a log that does not replay (see `engine.play.fold`), else None.
    """

    index: int | None = None
    seq: int | None = None
    explanations: Sequence[Proposal] | None = None
    """The explanations of a rejected action, cheapest first; None if they were not searched for."""


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
        super().__init__(f"{message} ({say(rule)})")
        self.rule = rule
        self.message = message


class UnclearEffect(IllegalAction):
    """What the table did is not legal, and what it did to the table is not clear; `instead` says what to enter."""

    def __init__(self, rule: str, message: str, instead: str) -> None:
        super().__init__(rule, message)
        self.instead = instead


class IsLeftOut(IllegalAction):
    """What the table did is not legal, and would be if the steps `left_out`, in that order, were left out before."""

    def __init__(self, rule: str, message: str, left_out: Sequence[Omission]) -> None:
        super().__init__(rule, message)
        self.left_out = left_out


class Unclear(Exception):
    """What a game's `apply` or `describe` raises where it is asked of an action that the rules forbid, and cannot tell.

    The kernel answers it (`UnclearEffect`). It is no `EngineError`: on an action that is legal it is a defect of the
    game, and is to surface as one.
    """


class BreaksFollowers(IllegalAction):
    """A correction would leave later events broken; `impact` says what becomes of each.

    It is None where the service has still to draw what comes up: that may break them.
    """

    def __init__(self, rule: str, message: str, impact: Sequence[Impact] | None) -> None:
        super().__init__(rule, message)
        self.impact = impact


class GameOver(EngineError):
    """Nothing can be appended: the game has ended with `outcome`."""

    def __init__(self, outcome: GameOutcome) -> None:
        super().__init__(say("the game has ended: {reason}", reason=outcome.reason))
        self.outcome = outcome


class UnsoundTable(IllegalAction):
    """No table that the rules can go on from, or have ended, is like what was told.

    `violations` says what stands against it; `instead` the facts, as JSON documents, that would make it whole, where
    that is known.
    """

    def __init__(self, rule: str, violations: Sequence[Violation], instead: Sequence[dict[str, Any]] = ()) -> None:
        super().__init__(rule, violations[0].message)
        self.violations = tuple(violations)
        self.instead = tuple(instead)


class Undetermined(IllegalAction):
    """What the table looks like now depends on what nobody saw before; `hints` names the parts that would tell."""

    def __init__(self, rule: str, hints: tuple[str, ...]) -> None:
        message = say(
            "This depends on what nobody saw. Look at the table ({parts}), and reveal what it was.", parts=_parts(hints)
        )
        super().__init__(rule, message)
        self.hints = hints


class OutcomeRequired(EngineError):
    """The rules ask chance for an outcome that was not reported; `point` says for which.

    Where None was reported and the board depends on it, `hints` names the parts of the table that tell.

    Args:
        hints: these parts, or a function that returns them: a listing asks only whether None may be reported.
    """

    def __init__(self, point: ChancePoint, hints: tuple[str, ...] | Callable[[], tuple[str, ...]] = ()) -> None:
        super().__init__(point, hints)
        self.point = point
        self._hints = hints

    @property
    def hints(self) -> tuple[str, ...]:
        """The parts of the table that tell."""
        return self._hints() if callable(self._hints) else self._hints

    def __str__(self) -> str:
        return self.told(self.point.name)

    def told(self, question: str) -> str:
        """The message, with the words that a player uses for the question."""
        message = say("what came up for {question}?", question=question)
        if self.hints:
            message += " " + say("It shows on the table: {parts}.", parts=_parts(self.hints))
        return message


class ImpossibleOutcome(EngineError):
    """What was reported (`given`) cannot have come up at `point`."""

    def __init__(self, point: ChancePoint, given: Value | None) -> None:
        super().__init__(point, given)
        self.point = point
        self.given = given

    def __str__(self) -> str:
        # Not before somebody reads it: while tables that nobody saw are looked for, it is raised by the thousand.
        return self.told(repr(self.given), self.point.name)

    def told(self, given: str, question: str) -> str:
        """The message, with the words that a player uses for what was reported and for the question."""
        message = say("{given} cannot have come up for {question}", given=given, question=question)
        meant = next((value for value in self.point.options if str(value) == str(self.given)), None)
        if meant is None:
            return message
        if isinstance(meant, int):
            return message + say(": {meant}, a number, can have", meant=repr(meant))
        return message + say(": {meant}, a text, can have", meant=repr(meant))


class TooMuchWork(EngineError):
    """It takes more than may be spent on it here: see `engine.core.effort`."""

    def __init__(self) -> None:
        super().__init__(say("This would take more of the processor's time than one request may."))


class NotDrawn(EngineError):
    """The rules ask chance for an outcome that is not to be drawn yet: see `engine.kit.chance.Undrawn`."""


def _parts(hints: tuple[str, ...]) -> str:
    return ", ".join(say(part.replace("_", " ")) for part in hints)


class LogDoesNotVerify(EngineError):
    """A log breaks its chain or the rules; `seq` is the first event that fails."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(say("event {seq}: {reason}", seq=seq, reason=reason))
        self.seq = seq
        self.reason = reason
