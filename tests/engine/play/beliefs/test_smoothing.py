"""What unseen draws were where hands are counted, against every table traced."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.play.corrections.reveals import Unknown, unknowns
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
