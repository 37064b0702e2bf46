"""Exact odds for hands and a face-down pile that share one stock of cards, without listing every table.

A hand is a sorted tuple of cards. Each row holds the possible hands of one place, each with the number of drawing
orders that lead to it. The pile is what the rows leave of the stock. Every order of the pile is equally likely, so the
probability of the hands h1, h2, … is proportional to

    ways1(h1) · ways2(h2) · … · the number of orders of the pile that is left.

Internally a hand is packed into one integer, eight bits per kind of card. Adding two hands is then one addition, and
one mask shows if the stock has enough cards.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

Hand = tuple[str, ...]
"""Cards, sorted."""

Ways = dict[int, int]
"""Packed hands, each with its weight."""

Row = tuple[tuple[Hand, str], ...]
"""The possible hands of one place, sorted, each with its weight in decimal: it may be too large for a JSON number."""

_BITS = 8


class Odds(NamedTuple):
    """What may be on top of a pile, sorted, each kind of card once."""

    values: tuple[str, ...]
    chances: tuple[Fraction, ...]
    """The probability of each."""


class Pools:
    """The rows of a table and the stock they were drawn from.

    Args:
        stock: all cards in the rows and in the pile together.
    """

    def __init__(self, rows: Sequence[Mapping[Hand, int]], stock: Hand) -> None:
        self.kinds = sorted(set(stock))
        self._place = {kind: _BITS * at for at, kind in enumerate(self.kinds)}
        self._guard = sum(0x80 << place for place in self._place.values())
        self.stock = self.packed(stock)
        self._hands: dict[int, Hand] = {}
        self.rows: list[Ways] = [self._stocked(row) for row in rows]
        self.pile_size = len(stock) - sum(len(next(iter(row))) for row in rows)
        """The number of cards in the pile."""
        self._dead: set[tuple[int, int]] = set()
        self._orders: dict[int, int] = {}

    def packed(self, hand: Iterable[str]) -> int:
        """Return `hand` as one integer."""
        return sum(1 << self._place[card] for card in hand)

    def hand(self, packed: int) -> Hand:
        """Return the hand that `packed` holds."""
        found = self._hands.get(packed)
        if found is None:
            found = tuple(kind for kind in self.kinds for _ in range(self.count(packed, kind)))
            self._hands[packed] = found
        return found

    def count(self, packed: int, kind: str) -> int:
        """Return the number of cards of `kind` in a packed hand."""
        return packed >> self._place[kind] & 0x7F

    def _stocked(self, row: Mapping[Hand, int]) -> Ways:
        """Return the hands of a row that the stock has enough cards for."""
        found: Ways = {}
        for hand, weight in row.items():
            if all(card in self._place for card in hand):
                packed = self.packed(hand)
                if self._fits(packed):
                    found[packed] = weight
                    self._hands[packed] = hand
        return found

    def _fits(self, used: int) -> bool:
        return (self.stock + self._guard - used) & self._guard == self._guard

    def orders(self, pile: int) -> int:
        """Return the number of orders of a packed pile."""
        found = self._orders.get(pile)
        if found is None:
            counts = [self.count(pile, kind) for kind in self.kinds]
            found = math.factorial(sum(counts))
            for count in counts:
                found //= math.factorial(count)
            self._orders[pile] = found
        return found

    # Possible tables.

    def completion(self, used: int, left: Sequence[int], first: Mapping[int, Iterable[int]] = {}) -> list[int] | None:
        """Return a hand for each row of `left` so that all hands fit in the stock; None if there are none.

        Args:
            used: the cards that are taken already.
            left: numbers of rows.
            first: hands to try before the others, by the number of their row.
        """
        if not left:
            return [] if self._fits(used) else None
        key = (used, sum(1 << row for row in left))
        if key in self._dead:
            return None
        row = left[0]
        for hands in (first.get(row, ()), self.rows[row]):
            for hand in hands:
                if self._fits(used + hand):
                    rest = self.completion(used + hand, left[1:], first)
                    if rest is not None:
                        return [hand, *rest]
        self._dead.add(key)
        return None

    def tables(self, read: Sequence[int], used: int = 0) -> Iterator[tuple[int, ...]]:
        """Yield the possible hands of the rows in `read`, as far as the other rows leave them possible."""
        others = [row for row in range(len(self.rows)) if row not in read]

        def completed(hands: tuple[int, ...], used: int) -> Iterator[tuple[int, ...]]:
            if len(hands) == len(read):
                if self.completion(used, others) is not None:
                    yield hands
                return
            for hand in self.rows[read[len(hands)]]:
                if self._fits(used + hand):
                    yield from completed((*hands, hand), used + hand)

        return completed((), used)

    def has_tables(self, count: int) -> bool:
        """Return True if there are exactly `count` tables."""
        every = self.tables(range(len(self.rows)))
        return sum(1 for _ in islice(every, count + 1)) == count

    def drawable(self, used: int, others: Sequence[int]) -> list[str]:
        """Return the kinds that may be on top of the pile, where `used` is taken and the rows `others` are unknown."""
        return [
            kind for kind in self.kinds if self.completion(used + (1 << self._place[kind]), tuple(others)) is not None
        ]

    def ensemble(self) -> list[list[int]]:
        """Return a few tables in which every possible hand of every row occurs."""
        missing = [dict.fromkeys(row) for row in self.rows]
        found: list[list[int]] = []
        for row, hands in enumerate(missing):
            others = [other for other in range(len(self.rows)) if other != row]
            while hands:
                hand = next(iter(hands))
                del hands[hand]
                rest = self.completion(hand, others, {other: list(missing[other])[:8] for other in others})
                if rest is None:
                    continue
                for other, one in zip(others, rest, strict=True):
                    missing[other].pop(one, None)
                rest.insert(row, hand)
                found.append(rest)
        return found

    # Probabilities.

    def _joined(self, some: Ways, others: Ways) -> Ways:
        """Return the weights of all sums of a hand of each that fit in the stock."""
        if len(some) > len(others):
            some, others = others, some
        found: Ways = {}
        room, guard, known = self.stock + self._guard, self._guard, list(others.items())
        for hand, weight in some.items():
            left = room - hand
            for other, more in known:
                if (left - other) & guard == guard:
                    key = hand + other
                    found[key] = found.get(key, 0) + weight * more
        return found

    def _sum(self, rows: tuple[int, ...]) -> Ways:
        """Return the weights of what these rows hold together."""
        if not rows:
            return {0: 1}
        found = self._sums.get(rows)
        if found is None:
            found = self.rows[rows[0]] if len(rows) == 1 else self._joined(self._sum(rows[:-1]), self.rows[rows[-1]])
            self._sums[rows] = found
        return found

    @cached_property
    def _sums(self) -> dict[tuple[int, ...], Ways]:
        return {}

    def _others(self, read: Iterable[int]) -> tuple[int, ...]:
        hidden = set(range(len(self.rows))) - set(read)
        return tuple(sorted(hidden))

    def weight(self, read: Sequence[int], hands: Sequence[int]) -> int:
        """Return the weight of all tables in which the rows `read` hold `hands`."""
        weight = math.prod(self.rows[row][hand] for row, hand in zip(read, hands, strict=True))
        left, guard = self.stock + self._guard - sum(hands), self._guard
        orders, total = self.orders, 0
        for other, ways in self._sum(self._others(read)).items():
            pile = left - other
            if pile & guard == guard:
                total += ways * orders(pile ^ guard)
        return weight * total

    def row_weights(self, row: int) -> dict[Hand, int]:
        """Return the possible hands of one row, each with the weight of its tables."""
        weights = {hand: self.weight((row,), (hand,)) for hand in self.rows[row]}
        return {self.hand(hand): weight for hand, weight in weights.items() if weight}

    def pile_weights(self) -> dict[Hand, int]:
        """Return the possible piles, each with the weight of its tables."""
        every = self._sum(tuple(range(len(self.rows))))
        return {self.hand(self.stock - used): weight * self.orders(self.stock - used) for used, weight in every.items()}

    def odds(self, used: int, others: Sequence[int]) -> dict[str, Fraction]:
        """Return the probability of each kind to be on top of the pile.

        Args:
            used: what is known to be gone from the stock.
            others: the rows of which nothing else is known.
        """
        left, guard = self.stock + self._guard - used, self._guard
        chances = dict.fromkeys(self.kinds, 0)
        for other, ways in self._sum(tuple(others)).items():
            pile = left - other
            if pile & guard == guard:
                pile ^= guard
                weight = ways * self.orders(pile)
                for kind in self.kinds:
                    chances[kind] += weight * self.count(pile, kind)
        total = sum(chances.values())
        return {kind: Fraction(chance, total) for kind, chance in chances.items() if chance}


@lru_cache(maxsize=16)
def pools(rows: tuple[Row, ...], stock: Hand) -> Pools:
    """Return the pools of a belief; what was computed of them is kept for a while."""
    return Pools([{hand: int(weight) for hand, weight in row} for row in rows], stock)


def factored(joint: Mapping[tuple[Hand, ...], Fraction]) -> list[dict[Hand, Fraction]] | None:
    """Return a map of weights for each row so that their products are the `joint` weights; None if there are none.

    The caller has to check that no other tables follow from the maps.
    """
    count = len(next(iter(joint)))
    found: list[dict[Hand, Fraction]] = [{} for _ in range(count)]
    waiting = list(joint.items())
    while waiting:
        left = []
        for hands, weight in waiting:
            unknown = [row for row, hand in enumerate(hands) if hand not in found[row]]
            if len(unknown) == 1:
                others = math.prod(found[row][hand] for row, hand in enumerate(hands) if row != unknown[0])
                found[unknown[0]][hands[unknown[0]]] = weight / others
            elif unknown:
                left.append((hands, weight))
        if len(left) == len(waiting):
            # Nothing is related to what is known: begin there.
            for row, hand in list(enumerate(left[0][0]))[:-1]:
                found[row].setdefault(hand, Fraction(1))
        waiting = left
    for hands, weight in joint.items():
        if math.prod(found[row][hand] for row, hand in enumerate(hands)) != weight:
            return None
    return found


def whole(weights: Mapping[Hand, Fraction | int]) -> dict[Hand, int]:
    """Return weights in the same proportions as whole numbers without a common divisor, sorted by hand."""
    scale = math.lcm(*(weight.denominator for weight in weights.values()))
    scaled = {hand: weight.numerator * (scale // weight.denominator) for hand, weight in sorted(weights.items())}
    common = math.gcd(*scaled.values())
    return {hand: weight // common for hand, weight in scaled.items()}


def counted(hands: Iterable[Hand]) -> Hand:
    """Return all cards of some hands, sorted."""
    return tuple(sorted(Counter(card for hand in hands for card in hand).elements()))
