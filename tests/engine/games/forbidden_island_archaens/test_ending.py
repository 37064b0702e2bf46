"""The Archaen variant: its quota, its clock and its endings (AR-R2 to AR-R8, AR-R10, AR-R12 to AR-R15)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.values import GameOutcome
from engine.games.forbidden_island.state import replace
from engine.kit.ruleset import Refusal
from engine.play import registry
from tests.engine.games.forbidden_island.positions import ALL_CAPTURED, ARCHAENS, island
from tests.engine.games.playing import do, offered, refused, said

RULES = registry.ruleset(ARCHAENS)
HARMLESS = (
    "breakers_bridge",
    "bronze_gate",
    "cave_of_embers",
    "copper_gate",
    "crimson_forest",
    "howling_garden",
    "iron_gate",
    "lost_lagoon",
    "silver_gate",
    "temple_of_the_moon",
    "twilight_hollow",
    "coral_palace",
    "whispering_garden",
)
"""Tiles that can have sunk without a loss, once the Statue of the Wind is saved. The first 11 cut off Coral Palace."""


def archaens(**position: Any) -> Any:
    return island(ARCHAENS, **position)


def ready(sunk: int, **position: Any) -> Any:
    """Only the lift-off remains: `sunk` tiles are gone, and p1 holds a Helicopter Lift."""
    return archaens(
        **{
            "pawns": ["fools_landing"] * 2,
            "captured": ALL_CAPTURED,
            "sunk": HARMLESS[:sunk],
            "hands": [["helicopter_lift"]],
            **position,
        }
    )


def invaders_outcome() -> GameOutcome:
    return GameOutcome("lost", (), "invaders_followed", "Losing the Game")


# Winning the Game: half of the island has sunk, AR-R2, AR-R7 and AR-R12


def test_winning__with_twelve_tiles_sunk() -> None:
    """AR-R11."""
    state = do(ready(12), "p1", "lift_off")
    assert state.outcome == GameOutcome("won", ("p1", "p2"), "lifted_off", "Winning the Game")


def test_winning__flooded_tiles_do_not_count() -> None:
    state = ready(11, flooded=["watchtower", "fools_landing"])
    assert do(state, "p1", "lift_off", confirmed=True).outcome == invaders_outcome()


def test_winning__from_a_flooded_fools_landing() -> None:
    assert do(ready(12, flooded=["fools_landing"]), "p1", "lift_off").outcome.result == "won"


@pytest.mark.parametrize(("sunk", "result"), [(12, "lost"), (13, "won")])
def test_winning__option_quota_sunk_13(sunk: int, result: str) -> None:
    params = {"confirmed": True} if result == "lost" else {}
    assert do(ready(sunk, options={"quota_sunk": 13}), "p1", "lift_off", **params).outcome.result == result


def test_early_liftoff__loses() -> None:
    """AR-R7, AR-R14."""
    assert do(ready(11), "p1", "lift_off", confirmed=True).outcome == invaders_outcome()


def test_early_liftoff__is_no_question_of_the_rules() -> None:
    """AR-R7: a page asks first; `confirmed`, which earlier records have, changes nothing."""
    for params in ({}, {"confirmed": True}):
        assert do(ready(11), "p1", "lift_off", **params).outcome == invaders_outcome()
        assert do(ready(12), "p1", "lift_off", **params).outcome.result == "won"
    for sunk in (11, 12):
        assert offered(ready(sunk), "p1", "lift_off") == [False]
    lift_off = RULES.parse("lift_off", {})
    assert lift_off.warning(ready(11), 0) == "Only 11 of 12 tiles have sunk. This loses the game."
    assert lift_off.warning(ready(12), 0) is None
    described = RULES.describe_action_type(type(lift_off))
    assert described["params"]["properties"] == {}


def test_early_liftoff__warns() -> None:
    assert said(ready(11), "p1", "lift_off", confirmed=True)[0] == (
        "Helicopter Lift: lift off Fools' Landing (too early: this loses the game)"
    )
    assert said(ready(12), "p1", "lift_off") == (
        "Helicopter Lift: lift off Fools' Landing",
        "Ada plays Helicopter Lift, and the team lifts off Fools' Landing.",
    )


def test_early_liftoff__option_illegal() -> None:
    for params in ({}, {"confirmed": True}):
        assert refused(ready(11, options={"early_liftoff": "illegal"}), "p1", "lift_off", **params) == Refusal(
            "Winning the Game", "Only 11 of 12 tiles have sunk."
        )


def test_early_liftoff__option_illegal__with_the_quota_sunk() -> None:
    assert do(ready(12, options={"early_liftoff": "illegal"}), "p1", "lift_off").outcome.result == "won"


def test_liftoff__not_without_all_four_artifacts() -> None:
    assert refused(ready(12, captured=ALL_CAPTURED[1:]), "p1", "lift_off") == Refusal(
        "Winning the Game", "The team does not have all four artifacts yet."
    )


# The clock, AR-R3 to AR-R6 and AR-R15


def arriving(sunk: int = 0, **position: Any) -> Any:
    """In turn 5, p1 is next to Fools' Landing, where p2 is already; the artifacts are saved."""
    return ready(sunk, **{"turn": 5, "pawns": ["gold_gate", "fools_landing"], **position})


