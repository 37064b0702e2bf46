"""Actions that use up a card of a player's hand."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable
from typing import ClassVar, Self

from engine.kit.actions import Action, Refusal, S


class CardAction(Action[S], frozen=True):
    """An action for which a player uses up a card."""

    card: ClassVar[str]
    """The card's id."""
    hands: ClassVar[str]
    """The member of the state with the cards of each seat."""

    @classmethod
    def candidates(cls, state: S, seat: int) -> Iterable[Self]:
        return cls.ways(state, seat) if cls.card in getattr(state, cls.hands)[seat] else ()

    @classmethod
    def ways(cls, state: S, seat: int) -> Iterable[Self]:
        """Yield every legal way to play the card; illegal ones may be among them. By default, there are no params."""
        return (cls(),)

    @classmethod
    def depends_on(cls, state: S, seat: int) -> Hashable:
        return cls.card in getattr(state, cls.hands)[seat]

    def refusal(self, state: S, seat: int) -> Refusal | None:
        return self.cannot_play(state, seat) or self.misplay(state, seat)

    @abstractmethod
    def cannot_play(self, state: S, seat: int) -> Refusal | None:
        """Return the refusal if `seat` may not play the card now in any way."""

    def misplay(self, state: S, seat: int) -> Refusal | None:
        """Return the refusal if the card may be played now, but not in this way."""
        return None
