"""Facts of the cards that players draw, and of the treasures that they take for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, ClassVar, Literal, Self

from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forbidden_island.components import (
    Treasure,
    printed,
    treasure_deck,
)
from engine.games.forbidden_island.headings import SETUP
from engine.games.forbidden_island.state import IslandState, add_card, remove_cards, replace, with_hand
from engine.kit.chance import Chance
from engine.kit.facts import CannotBe, Fact, Told
from engine.kit.words import counted

HandCard = Literal[Treasure, "helicopter_lift", "sandbags"]
DeckCard = Literal[HandCard, "waters_rise"]
Count = Annotated[int, Meta(ge=0, le=28)]


class HasCards(Fact[IslandState], frozen=True):
    """How many of a card a player has."""

    about = ("seat", "card")
    none = {"count": 0}
    moves_things = True
    seat: SeatId
    card: HandCard
    count: Count = 1

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        for seat, hand in zip(SEAT_IDS, state.hands, strict=False):
            for card, count in sorted(Counter(hand).items()):
                yield cls(seat, card, count)  # type: ignore[arg-type]  # a card of a hand

    def put(self, state: IslandState, told: Told) -> IslandState:
        seat, card = SEAT_INDEX[self.seat], self.card
        while (held := state.hands[seat].count(card)) > self.count:
            state = replace(state, hands=with_hand(state, seat, remove_cards(state.hands[seat], card)))
            state = put_away(state, card, told)
        for _ in range(self.count - held):
            state = taken(state, card, told)
            state = replace(state, hands=with_hand(state, seat, add_card(state.hands[seat], card)))
        return state

    def sentence(self, names: Sequence[str]) -> str:
        return say("{name} has {cards}.", name=names[SEAT_INDEX[self.seat]], cards=_counted(self.count, self.card))

    def no_longer(self, names: Sequence[str]) -> str:
        if not self.count:
            return say("{name} has the {card} now.", name=names[SEAT_INDEX[self.seat]], card=printed(self.card))
        return say(
            "{name} no longer has {cards}.", name=names[SEAT_INDEX[self.seat]], cards=_counted(self.count, self.card)
        )


class CardsDiscarded(Fact[IslandState], frozen=True):
    """How many of a card lie in the discard pile of the deck that players draw from."""

    about = ("card",)
    none = {"count": 0}
    moves_things = True
    deck: ClassVar[str] = marked("Treasure")
    card: DeckCard
    count: Count = 1

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        for card, count in sorted(Counter(state.treasure_discard).items()):
            yield cls(card, count)  # type: ignore[arg-type]  # a card of the deck

    def put(self, state: IslandState, told: Told) -> IslandState:
        card = self.card
        while (lying := state.treasure_discard.count(card)) > self.count:
            state = put_away(_out_of_discard(state, card), card, told)
        for _ in range(self.count - lying):
            state = _discarded(taken(state, card, told), card)
        return state

    def sentence(self, names: Sequence[str]) -> str:
        return say("The {deck} discard pile holds {cards}.", deck=say(self.deck), cards=_counted(self.count, self.card))

    def no_longer(self, names: Sequence[str]) -> str:
        if not self.count:
            return say("The {deck} discard pile holds the {card} now.", deck=say(self.deck), card=printed(self.card))
        return say(
            "The {deck} discard pile no longer holds {cards}.",
            deck=say(self.deck),
            cards=_counted(self.count, self.card),
        )


class Captured(Fact[IslandState], frozen=True):
    """Whether the team has a treasure."""

    about = ("treasure",)
    none = {"yes": False}
    treasure: Treasure
    yes: bool = True

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        return map(cls, state.captured)

    def put(self, state: IslandState, told: Told) -> IslandState:
        return with_captured(state, self.treasure, is_captured=self.yes)

    def sentence(self, names: Sequence[str]) -> str:
        if self.yes:
            return say("The team has the {treasure}.", treasure=printed(self.treasure))
        return say("The team does not have the {treasure}.", treasure=printed(self.treasure))

    def no_longer(self, names: Sequence[str]) -> str:
        if self.yes:
            return say("The team no longer has the {treasure}.", treasure=printed(self.treasure))
        return say("The team has the {treasure}.", treasure=printed(self.treasure))


class HandIs(Fact[IslandState], frozen=True):
    """How many cards a player has."""

    about = ("seat",)
    is_derived = True
    seat: SeatId
    count: Count

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        return (cls(seat, len(hand)) for seat, hand in zip(SEAT_IDS, state.hands, strict=False))

    def sentence(self, names: Sequence[str]) -> str:
        return say("{name} has {cards}.", name=names[SEAT_INDEX[self.seat]], cards=counted(self.count, "card"))


class DeckIs(Fact[IslandState], frozen=True):
    """How many cards are left in the deck that players draw from."""

    is_derived = True
    deck: ClassVar[str] = marked("Treasure")
    count: Count

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        yield cls(len(state.treasure_pile))

    def sentence(self, names: Sequence[str]) -> str:
        return say("The {deck} deck has {cards}.", deck=say(self.deck), cards=counted(self.count, "card"))


def deal_unseen(state: IslandState, told: Told, chance: Chance) -> IslandState:
    """The hands filled up to as many cards as are told, none of them one that raises the water."""
    for fact in told:
        if isinstance(fact, HandIs):
            seat = SEAT_INDEX[fact.seat]
            while len(state.hands[seat]) < fact.count:
                cards = [card for card in state.treasure_pile.cards() if card != state.edition.rising_card]
                if not cards:
                    raise CannotBe("There are not so many cards.", SETUP)
                card = chance.draw("hand_card", cards, state.hands)
                hands = with_hand(state, seat, add_card(state.hands[seat], card))
                state = replace(state, hands=hands, treasure_pile=state.treasure_pile.without(card))
    return state


def with_captured(state: IslandState, treasure: Treasure, *, is_captured: bool) -> IslandState:
    """`state`, the team having `treasure` or not."""
    others = tuple(one for one in state.captured if one != treasure)
    return replace(state, captured=(*others, treasure) if is_captured else others)


def taken(state: IslandState, card: str, told: Told) -> IslandState:
    """`state` without one `card`: from where more of them lie than is told, else from where nothing is told of it.

    Then the pile comes first, in which nobody sees what is missing, then the discard pile, then a hand.
    """
    discarded = state.treasure_discard.count(card)
    for seat, hand in enumerate(state.hands):
        if hand.count(card) > _told_in_hand(told, seat, card, most=hand.count(card)):
            return replace(state, hands=with_hand(state, seat, remove_cards(hand, card)))
    if discarded > _told_in_discard(told, card, most=discarded):
        return _out_of_discard(state, card)
    pile = state.treasure_pile.without(card)
    if pile != state.treasure_pile:
        return replace(state, treasure_pile=pile)
    if discarded and not told.speaks_of(CardsDiscarded, card):
        return _out_of_discard(state, card)
    for seat, hand in enumerate(state.hands):
        if card in hand and not told.speaks_of(HasCards, SEAT_IDS[seat], card):
            return replace(state, hands=with_hand(state, seat, remove_cards(hand, card)))
    count = treasure_deck(state.edition).count(card)
    raise CannotBe(say("There are only {cards}.", cards=_counted(count, card)), SETUP)


def put_away(state: IslandState, card: str, told: Told) -> IslandState:
    """`state` with one more `card`: where fewer of them lie than is told, else in the discard pile, or in the pile."""
    for seat, hand in enumerate(state.hands):
        if hand.count(card) < _told_in_hand(told, seat, card, most=0):
            return replace(state, hands=with_hand(state, seat, add_card(hand, card)))
    is_open = not told.speaks_of(CardsDiscarded, card)
    if is_open or state.treasure_discard.count(card) < _told_in_discard(told, card, most=0):
        return _discarded(state, card)
    return replace(state, treasure_pile=state.treasure_pile.with_card(card))


def _told_in_hand(told: Told, seat: int, card: str, *, most: int) -> int:
    """How many of `card` are told to be in that hand; `most` where nothing is told of it."""
    fact = told.of(HasCards, SEAT_IDS[seat], card)
    return most if fact is None else fact.count


def _told_in_discard(told: Told, card: str, *, most: int) -> int:
    fact = told.of(CardsDiscarded, card)
    return most if fact is None else fact.count


def _discarded(state: IslandState, card: str) -> IslandState:
    return replace(state, treasure_discard=(*state.treasure_discard, card))


def _out_of_discard(state: IslandState, card: str) -> IslandState:
    at = state.treasure_discard.index(card)
    return replace(state, treasure_discard=state.treasure_discard[:at] + state.treasure_discard[at + 1 :])


def _counted(count: int, card: str) -> str:
    if not count:
        return say("no {card}", card=printed(card))
    if count == 1:
        return say("the {card}", card=printed(card))
    return say("{count} {card} cards", count=count, card=printed(card))
