"""Facts of the cards that players draw, and of the treasures that they take for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forbidden_island.components import (
    Treasure,
    printed,
    treasure_deck,
)
from engine.games.forbidden_island.facts.base import IslandFact
from engine.games.forbidden_island.headings import SETUP
from engine.games.forbidden_island.state import IslandState, add_card, remove_cards, replace, with_hand
from engine.kit.chance import Chance
from engine.kit.common_facts import IsAmong, SizeIs
from engine.kit.facts import CannotBe, Texts, Told

HandCard = Literal[Treasure, "helicopter_lift", "sandbags"]
DeckCard = Literal[HandCard, "waters_rise"]
Count = Annotated[int, Meta(ge=0, le=28)]


class HasCards(IslandFact, frozen=True):
    """How many of a card a player has."""

    about = ("seat", "card")
    none = {"count": 0}
    moves_things = True
    texts = Texts("{name} has {cards}.", "{name} no longer has {cards}.")
    texts_of = {0: Texts("{name} has {cards}.", "{name} has the {card} now.")}
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

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "cards": _counted(self.count, self.card)}


class CardsDiscarded(IslandFact, frozen=True):
    """How many of a card lie in the discard pile of the deck that players draw from."""

    about = ("card",)
    none = {"count": 0}
    moves_things = True
    texts = Texts("The {deck} discard pile holds {cards}.", "The {deck} discard pile no longer holds {cards}.")
    texts_of = {
        0: Texts("The {deck} discard pile holds {cards}.", "The {deck} discard pile holds the {card} now."),
    }
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

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "deck": say(self.deck), "cards": _counted(self.count, self.card)}


class Captured(IsAmong[IslandState], frozen=True):
    """Whether the team has a treasure."""

    about = ("treasure",)
    member = "captured"
    texts = Texts("The team has the {treasure}.", "The team no longer has the {treasure}.")
    texts_of = {False: Texts("The team does not have the {treasure}.", "The team has the {treasure}.")}
    word = staticmethod(printed)
    treasure: Treasure
    yes: bool = True


class HandIs(SizeIs[IslandState], frozen=True):
    """How many cards a player has."""

    about = ("seat",)
    member = "hands"
    texts = Texts("{name} has {cards}.")
    seat: SeatId
    count: Count


class DeckIs(SizeIs[IslandState], frozen=True):
    """How many cards are left in the deck that players draw from."""

    member = "treasure_pile"
    texts = Texts("The {deck} deck has {cards}.")
    deck: ClassVar[str] = marked("Treasure")
    count: Count

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "deck": say(self.deck)}


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
