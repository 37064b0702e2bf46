"""Actions that do not depend on unknown cards: one run gives the answer of all listed tables."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import Draft
from engine.play.beliefs import running
from engine.play.beliefs.belief import Belief
from tests.engine.play.telling import unseen_card
from tests.recording import Recording


def begin_unseen() -> Recording:
    """One of Ada's cards is unknown; now she draws Flood cards."""
    recording = unseen_card()
    recording.add("draw_treasure_card", "p1", ["oceans_chalice"])
    return recording


def unread(recording: Recording, type_: str, outcomes: tuple[Any, ...] = (), **params: Any) -> Any:
    """Return the result of `running.unread` for an action of Ada."""
    ruleset, state = recording.game.ruleset, recording.game.state
    assert state is not None
    return running.unread(ruleset, state, ruleset.parse(type_, params), 0, outcomes)


def test_an_action_that_leaves_unknown_cards_alone_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = begin_unseen()
    found = unread(recording, "draw_flood_card", ("bronze_gate",))
    assert isinstance(found, Belief)
    monkeypatch.setattr(running, "unread", lambda *_: None)
    recording.add("draw_flood_card", "p1", ["bronze_gate"])
    assert found == recording.game.state


@pytest.mark.parametrize(
    ("type_", "outcomes", "params"),
    [
        ("draw_treasure_card", (None,), {}),
        ("draw_flood_card", (None,), {}),
        ("draw_flood_card", ("bronze_gate", "bronze_gate"), {}),
        ("play_helicopter_lift", (), {"pawns": ["p1"], "to": "bronze_gate"}),
        ("move", (), {"to": "bronze_gate"}),
    ],
)
def test_any_other_action_is_played_on_each_table(
    type_: str, outcomes: tuple[Any, ...], params: dict[str, Any]
) -> None:
    assert unread(begin_unseen(), type_, outcomes, **params) is None


def test_a_card_that_is_drawn_from_the_pile_is_moved() -> None:
    assert unread(unseen_card(), "draw_treasure_card", ("sandbags",)) is None


def test_a_game_that_was_given_up_is_played_no_more() -> None:
    recording = begin_unseen()
    recording.append(Draft(type="abandon", params={"reason": "dinner"}))
    assert unread(recording, "draw_flood_card", ("bronze_gate",)) is None


def test_an_amend_plays_such_actions_again_as_they_were_recorded() -> None:
    recording, other = begin_unseen(), unseen_card()
    recording.add("draw_flood_card", "p1", ["bronze_gate"])
    recording.add("amend", seq=4, event={"type": "draw_treasure_card", "actor": "p1", "outcomes": ["earth_stone"]})
    other.add("draw_treasure_card", "p1", ["earth_stone"])
    other.add("draw_flood_card", "p1", ["bronze_gate"])
    assert recording.game.state == other.game.state
