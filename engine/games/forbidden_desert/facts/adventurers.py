"""The adventurers: who plays which, where they stand, their water, and their equipment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, Self

from msgspec import Meta

from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forbidden_desert.components import (
    EQUIPMENT_CARDS,
    INDEX,
    ROLES,
    SKULL_MARK,
    Equipment,
    Role,
    Space,
    equipment_deck,
    printed,
)
from engine.games.forbidden_desert.headings import SET_UP, WATER
from engine.games.forbidden_desert.state import DesertState, replace, with_cards, with_pawns, without
from engine.kit.chance import Chance
from engine.kit.facts import CannotBe, Fact, Told
from engine.kit.words import counted

RoleId = Literal["archeologist", "climber", "explorer", "meteorologist", "navigator", "water_carrier"]
Count = Annotated[int, Meta(ge=0, le=max(EQUIPMENT_CARDS.values()))]
MOST_CARDS = len(equipment_deck(with_tracker=True))


class Plays(Fact[DesertState], frozen=True):
    """Which adventurer a player is."""

    about = ("seat",)
    seat: SeatId
    role: RoleId

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        return (cls(seat, role.value) for seat, role in zip(SEAT_IDS, state.roles, strict=False))

    def put(self, state: DesertState, told: Told) -> DesertState:
        seat, role, roles = SEAT_INDEX[self.seat], Role(self.role), list(state.roles)
        if role in roles:
            roles[roles.index(role)] = roles[seat]
        roles[seat] = role
        return replace(state, roles=tuple(roles))

    def sentence(self, names: Sequence[str]) -> str:
        return say("{name} is the {role}.", name=names[SEAT_INDEX[self.seat]], role=say(ROLES[Role(self.role)].name))

    def no_longer(self, names: Sequence[str]) -> str:
        return say(
            "{name} is no longer the {role}.", name=names[SEAT_INDEX[self.seat]], role=say(ROLES[Role(self.role)].name)
        )


class StandsOn(Fact[DesertState], frozen=True):
    """The space on whose tile a pawn stands."""

    about = ("seat",)
    seat: SeatId
    space: Space

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        return map(cls, SEAT_IDS, state.pawns)

    def put(self, state: DesertState, told: Told) -> DesertState:
        if state.board[INDEX[self.space]] is None:
            raise CannotBe("The storm is there: nobody stands in it.")
        return replace(state, pawns=with_pawns(state, self.space, SEAT_INDEX[self.seat]))

    def sentence(self, names: Sequence[str]) -> str:
        return say("{name} stands at {place}.", name=names[SEAT_INDEX[self.seat]], place=printed(self.space))

    def no_longer(self, names: Sequence[str]) -> str:
        return say("{name} no longer stands at {place}.", name=names[SEAT_INDEX[self.seat]], place=printed(self.space))


class WaterIs(Fact[DesertState], frozen=True):
    """The mark on a player's canteen."""

    about = ("seat",)
    seat: SeatId
    level: Annotated[int, Meta(ge=SKULL_MARK, le=5, description="0 is alive; −1 is the skull.")]

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        return map(cls, SEAT_IDS, state.water)

    def put(self, state: DesertState, told: Told) -> DesertState:
        seat = SEAT_INDEX[self.seat]
        if self.level > state.canteen(seat):
            role = say(ROLES[state.roles[seat]].name)
            raise CannotBe(say("The canteen of the {role} holds {count}.", role=role, count=state.canteen(seat)), WATER)
        return replace(state, water=(*state.water[:seat], self.level, *state.water[seat + 1 :]))

    def sentence(self, names: Sequence[str]) -> str:
        if self.level == SKULL_MARK:
            return say("{name}'s canteen is at the skull.", name=names[SEAT_INDEX[self.seat]])
        return say("{name}'s canteen is at {level}.", name=names[SEAT_INDEX[self.seat]], level=self.level)

    def no_longer(self, names: Sequence[str]) -> str:
        if self.level == SKULL_MARK:
            return say("{name}'s canteen is no longer at the skull.", name=names[SEAT_INDEX[self.seat]])
        return say("{name}'s canteen is no longer at {level}.", name=names[SEAT_INDEX[self.seat]], level=self.level)


