"""Forgotten Waters: 1. Planning Phase."""

from __future__ import annotations

import msgspec
import pytest

from engine.games.forgotten_waters.actions.phases import TimerRunsOut
from engine.games.forgotten_waters.scenario.effects import Roll
from engine.games.forgotten_waters.scenario.values import Place
from engine.games.forgotten_waters.state import Step, WatersState, replace
from engine.kit.ruleset import Refusal
from engine.kit.timer import Timer
from engine.play import registry
from tests.engine.games.forgotten_waters.positions import FORGOTTEN_WATERS, at_table, resolving, voyage
from tests.engine.games.playing import do, offered, refused, said

RULES = registry.ruleset(FORGOTTEN_WATERS)
PLANNING = "1. Planning Phase"
TYPES = "Types of Actions"


def test_planning__from_highest_to_lowest_infamy() -> None:
    state = voyage(infamy=(2, 0, 1), choosing=(2, 0, 1))
    assert (offered(state, "p3", "choose_action"), offered(state, "p1", "choose_action")) == ([1, 2, 3, 4, 5, 6, 7], [])


def test_planning__each_in_turn() -> None:
    state = do(voyage(), "p1", "choose_action", number=6)
    assert (state.standees, state.choosing) == ((6, 0, 0), (1, 2))


def test_planning__not_out_of_order() -> None:
    assert refused(voyage(), "p2", "choose_action", number=6) == Refusal(
        PLANNING, "Another player chooses next. Actions are chosen from highest to lowest infamy."
    )


def test_planning__order_stays_as_the_phase_began() -> None:
    """FW-R2: a change of infamy in this phase changes nothing."""
    state = replace(do(voyage(), "p1", "choose_action", number=6), infamy=(2, 1, 0))
    assert offered(state, "p2", "choose_action") != []


def test_planning__ends_when_everyone_has_chosen() -> None:
    state = voyage()
    for seat, number in (("p1", 6), ("p2", 7), ("p3", 1)):
        state = do(state, seat, "choose_action", number=number)
    assert (state.phase, state.active, state.turn) == ("action", 2, 2)


def test_planning__is_over() -> None:
    assert refused(voyage(phase="action", active=0), "p1", "choose_action", number=1) == Refusal(
        PLANNING, "The planning phase is over."
    )


def test_planning__waits_for_what_has_to_be_resolved() -> None:
    state = voyage(agenda=(Step(1, Roll(results=())),))
    assert refused(state, "p1", "choose_action", number=1) == Refusal(
        PLANNING, "Another effect must be resolved first."
    )


def test_planning__actions_of_the_page() -> None:
    assert refused(voyage(), "p1", "choose_action", number=9) == Refusal(PLANNING, "There is no action 9 on this page.")


def test_planning__is_told() -> None:
    assert said(voyage(), "p1", "choose_action", number=3) == (
        "Choose action 3: Fill the barrels",
        "Ada chooses action 3: Fill the barrels.",
    )


# The timer


def test_timer__raises_discontent_by_1() -> None:
    """FW-R4."""
    state = do(voyage(), "p2", "timer_runs_out")
    assert (state.discontent, state.choosing) == (4, (0, 1, 2))


def test_timer__is_the_quartermasters() -> None:
    """FW-R4 and FW-R23."""
    assert refused(voyage(), "p1", "timer_runs_out") == Refusal(
        PLANNING, "Only the Quartermaster can time the planning phase."
    )


def test_timer__once_in_a_phase() -> None:
    """FW-R4."""
    state = do(voyage(), "p2", "timer_runs_out")
    assert refused(state, "p2", "timer_runs_out") == Refusal(PLANNING, "The timer has already run out.")


def test_timer__not_once_everyone_has_chosen() -> None:
    """FW-R4."""
    assert refused(voyage(phase="action", active=0, choosing=()), "p2", "timer_runs_out").rule == PLANNING


