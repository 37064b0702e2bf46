"""Counted hands after known cards were moved to or from the face-down pile."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

from engine.play.beliefs.hands import MOST_WAYS, Hand, cards_of, factor_weights, is_countable, link_rows, whole


def with_changed_pile(
    rows: Sequence[Mapping[Hand, int]], stock: Hand, lost: Hand, gained: Hand
) -> tuple[list[dict[Hand, int]], Hand] | None:
    """Return new weighted hands and a stock that keep the probability of every table.

    The weight of a table includes the number of orders of its pile, which depends on how many of the moved cards are in
    the pile. So each hand gets a new weight by its number of such cards, with marks if the rows depend on each other.

    Args:
        rows: the weighted hands, with the weights from before the change.
        stock: the cards of the rows and of the pile after the change.
        lost: the cards that the pile has lost.
        gained: the cards that the pile has gained.

    Returns:
        None if some tables lack a card that the pile has lost, or if there are too many hands.
    """
    kinds = {*lost, *gained}
    if not kinds:
        return [dict(row) for row in rows], stock
    changes = Counter(lost)
    changes.subtract(gained)
    every = Counter(cards_of(stock))
    parts = [sorted({_part(hand, kinds) for hand in row}) for row in rows]
    if math.prod(map(len, parts)) > MOST_WAYS:
        return None
    joint: dict[tuple[Hand, ...], Fraction] = {}
    are_more = False
    for some in product(*parts):
        held = Counter(card for part in some for card in part)
        after = {kind: every[kind] - held[kind] for kind in kinds}
        before = {kind: count + changes[kind] for kind, count in after.items()}
        if min(before.values()) < 0:
            # No table had these hands before, although there may be enough cards for them now.
            are_more = are_more or min(after.values()) >= 0
            continue
        if min(after.values()) < 0:
            return None
        joint[some] = Fraction(
            math.prod(map(math.factorial, after.values())), math.prod(map(math.factorial, before.values()))
        )
    weights, marked = factor_weights(joint), stock
    if weights is None or are_more:
        weights, marked = link_rows(joint, stock)
    found = [
        whole(
            {
                tuple(sorted([*hand, *part[len(cards_of(part)) :]])): ways * weight
                for part, weight in each.items()
                for hand, ways in row.items()
                if _part(hand, kinds) == cards_of(part)
            }
        )
        for row, each in zip(rows, weights, strict=True)
    ]
    return (found, marked) if is_countable(found, marked) else None


def _part(hand: Hand, kinds: set[str]) -> Hand:
    """Return the cards of a hand of these kinds."""
    return tuple(card for card in hand if card in kinds)
