"""What unseen draws were where hands are counted, against every table traced."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.events import Draft
from engine.play.beliefs import smoothing
from engine.play.beliefs.belief import MixedPoint, Pooled, World
from engine.play.corrections import counting as hands
from engine.play.corrections.reveals import Unknown, unknowns
from engine.play.line import Slot
from tests.engine.play.beliefs.test_pooling import Twins, counting
from tests.recording import Recording


def told(recording: Recording) -> list[Unknown]:
    return unknowns(recording.history.rules, recording.history.mainline)


@pytest.mark.parametrize("ruleset", ["forbidden-island", "forbidden-island-archaens"])
@settings(max_examples=5, deadline=None)
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_counted_hands_tell_of_a_draw_what_traced_tables_do(ruleset: str, seats: int, seed: int) -> None:
    twins = Twins(ruleset, seats, seed)
    while not twins.is_over and len(twins.listed.events) < 25:
        twins.play()
    with counting(10**6, 0):
        expected = told(twins.listed)
    with counting(*twins.limits):
        found = told(twins.counted)
    assert [(one.seq, one.position, one.point.name) for one in found] == [
        (one.seq, one.position, one.point.name) for one in expected
    ]
    for one, other in zip(found, expected, strict=True):
        if one.point.is_exact:  # type: ignore[attr-defined]  # it is a mixed point
            assert one.point.probabilities() == other.point.probabilities()
        else:
            assert one.point.probabilities().keys() >= other.point.probabilities().keys()


def table(*rows: dict[tuple[str, ...], int], stock: str = "aabbcc") -> Pooled:
    """A table with these rows."""
    counted = tuple(tuple((hand, str(weight)) for hand, weight in row.items()) for row in rows)
    return Pooled(
        turn=1, phase="", worlds=(World(1, None),), fields=("hands", "pile"), rows=counted, stock=tuple(stock)
    )


def test_an_unseen_outcome_that_comes_to_no_hand_is_no_draw() -> None:
    slot = Slot(3, 3, Draft(type="excavate", actor="p1", outcomes=(None,)), None)
    assert hands._draws([slot, slot], [table({(): 1}), table({(): 1})]) == {}


ONE = {("a",): 1, ("b",): 1, ("c",): 1}
TWO = {("a", "a"): 1, ("a", "b"): 2, ("a", "c"): 2, ("b", "b"): 1, ("b", "c"): 2, ("c", "c"): 1}


def test_a_draw_is_found_in_the_one_hand_that_grew() -> None:
    none, one = table({(): 1}, {(): 1}), table({("a",): 1}, {(): 1})
    assert smoothing.row_drawn_to(none, one) == 0
    assert smoothing.row_drawn_to(none, none) is None
    assert smoothing.row_drawn_to(none, table({("a",): 1}, {("b",): 1})) is None
    assert smoothing.drawn(none, table(ONE, {(): 1}), 0) == ["a", "b", "c"]


def test_a_discard_of_the_only_unknown_card_is_told_by_its_name() -> None:
    tables = [table({(): 1}), table(ONE), table({(): 1}, stock="aabcc")]
    assert smoothing.smoothed(tables, 0, {1}, [(), (), ()]) == {1: {"b": 1}}
    same = [*tables[:2], table({(): 1})]
    assert smoothing.smoothed(same, 0, {1}, [(), (), ("c",)]) == {1: {"c": 1}}
    assert smoothing.smoothed(same, 0, {1}, [(), (), ()]) == {}


def test_draws_before_an_event_that_fits_no_move_have_no_odds() -> None:
    swapped = {("b", "c"): 1, ("c", "c"): 5}
    assert (
        smoothing.smoothed([table({(): 1}), table(ONE), table(TWO), table(swapped)], 0, {1, 2}, [(), (), (), ()]) == {}
    )


def test_an_impossible_value_leaves_the_others_without_odds() -> None:
    left = hands.without(MixedPoint("card", 0, ("a", "b")), "a")
    assert (left.options, left.is_exact) == (("b",), False)
    assert hands.without(left, "b").options == ()