class Shielded(Fact[DesertState], frozen=True):
    """Whether a player's Solar Shield is up."""

    about = ("seat",)
    none = {"yes": False}
    seat: SeatId
    yes: bool = True

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        return (cls(seat) for seat, is_up in zip(SEAT_IDS, state.shielded, strict=False) if is_up)

    def put(self, state: DesertState, told: Told) -> DesertState:
        seat = SEAT_INDEX[self.seat]
        return replace(state, shielded=(*state.shielded[:seat], self.yes, *state.shielded[seat + 1 :]))

    def sentence(self, names: Sequence[str]) -> str:
        if self.yes:
            return say("{name}'s Solar Shield is up.", name=names[SEAT_INDEX[self.seat]])
        return say("{name}'s Solar Shield is not up.", name=names[SEAT_INDEX[self.seat]])

    def no_longer(self, names: Sequence[str]) -> str:
        if self.yes:
            return say("{name}'s Solar Shield is no longer up.", name=names[SEAT_INDEX[self.seat]])
        return say("{name}'s Solar Shield is up now.", name=names[SEAT_INDEX[self.seat]])


class HasCards(Fact[DesertState], frozen=True):
    """How many of an equipment card lie before a player."""

    about = ("seat", "card")
    none = {"count": 0}
    moves_things = True
    seat: SeatId
    card: Equipment
    count: Count = 1

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        for seat, hand in zip(SEAT_IDS, state.equipment, strict=False):
            yield from (cls(seat, card, count) for card, count in sorted(Counter(hand).items()))

    def put(self, state: DesertState, told: Told) -> DesertState:
        seat, card = SEAT_INDEX[self.seat], self.card
        while (held := state.equipment[seat].count(card)) > self.count:
            state = _out_of_hand(state, seat, card)
            state = _put_away(state, card, told)
        for _ in range(self.count - held):
            state = _taken(state, card, told)
            state = replace(state, equipment=with_cards(state, seat, (*state.equipment[seat], card)))
        return state

    def sentence(self, names: Sequence[str]) -> str:
        name, card = names[SEAT_INDEX[self.seat]], printed(self.card)
        if not self.count:
            return say("{name} has no {card}.", name=name, card=card)
        return say("{name} has {count} {card}.", name=name, count=self.count, card=card)

    def no_longer(self, names: Sequence[str]) -> str:
        if not self.count:
            return say("{name} has {card} now.", name=names[SEAT_INDEX[self.seat]], card=printed(self.card))
        return say(
            "{name} no longer has {count} {card}.",
            name=names[SEAT_INDEX[self.seat]],
            count=self.count,
            card=printed(self.card),
        )


class CardsUsed(Fact[DesertState], frozen=True):
    """How many of an equipment card are out of the game."""

    about = ("card",)
    none = {"count": 0}
    moves_things = True
    card: Equipment
    count: Count = 1

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        return (cls(card, count) for card, count in sorted(Counter(state.equipment_used).items()))

    def put(self, state: DesertState, told: Told) -> DesertState:
        card = self.card
        while (used := state.equipment_used.count(card)) > self.count:
            state = replace(state, equipment_used=without(state.equipment_used, card))
            state = _put_away(state, card, told)
        for _ in range(self.count - used):
            state = _used(_taken(state, card, told), card)
        return state

    def sentence(self, names: Sequence[str]) -> str:
        if not self.count:
            return say("No {card} is out of the game.", card=printed(self.card))
        if self.count == 1:
            return say("1 {card} is out of the game.", card=printed(self.card))
        return say("{count} {card} are out of the game.", count=self.count, card=printed(self.card))

    def no_longer(self, names: Sequence[str]) -> str:
        if not self.count:
            return say("{card} is out of the game now.", card=printed(self.card))
        if self.count == 1:
            return say("1 {card} is no longer out of the game.", card=printed(self.card))
        return say("{count} {card} are no longer out of the game.", count=self.count, card=printed(self.card))


