"""Weighted hands of cards, and the marks that link hands of different rows.

Once a pile is used up and renewed, the hands no longer say which cards came from which pile. A hand then has *marks*
behind its cards: those of the hand as it was when the pile was renewed. The marks of all rows together have to be
exactly those in the stock, so that the old pile stays used up. Marks also link rows whose weights are no product
(`linked`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

Hand = tuple[str, ...]
"""Cards, sorted."""

Row = tuple[tuple[Hand, str], ...]
"""The possible hands of one place, sorted, each with its weight in decimal: it may be too large for a JSON number."""

MARK = "\ue001"
"""Begins the name of a mark: it is sorted behind all cards."""

MOST_WAYS = 2_500
"""The hands of a row, told apart by their marks, up to which odds are worked out."""
MOST_PAIRS = 400_000
"""The pairs of hands of two of three rows or more, up to which odds are worked out."""


def is_countable(rows: Sequence[Mapping[Hand, int]], stock: Hand) -> bool:
    """Return True if there are few enough hands with marks to work out their odds."""
    sizes = sorted(map(len, rows))
    is_large = sizes[-1] > MOST_WAYS or (len(sizes) > 2 and math.prod(sizes[-2:]) > MOST_PAIRS)
    return not (has_marks(stock) and is_large)


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


def linked(joint: Mapping[tuple[Hand, ...], Fraction], stock: Hand) -> tuple[list[dict[Hand, Fraction]], Hand]:
    """Return a map of weights for each row, with marks that leave just the `joint` tables, and the stock with marks.

    A row that differs from table to table has the number of all that the rows before it hold, in binary: marks for its
    zeros, while the row before has marks for its ones.
    """
    stage, count = next_stage(stock), len(next(iter(joint)))
    several = [row for row in range(count) if len({hands[row] for hands in joint}) > 1]
    prefixes = [sorted({hands[: row + 1] for hands in joint}) for row in several[:-1]]
    numbers = [{prefix: number for number, prefix in enumerate(each)} for each in prefixes]
    every = [mark for link, each in enumerate(prefixes) for mark in _marks(stage, link, len(each), 0, is_set=False)]
    found: list[dict[Hand, Fraction]] = [{} for _ in range(count)]
    for hands, weight in joint.items():
        for row in set(range(count)) - set(several):
            found[row][hands[row]] = Fraction(1)
        for link, row in enumerate(several):
            marks: list[str] = []
            if link:
                number = numbers[link - 1][hands[: several[link - 1] + 1]]
                marks += _marks(stage, link - 1, len(prefixes[link - 1]), number, is_set=False)
            if link < len(prefixes):
                marks += _marks(stage, link, len(prefixes[link]), numbers[link][hands[: row + 1]], is_set=True)
            marked = tuple(sorted([*hands[row], *marks]))
            found[row][marked] = weight if row == several[-1] else Fraction(1)
    return found, tuple(sorted([*stock, *every]))


def _marks(stage: int, link: int, count: int, number: int, *, is_set: bool) -> list[str]:
    bits = range((count - 1).bit_length())
    return [mark(stage, f"{link}:{bit:02}") for bit in bits if (number >> bit & 1) == is_set]


def next_stage(stock: Hand) -> int:
    """Return the number of the next marks."""
    return int(stock[-1][1:4]) + 1 if has_marks(stock) else 0


def closing(hand: Hand, stage: int) -> Hand:
    """Return a hand with the marks that it gets when the pile is renewed."""
    return (*hand, *(mark(stage, card) for card in cards_of(hand)))


def mark(stage: int, name: str) -> str:
    """Return a mark."""
    return f"{MARK}{stage:03}{name}"


def has_marks(hand: Hand) -> bool:
    """Return True if a hand or a stock has marks."""
    return bool(hand) and hand[-1].startswith(MARK)


def cards_of(hand: Hand) -> Hand:
    """Return a hand without its marks."""
    return tuple(card for card in hand if not card.startswith(MARK)) if has_marks(hand) else hand


def whole(weights: Mapping[Hand, Fraction | int]) -> dict[Hand, int]:
    """Return weights in the same proportions as whole numbers without a common divisor, sorted by hand."""
    scale = math.lcm(*(weight.denominator for weight in weights.values()))
    scaled = {hand: weight.numerator * (scale // weight.denominator) for hand, weight in sorted(weights.items())}
    common = math.gcd(*scaled.values())
    return {hand: weight // common for hand, weight in scaled.items()}


def counted(hands: Iterable[Hand]) -> Hand:
    """Return all cards of some hands, sorted."""
    return tuple(sorted(Counter(card for hand in hands for card in hand).elements()))
