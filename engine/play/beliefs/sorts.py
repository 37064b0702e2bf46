"""Cards that are all different, counted in *sorts*: cards that are as likely as each other in every place.

If all cards of a deck are different, a row has too many possible hands to list. Unseen cards are then exchangeable
until a rule reads them. In hands and in the undrawn cards, a sort stands for such cards: a row stores how many cards
of the sort it has, and every choice of that many is equally likely. If a rule reads cards, their sort is split only as
far as the rule distinguishes them (`refine_sorts`). Sorts that nothing distinguishes any more become one
(`coarsen_sorts`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations
from types import MappingProxyType
from typing import NamedTuple

from engine.play.beliefs.hands import Hand, whole

SORT = "\ud7ff"
"""The first character of a sort's name. It sorts these names behind all cards, and before all marks."""

Sorts = Mapping[str, Hand]
"""The cards of each sort, sorted, by its name."""

NONE: Sorts = MappingProxyType({})


class Holdings(NamedTuple):
    """The possible hands of each row with their weights, the stock, and the sorts in both."""

    rows: Sequence[Mapping[Hand, int]]
    stock: Hand
    sorts: Sorts


def refine_sorts(known: Holdings, of: Callable[[str], Hashable]) -> Holdings:
    """Split each sort of cards in `known`, so that `of` gives the same value for all cards of a sort."""
    for name, cards in known.sorts.items():
        groups: dict[Hashable, list[str]] = {}
        for card in cards:
            groups.setdefault(of(card), []).append(card)
        if len(groups) > 1:
            known = _split(known, name, list(groups.values()))
    return known


def _split(known: Holdings, name: str, groups: Sequence[Sequence[str]]) -> Holdings:
    names = [_name(group) for group in groups]
    rows = []
    for row in known.rows:
        found: dict[Hand, int] = {}
        for hand, weight in row.items():
            count = hand.count(name)
            rest = [card for card in hand if card != name]
            for counts in _divisions(count, list(map(len, groups))):
                some = [one for one, number in zip(names, counts, strict=True) for _ in range(number)]
                found[tuple(sorted([*rest, *some]))] = weight * _orders(counts)
        rows.append(found)
    stock = [card for card in known.stock if card != name]
    for one, group in zip(names, groups, strict=True):
        stock += [one] * len(group)
    sorts = {one: cards for one, cards in known.sorts.items() if one != name}
    sorts |= {one: tuple(group) for one, group in zip(names, groups, strict=True) if len(group) > 1}
    return Holdings(rows, tuple(sorted(stock)), sorts)


def _name(cards: Sequence[str]) -> str:
    """Return the name of a sort of these cards; for a single card, the card itself."""
    return cards[0] if len(cards) == 1 else SORT + cards[0]


def _orders(counts: Iterable[int]) -> int:
    """Return the number of different orders of cards, given the number of cards of each sort."""
    counts = list(counts)
    return math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))


def _divisions(count: int, most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield each division of `count` cards among groups of these sizes."""
    if len(most) == 1:
        if count <= most[0]:
            yield (count,)
        return
    for first in range(min(count, most[0]) + 1):
        for others in _divisions(count - first, most[1:]):
            yield (first, *others)


def coarsen_sorts(known: Holdings) -> Holdings:
    """Return `known` with as few sorts as possible.

    Cards that are as likely as each other in every place form one sort.
    """
    names: list[str] = []
    for name in sorted(Counter(known.stock), key=lambda one: known.sorts.get(one, (one,))):
        if name[0] > SORT:
            continue
        for at, other in enumerate(names):
            merged = _merge_sorts(known, other, name)
            if merged is not None:
                known, names[at] = merged, _name(_cards(known.sorts, other) + _cards(known.sorts, name))
                break
        else:
            names.append(name)
    return known


def _merge_sorts(known: Holdings, one: str, other: str) -> Holdings | None:
    """Return `known` with two sorts merged into one; None if their cards are not as likely as each other everywhere."""
    some, more = _cards(known.sorts, one), _cards(known.sorts, other)
    cards = tuple(sorted(some + more))
    name = _name(cards)
    rows = []
    for row in known.rows:
        found: dict[Hand, Fraction] = {}
        ways: Counter[Hand] = Counter()
        for hand, weight in row.items():
            counts = hand.count(one), hand.count(other)
            both = tuple(sorted([*(card for card in hand if card not in {one, other}), *[name] * sum(counts)]))
            each = Fraction(weight, _orders(counts))
            if found.setdefault(both, each) != each:
                return None
            ways[both] += 1
        if any(len(list(_divisions(hand.count(name), [len(some), len(more)]))) != ways[hand] for hand in found):
            return None
        rows.append(found)
    stock = sorted([*(card for card in known.stock if card not in {one, other}), *[name] * len(cards)])
    sorts = {kept: of for kept, of in known.sorts.items() if kept not in {one, other}} | {name: cards}
    return Holdings(list(map(whole, rows)), tuple(stock), sorts)


def _cards(sorts: Sorts, name: str) -> Hand:
    return sorts.get(name, (name,))


def count(sorts: Sorts, places: Sequence[Hand]) -> int:
    """Return the number of possible tables whose rows and pile have these sorts of cards."""
    return math.prod(_orders(place.count(name) for place in places) for name in sorts)


def examples(sorts: Sorts, places: Sequence[Hand]) -> Iterator[tuple[Hand, ...]]:
    """Yield a few possible tables with these sorts of cards.

    Together, the tables show each card of a sort in each place that has the sort.
    """
    for shift in range(max(map(len, sorts.values()), default=1)):
        left = {name: iter(cards[shift % len(cards) :] + cards[: shift % len(cards)]) for name, cards in sorts.items()}
        yield tuple(tuple(sorted(next(left[card]) if card in left else card for card in place)) for place in places)


def hands(sorts: Sorts, hand: Hand) -> Iterator[Hand]:
    """Expand a hand that contains sorts: yield each hand of cards that it can be."""
    name = next((card for card in hand if card in sorts), None)
    if name is None:
        yield hand
        return
    rest = tuple(card for card in hand if card != name)
    for cards in combinations(sorts[name], len(hand) - len(rest)):
        yield from hands(sorts, tuple(sorted(rest + cards)))


def hand_count(sorts: Sorts, hand: Hand) -> int:
    """Return the number of hands of cards that a hand with sorts can be."""
    return math.prod(math.comb(len(cards), hand.count(name)) for name, cards in sorts.items())


def open_sorts(sorts: Sorts, hand: Hand) -> Hand:
    """Return a hand with cards in place of a sort, if the hand has all cards of the sort."""
    counts = Counter(hand)
    whole = {name: sorts[name] for name in counts if name in sorts and counts[name] == len(sorts[name])}
    if not whole:
        return hand
    return tuple(sorted([*(card for card in hand if card not in whole), *chain(*whole.values())]))
