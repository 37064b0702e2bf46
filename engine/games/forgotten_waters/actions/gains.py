"""Gaining Skills, Filling in Stars on Constellations, and Treasure Cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

from engine.core.language import marked, say
from engine.core.values import SEAT_INDEX, SeatId, Value
from engine.games.forgotten_waters.actions.base import ChoosingAction, ResolvingAction, WatersAction, nothing_else
from engine.games.forgotten_waters.actions.own_book import Named
from engine.games.forgotten_waters.headings import SKILL, STARS, TREASURE
from engine.games.forgotten_waters.rules import holdings
from engine.games.forgotten_waters.rules.measures import is_own_turn, is_rolled
from engine.games.forgotten_waters.rules.resolving import one_less, push, settle, ship_stat, waiting, with_effect
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.scenario.effects import AskBox, Check, KeepFour, SetDie
from engine.games.forgotten_waters.scenario.pack import Card
from engine.games.forgotten_waters.scenario.values import SKILLS, Id, Skill
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.words import card_name, inline_name
from engine.kit.chance import Chance
from engine.kit.effects import needed, trait
from engine.kit.piles import renewed
from engine.kit.ruleset import Refusal

_NOT_HELD = Refusal(TREASURE, "That pirate does not have that treasure.")


class ChooseSkill(ChoosingAction, frozen=True):
    """Gain a skill of your choice."""

    verb = "choose a skill"
    button_text = marked("Gain {skill}")
    report_text = marked("{pirate} chooses {skill}")
    rule = SKILL
    effects = (do.GainSkill,)
    unasked = Refusal(SKILL, "You cannot choose a skill now.")
    choices = staticmethod(lambda _state, _seat: SKILLS)
    words_of = {"skill": inline_name}
    skill: Skill

    def fault(self, state: WatersState, seat: int) -> Refusal | None:
        if self.skill not in state.fillable_skills(seat):
            return Refusal(SKILL, say("Every box of {skill} is filled in.", skill=inline_name(self.skill)))
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        return settle(push(one_less(state, do.GainSkill), seat, (do.GainSkill(skill=self.skill),)))


class ReportBox(ChoosingAction, frozen=True):
    """Enter whether the box that you just filled in on your paper sheet had a star."""

    verb = "say if the box has a star"
    button_text = marked("The box had a star")
    report_text = marked("{pirate} found a star in the box")
    plain_texts = (marked("The box was empty"), marked("{pirate} found the box empty"))
    rule = SKILL
    effects = (AskBox,)
    unasked = Refusal(SKILL, "No skill box has just been filled in.")
    choices = staticmethod(lambda _state, _seat: (False, True))
    is_star: bool

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        return settle(with_effect(state, do.FillStar() if self.is_star else None))


class FillStar(ChoosingAction, frozen=True):
    """Fill in a star that is linked to the start star or to a star that is already filled in."""

    verb = "fill in a star"
    title = "Fill in a star"
    symbol = "star"
    rule = STARS
    effects = (do.FillStar,)
    unasked = Refusal(STARS, "You cannot fill in a star now.")
    choices = staticmethod(WatersState.fillable_stars)
    star: Id

    def fault(self, state: WatersState, seat: int) -> Refusal | None:
        if self.star not in state.sheet(seat).links:
            return Refusal(STARS, "There is no such star on that sheet.")
        if self.star in state.pirates[seat].stars:
            return Refusal(STARS, "That star is already filled in.")
        if not state.can_fill(seat, self.star):
            return Refusal(STARS, "That star is not linked to the start star or to a filled-in star.")
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        return settle(holdings.fill_star(one_less(state, do.FillStar), seat, self.star))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        if self.star in state.sheet(state.agenda[0].seat).event_stars:
            return say("Fill in star {star} (an event)", star=say(self.star))
        return say("Fill in star {star}", star=say(self.star))

    def sentence(self, state: WatersState, seat: int, outcomes: Sequence[Value], pirate: str) -> str:
        if self.star in state.sheet(seat).event_stars:
            return say("{pirate} fills in star {star}, an event", pirate=pirate, star=say(self.star))
        return say("{pirate} fills in star {star}", pirate=pirate, star=say(self.star))


class DrawTreasure(Named, frozen=True):
    """Draw a treasure and put it into play. With a table's own deck, enter the name on the card."""

    verb = "draw a treasure"
    symbol = "chest"
    rule = TREASURE
    effects = (do.GainTreasure,)
    unasked = Refusal(TREASURE, "You cannot gain a treasure now.")
    has_name = Refusal(TREASURE, "You cannot rename the cards of this scenario.")
    asks_chance = True

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        state = renewed(one_less(state, do.GainTreasure), "treasure_pile", "treasure_discard")
        if self.name is None:
            card, pile = state.treasure_pile.draw(chance, "treasure")
            state = holdings.gain(replace(state, treasure_pile=pile), seat, card)
        else:
            state = holdings.take_named(state, seat, self.name)
        return settle(push(state, seat, (KeepFour(),)))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return say("Draw a treasure") if self.name is None else say("Draw {treasure}", treasure=self.name)

    def sentence(self, state: WatersState, seat: int, outcomes: Sequence[Value], pirate: str) -> str:
        treasure = self.name or card_name(state, str(outcomes[0]))
        return say("{pirate} draws {treasure}", pirate=pirate, treasure=treasure)


