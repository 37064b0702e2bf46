"""1. Planning Phase: choosing actions in infamy order, required actions, and the timer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

from engine.core.language import marked, say
from engine.games.forgotten_waters.actions.base import WatersAction
from engine.games.forgotten_waters.headings import PLANNING, TYPES_OF_ACTIONS
from engine.games.forgotten_waters.rules.resolving import settle, ship_stat
from engine.games.forgotten_waters.scenario.effect_values import ActionNumber
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.words import action_name
from engine.kit.chance import Chance
from engine.kit.entries import with_entry
from engine.kit.ruleset import Refusal


def _not_planning(state: WatersState) -> Refusal | None:
    if state.phase != "planning":
        return Refusal(PLANNING, "The planning phase is over.")
    return Refusal(PLANNING, "Another effect must be resolved first.") if state.agenda else None


class ChooseAction(WatersAction, frozen=True):
    """Choose an action for the round by placing your standee on it."""

    verb = "tap a free action"
    button_text = marked("Choose action {action}")
    report_text = marked("{pirate} chooses action {action}")
    symbol = "pawn"
    rule = PLANNING
    number: ActionNumber

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        if state.phase != "planning" or state.choosing[:1] != (seat,):
            return ()
        return [cls(place.number) for place in state.places]

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if refusal := _not_planning(state):
            return refusal
        if state.choosing[0] != seat:
            return Refusal(PLANNING, "Another player chooses next. Actions are chosen from highest to lowest infamy.")
        number = self.number
        place = next((place for place in state.places if place.number == number), None)
        if place is None:
            return Refusal(PLANNING, say("There is no action {action} on this page.", action=number))
        if not state.is_open(place):
            why = (
                marked("Action {action} is locked.") if number in state.locked else marked("Action {action} is taken.")
            )
            return Refusal(TYPES_OF_ACTIONS, lambda: say(why, action=number))
        if place.kind != "required" and state.must_choose_required():
            return Refusal(TYPES_OF_ACTIONS, "A required action is still available and must be chosen.")
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        number = self.number
        # `taken` gets an entry even for a second standee on a single-use action.
        is_again = number in state.taken and any(
            place.number == number and place.kind != "unlimited" for place in state.places
        )
        return settle(
            replace(
                state,
                choosing=tuple(other for other in state.choosing if other != seat),
                taken=state.taken if is_again else (*state.taken, number),
                standees=with_entry(state.standees, seat, number),
            )
        )

    def words(self, state: WatersState, names: Sequence[str]) -> dict[str, Any]:
        return {"action": action_name(state, self.number)}


class TimerRunsOut(WatersAction, frozen=True):
    """The Quartermaster calls time before everyone has chosen: discontent rises by 1."""

    button_text = marked("The timer runs out")
    report_text = marked("{pirate} calls time")
    any_time = True
    rule = PLANNING

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if refusal := _not_planning(state):
            return refusal
        if seat != state.quartermaster:
            return Refusal(PLANNING, "Only the Quartermaster can time the planning phase.")
        if state.has_timer_run_out:
            return Refusal(PLANNING, "The timer has run out already.")
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        return ship_stat(replace(state, has_timer_run_out=True), "discontent", 1)
