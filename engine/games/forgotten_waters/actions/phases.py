"""The actions of the three phases of a round (planning, action, round end), and the actions that save the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Self

from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId, Value
from engine.games.forgotten_waters.actions.base import ChoosingAction, ResolvingAction, WatersAction, not_yours
from engine.games.forgotten_waters.actions.own_book import OwnBookAction
from engine.games.forgotten_waters.headings import ACTION, EFFECTS, END_OF_ROUND, PLANNING, SAVING, TYPES_OF_ACTIONS
from engine.games.forgotten_waters.rules.measures import holds
from engine.games.forgotten_waters.rules.resolving import finish_action, push, settle, ship_stat, waiting, with_effect
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.scenario.effects import Choose, CompletePart, ForPlayers, Saved
from engine.games.forgotten_waters.scenario.values import ActionNumber
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.words import action_name, page_name
from engine.kit.chance import Chance
from engine.kit.effects import needed, needed_at
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
            if number in state.locked:
                return Refusal(TYPES_OF_ACTIONS, lambda: say("Action {action} is locked.", action=number))
            return Refusal(TYPES_OF_ACTIONS, lambda: say("Action {action} is taken.", action=number))
        if place.kind != "required" and state.must_choose_required():
            return Refusal(TYPES_OF_ACTIONS, "A required action is still available and must be chosen.")
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        number, taken = self.number, state.taken
        # `taken` gets an entry even for a second standee on a single-use action.
        is_again = number in taken and any(one.number == number and one.kind != "unlimited" for one in state.places)
        return settle(
            replace(
                state,
                choosing=tuple([other for other in state.choosing if other != seat]),
                taken=taken if is_again else (*taken, number),
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
            return Refusal(PLANNING, "The timer has already run out.")
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        return ship_stat(replace(state, has_timer_run_out=True), "discontent", 1)


class ResolveAction(OwnBookAction, frozen=True, omit_defaults=True, kw_only=True):
    """Resolve the action under your standee. If you play with your own book, enter the effects that it describes."""

    verb = "resolve it"
    rule = ACTION

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        now = finish_action(state)
        if now.phase != "action":
            return Refusal(ACTION, "This is not the action phase.")
        if seat != now.active:
            return Refusal(ACTION, "Another player resolves next. Actions are resolved by number, then by infamy.")
        if now.has_resolved or now.agenda:
            return Refusal(ACTION, "This action is already being resolved.")
        return self.fault(state)

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        state = finish_action(state)
        action = state.pack.action.get((state.page, state.standees[seat]))
        effects = action.effects if action is not None else ()
        # If a pirate resolves out of turn, it becomes that pirate's turn. The other pirate is next.
        active = seat if state.phase == "action" and not state.has_resolved else state.active
        return self.read_in(push(replace(state, active=active, has_resolved=True), seat, effects), seat)

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        state = finish_action(state)
        assert state.active is not None
        number = state.standees[state.active]
        return say("Resolve action {action}", action=action_name(state, number)) + self.reading_text()

    def sentence(self, state: WatersState, seat: int, outcomes: Sequence[Value], pirate: str) -> str:
        action = action_name(state, state.standees[seat])
        return say("{pirate} resolves action {action}", pirate=pirate, action=action) + self.reading_text()


class RemoveStandee(WatersAction, frozen=True):
    """Remove your standee from the page after resolving your action."""

    verb = "take the standee back"
    button_text = marked("Remove your standee from the page")
    report_text = marked("{pirate} is done")
    rule = ACTION

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if state.phase != "action" or seat != state.active:
            return Refusal(ACTION, "That player is not resolving an action now.")
        if not state.has_resolved or state.agenda:
            return Refusal(ACTION, "The action must be resolved first.")
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        standees = with_entry(state.standees, seat, 0)
        return settle(replace(state, standees=standees, active=None if seat == state.active else state.active))


class ReadRoundEnd(OwnBookAction, frozen=True, omit_defaults=True, kw_only=True):
    """The Ship Scribe reads the page's Round End section. If you play with your own book, enter its effects."""

    verb = "read out the end of the round"
    button_text = marked("Read the Round End section of {page}")
    report_text = marked("{pirate} reads how the round ends on {page}")
    rule = END_OF_ROUND

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        now = finish_action(state)
        if now.phase != "end_of_round" or now.has_resolved or now.agenda:
            return Refusal(END_OF_ROUND, "You cannot read the Round End section now.")
        if seat != now.scribe:
            return Refusal(END_OF_ROUND, "Only the Ship Scribe can read the Round End section.")
        return self.fault(state)

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        state = finish_action(state)
        page = state.pack.page.get(state.page)
        rules = state.pack.rules_for(len(state.pirates))
        effects = [effect for part in (*rules, page) if part is not None for effect in part.round_end]
        return self.read_in(push(replace(state, has_resolved=True), seat, effects), seat)

    def words(self, state: WatersState, names: Sequence[str]) -> dict[str, Any]:
        return {"page": page_name(state, state.page)}


