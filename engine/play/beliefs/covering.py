"""Face-down cards, as the rules see them where hands are counted, not listed (see `engine.play.beliefs.running`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from engine.play.beliefs.pools import Odds, Pools, Ways

COVER = "\ue000"
"""The first character of a face-down card's name, which sorts it behind all others."""


class Reads(Exception):
    """A rule looked at a face-down card of a row; None: at one in the pile.

    Args:
        kind: the kind that the card was compared with; None if any difference matters.
    """

    def __init__(self, row: int | None, kind: str | None) -> None:
        super().__init__()
        self.row, self.kind = row, kind


class _FaceDown(str):
    """A face-down card: it may be moved and counted, but not compared."""

    __slots__ = ("excluded", "row")
    row: int | None
    excluded: frozenset[str]
    """The kinds that it is not of: those that were read of its row."""

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
    """A card in the pile; `deck` has the possible top cards."""

    __slots__ = ("deck",)
    deck: Deck

    def __eq__(self, other: object) -> bool:
        # The pile searches for the drawn card: it may take any face-down one.
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
    """The face-down cards of a table, while a rule runs.

    Args:
        used: returns the weights of what the rows that were read hold, by its packed cards.
        others: the rows that were not.
        has_odds: whether it is known how likely each hand is.
    """

    def __init__(
        self, known: Pools, used: Callable[[], Ways], others: Sequence[int], *, is_exact: bool, has_odds: bool = True
    ) -> None:
        self.drawn: list[str] = []
        self.top: str | None = None
        """The card that was drawn last: an object of its own, which the pile can find."""
        self.has_odds = has_odds
        self._pools, self._used, self._others = known, used, others
        self._is_exact = is_exact and has_odds

    def odds(self) -> Odds:
        """Return what may be on top now.

        If only the possible resulting tables matter, all kinds count the same: the number of cards of a kind is then in
        the weight of the table after the draw.
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
        """Return `card` as the pile finds it."""
        self.drawn.append(card)
        self.top = card.encode().decode()
        return self.top


def plain(card: str) -> str:
    """Return a card as a plain string, whether it lies face down or not."""
    return str.__str__(card)


def known_cards(cards: Iterable[str]) -> Counter[str]:
    """Count the cards that do not lie face down."""
    return Counter(card for card in cards if not card.startswith(COVER))
