"""Facts about the treasure deck, the hands and the captured treasures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import SEAT_INDEX, SeatId
from engine.games.forbidden_island.components import Treasure, printed_name, treasure_deck
from engine.games.forbidden_island.headings import SETUP
from engine.games.forbidden_island.state import IslandState, add_card, replace
from engine.kit.card_facts import CardsAt
from engine.kit.chance import Chance
from engine.kit.common_facts import IsAmong, SizeIs
from engine.kit.entries import with_entry
from engine.kit.facts import CannotBe, Texts, Told

HandCard = Literal[Treasure, "helicopter_lift", "sandbags"]
DeckCard = Literal[HandCard, "waters_rise"]
Count = Annotated[int, Meta(ge=0, le=28)]


class _TreasureCards(CardsAt[IslandState], frozen=True):
    """The number of cards of the players' deck in a place."""

    pile = "treasure_pile"
    word = staticmethod(printed_name)

    @classmethod
    def shortage(cls, state: IslandState, card: str) -> CannotBe:
        count = treasure_deck(state.edition).count(card)
        return CannotBe(say("There are only {cards}.", cards=_card_count(count, card)), SETUP)

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        *_, card = self.subject[1]
        return {**super().words(names), "cards": _card_count(self.content, card)}


def _card_count(count: int, card: str) -> str:
    if not count:
        return say("no {card} card", card=printed_name(card))
    if count == 1:
        return say("1 {card} card", card=printed_name(card))
    return say("{count} {card} cards", count=count, card=printed_name(card))


class HasCards(_TreasureCards, frozen=True):
    """The number of copies of a card in a player's hand."""

    about = ("seat", "card")
    member = "hands"
    texts = Texts("{name} has {cards}.", "{name} no longer has {cards}.")
    texts_of = {0: Texts("{name} has {cards}.", "{name} has at least 1 {card} card now.")}
    seat: SeatId
    card: HandCard
    count: Count = 1


class CardsDiscarded(_TreasureCards, frozen=True):
    """The number of copies of a card in the discard pile of the players' deck."""

    member = "treasure_discard"
    texts = Texts("The {deck} discard pile holds {cards}.", "The {deck} discard pile no longer holds {cards}.")
    texts_of = {
        0: Texts("The {deck} discard pile holds {cards}.", "The {deck} discard pile holds at least 1 {card} card now."),
    }
    deck: ClassVar[str] = marked("Treasure")
    card: DeckCard
    count: Count = 1

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "deck": say(self.deck)}


class Captured(IsAmong[IslandState], frozen=True):
    """True if the team has a treasure."""

    member = "captured"
    texts = Texts("The team has the {treasure}.", "The team no longer has the {treasure}.")
    texts_of = {False: Texts("The team does not have the {treasure}.", "The team has the {treasure}.")}
    word = staticmethod(printed_name)
    treasure: Treasure
    yes: bool = True


class HandIs(SizeIs[IslandState], frozen=True):
    """The number of cards in a player's hand."""

    member = "hands"
    texts = Texts("{name} has {cards}.")
    seat: SeatId
    count: Count


class DeckIs(SizeIs[IslandState], frozen=True):
    """The number of cards left in the players' deck."""

    member = "treasure_pile"
    texts = Texts("The {deck} deck has {cards}.")
    deck: ClassVar[str] = marked("Treasure")
    count: Count

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "deck": say(self.deck)}


def deal_unseen(state: IslandState, told: Told, chance: Chance) -> IslandState:
    """Fill the hands up to the reported number of cards, without cards that raise the water."""
    for fact in told:
        if isinstance(fact, HandIs):
            seat = SEAT_INDEX[fact.seat]
            while len(state.hands[seat]) < fact.count:
                cards = [card for card in state.treasure_pile.cards() if card != state.edition.rising_card]
                if not cards:
                    raise CannotBe("There are not enough cards.", SETUP)
                card = chance.draw("hand_card", cards, state.hands)
                hands = with_entry(state.hands, seat, add_card(state.hands[seat], card))
                state = replace(state, hands=hands, treasure_pile=state.treasure_pile.without(card))
    return state
