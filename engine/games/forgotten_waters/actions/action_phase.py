"""2. Action Phase and 3. End of Round Phase: resolving, choosing, reading; and saving between the parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Self

from msgspec import Meta

from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId, Value
from engine.games.forgotten_waters.actions.base import WatersAction, not_yours, waiting
from engine.games.forgotten_waters.actions.own_book import Reading
from engine.games.forgotten_waters.headings import ACTION, EFFECTS, END_OF_ROUND, SAVING
from engine.games.forgotten_waters.rules.measures import holds
from engine.games.forgotten_waters.rules.resolving import finished, push, settle, with_effect
from engine.games.forgotten_waters.scenario.effects import (
    BuryTreasure,
    Choose,
    CompletePart,
    ForPlayers,
    GainCannon,
    LoadCannon,
    MoveShip,
    Saved,
    SwapInfamy,
    UpgradeCannon,
)
from engine.games.forgotten_waters.state import Step, WatersState, replace
from engine.games.forgotten_waters.words import action_name, page_name
from engine.kit.chance import Chance
from engine.kit.effects import needed, needed_at
from engine.kit.ruleset import Refusal


class ResolveAction(Reading, frozen=True, omit_defaults=True, kw_only=True):
    """Resolve the action on which your standee stands; of a table's own book, with what is read out."""

    type = "resolve_action"
    rule = ACTION

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        yield cls()

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        return self._not_next(finished(state), seat) or self.fault(state)

    @staticmethod
    def _not_next(state: WatersState, seat: int) -> Refusal | None:
        if state.phase != "action":
            return Refusal(ACTION, "This is not the action phase.")
        if seat != state.active:
            return Refusal(ACTION, "Actions are resolved in number, then in infamy order: another player is next.")
        if state.has_resolved or state.agenda:
            return Refusal(ACTION, "The action is being resolved.")
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        state = finished(state)
        action = state.pack.action.get((state.page, state.standees[seat]))
        effects = action.effects if action is not None else ()
        # Whoever resolves out of turn has the turn; the one whose it was comes after.
        active = seat if state.phase == "action" and not state.has_resolved else state.active
        return self.read_in(push(replace(state, active=active, has_resolved=True), seat, effects), seat)

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        state = finished(state)
        assert state.active is not None
        number = state.standees[state.active]
        return say("Resolve action {action}", action=action_name(state, number)) + self.aside()

    def told(self, state: WatersState, seat: int, pirate: str, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        action = action_name(state, state.standees[seat])
        return say("{pirate} resolves action {action}", pirate=pirate, action=action) + self.aside()


class RemoveStandee(WatersAction, frozen=True):
    """Remove your standee from the page, your action being resolved."""

    type = "remove_standee"
    rule = ACTION

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        yield cls()

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if state.phase != "action" or seat != state.active:
            return Refusal(ACTION, "That player resolves no action now.")
        if not state.has_resolved or state.agenda:
            return Refusal(ACTION, "The action has to be resolved first.")
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        standees = (*state.standees[:seat], 0, *state.standees[seat + 1 :])
        return settle(replace(state, standees=standees, active=None if seat == state.active else state.active))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return say("Remove your standee from the page")

    def told(self, state: WatersState, seat: int, pirate: str, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return say("{pirate} is done", pirate=pirate)


class ReadRoundEnd(Reading, frozen=True, omit_defaults=True, kw_only=True):
    """The Ship Scribe reads the page's Round End section; of a table's own book, with what it says."""

    type = "read_round_end"
    rule = END_OF_ROUND

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        yield cls()

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        return self._not_now(finished(state), seat) or self.fault(state)

    @staticmethod
    def _not_now(state: WatersState, seat: int) -> Refusal | None:
        if state.phase != "end_of_round" or state.has_resolved or state.agenda:
            return Refusal(END_OF_ROUND, "The end of the round is not read now.")
        return None if seat == state.scribe else Refusal(END_OF_ROUND, "The Ship Scribe reads it.")

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        state = finished(state)
        page = state.pack.page.get(state.page)
        rules = state.pack.rules_for(len(state.pirates))
        effects = [effect for rule in rules for effect in rule.round_end]
        if page is not None:
            effects.extend(page.round_end)
        return self.read_in(push(replace(state, has_resolved=True), seat, effects), seat)

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        page = page_name(state, state.page)
        return say("Read the Round End section of {page}", page=page) + self.aside()

    def told(self, state: WatersState, seat: int, pirate: str, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        page = page_name(state, state.page)
        return say("{pirate} reads how the round ends on {page}", pirate=pirate, page=page) + self.aside()


class ChooseOption(WatersAction, frozen=True):
    """Choose one of the things to choose from; where the group chooses, the Ship Scribe says what."""

    type = "choose_option"
    rule = EFFECTS
    option: Annotated[int, Meta(ge=1, le=20)]
    """Its number, from 1."""

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        choice = waiting(state, Choose)
        return map(cls, range(1, len(choice.options) + 1)) if choice is not None else ()

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        choice = waiting(state, Choose)
        if choice is None:
            return Refusal(EFFECTS, "There is nothing to choose.")
        decider = state.scribe if choice.by == "group" else state.agenda[0].seat
        if seat != decider:
            return Refusal(EFFECTS, "Another player decides that.")
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
        choice = waiting(state, Choose)
        assert choice is not None
        return f"{self.option}. {say(choice.options[self.option - 1].name)}"

    def told(self, state: WatersState, seat: int, pirate: str, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        choice = waiting(state, Choose)
        assert choice is not None
        option = say(choice.options[self.option - 1].name)
        if choice.by == "group":
            return say("{pirate} says for the group: {option}", pirate=pirate, option=option)
        return say("{pirate} chooses: {option}", pirate=pirate, option=option)


class ChoosePlayer(WatersAction, frozen=True):
    """Choose the player whom an effect is for."""

    type = "choose_player"
    rule = EFFECTS
    player: SeatId

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        if waiting(state, ForPlayers) is None and waiting(state, SwapInfamy) is None:
            return ()
        return [cls(SEAT_IDS[other]) for other in state.infamy]

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if waiting(state, ForPlayers) is None and waiting(state, SwapInfamy) is None:
            return Refusal(EFFECTS, "No player has to be chosen.")
        if refusal := not_yours(state, seat, EFFECTS):
            return refusal
        if SEAT_INDEX[self.player] in set(state.infamy) - {seat}:
            return None
        return Refusal(EFFECTS, "One of the other players is chosen.")

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        effect = needed_at(state.agenda, 0).effect
        rest = state.agenda[1:]
        other = SEAT_INDEX[self.player]
        needed_at(state.pirates, other)
        if isinstance(effect, ForPlayers):
            return settle(replace(state, agenda=(*(Step(other, each) for each in effect.effects), *rest)))
        swapped = {seat: other, other: seat}
        return settle(replace(state, infamy=tuple(swapped.get(one, one) for one in state.infamy), agenda=rest))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return say("Choose {name}", name=names[SEAT_INDEX[self.player]])

    def told(self, state: WatersState, seat: int, pirate: str, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return say("{pirate} chooses {name}", pirate=pirate, name=names[SEAT_INDEX[self.player]])


class Stop(WatersAction, frozen=True):
    """Do no more of what may be done 'up to' so many times."""

    type = "stop"
    rule = EFFECTS

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        yield cls()

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if not state.agenda:
            return Refusal(EFFECTS, "Nothing waits to be resolved.")
        step = state.agenda[0]
        if isinstance(step.effect, BuryTreasure | MoveShip):
            return not_yours(state, seat, EFFECTS)
        if isinstance(step.effect, GainCannon | LoadCannon | UpgradeCannon):
            return None if seat == state.gunner else Refusal(EFFECTS, "The Gunner decides that.")
        return Refusal(EFFECTS, "That cannot be left out.")

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        return settle(with_effect(state, None))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return say("Do no more of it")

    def told(self, state: WatersState, seat: int, pirate: str, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return say("{pirate} leaves it at that", pirate=pirate)


class SaveGame(WatersAction, frozen=True):
    """The Ship Scribe writes down the state of the game: it is saved, to be played on another day."""

    type = "save_game"
    symbol = "book"
    any_time = True
    rule = SAVING

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        yield cls()

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if waiting(state, CompletePart) is None:
            return Refusal(SAVING, "A game is saved between the parts of its scenario.")
        return None if seat == state.scribe else Refusal(SAVING, "The Ship Scribe saves the game.")

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        return replace(with_effect(state, Saved()), part=state.part + 1)

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return say("Save the game")

    def told(self, state: WatersState, seat: int, pirate: str, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return say("{pirate} saves the game after part {part}", pirate=pirate, part=state.part)


class PlayOn(WatersAction, frozen=True):
    """Play on with the next part: at once, or when the game was saved."""

    type = "play_on"
    rule = SAVING

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        yield cls()

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if waiting(state, CompletePart) is None and waiting(state, Saved) is None:
            return Refusal(SAVING, "No part of the scenario has just been completed.")
        return None if seat == state.scribe else Refusal(SAVING, "The Ship Scribe goes on with the log.")

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        part = state.part + (waiting(state, CompletePart) is not None)
        return settle(replace(with_effect(state, None), part=part))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return say("Play on")

    def told(self, state: WatersState, seat: int, pirate: str, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return say("{pirate} goes on with the log", pirate=pirate)
