"""The recorder judges guesses of several events, which are not in the record yet."""

from __future__ import annotations

import pytest

from engine.core.errors import OutcomeRequired, Undetermined
from engine.core.events import Draft
from engine.play.fold import History
from engine.play.rules import Rules
from exports.notation.recorder import Recorder
from tests.engine.recording import dealt
from tests.recording import Recording


def test_a_guess_whose_second_event_depends_on_an_unknown_card() -> None:
    recording = dealt()
    recorder = Recorder(recording.game, recording.events[0], None, None)
    recorder.history = recording.history
    drawn = recorder.judge(Draft(type="draw_treasure_card", actor="p1", outcomes=(None,)))
    captured = Draft(type="capture_treasure", actor="p1", params={"treasure": "earth_stone"})
    with pytest.raises(Undetermined):
        recorder.judge(captured, drawn.game, is_illegal=True)


def recorder_of(recording: Recording) -> Recorder:
    recorder = Recorder(recording.game, recording.events[0], None, None)
    recorder.history.fold(recording.events[1:])
    return recorder


def test_an_action_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guesses of a line and its entry are the same action at the same table, also if a result is missing."""
    recorder = recorder_of(dealt())
    draft = Draft(type="draw_treasure_card", actor="p1")
    played: list[object] = []
    play = Rules.play
    monkeypatch.setattr(Rules, "play", lambda *given: played.append(given[2]) or play(*given))
    for _ in range(3):
        with pytest.raises(OutcomeRequired):
            recorder.judge(draft)
        found = recorder.judge(Draft(type="draw_treasure_card", actor="p1", outcomes=(None,)))
    recorder.commit(found)
    assert len(played) == (2 if found.events[0].verdict == "legal" else 3)


def test_a_committed_action_is_in_the_history_as_if_folded() -> None:
    recording = dealt(mode="as_played")
    recorder = recorder_of(recording)
    for draft in (
        Draft(type="draw_treasure_card", actor="p1", outcomes=(None,)),
        Draft(type="draw_treasure_card", actor="p1", outcomes=("earth_stone",)),
        Draft(type="fly", actor="p2", params={"to": "gold_gate"}),
    ):
        recorder.commit(recorder.judge(draft, is_illegal=True))
    folded = History(recording.game.header)
    folded.fold([*recording.events[1:], *recorder.events[1:]])
    assert (recorder.history.states, recorder.history.judgements) == (folded.states, folded.judgements)
