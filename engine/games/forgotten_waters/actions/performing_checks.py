"""The actions of skill checks, with misfortune and re-roll tokens, and of other die rolls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import Value
from engine.games.forgotten_waters.actions.base import ChoosingAction, ResolvingAction
from engine.games.forgotten_waters.headings import PERFORMING, REROLL
from engine.games.forgotten_waters.rules.measures import can_change, is_rolled, is_set, total
from engine.games.forgotten_waters.rules.resolving import consult, results_of, settle, waiting
from engine.games.forgotten_waters.scenario.effects import Check, Result, Roll
from engine.games.forgotten_waters.state import Step, WatersState, replace
from engine.games.forgotten_waters.words import inline_name
from engine.kit.chance import Chance
from engine.kit.effects import needed, needed_at
from engine.kit.entries import with_entry
from engine.kit.ruleset import Refusal

D12 = tuple(range(1, 13))


class RollDie(ResolvingAction, frozen=True):
    """Roll a die for a skill check or an effect. With misfortune, a skill check needs a second die."""

    verb = "roll a die"
    symbol = "die"
    rule = PERFORMING
    effects = (Check, Roll)
    unasked = Refusal(PERFORMING, "You cannot roll a die now.")
    asks_chance = True

    def fault(self, state: WatersState, seat: int) -> Refusal | None:
        return Refusal(PERFORMING, "The dice are already rolled.") if is_rolled(state.agenda[0]) else None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        step, rest = needed_at(state.agenda, 0), state.agenda[1:]
        value = chance.draw("die", D12)
        if isinstance(step.effect, Roll):
            return settle(results_of(replace(state, agenda=rest), seat, step.effect.results, value))
        needed(waiting(state, Check))
        rolled = _with_die(state, seat, value)
        if len(rolled.dice) == 2:
            state = state.with_pirate(seat, misfortune=max(0, state.pirates[seat].misfortune - 1))
        return settle(replace(state, agenda=(rolled, *rest)))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return say("Roll a second die for misfortune") if state.agenda[0].dice else say("Roll a die")

    def sentence(self, state: WatersState, seat: int, outcomes: Sequence[Value], pirate: str) -> str:
        step = state.agenda[0]
        value = int(outcomes[0])
        if isinstance(step.effect, Roll):
            return say("{pirate} rolls {value}", pirate=pirate, value=value) + _read(step.effect.results, value)
        return _describe_roll(
            state,
            _with_die(state, seat, value),
            marked("{pirate} rolls {value} for {skill}"),
            marked("{pirate} rolls {value} for {skill}, {total} in total"),
            pirate=pirate,
            value=value,
        )


def _with_die(state: WatersState, seat: int, value: int) -> Step:
    """Return the skill check of `seat` with one more rolled die."""
    step = state.agenda[0]
    return replace(step, dice=(*step.dice, value), due=step.due or (2 if state.pirates[seat].misfortune else 1))


class Reroll(ChoosingAction, frozen=True):
    """Discard a re-roll token to roll one die of your skill check again."""

    verb = "re-roll a die"
    symbol = "die"
    rule = REROLL
    effects = (Check,)
    unasked = Refusal(REROLL, "You can only re-roll a die of a skill check.")
    asks_chance = True
    choices = staticmethod(lambda state, _seat: range(1, len(state.agenda[0].dice) + 1))
    die: Annotated[int, Meta(ge=1, le=2)]
    """Number of the die, in the order of rolling."""

    def fault(self, state: WatersState, seat: int) -> Refusal | None:
        step = state.agenda[0]
        if not is_rolled(step) or is_set(step) or self.die > len(step.dice):
            return Refusal(REROLL, "That die has not been rolled.")
        if not state.pirates[seat].rerolls:
            return Refusal(REROLL, "That pirate has no re-roll token.")
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        step, rest = needed_at(state.agenda, 0), state.agenda[1:]
        needed_at(step.dice, self.die - 1)
        value = chance.draw("die", D12)
        dice = with_entry(step.dice, self.die - 1, value)
        return settle(replace(_pay(state, seat), agenda=(replace(step, dice=dice), *rest)))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        dice = state.agenda[0].dice
        value = dice[self.die - 1]
        if len(dice) == 1:
            return say("Roll the {value} again for a re-roll token", value=value)
        if self.die == 1:
            return say("Roll the first {value} again for a re-roll token", value=value)
        return say("Roll the second {value} again for a re-roll token", value=value)

    def sentence(self, state: WatersState, seat: int, outcomes: Sequence[Value], pirate: str) -> str:
        step = state.agenda[0]
        return _describe_roll(
            _pay(state, seat),
            replace(step, dice=with_entry(step.dice, self.die - 1, int(outcomes[0]))),
            marked("{pirate} rolls the {was} again: {value} for {skill}"),
            marked("{pirate} rolls the {was} again: {value} for {skill}, {total} in total"),
            pirate=pirate,
            was=step.dice[self.die - 1],
            value=outcomes[0],
        )


def _pay(state: WatersState, seat: int) -> WatersState:
    return state.with_pirate(seat, rerolls=max(0, state.pirates[seat].rerolls - 1))


class ConsultCheck(ResolvingAction, frozen=True):
    """Keep the dice as they are, and resolve the effect of your total."""

    verb = "keep the total"
    rule = PERFORMING
    effects = (Check,)
    unasked = Refusal(PERFORMING, "There is no skill check.")

    def fault(self, state: WatersState, seat: int) -> Refusal | None:
        return None if is_rolled(state.agenda[0]) else Refusal(PERFORMING, "Roll the die first.")

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        return consult(state)

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return say("Keep the total of {total}", total=_total(state))

    def sentence(self, state: WatersState, seat: int, outcomes: Sequence[Value], pirate: str) -> str:
        told = say("{pirate} keeps the total of {total}", pirate=pirate, total=_total(state))
        return told + _read(needed(waiting(state, Check)).results, _total(state))


def _total(state: WatersState) -> int:
    return total(state, state.agenda[0], needed(waiting(state, Check)))


def _describe_roll(state: WatersState, step: Step, so_far: str, in_all: str, **values: object) -> str:
    """Return the sentence about a skill check: `so_far` if dice must still be rolled, otherwise `in_all`.

    If nothing can change the total any more, the text of the result for the total follows.
    """
    check = step.effect
    assert isinstance(check, Check)
    skill = inline_name(check.skill)
    if not is_rolled(step):
        return say(so_far, skill=skill, **values)
    sum_ = total(state, step, check)
    text = "" if can_change(state, step) else _read(check.results, sum_)
    return say(in_all, skill=skill, total=sum_, **values) + text


def _read(results: Iterable[Result], number: int) -> str:
    reached = [result.text for result in results if result.least <= number]
    return f": {say(reached[-1]).rstrip('.')}" if reached and reached[-1] else ""
