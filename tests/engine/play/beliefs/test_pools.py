"""The odds of counted hands, compared with a list of every table."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.play.beliefs.hands import Hand, factor_weights, link_rows, whole
from engine.play.beliefs.pools import Pools, pools

KINDS = "abcd"


def hands_of(size: int) -> list[Hand]:
    return list(itertools.combinations_with_replacement(KINDS, size))


def list_tables(rows: list[dict[Hand, int]], stock: Hand) -> dict[tuple[Hand, ...], Fraction]:
    """Return every table, weighted by the different orders of its pile and by the weights of its hands."""
    found = {}
    for hands in itertools.product(*rows):
        left = Counter(stock)
        left.subtract(card for hand in hands for card in hand)
        if min(left.values()) >= 0:
            orders = len(set(itertools.permutations(left.elements())))
            weight = orders
            for row, hand in zip(rows, hands, strict=True):
                weight *= row[hand]
            found[hands] = Fraction(weight)
    return found


@st.composite
def tables(draw: Any) -> tuple[list[dict[Hand, int]], Hand]:
    sizes = draw(st.lists(st.integers(0, 2), min_size=1, max_size=3))
    rows = [
        draw(
            st.dictionaries(st.sampled_from(hands_of(size)), st.integers(1, 9), min_size=1, max_size=5).map(
                lambda row: dict(sorted(row.items()))
            )
        )
        for size in sizes
    ]
    some = [card for row in rows for card in draw(st.sampled_from(list(row)))]
    return rows, tuple(sorted([*some, *draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4))]))


def shares(weights: dict[Any, Any]) -> dict[Any, Fraction]:
    total = sum(weights.values())
    return {one: Fraction(weight, total) for one, weight in weights.items() if weight}


@settings(max_examples=150, deadline=None)
@given(tables())
def test_counted_hands_are_as_likely_as_listed_ones(table: tuple[list[dict[Hand, int]], Hand]) -> None:
    rows, stock = table
    every, known = list_tables(rows, stock), Pools(rows, stock)
    seats = range(len(rows))
    total = sum(every.values())
    packed = list(known.tables(known.all_rows))
    assert {tuple(map(known.hand, hands)): known.weight(known.all_rows, hands) for hands in packed} == every
    assert known.has_tables(len(every))
    assert not known.has_tables(len(every) + 1)
    on_top: Counter[str] = Counter()
    piles: Counter[Hand] = Counter()
    for hands, weight in every.items():
        pile = Counter(stock)
        pile.subtract(card for hand in hands for card in hand)
        piles[tuple(sorted(pile.elements()))] += weight  # type: ignore[assignment]
        for card, count in pile.items():
            on_top[card] += weight * Fraction(count, known.pile_size)  # type: ignore[assignment]
    assert shares(known.pile_weights()) == shares(piles)
    assert known.odds({0: 1}, tuple(seats)) == shares(on_top)
    assert known.drawable({0: 1}, seats) == sorted(card for card in on_top if on_top[card])
    for row in seats:
        of_row: Counter[Hand] = Counter()
        for hands, weight in every.items():
            of_row[hands[row]] += weight  # type: ignore[assignment]
        assert shares(known.row_weights(row)) == {hand: weight / total for hand, weight in of_row.items()}
        assert {known.hand(hand) for (hand,) in known.tables({row: None})} == set(of_row)
    ensemble = [tuple(map(known.hand, hands)) for hands in known.ensemble()]
    assert set(ensemble) <= set(every)
    assert [set(hands) for hands in zip(*ensemble, strict=True)] == [set(hands) for hands in zip(*every, strict=True)]


@settings(max_examples=100, deadline=None)
@given(tables())
def test_products_are_found_again(table: tuple[list[dict[Hand, int]], Hand]) -> None:
    rows, stock = table
    seats = range(len(rows))
    joint = {}
    for hands in list_tables(rows, stock):
        weight = Fraction(1)
        for row, hand in zip(rows, hands, strict=True):
            weight *= row[hand]
        joint[hands] = weight
    found = factor_weights(joint)
    if found is None:
        # No table fits, because the counts were wrong at the start.
        assert len(joint) > 1
        return
    for hands, weight in joint.items():
        product = Fraction(1)
        for row in seats:
            product *= found[row][hands[row]]
        assert product == weight


def test_what_is_no_product_is_not_taken_for_one() -> None:
    one, other = ("a",), ("b",)
    assert factor_weights({(one, one): Fraction(1), (one, other): Fraction(1), (other, one): Fraction(2)}) is not None
    square = {
        (one, one): Fraction(1),
        (one, other): Fraction(1),
        (other, one): Fraction(2),
        (other, other): Fraction(3),
    }
    assert factor_weights(square) is None


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.tuples(*[st.sampled_from(hands_of(1))] * 3), st.integers(1, 9), min_size=1, max_size=12))
def test_linked_rows_have_the_joint_weights(joint: dict[tuple[Hand, ...], int]) -> None:
    stock = tuple(sorted(card for kind in KINDS for card in [kind] * 3))
    rows, cards = link_rows({hands: Fraction(weight) for hands, weight in joint.items()}, stock)
    known = Pools(list(map(whole, rows)), cards)
    orders = {hands: known.orders(known.pack(stock) - sum(map(known.pack, hands))) for hands in joint}
    expected = shares({hands: weight * orders[hands] for hands, weight in joint.items()})
    seats = range(3)
    found = {
        tuple(map(known.hand, hands)): known.weight(known.all_rows, hands) for hands in known.tables(known.all_rows)
    }
    assert shares(found) == expected
    for row in seats:
        of_row: Counter[Hand] = Counter()
        for hands, chance in expected.items():
            of_row[hands[row]] += chance  # type: ignore[assignment]
        assert shares(known.row_weights(row)) == of_row
    piles: Counter[Hand] = Counter()
    for hands, chance in expected.items():
        left = Counter(stock) - Counter(card for hand in hands for card in hand)
        piles[tuple(sorted(left.elements()))] += chance  # type: ignore[assignment]
    assert shares(known.pile_weights()) == piles
    assert sum(known.odds({0: 1}, tuple(seats)).values()) == 1
    for hands in joint:
        (packed,) = known.choose({0: None}, (known.pack(hands[0]),)).keys() if len(rows[0]) == 1 else (None,)
        assert packed is None or known.is_possible({packed: 1}, (1, 2))


def test_weights_are_whole_and_sorted() -> None:
    assert list(whole({("b",): Fraction(3, 2), ("a",): Fraction(9)}).items()) == [(("a",), 6), (("b",), 1)]


def test_pools_of_a_belief_are_kept() -> None:
    rows = (((("a",), "2"), (("b",), "1")),)
    assert pools(rows, ("a", "b", "b")) is pools(rows, ("a", "b", "b"))
    assert pools(rows, ("a", "b", "b")).row_weights(0) == {("a",): 2, ("b",): 2}


def test_hands_that_leave_nothing_for_others_are_none() -> None:
    either = {("a",): 1, ("b",): 1}
    known = Pools([either, {("a",): 1}], ("a", "b", "c"))
    assert [known.hand(hand) for (hand,) in known.tables({0: None})] == [("b",)]
    known = Pools([either, either], ("a", "b", "c"))
    assert known.odds({known.pack("b"): 1}, (1,)) == {"c": Fraction(1)}
