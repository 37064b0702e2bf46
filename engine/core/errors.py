"""The engine's errors: one base class; details are attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core.language import say
from engine.core.text import hint

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

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
"""Exceptions that a ruleset may raise on a state that a user wrote.

If the rules alone produced the state, each of these exceptions is a defect. Errors about time or memory are not
included: they do not depend on the table.
"""


class EngineError(Exception):
    """The base class of every error that the engine raises.

    `index` is the position of the rejected entry in a list (see `engine.play.record.record`); None if there is no list.
    `seq` is the event at which a log cannot be replayed (see `engine.play.fold`); None if no log is replayed.
    """

    index: int | None = None
    seq: int | None = None
    explanations: Sequence[Proposal] | None = None
    """The explanations of a rejected action, cheapest first; None if they were not searched for."""


class UnknownRuleset(EngineError):
    """No ruleset of that id (and version) is installed."""

    def __init__(self, ruleset: str, version: str | None = None, known: Collection[str] = ()) -> None:
        super().__init__(f"no ruleset {ruleset!r}" + (f" of version {version!r}" if version else hint(ruleset, known)))
        self.ruleset = ruleset
        self.version = version


class Malformed(EngineError):
    """Data of the wrong shape; `pointer` is the RFC 6901 pointer to the invalid part."""

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(f"{pointer or '/'}: {message}")
        self.pointer = pointer
        self.message = message


class IllegalAction(EngineError):
    """The rules forbid this action now; `rule` is the rulebook's heading, `message` the text for players."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{message} ({say(rule)})")
        self.rule = rule
        self.message = message


class UnclearEffect(IllegalAction):
    """The action is illegal, and its effect on the table is unclear; `instead` is the event to record instead."""

    def __init__(self, rule: str, message: str, instead: str) -> None:
        super().__init__(rule, message)
        self.instead = instead


class IsLeftOut(IllegalAction):
    """The action is illegal, but becomes legal if the steps `left_out` are first skipped, in that order."""

    def __init__(self, rule: str, message: str, left_out: Sequence[Omission]) -> None:
        super().__init__(rule, message)
        self.left_out = left_out


class Unclear(Exception):
    """Raised by a game's `apply` or `describe` for an illegal action whose effect is unclear.

    The kernel converts it to `UnclearEffect`. It is not an `EngineError`: raised for a legal action, it is a defect of
    the game and must be reported as one.
    """


class BreaksFollowers(IllegalAction):
    """A correction would break later events; `impact` lists its effect on each.

    `impact` is None if a result must still be drawn, because that result can also break later events.
    """

    def __init__(self, rule: str, message: str, impact: Sequence[Impact] | None) -> None:
        super().__init__(rule, message)
        self.impact = impact


class WouldDiffer(IllegalAction):
    """The new options would change recorded events; `seq` is the first such event."""

    def __init__(self, rule: str, message: str, seq: int) -> None:
        super().__init__(rule, message)
        self.differs_at = seq


class GameOver(EngineError):
    """The game has ended with `outcome`: nothing can be appended."""

    def __init__(self, outcome: GameOutcome) -> None:
        super().__init__(say("the game has ended: {reason}", reason=outcome.reason))
        self.outcome = outcome


class UnsoundTable(IllegalAction):
    """The reported facts match neither a table from which the rules can continue, nor a table at the end of a game.

    `violations` lists the contradictions. `instead` lists facts that complete the table, as JSON documents; it is empty
    if none are known.
    """

    def __init__(self, rule: str, violations: Sequence[Violation], instead: Sequence[dict[str, Any]] = ()) -> None:
        super().__init__(rule, violations[0].message)
        self.violations = tuple(violations)
        self.instead = tuple(instead)


class Undetermined(IllegalAction):
    """The current table depends on an unknown result; `hints` names the parts of the table that reveal the result."""

    def __init__(self, rule: str, hints: tuple[str, ...]) -> None:
        message = say(
            "This depends on an unknown result. Look at the table ({parts}), then reveal the result.",
            parts=_parts(hints),
        )
        super().__init__(rule, message)
        self.hints = hints
        self.rows: tuple[int, ...] = ()
        """The seats whose unknown cards determine the table; empty if the table depends on other unknown results."""
        self.unknowns: tuple[tuple[int, int], ...] = ()
        """The unknown results to reveal: the `seq` of the event, and the index of the outcome."""

    def name(self, unknowns: tuple[tuple[int, int], ...]) -> None:
        """Set the unknown results that players must reveal, and name their events in the message."""
        self.unknowns = unknowns
        if unknowns:
            self.message = say(
                "This depends on an unknown result. Look at the table ({parts}), then reveal the result of event "
                "{events}.",
                parts=_parts(self.hints),
                events=", ".join(str(seq) for seq, _ in unknowns),
            )
            self.args = (f"{self.message} ({say(self.rule)})",)


class OutcomeRequired(EngineError):
    """The rules need an outcome at `point`, but none was reported.

    If the outcome was reported as unknown, but the table depends on it, `hints` names the parts of the table that show
    it.

    Args:
        hints: the names of these parts, or a function that computes them on demand.
    """

    def __init__(self, point: ChancePoint, hints: tuple[str, ...] | Callable[[], tuple[str, ...]] = ()) -> None:
        super().__init__(point, hints)
        self.point = point
        self._hints = hints

    @property
    def hints(self) -> tuple[str, ...]:
        """The parts of the table that show the outcome."""
        return self._hints() if callable(self._hints) else self._hints

    def __str__(self) -> str:
        return self.message_for(self.point.name)

    def message_for(self, question: str) -> str:
        """Return the message for players; `question` is their name for the missing result."""
        message = say("the result for {question} is missing", question=question)
        if self.hints:
            message += say("; look at the table: {parts}", parts=_parts(self.hints))
        return message


class ImpossibleOutcome(EngineError):
    """The reported result (`given`) is impossible at `point`."""

    def __init__(self, point: ChancePoint, given: Value | None) -> None:
        super().__init__(point, given)
        self.point = point
        self.given = given

    def __str__(self) -> str:
        # Formatted on demand: the search for possible tables raises this error thousands of times.
        return self.message_for(repr(self.given), self.point.name)

    def message_for(self, given: str, question: str) -> str:
        """Return the message for players; `given` and `question` are words for the reported and the needed result."""
        message = say("{given} is not a possible result for {question}", given=given, question=question)
        meant = next((value for value in self.point.options if str(value) == str(self.given)), None)
        if meant is None:
            return message
        if isinstance(meant, int):
            return message + say(": use the number {meant}", meant=repr(meant))
        return message + say(": use the text {meant}", meant=repr(meant))


class TooMuchWork(EngineError):
    """The computation exceeds its budget of steps: see `engine.core.effort`."""

    def __init__(self) -> None:
        super().__init__(say("This request needs more processor time than allowed. Send less at a time."))


class NotDrawn(EngineError):
    """The rules need an outcome that must not be drawn yet: see `engine.kit.chance.Undrawn`."""


def _parts(hints: tuple[str, ...]) -> str:
    return ", ".join(say(part.replace("_", " ")) for part in hints)


class LogDoesNotVerify(EngineError):
    """A log fails the check of its hash chain or of its rules; `seq` is the first event that fails."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(say("event {seq}: {reason}", seq=seq, reason=reason))
        self.seq = seq
        self.reason = reason