def test_clock__starts_when_the_last_pawn_arrives() -> None:
    """AR-R4 and AR-R8."""
    assert arriving().deadline is None
    assert do(arriving(), "p1", "move", to="fools_landing").deadline == 7


@pytest.mark.parametrize(
    ("roles", "type_", "params"),
    [
        (["pilot", "diver"], "fly", {"to": "fools_landing"}),
        (["messenger", "engineer"], "play_helicopter_lift", {"pawns": ["p1"], "to": "fools_landing"}),
    ],
)
def test_clock__however_it_arrives(roles: list[str], type_: str, params: dict[str, Any]) -> None:
    assert do(arriving(roles=roles), "p1", type_, **params).deadline == 7


def test_clock__when_the_navigator_brings_it() -> None:
    state = arriving(roles=["navigator", "diver"], pawns=["fools_landing", "gold_gate"])
    assert do(state, "p1", "navigate", seat="p2", to="fools_landing").deadline == 7


def test_clock__when_it_swims() -> None:
    state = arriving(phase="draw_flood", flooded=["gold_gate"])
    state = do(state, "p1", "draw_flood_card", "gold_gate")
    assert do(state, "p1", "swim", to="fools_landing").deadline == 7


def test_clock__when_the_last_swim_of_a_turn_brings_it() -> None:
    state = arriving(phase="draw_flood", flood_draws_left=1, flooded=["gold_gate"])
    state = do(state, "p1", "draw_flood_card", "gold_gate")
    state = do(state, "p1", "swim", to="fools_landing")
    assert (state.turn, state.deadline) == (6, 7)


def test_clock__waits_for_the_artifacts() -> None:
    state = arriving(captured=ALL_CAPTURED[:3])
    assert do(state, "p1", "move", to="fools_landing").deadline is None


def test_clock__option_needs_artifacts_false() -> None:
    state = arriving(captured=(), options={"clock_needs_artifacts": False})
    assert do(state, "p1", "move", to="fools_landing").deadline == 7


def test_clock__option_counts_current_turn() -> None:
    """AR-R4."""
    state = arriving(options={"clock_counts_current_turn": True})
    assert do(state, "p1", "move", to="fools_landing").deadline == 6


def test_clock__does_not_stop_when_a_pawn_leaves() -> None:
    """AR-R5."""
    state = do(arriving(), "p1", "move", to="fools_landing")
    assert do(state, "p1", "move", to="gold_gate").deadline == 7


def test_clock__does_not_start_again() -> None:
    """AR-R5."""
    state = arriving(deadline=7, turn=6)
    assert do(state, "p1", "move", to="fools_landing").deadline == 7


def test_clock__a_special_card_between_two_turns_belongs_to_the_next() -> None:
    """AR-R15."""
    state = arriving(phase="draw_flood", flood_draws_left=1)
    state = do(state, "p1", "draw_flood_card", "watchtower")
    state = do(state, "p1", "play_helicopter_lift", pawns=["p1"], to="fools_landing")
    assert (state.turn, state.deadline) == (6, 8)


def last_flood(sunk: int, **position: Any) -> Any:
    """The last flood card of turn 7 is due."""
    return ready(
        sunk, **{"turn": 7, "deadline": 7, "phase": "draw_flood", "flood_draws_left": 1, "hands": [], **position}
    )


def test_deadline__too_little_has_sunk() -> None:
    state = do(last_flood(11), "p1", "draw_flood_card", "watchtower")
    assert (state.outcome, state.turn) == (invaders_outcome(), 7)


def test_deadline__the_last_card_sinks_the_twelfth_tile() -> None:
    state = do(last_flood(11, flooded=["watchtower"]), "p1", "draw_flood_card", "watchtower")
    assert (state.outcome, state.turn) == (None, 8)


def test_deadline__once_met_the_game_goes_on() -> None:
    """AR-R6."""
    state = do(last_flood(12, turn=9), "p1", "draw_flood_card", "watchtower")
    assert (state.outcome, state.turn) == (None, 10)