def test_timer__may_bring_mutiny() -> None:
    """FW-R4: it is judged at once."""
    state = do(voyage(discontent=13), "p2", "timer_runs_out")
    assert state.outcome is not None
    assert state.outcome.reason == "mutiny"


def test_timer__is_told() -> None:
    assert said(voyage(), "p2", "timer_runs_out") == (
        "The timer runs out",
        "Bo calls time. Discontent 3 → 4.",
    )


# Types of actions


def test_unlimited_action__any_number_of_players() -> None:
    state = do(voyage(), "p1", "choose_action", number=6)
    assert 6 in offered(state, "p2", "choose_action")


def test_limited_action__only_one_player() -> None:
    state = do(voyage(), "p1", "choose_action", number=2)
    assert refused(state, "p2", "choose_action", number=2) == Refusal(TYPES, "Action 2 is taken.")


def test_locked_action__cannot_be_chosen() -> None:
    assert refused(voyage(locked=(3,)), "p1", "choose_action", number=3) == Refusal(TYPES, "Action 3 is locked.")


def test_required_action__only_one_player() -> None:
    state = do(voyage(), "p1", "choose_action", number=1)
    assert refused(state, "p2", "choose_action", number=1) == Refusal(TYPES, "Action 1 is taken.")


def test_required_action__the_last_player_must() -> None:
    """FW-R3."""
    state = do(do(voyage(), "p1", "choose_action", number=6), "p2", "choose_action", number=6)
    assert offered(state, "p3", "choose_action") == [1]
    assert refused(state, "p3", "choose_action", number=6) == Refusal(
        TYPES, "A required action is still available and must be chosen."
    )


def test_required_action__two_of_them_bind_the_last_two_players() -> None:
    """FW-R3."""
    places = (*tuple(Place(number=number, kind="required") for number in (1, 2)), Place(number=3))
    state = do(voyage(places=places), "p1", "choose_action", number=3)
    assert offered(state, "p2", "choose_action") == [1, 2]


def test_required_action__more_than_players_stay_open() -> None:
    """FW-R3: the remaining ones are not chosen."""
    places = (*tuple(Place(number=number, kind="required") for number in (1, 2, 3, 4)), Place(number=5))
    assert offered(voyage(places=places), "p1", "choose_action") == [1, 2, 3, 4]


def test_required_action__locked_binds_nobody() -> None:
    """FW-R3."""
    state = do(do(voyage(locked=(1,)), "p1", "choose_action", number=6), "p2", "choose_action", number=6)
    assert 6 in offered(state, "p3", "choose_action")


def test_no_action_left__the_pirate_sits_the_round_out() -> None:
    """FW-R24."""
    state = do(voyage(places=(Place(number=1, kind="limited"),)), "p1", "choose_action", number=1)
    assert (state.phase, state.active, state.standees) == ("action", 0, (1, 0, 0))


@pytest.mark.parametrize("page", ["fair_wind", "the_bell_rings"])
def test_guide_symbols__are_in_the_components(page: str) -> None:
    pages = registry.ruleset("forgotten-waters").components["scenarios"][0]["pages"]
    assert {"white", "black"} & set(msgspec.to_builtins(next(one for one in pages if one["id"] == page)["actions"][0]))


# The timer


def test_timer__while_actions_are_chosen() -> None:
    """FW-R4: the scenario allows 90 seconds."""
    assert RULES.timer(voyage()) == Timer("Planning", 90, TimerRunsOut, 1)
    assert RULES.timer(voyage(options={"timer_seconds": 30})) == Timer("Planning", 30, TimerRunsOut, 1)


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(voyage(options={"timer_seconds": 0}), id="no timer is wanted"),
        pytest.param(at_table(), id="a table's own book says of none"),
        pytest.param(voyage(has_timer_run_out=True), id="it has run out"),
        pytest.param(resolving(), id="actions are resolved"),
    ],
)
def test_timer__none_otherwise(state: WatersState) -> None:
    """FW-R4."""
    assert RULES.timer(state) is None
