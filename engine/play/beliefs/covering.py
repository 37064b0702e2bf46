"""Face-down cards, as the rules see them on the tables of a counted belief (see `engine.play.beliefs.running`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from engine.play.beliefs.pools import Odds, Pools, Ways

COVER = "\ue000"
"""The first character of a face-down card's name. It sorts face-down cards behind all others."""


class Reads(Exception):
    """Raised when a rule looks at a face-down card of a row; `row` is None for a card in the pile.

    Args:
        kind: the kind with which the card was compared; None if the rule needs to know the card itself.
    """

    def __init__(self, row: int | None, kind: str | None) -> None:
        super().__init__()
        self.row, self.kind = row, kind


class _FaceDown(str):
    """A face-down card. Rules can move and count such a card, but cannot compare it."""

    __slots__ = ("excluded", "row")
    row: int | None
    excluded: frozenset[str]
    """The kinds that the card cannot be, because all cards of these kinds in its row are known."""

    def __eq__(self, other: object) -> bool:
        if other in self.excluded:
            return False
        is_kind = isinstance(other, str) and not other.startswith(COVER)
        raise Reads(self.row, str(other) if is_kind else None)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        raise Reads(self.row, None)


class OnPile(_FaceDown):
    """A face-down card in the pile; `deck` computes the cards that can be on top of the pile."""

    __slots__ = ("deck",)
    deck: Deck

    def __eq__(self, other: object) -> bool:
        # The pile searches for the drawn card: any face-down card can be taken for it.
        return other is self.deck.top or super().__eq__(other)

    __hash__ = _FaceDown.__hash__


def face_down(row: int | None, excluded: frozenset[str] = frozenset()) -> _FaceDown:
    """Return a face-down card of this row, or of the pile if `row` is None, that cannot be of an `excluded` kind."""
    card = _FaceDown(COVER if row is None else f"{COVER}{row}")
    card.row, card.excluded = row, excluded
    return card


def on_pile(deck: Deck) -> OnPile:
    """Return a face-down card of the pile."""
    card = OnPile(COVER)
    card.row, card.excluded, card.deck = None, frozenset(), deck
    return card


class Deck:
    """The face-down pile of a table, while a rule runs.

    Args:
        used: function that returns the possible cards of the rows that were read, packed, with their weights.
        others: the rows that were not read.
        is_exact: True if the result of `odds` must be exact.
        has_odds: True if the probabilities of the hands are known.
    """

    def __init__(
        self, known: Pools, used: Callable[[], Ways], others: Sequence[int], *, is_exact: bool, has_odds: bool = True
    ) -> None:
        self.drawn: list[str] = []
        self.top: str | None = None
        """The last drawn card, as an object of its own, so that the pile can find it."""
        self.has_odds = has_odds
        self._pools, self._used, self._others = known, used, others
        self._is_exact = is_exact and has_odds

    def odds(self) -> Odds:
        """Return the possible top cards of the pile.

        If only the possible tables after the draw are needed, all kinds get the same probability here. The weight of
        each table after the draw then includes the number of cards of the drawn kind.
        """
        known, drawn = self._pools, self._pools.packed(self.drawn)
        used = {hand + drawn: weight for hand, weight in self._used().items()}
        if self._is_exact:
            chances = known.odds(used, self._others)
            return Odds(tuple(chances), tuple(chances.values()))
        kinds = known.drawable(used, self._others)
        each = Fraction(1, known.pile_size - len(self.drawn) if self.has_odds else len(kinds))
        return Odds(tuple(kinds), (each,) * len(kinds))

    def take(self, card: str) -> str:
        """Draw `card`. Return an object for the card that the pile can find."""
        self.drawn.append(card)
        self.top = card.encode().decode()
        return self.top


def plain(card: str) -> str:
    """Return a card as a plain string, face down or not."""
    return str.__str__(card)


def known_cards(cards: Iterable[str]) -> Counter[str]:
    """Count the cards that are not face down."""
    return Counter(card for card in cards if not card.startswith(COVER))
