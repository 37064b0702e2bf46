"""Weighted hands of cards, and the marks that link hands of different rows.

When a pile is used up and renewed, a hand no longer shows which of its cards come from which pile. The hand then gets
*marks* behind its cards: one for each card that was in the hand when the pile was renewed. The *stock* (all cards of
the hands and the pile) has marks, too. A combination of hands is possible only if it has exactly the marks of the
stock. Then each card of the old pile is in exactly one place.
Marks also link rows whose joint weights are not products of one weight per row (`link_rows`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

K = TypeVar("K")

Hand = tuple[str, ...]
"""Sorted cards, and behind them the marks."""

Row = tuple[tuple[Hand, str], ...]
"""The possible hands of a row, sorted, with their weights as decimal strings: some are too large for JSON numbers.
"""

MARK = "\ue001"
"""The first character of a mark. It sorts marks behind all cards."""

MOST_WAYS = 2_500
"""Maximum number of hands of a row for which odds are computed. Hands with different marks count separately."""
MOST_PAIRS = 400_000
"""Maximum number of pairs of hands from two rows. With three or more rows, odds are not computed above this number."""


def as_row(weights: Mapping[Hand, int]) -> Row:
    """Return weighted hands as a row."""
    return tuple((hand, str(weight)) for hand, weight in sorted(weights.items()))


def is_countable(rows: Sequence[Mapping[Hand, int]], stock: Hand) -> bool:
    """Return True if the odds can be computed: no hand has marks, or there are few enough hands."""
    sizes = sorted(map(len, rows))
    is_large = sizes[-1] > MOST_WAYS or (len(sizes) > 2 and math.prod(sizes[-2:]) > MOST_PAIRS)
    return not (has_marks(stock) and is_large)


def factor_weights(joint: Mapping[tuple[Hand, ...], Fraction]) -> list[dict[Hand, Fraction]] | None:
    """Return weights for the hands of each row so that their products are the `joint` weights; None if impossible.

    The caller must check that no combination of the returned hands is a table outside `joint`.
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
            # The known weights determine no others, so set some of the others to 1.
            for row, hand in list(enumerate(left[0][0]))[:-1]:
                found[row].setdefault(hand, Fraction(1))
        waiting = left
    for hands, weight in joint.items():
        if math.prod(found[row][hand] for row, hand in enumerate(hands)) != weight:
            return None
    return found


def link_rows(joint: Mapping[tuple[Hand, ...], Fraction], stock: Hand) -> tuple[list[dict[Hand, Fraction]], Hand]:
    """Return the weighted hands of each row, and the stock, after adding marks that exclude all tables not in `joint`.

    Each combination of hands of the first rows has a number. The last of these rows gets a mark for each 1 in the
    binary form of the number. The next row gets a mark for each 0 of such a number. Together the two rows have every
    mark exactly once only if both got their marks from the same number.
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
    """Return the number for the next series of marks."""
    return int(stock[-1][1:4]) + 1 if has_marks(stock) else 0


def closing(hand: Hand, stage: int) -> Hand:
    """Return a hand with the marks that it gets when the pile is renewed: one for each of its cards."""
    return (*hand, *(mark(stage, card) for card in cards_of(hand)))


def mark(stage: int, name: str) -> str:
    """Return the mark with this name in a series of marks."""
    return f"{MARK}{stage:03}{name}"


def has_marks(hand: Hand) -> bool:
    """Return True if a hand or a stock ends with marks (see the docstring of this module)."""
    return bool(hand) and hand[-1].startswith(MARK)


def cards_of(hand: Hand) -> Hand:
    """Return a hand without its marks."""
    return tuple(card for card in hand if not card.startswith(MARK)) if has_marks(hand) else hand


def whole(weights: Mapping[Hand, Fraction | int]) -> dict[Hand, int]:
    """Scale weights to whole numbers without a common divisor; return them sorted by hand."""
    return scale_weights(dict(sorted(weights.items())))


def scale_weights(weights: Mapping[K, Fraction | int]) -> dict[K, int]:
    """Scale weights to whole numbers without a common divisor."""
    scale = math.lcm(*(weight.denominator for weight in weights.values()))
    found = {key: weight.numerator * (scale // weight.denominator) for key, weight in weights.items()}
    common = math.gcd(*found.values())
    return {key: weight // common for key, weight in found.items()}


def sorted_cards(hands: Iterable[Hand]) -> Hand:
    """Return the cards of all `hands`, sorted."""
    return tuple(sorted(Counter(card for hand in hands for card in hand).elements()))
