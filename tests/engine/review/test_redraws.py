"""Redraws: found in the log, and reported by the audit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.events import Draft, Event
from engine.play.forks import fork
from engine.play.game import parse_header
from engine.review.audit import audit, verify
from engine.review.redraws import find_redraws
from tests.playouts import clock
from tests.recording import Recording

DRAW = Draft(type="draw_treasure_card", actor="p1")
AGAIN = {"type": DRAW.type, "actor": DRAW.actor}
NOTE = {"type": "annotate", "params": {"text": "so"}}

Step = Callable[[Recording], object]


def table(*steps: Step) -> Recording:
    recording = Recording(seed="a rainy night")
    recording.add("set_up")
    for step in steps:
        step(recording)
    return recording


def draw(recording: Recording) -> None:
    recording.append(DRAW)


def note(recording: Recording) -> None:
    recording.add("annotate", text="so")


def undo(to: int) -> Step:
    return lambda recording: recording.add("undo", to=to)


def amend(seq: int, **change: Any) -> Step:
    return lambda recording: recording.add("amend", seq=seq, accept_broken=True, **change)


def redraw_seqs(events: list[Event]) -> list[tuple[int, int, int]]:
    return [(one.first, one.by, one.again) for one in find_redraws(parse_header(events[0]), events)]


@pytest.mark.parametrize(
    ("steps", "wanted"),
    [
        pytest.param([draw, draw], [], id="nothing is taken back"),
        pytest.param([draw, undo(2), note], [], id="taken back, and left"),
        pytest.param([draw, undo(2), draw], [(3, 4, 5)], id="taken back and drawn again"),
        pytest.param([draw, undo(2), note, draw], [(3, 4, 6)], id="something between"),
        pytest.param([draw, undo(2), draw, undo(2), draw], [(3, 4, 5), (5, 6, 7)], id="again and again"),
        pytest.param([draw, draw, undo(2), draw, draw], [(3, 5, 6), (4, 5, 7)], id="two at once"),
        pytest.param([draw, draw, undo(3), draw], [(4, 5, 6)], id="the second of two"),
        pytest.param([draw, undo(2), undo(3), draw], [], id="brought back"),
        pytest.param([draw, undo(2), draw, undo(3)], [(3, 4, 5)], id="the better of two"),
        pytest.param([draw, undo(2), draw, undo(3), draw], [(3, 4, 5), (5, 6, 7)], id="the better of two, and another"),
        pytest.param([draw, undo(2), note, undo(4), draw], [(3, 4, 7)], id="the undo stands"),
        pytest.param([draw, amend(3, event=AGAIN)], [(3, 4, 4)], id="amended"),
        pytest.param([draw, amend(3, event=AGAIN), amend(3, event=AGAIN)], [(3, 4, 4), (4, 5, 5)], id="amended twice"),
        pytest.param([draw, amend(3, remove=True), draw], [(3, 4, 5)], id="removed"),
        pytest.param([draw, draw, amend(3, remove=True), draw], [(3, 5, 6)], id="removed before another one"),
        pytest.param([draw, draw, amend(4, remove=True), draw], [(4, 5, 6)], id="removed after another one"),
        pytest.param([draw, amend(3, remove=True), undo(3), draw], [], id="removed, and that undone"),
        pytest.param([draw, draw, amend(3, remove=True), undo(4), note], [], id="the other one was never gone"),
        pytest.param([draw, amend(3, event=NOTE), draw], [(3, 4, 5)], id="something else instead"),
        pytest.param([draw, amend(3, insert=AGAIN)], [], id="put in"),
        pytest.param([draw, amend(3, insert=AGAIN), amend(3, remove=True)], [(3, 5, 4)], id="put in, and kept instead"),
        pytest.param([draw, amend(3, insert=AGAIN), amend(4, remove=True)], [], id="put in, and not kept"),
        pytest.param([draw, draw, amend(3, remove=True)], [(3, 5, 4)], id="the second kept instead of the first"),
        pytest.param([draw, amend(3, insert=AGAIN), undo(3), draw], [(4, 5, 6)], id="put in, and taken back"),
        pytest.param([note, draw, amend(3, event=NOTE)], [], id="another place written anew"),
    ],
)
def test_redrawn(steps: list[Step], wanted: list[tuple[int, int, int]]) -> None:
    recording = table(*steps)
    assert redraw_seqs(recording.events) == wanted
    report = audit(recording.events)
    told = [finding.seq for finding in report.findings if finding.kind == "drawn_again"]
    assert told == [again for _, _, again in wanted]
    # The log itself is not at fault.
    assert verify(recording.events).version == recording.game.version


def test_audit__says_both_events_and_what_came_up() -> None:
    recording = table(draw, undo(2), draw)
    label = recording.game.ruleset.value_label
    was, now = (label(recording.events[seq - 1].outcomes[0] or "") for seq in (3, 5))
    report = audit(recording.events)
    (finding,) = report.findings
    assert (report.verdict, finding.seq, finding.turn, finding.kind) == ("findings", 5, 1, "drawn_again")
    assert not report.level.by_the_rules
    assert finding.rule == "2. Draw 2 Treasure Deck Cards"
    assert finding.message == f"Event 3 drew {was}. Event 4 undid it, and the new draw is {now}."


def test_audit__says_it_also_where_the_game_has_ended() -> None:
    recording = table(draw, undo(2), draw)
    recording.add("abandon", reason="late")
    assert [finding.kind for finding in audit(recording.events).findings] == ["drawn_again"]


def test_audit__what_breaks_the_log_is_named_first() -> None:
    recording = table(draw, undo(2), draw)
    recording.add("annotate", text="so")
    events = [*recording.events[:-1], Event(**{**as_dict(recording.events[-1]), "note": "forged"})]
    report = audit(events)
    assert (report.verdict, {finding.kind for finding in report.findings}) == ("broken", {"chain", "drawn_again"})
    assert "event 6 is the first" in report.message


def as_dict(event: Event) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__struct_fields__}


def test_redrawn__only_what_the_service_draws() -> None:
    recording = table(draw, undo(2), draw)
    # The events that a fork shares belong to its parent: draws repeated there are repeated in the parent.
    _, events = fork(recording.events, 5, game="g", seed=None, recorded_at=clock(1))
    assert redraw_seqs(events) == [(3, 4, 5)]
    observed = Recording()
    observed.game, observed.events = fork(recording.events, 3, game="g", seed=None, recorded_at=clock(1))
    assert redraw_seqs(observed.events) == []


def test_redrawn__of_too_many_draws_as_played_the_one_that_is_kept() -> None:
    recording = Recording(seed="a rainy night", mode="as_played")
    recording.add("set_up")
    for _ in range(4):
        recording.append(DRAW)
    for seq in (3, 4, 6):
        recording.add("amend", seq=seq, remove=True, accept_broken=True)

    assert redraw_seqs(recording.events) == [(3, 7, 5), (4, 8, 5)]
    assert [one.kind for one in audit(recording.events).findings] == ["drawn_again", "drawn_again"]
