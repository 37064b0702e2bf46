"""Records that begin in the middle of a game: the first sentence describes the table, not an unknown setup."""

from __future__ import annotations

import pytest

from engine.play.fold import fold
from engine.play.registry import ruleset
from engine.review.turns import narrate
from exports import FORMATS, Log
from tests.playouts import playout
from tests.recording import Recording


def late(id_: str) -> Recording:
    """A record that begins some turns into the game."""
    events = playout(id_, limit=40)
    table = fold(events).state
    assert table is not None
    recording = Recording(id_, len(events[0].params["seats"]), **events[0].params["options"])
    recording.add("set_up", position=ruleset(id_).to_document(table))
    return recording


@pytest.mark.parametrize(
    ("id_", "invented"),
    [("forbidden-desert", "has crashed"), ("forbidden-island", "starts on"), ("forbidden-island", "from the start")],
)
def test_the_first_sentence_of_a_late_start_is_true(id_: str, invented: str) -> None:
    recording = late(id_)
    state = recording.game.state
    assert state is not None
    whose = recording.game.header.names[recording.game.ruleset.active(state)]
    told = narrate(recording.game.header, recording.events)[1].sentence
    assert told.startswith(f"The record begins in the middle of a game, in turn {state.turn} ({whose}). ")
    assert invented not in told
    (text,) = (b"".join(FORMATS["markdown"].write(Log(game_id="g", events=recording.events))).decode(),)
    assert "The record begins in the middle of a game" in text
    assert invented not in text
