"""The first event that differs from the signed one is reported, with the kind of change."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.comparison import LogDifference, first_difference
from tests.playouts import playout
from tests.proofs.forging import as_they_are, forgeries
from tests.recording import chained

EVENTS = playout(limit=12)
OTHER = playout(seed=1, limit=14)
HASHES = [event.hash for event in EVENTS]


def test_the_signed_log_has_no_difference() -> None:
    assert first_difference(HASHES, EVENTS) is None
    assert first_difference(HASHES, EVENTS[5:], after=5) is None
    assert first_difference(HASHES, [], after=12) is None


@given(st.integers())
def test_every_forgery_is_found_and_named(seed: int) -> None:
    for forgery in forgeries(EVENTS, OTHER, random.Random(seed)):
        assert first_difference(HASHES, forgery.events) == forgery.found, forgery.name


@given(st.integers(0, 11), st.integers())
def test_so_it_is_in_the_end_of_a_log(after: int, seed: int) -> None:
    for forgery in forgeries(EVENTS, OTHER, random.Random(seed)):
        # An event that was moved across the start of the check is reported differently.
        if forgery.found.seq > after and len(forgery.events) > after:
            found = first_difference(HASHES, forgery.events[after:], after=after)
            assert found is not None
            assert found.seq == forgery.found.seq, forgery.name


@given(st.permutations(range(12)))
def test_any_other_order_is_found(order: list[int]) -> None:
    wrong = next((at for at, place in enumerate(order) if at != place), None)
    expected = None if wrong is None else LogDifference(wrong + 1, "reordered")

    for fix in (list, chained):
        assert first_difference(HASHES, fix([EVENTS[place] for place in order])) == expected


def test_events_that_say_the_same_are_told_apart_by_their_place() -> None:
    events = chained([*EVENTS[:2], *[EVENTS[2]] * 4])
    hashes = [event.hash for event in events]

    for fix in (as_they_are, chained):
        assert first_difference(hashes, fix([*events[:3], *events[4:]])) is not None
    assert first_difference(hashes, chained([*events[:3], *events[4:]])) == LogDifference(6, "removed")
    assert first_difference(hashes, chained([*events, events[5]])) == LogDifference(7, "added")
    swapped = first_difference(hashes, [*events[:2], events[3], events[2], *events[4:]])
    assert swapped is not None
    assert swapped.seq == 3
    assert first_difference(hashes, chained([*events[:2], events[3], events[2], *events[4:]])) is None


def test_what_has_no_hash_is_changed() -> None:
    events = [*EVENTS[:4], msgspec.structs.replace(EVENTS[4], note="\ud800"), *EVENTS[5:]]

    assert first_difference(HASHES, events) == LogDifference(5, "changed")


@pytest.mark.parametrize("withheld", [{4}, {3, 4}])
def test_of_what_is_withheld_the_own_word_is_taken(withheld: set[int]) -> None:
    masked = msgspec.structs.replace(EVENTS[3], params={"to": {"masked": True}})
    events = [*EVENTS[:3], masked, *EVENTS[4:]]

    assert first_difference(HASHES, events) == LogDifference(4, "changed")
    assert first_difference(HASHES, events, withheld) is None
    other_hash = [*EVENTS[:3], msgspec.structs.replace(masked, hash="0" * 64), *EVENTS[4:]]
    assert first_difference(HASHES, other_hash, withheld) == LogDifference(4, "changed")
    other_prev = [*EVENTS[:3], msgspec.structs.replace(masked, prev="0" * 64), *EVENTS[4:]]
    assert first_difference(HASHES, other_prev, withheld) == LogDifference(4, "changed")


def test_it_is_said_in_words() -> None:
    assert str(LogDifference(4, "changed")) == "event 4 was changed"
    assert str(LogDifference(4, "reordered")) == "event 4 was reordered: another event is in its place"
