"""Piles of cards as layers: the order of layers is known, the order of the cards in a layer is not.

A shuffled pile is one layer. 'Shuffle the discards and put them on top' adds a layer. 'Shuffle it back in' merges all
layers. 'Look at the top three' splits off three layers of one card each.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from itertools import chain
from typing import Generic, TypeVar

import msgspec
from msgspec.structs import replace

from engine.core.errors import Unclear
from engine.kit.chance import Chance

C = TypeVar("C", bound=str)
S = TypeVar("S", bound=msgspec.Struct)


class Pile(msgspec.Struct, Generic[C], frozen=True, gc=False):
    """A face-down pile of cards."""

    layers: tuple[tuple[C, ...], ...] = ()
    """The layers, top first, none empty. Each is sorted: a draw lists its outcomes in this order."""

    @classmethod
    def shuffled(cls, cards: Iterable[C]) -> Pile[C]:
        """Return a pile with `cards` as its only layer."""
        layer = tuple(sorted(cards))
        return cls((layer,) if layer else ())

    def __len__(self) -> int:
        return sum(map(len, self.layers))

    def cards(self) -> tuple[C, ...]:
        """Return all cards, sorted."""
        return tuple(sorted(card for layer in self.layers for card in layer))

    def draw(self, chance: Chance, name: str, matters: Hashable = None) -> tuple[C, Pile[C]]:
        """Take the top card; return it and the pile without it.

        Args:
            matters: as in `Chance.draw`.

        Raises:
            Unclear: the pile is empty.
        """
        if not self.layers:
            raise Unclear
        top, lower = self.layers[0], self.layers[1:]
        card = chance.draw(name, top, matters)
        at = top.index(card)
        rest = top[:at] + top[at + 1 :]
        return card, Pile((rest, *lower) if rest else lower)

    def shuffle_on_top(self, cards: Iterable[C]) -> Pile[C]:
        """Shuffle `cards` and put them on top."""
        layer = tuple(sorted(cards))
        return Pile((layer, *self.layers)) if layer else self

    def shuffle_in(self, cards: Iterable[C]) -> Pile[C]:
        """Shuffle `cards` and the whole pile together."""
        return Pile.shuffled(chain(*self.layers, cards))

    def put_on_top(self, card: C) -> Pile[C]:
        """Put one known card on top."""
        return Pile(((card,), *self.layers))

    def put_at_bottom(self, card: C) -> Pile[C]:
        """Put one known card at the bottom."""
        return Pile((*self.layers, (card,)))

    def look(self, chance: Chance, name: str, count: int) -> tuple[tuple[C, ...], Pile[C]]:
        """Return the top `count` cards (all if there are fewer), and the pile with these cards in known order."""
        seen: list[C] = []
        pile = self
        for _ in range(min(count, len(self))):
            card, pile = pile.draw(chance, name)
            seen.append(card)
        return tuple(seen), Pile((*((card,) for card in seen), *pile.layers))

    def without(self, card: C) -> Pile[C]:
        """Remove a `card` from the topmost layer that contains it, if any, and return the pile."""
        for depth, layer in enumerate(self.layers):
            if card in layer:
                at = layer.index(card)
                left = (*layer[:at], *layer[at + 1 :])
                return Pile((*self.layers[:depth], *((left,) if left else ()), *self.layers[depth + 1 :]))
        return self

    def with_card(self, card: C) -> Pile[C]:
        """Return the pile with one more `card`, in the lowest layer."""
        lowest = self.layers[-1] if self.layers else ()
        return Pile((*self.layers[:-1], tuple(sorted((*lowest, card)))))

    def sort_layers(self) -> Pile[C]:
        """Return the pile with each layer sorted, and without empty layers."""
        return Pile(tuple(tuple(sorted(layer)) for layer in self.layers if layer))

    def probability(self, card: C) -> Fraction:
        """Return the probability that `card` is drawn next."""
        if not self.layers:
            return Fraction(0)
        return Fraction(self.layers[0].count(card), len(self.layers[0]))


def renewed(state: S, pile: str, discard: str) -> S:
    """Return `state` with a pile to draw from: an empty pile is replaced by the discarded cards, shuffled.

    Args:
        pile, discard: the members of the state with the pile and with the discarded cards.
    """
    if getattr(state, pile).layers:
        return state
    return replace(state, **{pile: Pile.shuffled(getattr(state, discard)), discard: ()})
