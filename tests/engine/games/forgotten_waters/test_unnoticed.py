"""Forgotten Waters: an unnoticed loss, and the game after it (FW-R12)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forgotten_waters.rules.resolving import push, settle
from engine.games.forgotten_waters.scenario.effects import CheckThreat, Ship
from engine.games.forgotten_waters.state import WatersState
from engine.kit.steps import ENDING
from engine.play import registry
from tests.engine.games.forgotten_waters.positions import having, resolving, voyage

RULES: Any = registry.ruleset("forgotten-waters")

HULL_GONE = {"do": "ship", "stat": "hull", "to": 0}
MUTINY = {"do": "ship", "stat": "discontent", "n": 11}
LAST_THREAT = {"do": "check_threat"}
MISFORTUNE = {"do": "misfortune", "n": 1}


def play_on(state: WatersState) -> WatersState:
    (skip,) = RULES.overlooks(state)
    assert skip.step is ENDING
    assert RULES.check_invariants(skip.state) == []
    after: WatersState = skip.state
    return after


def then(state: WatersState, *waiting: Any) -> WatersState:
    """Return the state after the first player's effects."""
    return settle(push(state, 0, waiting))


@pytest.mark.parametrize(("effect", "reason"), [(HULL_GONE, "drowned"), (MUTINY, "mutiny"), (LAST_THREAT, "threat")])
def test_loss__nobody_notices_and_the_effects_go_on(effect: dict[str, Any], reason: str) -> None:
    lost = resolving(effect, MISFORTUNE, state=voyage(threat=4, threat_events=6))
    assert lost.pirates[0].misfortune == 0
    state = play_on(lost)
    assert (state.outcome, state.unnoticed) == (None, (reason,))
    assert state.pirates[0].misfortune == 1


def test_mutiny__counts_again_once_it_was_quelled() -> None:
    state = play_on(resolving(MUTINY))
    calm = then(state, Ship(stat="discontent", n=-5))
    assert (calm.outcome, calm.unnoticed) == (None, ())
    after = then(calm, Ship(stat="discontent", n=5))
    assert after.outcome is not None
    assert after.outcome.reason == "mutiny"


def test_drowned__another_loss_is_noticed() -> None:
    state = then(play_on(resolving(HULL_GONE)), Ship(stat="discontent", n=11))
    assert state.outcome is not None
    assert (state.outcome.reason, state.unnoticed) == ("mutiny", ("drowned",))


def test_threat__no_box_is_left_to_check_off() -> None:
    state = play_on(resolving(LAST_THREAT, state=voyage(threat=4, threat_events=6)))
    assert then(state, CheckThreat()) == state


def test_goal__is_read_out_to_everybody() -> None:
    """FW-R22."""
    for events in (3, 4):
        state = voyage()
        for seat in range(3):
            state = having(state, seat, events=events)
        assert list(RULES.overlooks(resolving({"do": "reach_goal"}, state=state))) == []
    assert list(RULES.overlooks(voyage())) == []


def test_loss__is_the_scribes_to_notice_between_the_actions() -> None:
    lost = settle(push(voyage(), 0, (Ship(stat="hull", to=0),)))
    (skip,) = RULES.overlooks(lost)
    assert skip.seat == lost.scribe
