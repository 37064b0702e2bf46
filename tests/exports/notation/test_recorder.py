"""The recorder judges guesses of several events, which are not in the record yet."""

from __future__ import annotations

import pytest

from engine.core.errors import Undetermined
from engine.core.events import Draft
from exports.notation.recorder import Recorder
from tests.engine.recording import dealt


def test_a_guess_whose_second_event_depends_on_an_unknown_card() -> None:
    recording = dealt()
    recorder = Recorder(recording.game, recording.events[0], None, None)
    recorder.history = recording.history
    drawn = recorder.judge(Draft(type="draw_treasure_card", actor="p1", outcomes=(None,)))
    captured = Draft(type="capture_treasure", actor="p1", params={"treasure": "earth_stone"})
    with pytest.raises(Undetermined):
        recorder.judge(captured, drawn.game, is_illegal=True)