class ChooseOption(ChoosingAction, frozen=True):
    """Choose one of the options. If the group chooses, the Ship Scribe enters the choice."""

    verb = "tap one of the choices"
    rule = EFFECTS
    effects = (Choose,)
    unasked = Refusal(EFFECTS, "You have nothing to choose now.")
    choices = staticmethod(lambda state, _seat: range(1, len(needed(waiting(state, Choose)).options) + 1))
    option: Annotated[int, Meta(ge=1, le=20)]
    """Number of the chosen option, from 1."""

    def fault(self, state: WatersState, seat: int) -> Refusal | None:
        choice = needed(waiting(state, Choose))
        if self.option > len(choice.options):
            return Refusal(EFFECTS, say("There are only {count} options.", count=len(choice.options)))
        option = choice.options[self.option - 1]
        if not holds(state, state.agenda[0].seat, option.when):
            return Refusal(EFFECTS, say("Option {number} is not possible now.", number=self.option))
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        chosen = needed_at(needed(waiting(state, Choose)).options, self.option - 1)
        return settle(push(with_effect(state, None), state.agenda[0].seat, chosen.effects))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return f"{self.option}. {say(needed(waiting(state, Choose)).options[self.option - 1].name)}"

    def sentence(self, state: WatersState, seat: int, outcomes: Sequence[Value], pirate: str) -> str:
        choice = needed(waiting(state, Choose))
        option = say(choice.options[self.option - 1].name)
        if choice.by == "group":
            return say("{pirate} enters the group's choice: {option}", pirate=pirate, option=option)
        return say("{pirate} chooses: {option}", pirate=pirate, option=option)


class ChoosePlayer(ChoosingAction, frozen=True):
    """Choose the player to whom an effect applies."""

    verb = "choose a player"
    button_text = marked("Choose {player}")
    report_text = marked("{pirate} chooses {player}")
    rule = EFFECTS
    effects = (ForPlayers, do.SwapInfamy)
    unasked = Refusal(EFFECTS, "You cannot choose a player now.")
    choices = staticmethod(lambda state, _seat: [SEAT_IDS[other] for other in state.infamy])
    player: SeatId

    def fault(self, state: WatersState, seat: int) -> Refusal | None:
        is_other = SEAT_INDEX[self.player] in set(state.infamy) - {seat}
        return None if is_other else Refusal(EFFECTS, "Choose a player other than yourself.")

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        effect = needed_at(state.agenda, 0).effect
        state = with_effect(state, None)
        other = SEAT_INDEX[self.player]
        needed_at(state.pirates, other)
        if isinstance(effect, ForPlayers):
            return settle(push(state, other, effect.effects))
        swapped = {seat: other, other: seat}
        return settle(replace(state, infamy=tuple(swapped.get(one, one) for one in state.infamy)))


class Stop(WatersAction, frozen=True):
    """Stop an effect that can be repeated 'up to' a number of times."""

    verb = "stop"
    button_text = marked("Stop here")
    report_text = marked("{pirate} stops there")
    rule = EFFECTS

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if not state.agenda:
            return Refusal(EFFECTS, "Nothing is waiting to be resolved.")
        step = state.agenda[0]
        if isinstance(step.effect, do.BuryTreasure | do.MoveShip):
            return not_yours(state, seat, EFFECTS)
        if isinstance(step.effect, do.GainCannon | do.LoadCannon | do.UpgradeCannon):
            return not_yours(state, seat, EFFECTS, marked("Only the Gunner can decide that."))
        return Refusal(EFFECTS, "That effect cannot be skipped.")

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        return settle(with_effect(state, None))


class SaveGame(ResolvingAction, frozen=True):
    """The Ship Scribe saves the state of the game, to continue on another day."""

    verb = "save the game"
    button_text = marked("Save the game")
    report_text = marked("{pirate} saves the game after part {part}")
    symbol = "book"
    any_time = True
    rule = SAVING
    effects = (CompletePart,)
    unasked = Refusal(SAVING, "You can only save the game between two parts of its scenario.")
    others = marked("Only the Ship Scribe can save the game.")

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        return replace(with_effect(state, Saved()), part=state.part + 1)

    def words(self, state: WatersState, names: Sequence[str]) -> dict[str, Any]:
        return {"part": state.part}


class PlayOn(ResolvingAction, frozen=True):
    """Continue with the next part, at once or after saving the game."""

    verb = "play on"
    report_text = marked("{pirate} continues the ship's log")
    rule = SAVING
    effects = (CompletePart, Saved)
    unasked = Refusal(SAVING, "No part of the scenario has just been completed.")
    others = marked("Only the Ship Scribe can continue the ship's log.")

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        part = state.part + (waiting(state, CompletePart) is not None)
        return settle(replace(with_effect(state, None), part=part))
