"""Unseen cards that go back on their pile after a player looked at them: as layers, or shuffled."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

import msgspec

from engine.kit.piles import Pile
from engine.play.beliefs.belief import World
from engine.play.beliefs.places import TOP

Layer = tuple[str, ...]


def merge_layers(tables: Sequence[World], field: str) -> Sequence[World]:
    """Return the tables with as few layers in their piles as possible.

    Two adjacent layers of the pile in `field` become one layer if every order of the cards then keeps its probability.
    """
    at = 0
    while True:
        joined = _merge_layers_at(tables, field, at)
        if joined is not None:
            tables, at = joined, 0
        elif at < max(len(getattr(table.state, field).layers) for table in tables):
            at += 1
        else:
            return tables


def _merge_layers_at(tables: Sequence[World], field: str, at: int) -> list[World] | None:
    """Return the tables with layers `at` and `at + 1` merged; None if that would change the probability of an order."""
    groups: dict[Any, list[tuple[int, Layer, Layer]]] = {}
    for table in tables:
        layers = getattr(table.state, field).layers
        if len(layers) < at + 2:
            return None
        both = tuple(sorted(layers[at] + layers[at + 1]))
        pile = Pile((*layers[:at], both, *layers[at + 2 :]))
        state = msgspec.structs.replace(table.state, **{field: pile})
        groups.setdefault(state, []).append((table.weight, layers[at], both))
    found = []
    for state, ways in groups.items():
        total = sum(weight for weight, _, _ in ways)
        if any(Fraction(weight, total) != _chance(layer, both) for weight, layer, both in ways):
            return None
        found.append(World(total, state))
    return found


def _chance(layer: Layer, cards: Layer) -> Fraction:
    """Return the probability that shuffled `cards` have the cards of `layer` on top."""
    return Fraction(_ways(Counter(layer), Counter(cards)), math.comb(len(cards), len(layer)))


def _ways(some: Counter[str], cards: Counter[str]) -> int:
    return math.prod(math.comb(cards[card], count) for card, count in some.items())


def unknown_layers(tables: Sequence[World], field: str) -> tuple[int, ...]:
    """Return the indexes of the layers of the pile in `field` that differ between the tables.

    If none differs, return the index of the top layer.
    """
    layers = [getattr(table.state, field).layers for table in tables]
    deepest = min(map(len, layers))
    return tuple(at for at in range(deepest) if len({one[at] for one in layers}) > 1) or TOP


def are_exchangeable(tables: Sequence[tuple[int, Pile[str]]], unknown: Sequence[int], cover: str) -> bool:
    """Return True if in each place of the layers `unknown`, every card of these layers is equally likely.

    Args:
        tables: the possible piles with their weights. They have the same cards.
        cover: a placeholder for an unknown card.
    """
    layers = tables[0][1].layers
    covered = [(cover,) * len(layer) if at in unknown else layer for at, layer in enumerate(layers)]
    cards = Counter(card for at in unknown for card in layers[at])
    first, every = tables[0], {pile: weight for weight, pile in tables}
    expected = {pile: weight for weight, pile in islice(piles(covered, cover, cards), len(tables) + 1)}
    return every.keys() == expected.keys() and all(
        weight * expected[first[1]] == first[0] * expected[pile] for pile, weight in every.items()
    )


def piles(layers: Sequence[Layer], unknown: str, cards: Counter[str]) -> Iterator[tuple[int, Pile[str]]]:
    """Yield each possible pile, with its weight.

    Args:
        layers: the pile's layers from the top. Each consists of `unknown` placeholders or of known cards.
        unknown: the placeholder for an unknown card.
        cards: the cards that the placeholders stand for.
    """
    parts = merge_unknown(layers, unknown)
    hidden = [at for at, part in enumerate(parts) if part[0] == unknown]
    rest = max(hidden, key=lambda at: len(parts[at]), default=None)
    first = [at for at in hidden if at != rest]

    def fill_layers(left: Sequence[int], found: list[Layer], stock: Counter[str], weight: int) -> Iterator[Any]:
        if not left:
            if rest is not None:
                found[rest] = tuple(sorted(stock.elements()))
            yield weight, Pile(tuple(found))
            return
        for some in _multisets(sorted(stock), len(parts[left[0]]), stock):
            cards = tuple(sorted(some.elements()))
            more = [*found[: left[0]], cards, *found[left[0] + 1 :]]
            yield from fill_layers(left[1:], more, stock - some, weight * _ways(some, stock))

    return fill_layers(first, parts, cards, 1)


def merge_unknown(layers: Sequence[Layer], unknown: str) -> list[Layer]:
    """Return the layers with adjacent layers of `unknown` placeholders merged."""
    parts: list[Layer] = []
    for layer in layers:
        if parts and layer[0] == unknown == parts[-1][0]:
            parts[-1] += layer
        else:
            parts.append(layer)
    return parts


def _multisets(kinds: Sequence[str], size: int, stock: Counter[str]) -> Iterator[Counter[str]]:
    """Yield each selection of `size` cards of these `kinds` from the stock."""
    if not kinds:
        if not size:
            yield Counter()
        return
    for count in range(min(size, stock[kinds[0]]) + 1):
        for others in _multisets(kinds[1:], size - count, stock):
            yield others + Counter({kinds[0]: count})