class StealTreasure(ResolvingAction, frozen=True):
    """Steal a treasure from another player."""

    verb = "steal a treasure"
    button_text = marked("Steal {treasure} from {player}")
    report_text = marked("{pirate} steals {treasure} from {player}")
    rule = TREASURE
    effects = (do.StealTreasure,)
    unasked = Refusal(TREASURE, "You cannot steal a treasure now.")
    player: SeatId
    treasure: Id

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        held = state.cards_in_play("treasures") if cls.is_asked(state) else ()
        return [cls(owner, treasure) for treasure, owner in held]

    def fault(self, state: WatersState, seat: int) -> Refusal | None:
        other = SEAT_INDEX[self.player]
        if other == seat or other >= len(state.pirates):
            return Refusal(TREASURE, "You can only steal a treasure from another player.")
        return None if self.treasure in state.pirates[other].treasures else _NOT_HELD

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        state = holdings.lose(with_effect(state, None), SEAT_INDEX[self.player], self.treasure)
        return settle(push(holdings.gain(state, seat, self.treasure), seat, (KeepFour(),)))

    def words(self, state: WatersState, names: Sequence[str]) -> dict[str, Any]:
        return {"treasure": card_name(state, self.treasure), "player": names[SEAT_INDEX[self.player]]}


class _OwnTreasure(WatersAction, frozen=True):
    """Base of the actions with the player's own treasure."""

    treasure: Id

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        return map(cls, state.pirates[seat].treasures)

    def words(self, state: WatersState, names: Sequence[str]) -> dict[str, Any]:
        return {"treasure": card_name(state, self.treasure)}


class _GivenUp(_OwnTreasure, ResolvingAction, frozen=True):
    """Base of the actions that discard or bury a treasure to resolve an effect."""

    def fault(self, state: WatersState, seat: int) -> Refusal | None:
        return None if self.treasure in state.pirates[seat].treasures else _NOT_HELD


class DiscardTreasure(_GivenUp, frozen=True):
    """Discard a treasure because you have five or must pay one. Its 'discard' effect is not resolved."""

    verb = "discard a treasure"
    button_text = marked("Discard {treasure}")
    report_text = marked("{pirate} discards {treasure}")
    rule = TREASURE
    effects = (KeepFour, do.LoseTreasure)
    unasked = Refusal(TREASURE, "You do not have to discard a treasure now.")

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        state = holdings.discard(state, seat, self.treasure)
        if waiting(state, do.LoseTreasure):
            return settle(one_less(state, do.LoseTreasure))
        return settle(ship_stat(with_effect(state, None), "supplies", 1))


class BuryTreasure(_GivenUp, frozen=True):
    """Bury a treasure: discard it, and fill in a star."""

    verb = "bury a treasure"
    button_text = marked("Bury {treasure}")
    report_text = marked("{pirate} buries {treasure}")
    rule = STARS
    effects = (do.BuryTreasure,)
    unasked = Refusal(STARS, "You cannot bury a treasure now.")

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        bury = needed(waiting(state, do.BuryTreasure))
        rest = replace(bury, up_to=bury.up_to - 1) if bury.up_to > 1 else None
        state = with_effect(holdings.discard(state, seat, self.treasure), rest)
        return settle(push(state, seat, (do.FillStar(),)))


def _use_of(card: Card) -> tuple[str, bool, bool]:
    """Return three things: the time to use a treasure, True if its use has an effect, and True if this sets a die."""
    return card.when, bool(card.discard), any(isinstance(effect, SetDie) for effect in card.discard)


class UseTreasure(_OwnTreasure, frozen=True):
    """Discard a treasure for its 'discard' effect, on your turn unless the card says otherwise."""

    button_text = marked("Use {treasure}")
    report_text = marked("{pirate} discards {treasure} for its effect")
    symbol = "chest"
    any_time = True
    rule = TREASURE

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if refusal := nothing_else(state):
            return refusal
        if waiting(state, KeepFour) is not None and not state.is_version_1:
            return Refusal(TREASURE, "A fifth treasure is in play. Discard one of the five first.")
        if self.treasure not in state.pirates[seat].treasures:
            return _NOT_HELD
        when, has_effect, sets_die = trait(self.treasure, lambda one: _use_of(state.pack.card[one]))
        if not has_effect and not state.pack.is_open:
            return self._discard_refusal(state, marked("{treasure} does nothing when discarded."))
        is_checking = waiting(state, Check) is not None
        has_dice = is_checking and bool(state.agenda[0].dice)
        is_for_check = when == "check" or (state.pack.is_open and is_checking)
        if is_for_check and not (is_checking and state.agenda[0].seat == seat):
            return Refusal(TREASURE, "You can only use that in your own skill checks.")
        if is_for_check and sets_die and has_dice:
            return Refusal(TREASURE, "You can only set a die before it is rolled.")
        if has_dice and not is_for_check and state.options.check_discards == "before_the_roll":
            return Refusal(TREASURE, "A skill check must be resolved first.")
        if has_dice and not is_rolled(state.agenda[0]):
            return Refusal(TREASURE, "Roll both dice first.")
        if when == "turn" and not is_for_check and not is_own_turn(state, seat):
            return self._discard_refusal(state, marked("You can only discard {treasure} on your own turn."))
        return None

    def _discard_refusal(self, state: WatersState, text: str) -> Refusal:
        return Refusal(TREASURE, lambda: say(text, treasure=say(state.pack.card[self.treasure].name)))

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        state = holdings.discard(state, seat, self.treasure)
        return settle(push(state, seat, needed(state.pack.card.get(self.treasure)).discard))
