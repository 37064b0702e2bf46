"""Slips: illegal actions that players took anyway. A slip is applied if its effect is clear."""

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


def sentence(
    explanation: Explanation, names: Sequence[str], actor: int, kind: type[Action[Any]], action: str | None = None
) -> str:
    """Return the sentence for players about an explained action.

    Args:
        actor: the seat for which the action is recorded.
        action: the action in words (default: its title).
    """
    told = {"name": names[SEAT_INDEX[explanation.seat]], "action": action or say(kind.english_title())}
    match explanation.kind:
        case "one_too_many" if kind.asks_chance:
            # Draws and rolls do not cost an action.
            return say("{name} did this once too often: {action}.", **told)
        case "one_too_many":
            return say("{name} took one action too many: {action}.", **told)
        case "late_step":
            return say("{name} did this late: {action}.", **told)
        case "swapped_steps":
            return say("{name} did this in the wrong order: {action}.", **told)
    return say("{name} did this for {other}: {action}.", other=names[actor], **told)


def label_of(action: Action[Any], state: State, names: Sequence[str]) -> str:
    """Return the label of an action's button in `state`; if the rules have no label there, the action's title.

    Args:
        action: the action, which may be illegal.
    """
    try:
        return action.label(state, names)
    except (Unclear, *DEFECTS):
        return say(type(action).english_title())


class Slip(msgspec.Struct, frozen=True):
    """An illegal action that a player took anyway."""

    before: State
    action: Action[Any]
    seat: int
    illegal: IllegalAction
    """The error with the reason why the action is illegal."""
    sound_only: bool
    """True to apply the slip only if the game can continue afterwards.

    False for a stored event, which was checked when it was recorded.
    """

    def carry_out(self, ruleset: AnyRules, apply: Callable[[], State]) -> tuple[State, Action[Any], Judgement]:
        """Return the state after the action, the action, and the judgement.

        Args:
            apply: function that returns the state after the action.

        Raises:
            UnclearEffect: the effect on the table is unclear, or the game cannot continue afterwards.
        """
        illegal = self.illegal
        after = _try_apply(apply)
        if after is not None and self._is_clear(ruleset, after):
            return after, self.action, Judgement("illegal", illegal.rule, illegal.message)
        instead = say("Record the current table as an `adjust`, or record the intended action.")
        raise UnclearEffect(illegal.rule, illegal.message, instead)

    def _is_clear(self, ruleset: AnyRules, after: State) -> bool:
        """Return True if `after` is a possible table, and the game can continue from it."""
        tables = [world.state for world in belief.worlds(after)]
        if not self.sound_only:
            return all(map(ruleset.could_be, tables))
        if not ruleset.has_clear_effect(self.action, self.before, self.seat):
            return False
        # One possible table is enough for `is_sound`: they differ only in hidden parts.
        return all(map(ruleset.can_be, tables)) and ruleset.is_sound(belief.likeliest(after))


def effect(
    ruleset: AnyRules, action: Action[Any], seat: int, *, keeps_turn: bool, keeps_step: bool, sets_aside: bool
) -> Callable[[Any, Chance], State]:
    """Return a function that applies an illegal action of `seat` to a state, with a source of chance.

    Args:
        keeps_turn: as `engine.core.events.Header.keeps_turn`.
        keeps_step: True if a step that another seat must take during the turn of `seat` stays due.
        sets_aside: as `engine.core.events.Event.sets_aside`.
    """

    def carry_out(state: Any, chance: Chance) -> State:
        is_out_of_turn = ruleset.is_out_of_turn(state, seat)
        if not (keeps_turn if is_out_of_turn else keeps_step and ruleset.must_wait(state, seat)):
            return action.apply(state, seat, chance)  # type: ignore[no-any-return]  # as below
        after = action.apply(ruleset.set_aside(state) if sets_aside else state, seat, chance)
        try:
            return ruleset.keep_turn(state, after)  # type: ignore[no-any-return]  # a state of the ruleset's own
        except (CannotBe, *DEFECTS):
            # Rules can fail on a table that they did not produce.
            raise Unclear from None

    return carry_out


def _try_apply(apply: Callable[[], State]) -> State | None:
    """Return the state after an illegal action; None if its effect is unclear."""
    try:
        return apply()
    except Unclear:
        return None
