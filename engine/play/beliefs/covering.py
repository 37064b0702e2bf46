"""Face-down cards, as the rules see them where hands are counted, not listed (see `engine.play.beliefs.pooling`)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine.play.beliefs.pools import Odds, Pools

COVER = "\ue000"
"""Begins the name of a face-down card: it is sorted behind all others."""


class Reads(Exception):
    """A rule looked at a face-down card of a row; None: at one in the pile."""

    def __init__(self, row: int | None) -> None:
        super().__init__()
        self.row = row


class _FaceDown(str):
    """A card that lies face down: it may be moved and counted, and not be looked at."""

    __slots__ = ("row",)
    row: int | None

    def __eq__(self, other: object) -> bool:
        raise Reads(self.row)

    def __ne__(self, other: object) -> bool:
        raise Reads(self.row)

    def __hash__(self) -> int:
        raise Reads(self.row)


class OnPile(_FaceDown):
    """A card in the pile; `deck` tells what may be on top."""

    __slots__ = ("deck",)
    deck: Deck

    def __eq__(self, other: object) -> bool:
        # The pile looks for the card that was drawn: it may take any of those that lie face down.
        return other is self.deck.top or super().__eq__(other)

    __hash__ = _FaceDown.__hash__


def face_down(row: int) -> _FaceDown:
    """Return a face-down card of a row."""
    card = _FaceDown(f"{COVER}{row}")
    card.row = row
    return card


def on_pile(deck: Deck) -> OnPile:
    """Return a face-down card of the pile."""
    card = OnPile(COVER)
    card.row, card.deck = None, deck
    return card


class Deck:
    """The face-down cards of a table, while a rule runs.

    Args:
        used: the packed cards of the rows that are known.
        others: the rows that are not.
        has_odds: whether it is known how likely each hand is.
    """

    def __init__(
        self, known: Pools, used: int, others: Sequence[int], *, is_exact: bool, has_odds: bool = True
    ) -> None:
        self.drawn: list[str] = []
        self.top: str | None = None
        """The card that was drawn last: an object of its own, by which the pile finds it."""
        self.has_odds = has_odds
        self._pools, self._used, self._others = known, used, others
        self._is_exact = is_exact and has_odds

    def odds(self) -> Odds:
        """Return what may be on top now.

        Where only the tables matter that may come of it, each kind counts the same: how many of them the pile has is
        part of the weight of the table after the draw.
        """
        known, used = self._pools, self._used + self._pools.packed(self.drawn)
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
