"""Illegal events in a strict record, if the players say that they happened."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.errors import IllegalAction, UnclearEffect
from engine.core.events import Draft, Event
from engine.play.fold import fold
from engine.review.audit import audit
from tests.engine.recording import DEAL
from tests.recording import Recording, forged

TOO_FAR = Draft(type="move", actor="p1", params={"to": "gold_gate"})
NEAR = Draft(type="move", actor="p1", params={"to": "howling_garden"})


@pytest.fixture
def recording() -> Recording:
    """Ada the Messenger on Silver Gate, Bo the Pilot on Fools' Landing, in a strict record."""
    recording = Recording(mode="strict")
    recording.add("set_up", outcomes=DEAL)
    return recording


def anyway(recording: Recording, *drafts: Draft) -> list[Event]:
    return recording.append(*drafts, accept_illegal=True)


def read_back(recording: Recording) -> list[str]:
    """Return the kinds of findings in an audit of the log, which replays it."""
    events = msgspec.json.decode(msgspec.json.encode(recording.events), type=list[Event])
    assert fold(events) == recording.game
    return [one.kind for one in audit(events).findings]


def test_it_stands_with_its_verdict_and_what_is_legal_has_none(recording: Recording) -> None:
    far, back = anyway(recording, TOO_FAR, Draft(type="annotate", params={"text": "we saw it late"}))
    assert (far.verdict, far.rule) == ("illegal", "Move")
    assert far.reason == "Gold Gate is more than one move from Silver Gate."
    assert back.verdict is None
    assert read_back(recording) == ["illegal_action"]


def test_what_is_legal_is_recorded_as_ever(recording: Recording) -> None:
    (event,) = anyway(recording, NEAR)
    assert (event.verdict, event.rule, event.reason) == (None, None, None)
    assert read_back(recording) == []


def test_what_follows_is_as_strict_as_before(recording: Recording) -> None:
    anyway(recording, TOO_FAR)
    with pytest.raises(IllegalAction):
        recording.append(Draft(type="move", actor="p1", params={"to": "silver_gate"}))
    assert recording.game.version == 3


def test_it_is_undone_and_played_again(recording: Recording) -> None:
    anyway(recording, TOO_FAR)
    recording.add("undo", to=2)
    recording.append(NEAR)
    recording.add("undo", to=3)
    assert read_back(recording) == ["illegal_action"]


def test_what_nobody_can_carry_out_is_refused(recording: Recording) -> None:
    without = Draft(type="play_sandbags", actor="p2", params={"tile": "breakers_bridge"})
    with pytest.raises(UnclearEffect):
        anyway(recording, without)


def test_it_happens_where_nobody_saw_a_card(recording: Recording) -> None:
    recording.append(Draft(type="draw_treasure_card", actor="p1", outcomes=(None,)))
    (event,) = anyway(recording, TOO_FAR)
    assert event.verdict == "illegal"
    assert read_back(recording) == ["illegal_action"]


def test_a_correction_before_it_leaves_it_standing(recording: Recording) -> None:
    recording.append(Draft(type="draw_treasure_card", actor="p1", outcomes=("oceans_chalice",)))
    anyway(recording, TOO_FAR)
    recording.add("amend", seq=3, event={"type": "draw_treasure_card", "actor": "p1", "outcomes": ["earth_stone"]})
    assert read_back(recording) == ["illegal_action"]


def test_a_verdict_on_what_is_legal_is_a_finding(recording: Recording) -> None:
    recording.append(NEAR)
    event = forged(recording.events[-1], verdict="illegal", rule="Move")
    found = audit([*recording.events[:-1], event]).findings
    assert [one.kind for one in found] == ["verdict"]
    assert "in a strict record only illegal events can have one" in found[0].message


def test_what_is_hidden_is_judged_strictly() -> None:
    recording = Recording("forever-island", mode="strict")
    assert recording.game.ruleset.has_secrets
    hidden = next(kind for kind in recording.game.ruleset.actions if kind.hidden_params)
    draft = Draft(type=hidden.type, actor="p1", params={"spears": 1})
    with pytest.raises(IllegalAction):
        anyway(recording, draft)