def _taken(state: DesertState, card: Equipment, told: Told) -> DesertState:
    """`state` without one `card`: from where more of them lie than is told, else from where nothing is told of it.

    Then the pile comes first, in which nobody sees what is missing, then what is out of the game, then a player.
    """
    used = state.equipment_used.count(card)
    for seat, hand in enumerate(state.equipment):
        if hand.count(card) > _told_of(told, HasCards, SEAT_IDS[seat], card, otherwise=hand.count(card)):
            return _out_of_hand(state, seat, card)
    if used > _told_of(told, CardsUsed, card, otherwise=used):
        return replace(state, equipment_used=without(state.equipment_used, card))
    pile = state.equipment_pile.without(card)
    if pile != state.equipment_pile:
        return replace(state, equipment_pile=pile)
    if used and not told.speaks_of(CardsUsed, card):
        return replace(state, equipment_used=without(state.equipment_used, card))
    for seat, hand in enumerate(state.equipment):
        if card in hand and not told.speaks_of(HasCards, SEAT_IDS[seat], card):
            return _out_of_hand(state, seat, card)
    count = equipment_deck(with_tracker=state.options.storm_tracker == "on").count(card)
    if not count:
        raise CannotBe(say("In the box: no {card}.", card=printed(card)), SET_UP)
    raise CannotBe(say("In the box: {count} {card}.", count=count, card=printed(card)), SET_UP)


def _put_away(state: DesertState, card: Equipment, told: Told) -> DesertState:
    """`state` with one more `card`: where fewer of them lie than is told, else out of the game, or in the pile."""
    for seat, hand in enumerate(state.equipment):
        if hand.count(card) < _told_of(told, HasCards, SEAT_IDS[seat], card):
            return replace(state, equipment=with_cards(state, seat, (*hand, card)))
    is_open = not told.speaks_of(CardsUsed, card)
    if is_open or state.equipment_used.count(card) < _told_of(told, CardsUsed, card):
        return _used(state, card)
    return replace(state, equipment_pile=state.equipment_pile.with_card(card))


def _told_of(told: Told, kind: type[HasCards | CardsUsed], *about: str, otherwise: int = 0) -> int:
    """How many of a card are told to lie there."""
    fact = told.of(kind, *about)
    return otherwise if fact is None else fact.count


def _out_of_hand(state: DesertState, seat: int, card: Equipment) -> DesertState:
    return replace(state, equipment=with_cards(state, seat, without(state.equipment[seat], card)))


def _used(state: DesertState, card: Equipment) -> DesertState:
    return replace(state, equipment_used=(*state.equipment_used, card))


class HandIs(Fact[DesertState], frozen=True):
    """How many equipment cards lie before a player."""

    about = ("seat",)
    is_derived = True
    seat: SeatId
    count: Annotated[int, Meta(ge=0, le=MOST_CARDS)]

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        return (cls(seat, len(hand)) for seat, hand in zip(SEAT_IDS, state.equipment, strict=False))

    def sentence(self, names: Sequence[str]) -> str:
        return say("{name} has {cards}.", name=names[SEAT_INDEX[self.seat]], cards=_cards(self.count))

    def no_longer(self, names: Sequence[str]) -> str:
        return say("{name} no longer has {cards}.", name=names[SEAT_INDEX[self.seat]], cards=_cards(self.count))


class EquipmentPileIs(Fact[DesertState], frozen=True):
    """How many equipment cards have not been drawn."""

    is_derived = True
    count: Annotated[int, Meta(ge=0, le=MOST_CARDS)]

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        yield cls(len(state.equipment_pile))

    def sentence(self, names: Sequence[str]) -> str:
        return say("The equipment deck has {cards}.", cards=_cards(self.count))

    def no_longer(self, names: Sequence[str]) -> str:
        return say("The equipment deck no longer has {cards}.", cards=_cards(self.count))


def _cards(count: int) -> str:
    return counted(count, "equipment card") if count else say("no equipment cards")


def deal_unseen(state: DesertState, told: Told, chance: Chance) -> DesertState:
    """The hands filled up from the pile to as many cards as are told."""
    for fact in told:
        if isinstance(fact, HandIs):
            seat = SEAT_INDEX[fact.seat]
            while len(state.equipment[seat]) < fact.count:
                if not state.equipment_pile.layers:
                    raise CannotBe("There are not so many equipment cards.", SET_UP)
                card, pile = state.equipment_pile.draw(chance, "equipment_card", state.equipment)
                equipment = with_cards(state, seat, (*state.equipment[seat], card))
                state = replace(state, equipment=equipment, equipment_pile=pile)
    return state
