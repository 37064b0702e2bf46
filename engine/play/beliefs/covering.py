"""Face-down cards, as the rules see them on the tables of a counted belief (see `engine.play.beliefs.running`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from engine.kit.effects import H, UnseenCard
from engine.play.beliefs.hands import Hand
from engine.play.beliefs.places import Fields
from engine.play.beliefs.pools import Odds, Pools, Ways
from engine.play.beliefs.sorts import Sorts

COVER = "\ue000"
"""The first character of a face-down card's name. It sorts face-down cards behind all others."""


class Reads(Exception):
    """Raised when a rule looks at a face-down card of a row; `row` is None for a card in the pile.

    Args:
        fields: the fields of the card's row and pile.
        kind: the kind with which the card was compared; None if any difference matters.
        of: the trait of cards that matters; None if it is the kind.
    """

    def __init__(
        self, fields: Fields, row: int | None, kind: str | None, of: Callable[[str], Hashable] | None = None
    ) -> None:
        super().__init__()
        self.fields, self.row, self.kind = fields, row, kind
        self.of = kind.__eq__ if of is None and kind is not None else of


class _FaceDown(UnseenCard):
    """A face-down card: rules can move and count it, but not compare it."""

    __slots__ = ("excluded", "fields", "row")
    fields: Fields
    row: int | None
    excluded: frozenset[str]
    """The kinds that are impossible for the card, because all cards of these kinds in its row are known."""

    def __eq__(self, other: object) -> bool:
        if other in self.excluded:
            return False
        is_kind = isinstance(other, str) and not other.startswith(COVER)
        raise Reads(self.fields, self.row, str(other) if is_kind else None)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        raise Reads(self.fields, self.row, None)

    def trait(self, of: Callable[[str], H]) -> H:
        raise Reads(self.fields, self.row, None, of)


class OfSort(_FaceDown):
    """A card of a known sort. Rules can only compare traits that all cards of the sort share."""

    __slots__ = ("cards",)
    cards: Hand
    """The cards of the sort, which are all different."""

    def __eq__(self, other: object) -> bool:
        if isinstance(other, OfSort):
            return self is other
        if other in self.cards:
            raise Reads(self.fields, self.row, str(other))
        return False

    def __hash__(self) -> int:
        cards = set(self.cards)
        raise Reads(self.fields, self.row, None, lambda card: card if card in cards else None)

    def trait(self, of: Callable[[str], H]) -> H:
        first, *others = map(of, self.cards)
        if any(other != first for other in others):
            raise Reads(self.fields, self.row, None, of)
        return first


class OnPile(_FaceDown):
    """A face-down card in the pile; `deck` computes the cards that can be on top of the pile."""

    __slots__ = ("deck",)
    deck: HiddenPile

    def __eq__(self, other: object) -> bool:
        # The pile searches for the drawn card. Any face-down card can stand for it.
        return other is self.deck.top or super().__eq__(other)

    __hash__ = _FaceDown.__hash__

    def pick(self, rank: Callable[[str], Any]) -> str:
        return self.deck.pick(rank)


def face_down(fields: Fields, row: int | None, excluded: frozenset[str] = frozenset()) -> _FaceDown:
    """Return a face-down card of this row, or of the pile if `row` is None, that cannot be of an `excluded` kind."""
    card = _FaceDown(COVER if row is None else f"{COVER}{row}")
    card.fields, card.row, card.excluded = fields, row, excluded
    return card


def of_sort(fields: Fields, row: int | None, name: str, cards: Hand) -> OfSort:
    """Return a card of the sort with this name."""
    card = OfSort(name)
    card.fields, card.row, card.excluded, card.cards = fields, row, frozenset(), cards
    return card


def on_pile(deck: HiddenPile) -> OnPile:
    """Return a face-down card of the pile."""
    card = OnPile(COVER)
    card.fields, card.row, card.excluded, card.deck = deck.fields, None, frozenset(), deck
    return card


class HiddenPile:
    """The face-down pile of a table, while a rule runs.

    Args:
        fields: the fields of the rows and the pile.
        used: function that returns the possible cards of the rows that were read, packed, with their weights.
        others: the rows that were not read.
        is_exact: True if the result of `odds` must be exact.
        sorts: the sorts of cards in the pile.
        has_odds: True if the probabilities of the hands are known.
    """

    def __init__(
        self,
        fields: Fields,
        known: Pools,
        used: Callable[[], Ways],
        others: Sequence[int],
        sorts: Sorts,
        *,
        is_exact: bool,
        has_odds: bool = True,
    ) -> None:
        self.fields = fields
        self.drawn: list[str] = []
        self.top: str | None = None
        """The last drawn card. It is a separate object, so that the pile recognizes it."""
        self.has_odds = has_odds
        self._pools, self._used, self._others, self._sorts = known, used, others, sorts
        self._is_exact = is_exact and has_odds

    def odds(self) -> Odds:
        """Return the possible top cards of the pile.

        If only the possible tables after the draw are needed, all kinds get the same probability here. The weight of
        each table after the draw then includes the number of cards of the drawn kind.
        """
        known, drawn = self._pools, self._pools.pack(self.drawn)
        used = {hand + drawn: weight for hand, weight in self._used().items()}
        if self._is_exact:
            chances = known.odds(used, self._others)
            return Odds(tuple(chances), tuple(chances.values()))
        kinds = known.drawable(used, self._others)
        each = Fraction(1, known.pile_size - len(self.drawn) if self.has_odds else len(kinds))
        return Odds(tuple(kinds), (each,) * len(kinds))

    def read(self, value: object) -> None:
        """Raise `Reads` if `value` is a card of a sort: its sort must be split before the draw."""
        if any(value in cards for cards in self._sorts.values()):
            raise Reads(self.fields, None, str(value))

    def pick(self, rank: Callable[[str], Any]) -> str:
        """Draw the possible top card that comes first by `rank`. It must be the same card on every table."""
        if self._used() != {0: 1}:
            raise Reads(self.fields, None, None)
        card = min((card for value in self.odds().values for card in self._sorts.get(value, (value,))), key=rank)
        self.read(card)
        return self.take(card)

    def take(self, card: str) -> str:
        """Draw `card`. Return an object that represents the card and that the pile recognizes."""
        self.drawn.append(card)
        sort = self._sorts.get(card)
        self.top = card.encode().decode() if sort is None else of_sort(self.fields, None, card, sort)
        return self.top


def plain(card: str) -> str:
    """Return a card as a plain string, face down or not."""
    return str.__str__(card)


def known_cards(cards: Iterable[str]) -> Counter[str]:
    """Count the cards that are not face down."""
    return Counter(plain(card) for card in cards if not card.startswith(COVER))
