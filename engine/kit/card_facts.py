"""Facts about the cards of a deck: the number of each in a hand, or face up on the table."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NamedTuple, Self, get_args

import msgspec
from msgspec.structs import replace

from engine.core.values import SEAT_IDS, SEAT_INDEX
from engine.kit.chance import Chance
from engine.kit.common_facts import SizeIs
from engine.kit.entries import with_entry, without
from engine.kit.facts import CannotBe, Fact, S, Told


class CardsAt(Fact[S], frozen=True):
    """The number of copies of a card in a hand (`about = ("seat", "card")`) or an open pile (`about = ("card",)`).

    The last field is the number. If more copies are needed to make the fact true, they are taken from a place with more
    copies than reported there. If there is no such place, they are taken from the face-down `pile`.
    """

    none = {"count": 0}
    moves_things = True
    pile: ClassVar[str]
    """The member of the state that has the face-down cards of the deck."""
    drawn_as: ClassVar[str] = "hand_card"
    """The name of the random result if a hand has cards that nobody named."""

    @classmethod
    def kinds(cls) -> tuple[type[CardsAt[S]], ...]:
        """Return the kinds of fact that count cards of this deck: first in hands, then in the discard pile.

        By default, these are the direct subclasses of the class that declares `pile`, in the order of their definition.
        """
        return tuple(next(kind for kind in cls.__mro__ if "pile" in vars(kind)).__subclasses__())

    @classmethod
    def whole_deck(cls, state: S) -> Counter[Any]:
        """Return the cards of the whole deck."""
        open_cards = (card for place in _places(state, *cls.kinds()) for card in place.cards(state))
        return Counter([*getattr(state, cls.pile).cards(), *open_cards])

    @classmethod
    @abstractmethod
    def shortage(cls, state: S, card: str) -> CannotBe:
        """Return the error for a report of more copies of a card than the box contains."""

    @classmethod
    def all(cls, state: S) -> Iterable[Self]:
        for place in _places(state, cls):
            for card, count in sorted(Counter(place.cards(state)).items()):
                yield cls(*place.about(card), count)

    def put(self, state: S, told: Told) -> S:
        *seat, card = self.subject[1]
        here = _Place(type(self), SEAT_INDEX[seat[0]] if seat else None)
        while (count := here.cards(state).count(card)) > self.content:
            state = self._put_away(here.without(state, card), card, told)
        for _ in range(self.content - count):
            state = here.with_card(self.taken(state, card, told), card)
        return state

    @classmethod
    def taken(cls, state: S, card: str, told: Told) -> S:
        """Return `state` without one copy of `card`.

        If a place holds more copies than reported, take the copy from that place. Otherwise take it from a place
        without a report: first the face-down pile, where nobody can see the change, then open piles, then hands.

        Raises:
            CannotBe: no such place has a copy.
        """
        places = _places(state, *cls.kinds())
        for place in places:
            fact = told.of(place.kind, *place.about(card))
            if fact is not None and place.cards(state).count(card) > fact.content:
                return place.without(state, card)
        face_down = getattr(state, cls.pile)
        if card in face_down.cards():
            return replace(state, **{cls.pile: face_down.without(card)})
        for place in sorted(places, key=lambda place: place.seat is not None):
            if card in place.cards(state) and not told.speaks_of(place.kind, *place.about(card)):
                return place.without(state, card)
        raise cls.shortage(state, card)

    @classmethod
    def _put_away(cls, state: S, card: str, told: Told) -> S:
        """Return `state` with one more `card`: in a place that needs it, or else discarded, or else in the pile."""
        places = _places(state, *cls.kinds())
        discard = [place for place in places if place.seat is None][:1]
        for place in (*(place for place in places if place.seat is not None), *discard):
            fact = told.of(place.kind, *place.about(card))
            is_open = place in discard and not told.speaks_of(place.kind, card)
            if is_open or (fact is not None and place.cards(state).count(card) < fact.content):
                return place.with_card(state, card)
        return replace(state, **{cls.pile: getattr(state, cls.pile).with_card(card)})


def deal_unseen(kinds: Sequence[type[Fact[Any]]], state: S, told: Told, chance: Chance) -> S:
    """Fill the hands from the piles up to the sizes in `told`, with cards that can be in a hand.

    Raises:
        CannotBe: there are not enough cards.
    """
    for fact in told:
        held = hands_counted(kinds, type(fact))
        if held is None:
            continue
        (card_field,) = (field for field in msgspec.structs.fields(held) if field.name == held.about[-1])
        place = _Place(held, SEAT_INDEX[fact.subject[1][0]])
        while len(place.cards(state)) < fact.content:
            pile = getattr(state, held.pile)
            cards = [card for card in pile.cards() if card in get_args(card_field.type)]
            if not cards:
                raise CannotBe("There are not enough cards.")
            card = chance.draw(held.drawn_as, cards, getattr(state, held.member))
            state = place.with_card(replace(state, **{held.pile: pile.without(card)}), card)
    return state


def hands_counted(kinds: Sequence[type[Fact[Any]]], sizes: type[Fact[Any]]) -> type[CardsAt[Any]] | None:
    """Return the kind of fact about the cards in the hands whose size `sizes` reports; None if there is none."""
    if not (issubclass(sizes, SizeIs) and sizes.about == ("seat",)):
        return None
    held = (kind for kind in kinds if issubclass(kind, CardsAt) and kind.about[:-1] == ("seat",))
    return next((kind for kind in held if kind.member == sizes.member), None)


class _Place(NamedTuple):
    """The hand of a seat, or an open pile (`seat` is None)."""

    kind: type[CardsAt[Any]]
    seat: int | None

    def about(self, card: str) -> tuple[str, ...]:
        return (card,) if self.seat is None else (SEAT_IDS[self.seat], card)

    def cards(self, state: Any) -> tuple[str, ...]:
        cards: Any = getattr(state, self.kind.member)
        return cards if self.seat is None else cards[self.seat]  # type: ignore[no-any-return]  # a member of any state

    def with_card(self, state: S, card: str) -> S:
        cards = (*self.cards(state), card)
        return self._with_cards(state, cards if self.seat is None else tuple(sorted(cards)))

    def without(self, state: S, card: str) -> S:
        return self._with_cards(state, without(self.cards(state), card))

    def _with_cards(self, state: S, cards: tuple[str, ...]) -> S:
        member = self.kind.member
        return replace(
            state, **{member: cards if self.seat is None else with_entry(getattr(state, member), self.seat, cards)}
        )


def _places(state: Any, *kinds: type[CardsAt[Any]]) -> list[_Place]:
    return [
        _Place(kind, seat)
        for kind in kinds
        for seat in ([None] if kind.about == ("card",) else range(len(getattr(state, kind.member))))
    ]
