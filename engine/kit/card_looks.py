"""The appearance of cards, declared once for panels, result buttons and setup pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec

from engine.core.values import SEAT_IDS
from engine.kit import faces
from engine.kit.piles import Pile
from engine.kit.scene.looks import Ground, Symbol
from engine.kit.scene.panels import Card, CardStack, Shelf
from engine.kit.setup_page import SetupChoice
from engine.kit.vignette import Tint


class Look(msgspec.Struct, frozen=True):
    """The appearance of a card."""

    symbol: Symbol
    tint: Tint = "steel"
    ground: Ground = "paper"
    is_any_time: bool = False
    """True if the card can be played at any time."""


class CardLooks(msgspec.Struct, frozen=True):
    """The cards of a deck, or things like cards, with their appearance."""

    looks: Mapping[str, Look]
    name: Callable[[str], str]
    """Function that returns a card's name, translated."""
    short: Callable[[str], str] | None = None
    """Function that returns a shorter name for panels, which then show the full name as an explanation."""

    def hand(self, seat: int, cards: Iterable[str]) -> tuple[Card, ...]:
        """Return the cards in front of a seat, each kind once."""
        return tuple(msgspec.structs.replace(card, place=card.id[3:]) for card in self.cards(cards, SEAT_IDS[seat]))

    def cards(self, cards: Iterable[str], place: str, *, is_faint: bool = False) -> tuple[Card, ...]:
        """Return the cards in a place, each kind once, sorted by id."""
        return tuple(
            self._card(
                card,
                id=f"{place}.{card}",
                label=(self.short or self.name)(card),
                count=count,
                tint=self.looks[card].tint,
                is_any_time=self.looks[card].is_any_time,
                is_faint=is_faint,
                title=self.name(card) if self.short else "",
            )
            for card, count in sorted(Counter(cards).items())
        )

    def _card(self, card: str, **rest: Any) -> Card:
        return Card(symbol=self.looks[card].symbol, ground=self.looks[card].ground, **rest)

    def stack(
        self,
        title: str,
        pile: Pile[Any],
        discard: tuple[str, ...],
        places: tuple[str, str] = ("left", "discarded"),
        **rest: Any,
    ) -> CardStack:
        """Return a face-down pile and its discard pile. `rest` contains the remaining members."""
        return CardStack(
            title=title,
            count=len(pile),
            left=self.cards(pile.cards(), places[0]),
            discarded=len(discard),
            discard=self.cards(discard, places[1], is_faint=True),
            **rest,
        )

    def shelf(self, id_: str, title: str, found: Collection[str], said: Callable[[str, bool], str]) -> Shelf:
        """Return a shelf with all cards. Cards that are not in `found` are faint.

        Args:
            said: function that returns the explanation. It gets the card's name, and True if the card is in `found`.
        """
        names = {card: self.name(card) for card in self.looks}
        cards = (
            self._card(card, id=card, label=name, is_faint=card not in found, title=said(name, card in found))
            for card, name in names.items()
        )
        return Shelf(id=id_, title=title, cards=tuple(cards))

    def faces(self) -> faces.FaceLayout:
        """Return the result buttons, in the order of `looks`."""
        return faces.cards([(card, look.symbol, look.tint) for card, look in self.looks.items()])

    def choices(self) -> tuple[SetupChoice, ...]:
        """Return the cards as components that a setup page deals, in the order of `looks`."""
        return tuple(
            SetupChoice(value=card, label=self.name(card), symbol=look.symbol, tint=look.tint)
            for card, look in self.looks.items()
        )
