"""A state that the rules cannot handle is never recorded."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import IllegalAction, Malformed
from engine.games.forbidden_island import ForbiddenIsland
from engine.play.showing import BEYOND
from tests.engine.recording import dealt

ASKED = ("board", "overview", "headline", "active", "legal_actions", "legal_ranges", "chance_point")


def fails(*_: Any) -> Any:
    raise KeyError("no such tile")


@pytest.mark.parametrize("asked", ASKED)
def test_an_adjustment_after_which_the_game_cannot_be_shown(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = dealt()
    monkeypatch.setattr(ForbiddenIsland, asked, fails)
    with pytest.raises(IllegalAction, match=BEYOND):
        recording.add("adjust", patch=[{"op": "replace", "path": "/water_level", "value": 2}], reason="r")
    assert len(recording.events) == 2


def test_an_adjustment_after_which_nobody_could_say_who_is_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = dealt()
    monkeypatch.setattr(ForbiddenIsland, "awaiting", fails)
    with pytest.raises(Malformed, match="this table is impossible"):
        recording.add("adjust", patch=[{"op": "replace", "path": "/water_level", "value": 2}], reason="r")
    assert len(recording.events) == 2


def test_what_the_rules_lead_to_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = dealt()
    monkeypatch.setattr(ForbiddenIsland, "board", fails)
    recording.add("move", "p1", to="howling_garden")
    assert len(recording.events) == 3


def test_an_adjustment_and_one_that_an_amend_brings() -> None:
    recording = dealt()
    patch = [{"op": "replace", "path": "/water_level", "value": 2}]
    recording.add("adjust", patch=patch, reason="r")
    recording.add("amend", seq=3, event={"type": "adjust", "params": {"patch": patch, "reason": "other"}})
    recording.add("amend", seq=3, remove=True)
    assert len(recording.events) == 5


class Ended(Exception):
    """An error that no rule raises, such as the timeout of a job."""


@pytest.mark.parametrize("asked", ["board", "awaiting"])
def test_what_is_no_fault_of_the_table_is_none_of_a_refusal(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def ends(*_: Any) -> Any:
        raise Ended

    recording = dealt()
    monkeypatch.setattr(ForbiddenIsland, asked, ends)
    with pytest.raises(Ended):
        recording.add("adjust", patch=[{"op": "replace", "path": "/water_level", "value": 2}], reason="r")
    assert len(recording.events) == 2
