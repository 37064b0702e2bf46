"""A patch of the state is stored as the facts that it changes."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import (
    IllegalAction,
    Malformed,
)
from engine.play.beliefs.belief import worlds
from tests.engine.play.telling import (
    Told,
    has,
    round_trip,
    state,
    tell,
    unseen_card,
)
from tests.engine.recording import dealt, played
from tests.recording import Recording


def apply_patch(recording: Recording, *patch: Told) -> Any:
    event, *_ = recording.add("adjust", patch=list(patch), reason="as it lies")
    return event.params


def test_a_patch_is_kept_as_the_facts_that_it_changes() -> None:
    recording = played()
    params = apply_patch(recording, {"op": "move", "from": "/hands/0/0", "path": "/hands/1/-"})
    assert params["facts"] == (has("p1", "earth_stone", 1), has("p2", "earth_stone"))
    assert "patch" not in params
    assert state(recording).hands[1] == ("crystal_of_fire", "earth_stone", "helicopter_lift")
    round_trip(recording)


def test_a_patch_is_of_the_document_that_is_served() -> None:
    """Known cards come first: the Sandbags, whatever the unseen card is."""
    recording = unseen_card()
    tell(recording, has("p1", "sandbags"))
    params = apply_patch(recording, {"op": "move", "from": "/hands/0/1", "path": "/hands/1/-"})
    assert params["facts"] == (has("p1", "sandbags", 0), has("p2", "sandbags"))
    assert all("sandbags" in world.state.hands[1] for world in worlds(state(recording)))
    round_trip(recording)


def test_a_patch_that_leaves_no_table_at_all_is_refused() -> None:
    gone = {"op": "remove", "path": "/hands/0"}
    with pytest.raises(IllegalAction, match="it violates “28 treasure cards”"):
        apply_patch(played(), gone, gone)


def test_a_patch_of_a_table_that_the_rules_cannot_read_is_refused() -> None:
    atoll = Recording("forever-island", 3, seed="calm")
    atoll.add("set_up")
    with pytest.raises(Malformed):
        apply_patch(atoll, {"op": "remove", "path": "/coordinates/0"})


def test_a_patch_of_what_nobody_saw_is_refused() -> None:
    with pytest.raises(Malformed, match="depends on unknown results: send facts, such as"):
        apply_patch(unseen_card(), {"op": "move", "from": "/hands/0/2", "path": "/hands/1/-"})


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("/phase", "banana", "no fact describes this change of phase"),
        ("/actions_left", 2, "no fact describes this change of actions_left"),
        ("/turn", -5, "at least 1"),
        ("/layout", [], "24 tiles, one on each space"),
        ("/pawns", [], "a role, a pawn and a hand for each seat"),
    ],
)
def test_a_patch_whose_change_no_fact_says(path: str, value: Any, message: str) -> None:
    with pytest.raises((Malformed, IllegalAction), match=message):
        apply_patch(played(), {"op": "replace", "path": path, "value": value})


def test_a_patch_cannot_leave_the_game_in_pieces() -> None:
    """Former errors of adjustments by index: endless actions, a phase without its reason, the skull, two temples."""
    recording = dealt()
    apply_patch(recording, {"op": "replace", "path": "/actions_left", "value": 0})
    assert state(recording).phase == "draw_treasure"
    apply_patch(recording, {"op": "replace", "path": "/water_level", "value": 10})
    assert recording.game.outcome is not None
    recording = dealt()
    tell(recording, has("p1", "earth_stone", 5))
    assert state(recording).phase == "discard"
    apply_patch(
        recording,
        {"op": "move", "from": "/hands/0/0", "path": "/treasure_discard/-"},
    )
    assert state(recording).phase == "actions"
    round_trip(recording)
