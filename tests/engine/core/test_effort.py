"""Counted work, which the requester can stop."""

from __future__ import annotations

import pytest

from engine.core import effort
from engine.core.errors import TooMuchWork
from engine.core.events import Draft
from engine.kit.chance import Recorded
from engine.play.fold import History
from tests.engine.recording import played
from tests.recording import Recording


def exhaust() -> None:
    raise effort.Exhausted


def test_nobody_has_to_count() -> None:
    effort.spend(10)
    effort.commit()
    assert list(effort.each("abc")) == ["a", "b", "c"]


def test_what_is_spent_is_counted_where_it_was_asked_for() -> None:
    with effort.count_steps() as outer:
        effort.spend(2)
        with effort.count_steps() as inner:
            effort.spend()
        effort.spend(3)
    effort.spend(100)
    assert (outer.spent, inner.spent) == (5, 1)


def test_a_loop_is_counted_as_it_goes_on() -> None:
    with effort.count_steps() as work:
        items = effort.each(range(2 * effort.AT_A_TIME + 1))
        assert work.spent == 0
        next(items)
        assert work.spent == effort.AT_A_TIME
        assert list(items) == [*range(1, 2 * effort.AT_A_TIME + 1)]
    assert work.spent == 3 * effort.AT_A_TIME


def test_what_is_done_is_not_ended_any_more() -> None:
    with effort.count_steps(exhaust) as work:
        with pytest.raises(effort.Exhausted):
            effort.spend()
        effort.commit()
        effort.spend()
    assert work.spent == 2


def test_a_fold_can_be_ended() -> None:
    recording = played()
    history = History(recording.game.header)
    with effort.count_steps(exhaust), pytest.raises(effort.Exhausted):
        history.fold(recording.events[1:], Recorded())
    assert history.version == 1


def test_a_draft_that_takes_too_long_is_refused_in_its_place_of_the_list() -> None:
    recording = played()
    drafts = [
        Draft(type="annotate", params={"text": "so far"}),
        Draft(type="draw_treasure_card", actor="p1", outcomes=(None,)),
    ]
    with effort.count_steps(exhaust), pytest.raises(TooMuchWork) as refused:
        recording.append(*drafts)
    assert refused.value.index == 1
    assert len(recording.append(*drafts)) == 2


@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_no_follower_is_taken_for_broken_because_the_work_was_ended(mode: str) -> None:
    recording = Recording(mode=mode)  # type: ignore[arg-type]  # one of the two
    recording.append(
        *(
            Draft(type=one.type, actor=one.actor, params=one.params, outcomes=one.outcomes)
            for one in played().events[1:]
        )
    )
    recording.add("draw_treasure_card", "p1", [None])
    allowed = iter(range(3))

    def check() -> None:
        if next(allowed, None) is None:
            raise effort.Exhausted

    amend = {"seq": 4, "event": {"type": "move", "actor": "p1", "params": {"to": "silver_gate"}}}
    with effort.count_steps(check), pytest.raises(TooMuchWork):
        recording.add("amend", **amend, accept_broken=True)
    assert recording.game.version == 6
