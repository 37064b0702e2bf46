"""Lookups for the effects of actions. If an action is illegal, a component may be missing.

Use these in `Action.apply`: they raise `Unclear` for a missing component, where a plain lookup would fail.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from engine.core.errors import Unclear

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)


class UnseenCard(str):
    """A card that nobody saw, as rules see it on a partly unknown table."""

    __slots__ = ()

    def trait(self, of: Callable[[str], H]) -> H:
        """Return `of(card)` for this card."""
        raise NotImplementedError

    def pick(self, rank: Callable[[str], Any]) -> str:
        """Return the possible card that comes first by `rank`. From now on, this object stands for that card."""
        raise NotImplementedError


def pick_card(cards: Sequence[str], rank: Callable[[str], Any]) -> str:
    """Return the card that comes first by `rank`; `cards` is the top layer of a pile."""
    card = needed_at(cards, 0)
    return card.pick(rank) if isinstance(card, UnseenCard) else min(cards, key=rank)


def trait(card: str, of: Callable[[str], H]) -> H:
    """Return `of(card)`, such as the number of icons on a card.

    Use it where cards are face up and all different. If nobody saw the card, only its trait is then distinguished, and
    all cards with the same trait stay equally likely.
    """
    return card.trait(of) if isinstance(card, UnseenCard) else of(card)


def needed(found: T | None) -> T:
    """Return `found`, the component that was looked up.

    Raises:
        Unclear: `found` is None.
    """
    if found is None:
        raise Unclear
    return found


def needed_at(items: Sequence[T], index: int) -> T:
    """Return the item at `index`, from 0.

    Raises:
        Unclear: there are fewer items.
    """
    if not 0 <= index < len(items):
        raise Unclear
    return items[index]


def place_of(item: T, items: Sequence[T]) -> int:
    """Return the index of the first item that equals `item`.

    Raises:
        Unclear: no item equals `item`.
    """
    try:
        return items.index(item)
    except ValueError:
        raise Unclear from None