def test_deadline__not_a_turn_earlier() -> None:
    """AR-R8."""
    state = do(last_flood(0, turn=6), "p1", "draw_flood_card", "watchtower")
    assert state.outcome is None


def test_deadline__after_the_last_swim() -> None:
    state = last_flood(10, pawns=["fools_landing", "watchtower"], flooded=["watchtower"])
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert (state.phase, state.outcome) == ("swim", None)
    assert do(state, "p2", "swim", to="temple_of_the_sun").outcome == invaders_outcome()


def test_deadline__option_quota_sunk_13() -> None:
    state = do(last_flood(12, options={"quota_sunk": 13}), "p1", "draw_flood_card", "watchtower")
    assert state.outcome == invaders_outcome()


def test_clock__is_told_when_it_starts_and_when_it_is_met() -> None:
    names = ("Ada", "Bo")
    before, after = arriving(), do(arriving(), "p1", "move", to="fools_landing")
    assert RULES.aftermath(before, after, names) == "The clock starts: 12 more tiles by the end of turn 7."
    eleven = arriving(11)
    after = do(eleven, "p1", "move", to="fools_landing")
    assert RULES.aftermath(eleven, after, names) == "The clock starts: 1 more tile by the end of turn 7."
    enough = arriving(12)
    after = do(enough, "p1", "move", to="fools_landing")
    assert RULES.aftermath(enough, after, names) == "Everyone is on Fools' Landing, and enough tiles have sunk."

    last = last_flood(11, flooded=["watchtower"])
    after = do(last, "p1", "draw_flood_card", "watchtower")
    assert RULES.aftermath(last, after, names) == "12 tiles have sunk, as many as needed, in time."
    last = last_flood(11, flooded=["watchtower"], deadline=None, pawns=["gold_gate", "fools_landing"])
    after = do(last, "p1", "draw_flood_card", "watchtower")
    assert RULES.aftermath(last, after, names) == "12 tiles have sunk, as many as needed."
    assert RULES.aftermath(after, after, names) == ""


def test_deadline__stands_on_the_tableau() -> None:
    assert RULES.overview(last_flood(5), ("Ada", "Bo"))["Sunk so far"] == "5 of 12 tiles, by the end of turn 7"
    assert RULES.overview(ready(5), ("Ada", "Bo"))["Sunk so far"] == "5 of 12 tiles"


def test_deadline__stands_in_the_table_at_a_glance() -> None:
    assert RULES.headline(last_flood(5), ("Ada", "Bo")).endswith("to sink: 12 tiles by the end of turn 7")
    assert RULES.headline(ready(5), ("Ada", "Bo")).endswith(
        "artifacts: 4 of 4 · cards to draw: 27 Artifact deck, 19 Flood · to sink: 12 tiles"
    )


# Losing the Game: the first in time counts, AR-R10 and AR-R13


def test_losing__fools_landing_though_it_is_the_twelfth_tile() -> None:
    state = do(last_flood(11, flooded=["fools_landing"]), "p1", "draw_flood_card", "fools_landing")
    assert (len(state.sunk), state.outcome.reason) == (12, "fools_landing_sank")


def test_losing__an_artifact_though_its_site_is_the_twelfth_tile() -> None:
    state = last_flood(11, flooded=["cave_of_shadows"], captured=ALL_CAPTURED[1:])
    state = do(state, "p1", "draw_flood_card", "cave_of_shadows")
    assert (len(state.sunk), state.outcome.reason) == (12, "treasure_lost")


def test_losing__drowning_though_it_is_the_twelfth_tile() -> None:
    state = last_flood(11, flooded=["coral_palace"], pawns=["coral_palace"] * 2)
    state = do(state, "p1", "draw_flood_card", "coral_palace")
    assert (len(state.sunk), state.outcome.reason) == (12, "drowned")


def test_losing__the_skull() -> None:
    state = do(archaens(water_level=9), "p1", "draw_artifact_card", "island_defense")
    assert state.outcome == GameOutcome("lost", (), "skull", "Losing the Game")


def test_losing__five_ways() -> None:
    """AR-R14."""
    assert set(RULES.endings) == {
        "lifted_off",
        "skull",
        "fools_landing_sank",
        "treasure_lost",
        "drowned",
        "invaders_followed",
    }


def test_the_clock__a_deadline_that_has_passed_is_missed() -> None:
    """AR-R6: also if the table is set like this by facts."""
    over = replace(arriving(), turn=9, deadline=7).overdue()
    assert over.outcome is not None
    assert over.outcome.reason == "invaders_followed"
    assert replace(arriving(), turn=7, deadline=7).overdue().outcome is None
