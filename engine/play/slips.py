"""What a table did against the rules, in a game recorded as played: believed where it is clear what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from engine.core.errors import DEFECTS, IllegalAction, Unclear, UnclearEffect
from engine.core.events import Explanation
from engine.core.language import say
from engine.core.values import SEAT_INDEX, Judgement, State
from engine.kit.chance import Chance
from engine.kit.facts import CannotBe
from engine.kit.rules import AnyRules
from engine.kit.ruleset import Action
from engine.play.beliefs import belief


def sentence(explanation: Explanation, names: Sequence[str], actor: int, kind: type[Action[Any]]) -> str:
    """The sentence that a player reads of an explained action.

    Args:
        actor: the seat whose action it is.
    """
    told = {"name": names[SEAT_INDEX[explanation.seat]], "action": say(kind.called())}
    match explanation.kind:
        case "one_too_many":
            return say("{name} took one action too many: {action}.", **told)
        case "late_step":
            return say("{name} made up for this late: {action}.", **told)
        case "swapped_steps":
            return say("{name} did this in the wrong order: {action}.", **told)
    return say("{name} did this for {other}: {action}.", other=names[actor], **told)


class Slip(msgspec.Struct, frozen=True):
    """An action that the table took although the rules forbid it."""

    before: State
    action: Action[Any]
    seat: int
    illegal: IllegalAction
    """Why it is not legal."""
    sound_only: bool
    """Whether it is believed only where the game can go on from the table that comes of it: not where it stands in a
    log, since it was judged when it was recorded."""

    def carried_out(self, ruleset: AnyRules, apply: Callable[[], State]) -> tuple[State, Action[Any], Judgement]:
        """The state after it, itself, and the verdict.

        Args:
            apply: what takes the action.

        Raises:
            UnclearEffect: it is not clear what it did to the table, or the game could not go on from there.
        """
        illegal = self.illegal
        after = _done(apply)
        if after is not None and self._is_clear(ruleset, after):
            return after, self.action, Judgement("illegal", illegal.rule, illegal.message)
        instead = say("Enter what the table looks like now as an `adjust`, or the action that was meant.")
        raise UnclearEffect(illegal.rule, illegal.message, instead)

    def _is_clear(self, ruleset: AnyRules, after: State) -> bool:
        """Whether `after` is what the table looks like then, and the game can go on from there."""
        tables = [world.state for world in belief.worlds(after)]
        if not self.sound_only:
            return all(map(ruleset.could_be, tables))
        if not ruleset.has_clear_effect(self.action, self.before, self.seat):
            return False
        # Of many tables that there may be one is looked at closely: they differ in what nobody saw.
        return all(map(ruleset.can_be, tables)) and ruleset.is_sound(belief.likeliest(after))


def effect(ruleset: AnyRules, action: Action[Any], seat: int, *, keeps_turn: bool) -> Callable[[Any, Chance], State]:
    """The function that carries out an illegal action of `seat`, drawing from chance.

    Args:
        keeps_turn: as `engine.core.events.Header` has it.
    """

    def carried_out(state: Any, chance: Chance) -> State:
        after: State = action.apply(state, seat, chance)
        if not (keeps_turn and ruleset.is_out_of_turn(state, seat)):
            return after
        try:
            return ruleset.keep_turn(state, after)  # type: ignore[no-any-return]  # a state of the ruleset's own
        except (CannotBe, *DEFECTS):
            # A table that no rule ever made may fail whatever looks at it.
            raise Unclear from None

    return carried_out


def _done(apply: Callable[[], State]) -> State | None:
    """The state after an action that is not legal; None where it is not clear what it does."""
    try:
        return apply()
    except Unclear:
        return None
