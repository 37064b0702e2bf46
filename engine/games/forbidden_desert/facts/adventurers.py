"""The adventurers: their roles, positions, water and equipment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import SEAT_INDEX, SeatId
from engine.games.forbidden_desert import components as box
from engine.games.forbidden_desert.components import Equipment, Role, Space, equipment_deck, printed_name
from engine.games.forbidden_desert.facts.ground import DesertFact
from engine.games.forbidden_desert.headings import SET_UP, WATER
from engine.games.forbidden_desert.state import DesertState, replace
from engine.kit.card_facts import CardsAt
from engine.kit.common_facts import SizeIs
from engine.kit.entries import exchanged
from engine.kit.facts import CannotBe, Texts, Told
from engine.kit.words import counted

RoleId = Literal["archeologist", "climber", "explorer", "meteorologist", "navigator", "water_carrier"]
Count = Annotated[int, Meta(ge=0, le=max(box.EQUIPMENT_CARDS.values()))]
MOST_CARDS = len(equipment_deck(with_tracker=True))


class Plays(DesertFact, frozen=True):
    """The adventurer of a player."""

    title = marked("Adventurers")
    member = "roles"
    texts = Texts("{name} is the {role}.", "{name} is no longer the {role}.")
    seat: SeatId
    role: RoleId

    def put(self, state: DesertState, told: Told) -> DesertState:
        return replace(state, roles=exchanged(state.roles, SEAT_INDEX[self.seat], Role(self.role)))


class StandsOn(DesertFact, frozen=True):
    """The space on whose tile a pawn stands."""

    title = marked("Pawns")
    member = "pawns"
    texts = Texts("{name} is at {space}.", "{name} is no longer at {space}.")
    seat: SeatId
    space: Space

    def put(self, state: DesertState, told: Told) -> DesertState:
        self.require(self.space != state.hole, "The storm is on that space, so no pawn can stand there.")
        return super().put(state, told)


class WaterIs(DesertFact, frozen=True):
    """The mark on a player's canteen."""

    title = marked("Canteens")
    ask = marked("Tap the water of {what}.")
    member = "water"
    texts = Texts("{name}'s canteen is at {level}.", "{name}'s canteen is no longer at {level}.")
    texts_of = {
        box.SKULL_MARK: Texts("{name}'s canteen is at the skull.", "{name}'s canteen is no longer at the skull."),
    }
    seat: SeatId
    level: Annotated[int, Meta(ge=box.SKULL_MARK, le=5, description="0 is alive; −1 is the skull.")]

    def put(self, state: DesertState, told: Told) -> DesertState:
        seat = SEAT_INDEX[self.seat]
        role, most = box.ROLES[state.roles[seat]].name, state.canteen(seat)
        self.require(self.level <= most, "The canteen of the {role} holds {count}.", WATER, role=say(role), count=most)
        return super().put(state, told)


class Shielded(DesertFact, frozen=True):
    """True if a player's Solar Shield is up."""

    title = marked("Solar Shields")
    ask = marked("Tap each player whose Solar Shield is up.")
    none = {"yes": False}
    member = "shielded"
    texts = Texts("{name}'s Solar Shield is up.", "{name}'s Solar Shield is no longer up.")
    texts_of = {False: Texts("{name}'s Solar Shield is not up.", "{name}'s Solar Shield is up now.")}
    seat: SeatId
    yes: bool = True


class _EquipmentCards(CardsAt[DesertState], frozen=True):
    """The number of copies of an equipment card in a place."""

    pile = "equipment_pile"
    drawn_as = "equipment_card"
    word = staticmethod(printed_name)

    @classmethod
    def shortage(cls, state: DesertState, card: str) -> CannotBe:
        count = equipment_deck(with_tracker=state.options.storm_tracker == "on").count(card)
        if not count:
            return CannotBe(say("The box has no {card}.", card=printed_name(card)), SET_UP)
        return CannotBe(say("The box has only {count} {card}.", count=count, card=printed_name(card)), SET_UP)


class HasCards(_EquipmentCards, frozen=True):
    """The number of copies of an equipment card in front of a player."""

    title = marked("Equipment")
    about = ("seat", "card")
    member = "equipment"
    texts = Texts("{name} has {count} {card}.", "{name} no longer has {count} {card}.")
    texts_of = {0: Texts("{name} has no {card}.", "{name} has {card} now.")}
    seat: SeatId
    card: Equipment
    count: Count = 1


class CardsUsed(_EquipmentCards, frozen=True):
    """The number of copies of an equipment card that are out of the game."""

    title = marked("Used equipment")
    member = "equipment_used"
    texts = Texts("{count} {card} are out of the game.", "{count} {card} are no longer out of the game.")
    texts_of = {
        0: Texts("No {card} is out of the game.", "{card} is out of the game now."),
        1: Texts("1 {card} is out of the game.", "1 {card} is no longer out of the game."),
    }
    card: Equipment
    count: Count = 1


class _EquipmentSize(SizeIs[DesertState], frozen=True):
    """The number of equipment cards in a place."""

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        cards = counted(self.content, "equipment card") if self.content else say("no equipment cards")
        return {**super().words(names), "cards": cards}


class HandIs(_EquipmentSize, frozen=True):
    """The number of equipment cards in front of a player."""

    member = "equipment"
    texts = Texts("{name} has {cards}.", "{name} no longer has {cards}.")
    seat: SeatId
    count: Annotated[int, Meta(ge=0, le=MOST_CARDS)]


class EquipmentPileIs(_EquipmentSize, frozen=True):
    """The number of equipment cards that have not been drawn."""

    member = "equipment_pile"
    texts = Texts("The equipment deck has {cards}.", "The equipment deck no longer has {cards}.")
    count: Annotated[int, Meta(ge=0, le=MOST_CARDS)]
