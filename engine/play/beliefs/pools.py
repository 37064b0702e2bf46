"""Exact odds for hands and a face-down pile that share one stock of cards, without listing every table.

A hand is a sorted tuple of cards. Each row holds the possible hands of one place, each with the number of drawing
orders that lead to it. The pile has the cards of the stock that are in no row. All orders of the pile are equally
likely, so the probability of the hands h1, h2, … is proportional to

    ways1(h1) · ways2(h2) · … · the number of orders of the remaining pile.

Hands have marks behind their cards if their joint weights are not products of one weight per row
(`engine.play.beliefs.hands`): a combination of hands is possible only if all its marks together are exactly those in
the stock.

Internally a hand is packed into one integer, eight bits per kind of card. Adding two hands is then one addition, and
one mask shows if the stock has enough cards.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from itertools import chain, islice
from operator import or_
from typing import NamedTuple

from engine.play.beliefs.hands import MARK, Hand, Row, cards_of

Ways = dict[int, int]
"""Packed hands, each with its weight."""

Read = Mapping[int, frozenset[str] | None]
"""The kinds of cards that are read, by the index of the row; None: all kinds. Rows that are not read are absent.
"""

_BITS = 8


class Odds(NamedTuple):
    """The possible top cards of a pile, sorted, each kind once."""

    values: tuple[str, ...]
    chances: tuple[Fraction, ...]
    """The probability of each of `values`."""


class Pools:
    """Computes the odds of the hands in all rows, and of the cards in the pile.

    Args:
        rows: the possible hands of each row, with their weights.
        stock: all cards in the rows and in the pile.
    """

    def __init__(self, rows: Sequence[Mapping[Hand, int]], stock: Hand) -> None:
        kinds = sorted(set(stock))
        self.kinds = [kind for kind in kinds if not kind.startswith(MARK)]
        self._place = {kind: _BITS * at for at, kind in enumerate(kinds)}
        self._guard = sum(0x80 << place for place in self._place.values())
        self._cards = (1 << _BITS * len(self.kinds)) - 1
        self.stock = self.pack(stock)
        self._hands: dict[int, Hand] = {}
        self.rows: list[Ways] = [self.stocked_hands(row) for row in rows]
        self.pile_size = len(cards_of(stock)) - sum(len(cards_of(next(iter(row)))) for row in rows)
        """The number of cards in the pile."""
        self._dead: set[tuple[int, int]] = set()
        self._weights: dict[object, int] = {}
        self._first: dict[object, list[tuple[int, ...]]] = {}
        self._orders: dict[int, int] = {}
        self._parts: dict[tuple[int, int], dict[int, Ways]] = {}
        self.all_rows: Read = dict.fromkeys(range(len(self.rows)))
        """A `Read` of all kinds of cards in all rows."""

    def parts(self, row: int, kinds: frozenset[str] | None = None) -> dict[int, Ways]:
        """Return the possible parts of a row's hands, packed. A part has only cards of these kinds (default: all).

        For each part, the dictionary has all hands with that part, and their weights.
        """
        mask = sum(0xFF << self._place[kind] for kind in self.kinds if kinds is None or kind in kinds)
        found = self._parts.get((row, mask))
        if found is None:
            found = self._parts[row, mask] = _group_by_bits(self.rows[row], mask)
        return found

    def pack(self, hand: Iterable[str]) -> int:
        """Return `hand` packed into one integer."""
        return sum(1 << self._place[card] for card in hand)

    def hand(self, packed: int) -> Hand:
        """Return the hand that is packed in `packed`."""
        found = self._hands.get(packed)
        if found is None:
            found = tuple(chain.from_iterable((kind,) * (packed >> at & 0x7F) for kind, at in self._place.items()))
            self._hands[packed] = found
        return found

    def count(self, packed: int, kind: str) -> int:
        """Return the number of cards of `kind` in a packed hand."""
        return packed >> self._place[kind] & 0x7F

    def stocked_hands(self, row: Mapping[Hand, int]) -> Ways:
        """Return the packed hands of a row for which the stock has enough cards."""
        found: Ways = {}
        for hand, weight in row.items():
            if all(card in self._place for card in hand):
                packed = self.pack(hand)
                if self.fits(packed):
                    found[packed] = weight
                    self._hands[packed] = hand
        return found

    def fits(self, used: int) -> bool:
        """Return True if the stock has enough cards for the packed cards in `used`."""
        return (self.stock + self._guard - used) & self._guard == self._guard

    def orders(self, pile: int) -> int:
        """Return the number of different orders of the cards of a packed pile."""
        found = self._orders.get(pile)
        if found is None:
            counts = [pile >> _BITS * at & 0x7F for at in range(len(self.kinds))]
            found = math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))
            self._orders[pile] = found
        return found

    # Possible tables.

    def completion(self, used: int, left: Sequence[int], first: Mapping[int, Iterable[int]] = {}) -> list[int] | None:
        """Return a hand for each row in `left` such that the stock has enough cards for all; otherwise None.

        Args:
            used: the packed cards that are already taken.
            left: indexes of rows.
            first: hands to try before all others, for some rows, by the row's index.
        """
        if not left:
            return [] if self.fits(used) and not self._marks(self.stock - used) else None
        key = (used, sum(1 << row for row in left))
        if key in self._dead:
            return None
        if not self._marks(self.stock) or self.is_possible({used: 1}, left):
            row = left[0]
            for hands in (first.get(row, ()), self.rows[row]):
                for hand in hands:
                    if self.fits(used + hand):
                        rest = self.completion(used + hand, left[1:], first)
                        if rest is not None:
                            return [hand, *rest]
        self._dead.add(key)
        return None

    def choose(self, read: Read, parts: Sequence[int]) -> Ways:
        """Return the weight of each combination of hands for the rows in `read`.

        Use only hands that have the given `parts`.
        """
        found: Ways = {0: 1}
        for (row, kinds), part in zip(read.items(), parts, strict=True):
            found = self.join(found, self.parts(row, kinds)[part])
        return found

    def tables(self, read: Read) -> Iterator[tuple[int, ...]]:
        """Yield each combination of parts, one per row in `read`, that leaves possible hands for the other rows."""
        others, rows = self._others(read), [self.parts(row, kinds) for row, kinds in read.items()]

        def complete(parts: tuple[int, ...], used: Ways) -> Iterator[tuple[int, ...]]:
            if len(parts) == len(rows):
                if self.is_possible(used, others):
                    yield parts
                return
            for part, ways in rows[len(parts)].items():
                joined = self.join(used, ways) if self.fits(sum(parts) + part) else None
                if joined:
                    yield from complete((*parts, part), joined)

        return complete((), {0: 1})

    def first_tables(self, read: Read, most: int) -> list[tuple[int, ...]]:
        """Return the first `most` combinations of `tables`, cached: rules ask about the same rows for each action."""
        key = tuple(read.items()), most
        if key not in self._first:
            self._first[key] = list(islice(self.tables(read), most))
        return self._first[key]

    def is_possible(self, used: Ways, others: Sequence[int]) -> bool:
        """Return True if the rows `others` can have hands that complete a possible table.

        Args:
            used: the possible totals of the cards known to be taken from the stock, packed.
        """
        if self._marks(self.stock):
            return next(self._complete(used, tuple(others)), None) is not None
        return any(self.completion(one, others) is not None for one in used)

    def is_held(self, row: int, hand: Hand) -> bool:
        """Return True if on at least one possible table, the row has exactly this hand, with its marks."""
        return not self._marks(self.stock) or self.is_possible({self.pack(hand): 1}, self._others((row,)))

    def pile(self, cards: Iterable[int]) -> Hand:
        """Return the cards that are left for the pile if the rows hold these packed cards."""
        return self.hand((self.stock & self._cards) - sum(cards))

    def has_tables(self, count: int) -> bool:
        """Return True if there are exactly `count` possible tables."""
        every = self.tables(self.all_rows)
        return sum(1 for _ in islice(every, count + 1)) == count

    def drawable(self, used: Ways, others: Sequence[int]) -> list[str]:
        """Return the kinds of cards that can be on top of the pile.

        Args:
            used: the possible totals of the cards known to be taken from the stock.
            others: the rows whose cards are not in `used`.
        """
        return [
            kind
            for kind in self.kinds
            if self.is_possible({one + (1 << self._place[kind]): weight for one, weight in used.items()}, others)
        ]

    def ensemble(self) -> list[list[int]]:
        """Return a few possible tables that together contain every possible hand of each row, and different piles."""
        missing = [dict.fromkeys(self.parts(row)) for row in range(len(self.rows))]
        found: list[list[int]] = []
        for row, hands in enumerate(missing):
            others = [other for other in range(len(self.rows)) if other != row]
            while hands:
                cards = next(iter(hands))
                del hands[cards]
                first = {other: self._some(other, missing[other]) for other in others}
                rests = (self.completion(hand, others, first) for hand in self.parts(row)[cards])
                rest = next((one for one in rests if one is not None), None)
                if rest is None:
                    continue
                table = [hand & self._cards for hand in rest]
                for other, one in zip(others, table, strict=True):
                    missing[other].pop(one, None)
                table.insert(row, cards)
                found.append(table)
        for kind, place in self._place.items():
            most = max(self.count(self.stock - sum(table), kind) for table in found)
            more = self.completion((most + 1) << place, range(len(self.rows))) if kind in self.kinds else None
            if more is not None:
                found.append([hand & self._cards for hand in more])
        return found

    def _some(self, row: int, cards: Iterable[int]) -> list[int]:
        """Return the hands of a row that have one of the first few of `cards`, which are packed."""
        return [hand for one in islice(cards, 8) for hand in self.parts(row)[one]]

    # Probabilities.

    def join(self, some: Ways, others: Ways) -> Ways:
        """Add each hand in `some` to each in `others`; return the sums that fit the stock, with their weights."""
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
        if not rows:
            return {0: 1}
        found = self._sums.get(rows)
        if found is None:
            *first, last = rows
            found = self._join_matching(self._sum(tuple(first)), self.rows[last], rows) if first else self.rows[last]
            self._sums[rows] = found
        return found

    def _join_matching(self, some: Ways, others: Ways, rows: Sequence[int]) -> Ways:
        """Return `join` of these weights. Omit sums that lack a mark if only these `rows` can have that mark."""
        elsewhere = reduce(or_, (hand for row in self._others(rows) for hand in self.rows[row]), 0)
        own = sum(0xFF << place for place in self._place.values() if not elsewhere >> place & 0x7F) & ~self._cards
        mine, theirs = _group_by_bits(some, own), _group_by_bits(others, own)
        found: Ways = {}
        for marks, hands in mine.items():
            for hand, weight in self.join(hands, theirs.get((self.stock & own) - marks, {})).items():
                found[hand] = found.get(hand, 0) + weight
        return found

    @cached_property
    def _sums(self) -> dict[tuple[int, ...], Ways]:
        return {}

    def _others(self, read: Iterable[int]) -> tuple[int, ...]:
        hidden = set(range(len(self.rows))) - set(read)
        return tuple(sorted(hidden))

    def _marks(self, packed: int) -> int:
        return packed & ~self._cards

    def _sums_by_marks(self, rows: tuple[int, ...]) -> dict[int, Ways]:
        found = self._sums_cache.get(rows)
        if found is None:
            found = self._sums_cache[rows] = _group_by_bits(self._sum(rows), ~self._cards)
        return found

    @cached_property
    def _sums_cache(self) -> dict[tuple[int, ...], dict[int, Ways]]:
        return {}

    def _complete(self, used: Ways, others: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        """Yield each pile that can remain, with the weight of a combination of hands that leaves this pile.

        Args:
            used: the possible totals of the cards known to be taken from the stock, with weights. It has no cards of
                `others`.
            others: rows that can have any of their hands.
        """
        # Combining fewer rows in advance is faster.
        if len(others) > 1 and used == {0: 1}:
            used, others = self.rows[others[-1]], others[:-1]
        if len(others) > 2 and self._marks(self.stock):
            used, others = self.join(used, self.rows[others[0]]), others[1:]
        sums, guard = self._sums_by_marks(others), self._guard
        for one, weight in used.items():
            left = self.stock - one
            same = sums.get(self._marks(left))
            if same is not None:
                room = left + guard
                for other, ways in same.items():
                    pile = room - other
                    if pile & guard == guard:
                        yield pile ^ guard, weight * ways

    def weight(self, read: Read, parts: Sequence[int]) -> int:
        """Return the weight of all tables on which the rows in `read` have these `parts`."""
        same = tuple(read.items()), tuple(parts)
        if same not in self._weights:
            # Rules ask about each kind of action and each seat in turn, and mostly read the same rows.
            chosen, orders = self.choose(read, parts), self.orders
            ways = self._complete(chosen, self._others(read))
            self._weights[same] = sum(weight * orders(pile) for pile, weight in ways)
        return self._weights[same]

    def likelihood(self, row: int, hand: int) -> int:
        """Return the weight of the tables with this packed hand in a row, not multiplied by the hand's own weight."""
        return sum(weight * self.orders(pile) for pile, weight in self._complete({hand: 1}, self._others((row,))))

    def row_weights(self, row: int) -> dict[Hand, int]:
        """Return the possible combinations of cards of a row, each with the weight of the tables that have it."""
        weights = {cards: self.weight({row: None}, (cards,)) for cards in self.parts(row)}
        return {self.hand(cards): weight for cards, weight in weights.items() if weight}

    def row_weights_together(self) -> dict[Hand, int]:
        """Return the possible combinations of cards of all rows together, each with the weight of its tables."""
        found = self._sum(tuple(range(len(self.rows))))
        return {self.hand(hand): weight * self.orders(self.stock - hand) for hand, weight in found.items()}

    def pile_weights(self) -> dict[Hand, int]:
        """Return the possible piles, each with the weight of the tables that have it."""
        found: Ways = {}
        for pile, weight in self._complete({0: 1}, tuple(range(len(self.rows)))):
            found[pile] = found.get(pile, 0) + weight * self.orders(pile)
        return {self.hand(pile): weight for pile, weight in found.items()}

    def odds(self, used: Ways, others: Sequence[int]) -> dict[str, Fraction]:
        """Return, for each kind of card, the probability that it is on top of the pile.

        Args:
            used: the possible totals of the cards known to be taken from the stock, with weights.
            others: the rows whose cards are not in `used`.
        """
        chances = dict.fromkeys(self.kinds, 0)
        for pile, ways in self._complete(used, tuple(others)):
            weight = ways * self.orders(pile)
            for kind in self.kinds:
                chances[kind] += weight * self.count(pile, kind)
        total = sum(chances.values())
        return {kind: Fraction(chance, total) for kind, chance in chances.items() if chance}


def _group_by_bits(ways: Ways, mask: int) -> dict[int, Ways]:
    found: dict[int, Ways] = {}
    for hand, weight in ways.items():
        found.setdefault(hand & mask, {})[hand] = weight
    return found


@lru_cache(maxsize=16)
def pools(rows: tuple[Row, ...], stock: Hand) -> Pools:
    """Return the `Pools` of a belief. The last few are cached."""
    return Pools([{hand: int(weight) for hand, weight in row} for row in rows], stock)
