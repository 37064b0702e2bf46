"""Lanes decide which requests run, wait, or are refused."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cli.web.lanes import REST_SECONDS, SLOW_SECONDS, Lane


def lane() -> Lane[int]:
    return Lane(at_once=2, most=4, waiting=3, patience=2.0)


def test_a_few_work_some_wait_and_the_rest_is_refused() -> None:
    found = lane()
    assert [found.enter(number, 0.0) for number in range(6)] == [True] * 5 + [False]
    assert found.begin(0.0) == [0, 1]
    assert found.is_waited_for
    assert found.begin(0.0) == []
    found.leave(1, 0.0)
    assert found.begin(0.0) == [2]
    assert found.enter(6, 0.0)
    assert not found.enter(7, 0.0)


def test_slow_ones_make_way_as_long_as_there_are_threads() -> None:
    found = lane()
    for number in range(5):
        assert found.enter(number, 0.0)
    assert found.begin(0.0) == [0, 1]
    assert found.begin(SLOW_SECONDS / 2) == []
    assert found.begin(SLOW_SECONDS) == [2, 3]
    assert found.begin(3 * SLOW_SECONDS) == []
    found.leave(0, 3 * SLOW_SECONDS)
    assert found.begin(3 * SLOW_SECONDS) == [4]
    assert not found.is_waited_for


def test_who_has_waited_too_long_waits_no_more() -> None:
    found = lane()
    for number in range(5):
        found.enter(number, float(number))
    assert found.begin(4.0) == [0, 1]
    assert found.late(4.0) == []
    assert found.late(5.5) == [2, 3]
    assert found.late(5.5) == []
    assert found.begin(5.5) == [4]


def test_senders_take_turns() -> None:
    found: Lane[str] = Lane(at_once=1, most=1, waiting=6, patience=9.0, sender=lambda one: one[0])
    assert [found.enter(one, 0.0) for one in ("a1", "a2", "a3", "a4", "a5", "b1")] == [True] * 4 + [False, True]
    order = []
    for number in range(6):
        (one,) = found.begin(float(number))
        order.append(one)
        found.leave(one, float(number))
        if one == "b1":
            assert found.enter("b2", float(number))
            assert found.enter("c1", float(number))
    assert order == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_a_lane_rests_after_a_request() -> None:
    found: Lane[int] = Lane(at_once=1, most=1, waiting=9, patience=2.0, rest=2.0)
    for number in range(3):
        found.enter(number, 0.0)
    assert found.begin(0.0) == [0]
    found.leave(0, 0.125)
    assert found.begin(0.374) == []
    assert found.begin(0.375) == [1]
    found.leave(1, 61.0)
    assert found.begin(60.9 + REST_SECONDS) == []
    assert found.begin(61.0 + REST_SECONDS) == [2]


@given(st.lists(st.tuples(st.sampled_from(["enter", "begin", "leave"]), st.floats(0, 0.3)), max_size=60))
def test_bounds_hold_and_the_first_comes_first(steps: list[tuple[str, float]]) -> None:
    found = lane()
    now, next_ = 0.0, 0
    working: list[int] = []
    begun: list[int] = []
    entered: list[int] = []
    for step, seconds in steps:
        now += seconds
        if step == "enter":
            if found.enter(next_, now):
                entered.append(next_)
            next_ += 1
        elif step == "begin":
            more = found.begin(now)
            working += more
            begun += more
        elif working:
            found.leave(working.pop(0), now)
        assert len(working) <= 4
        assert len(entered) - len(begun) <= 3 + 2
    assert begun == entered[: len(begun)]
