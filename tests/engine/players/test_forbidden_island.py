"""The player of Forbidden Island and its variants: its actions in positions, and its rate of wins."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forbidden_island.components import SITES, TREASURES
from engine.kit.chance import Stream
from engine.play import registry
from engine.players.registry import player_of
from engine.players.simulation import simulate
from engine.players.value import Valuer
from tests.engine.games.forbidden_island.positions import ARCHAENS, FORBIDDEN_ISLAND, island
from tests.engine.games.playing import do, rules_of

LIFT, BAGS = "helicopter_lift", "sandbags"
OCEAN, FIRE = "oceans_chalice", "crystal_of_fire"
LANDING = "fools_landing"
GATES = ("iron_gate", "gold_gate", "silver_gate", "bronze_gate")


def plan(ruleset: str = FORBIDDEN_ISLAND, **position: Any) -> tuple[str, int]:
    """Return the player's first action in a position, with its seat."""
    return best(island(ruleset, **position))


def best(state: Any) -> tuple[str, int]:
    action, seat = player_of(rules_of(state)).propose(state, Stream(0))[0]
    assert action.refusal(state, seat) is None
    return action.label(state, ["Ann", "Ben", "Cyd", "Dee"]), seat


def test_it_captures() -> None:
    hands = [[OCEAN] * 4]
    assert plan(hands=hands, pawns=["tidal_palace"]) == ("Capture Ocean's Chalice", 0)
    assert plan(hands=hands, pawns=["observatory"]) == ("Move to Tidal Palace", 0)
    assert plan(ARCHAENS, hands=hands, pawns=["tidal_palace"]) == ("Save Ocean's Chalice", 0)


def test_it_gives_to_the_collector() -> None:
    hands = [[OCEAN], [OCEAN] * 3]
    assert plan(hands=hands) == ("Give Ocean's Chalice to Ben", 0)
    assert plan(hands=hands, roles=("diver", "engineer"), pawns=["observatory", "observatory"])[0] == (
        "Give Ocean's Chalice to Ben"
    )
    # The collector must discard another card for it, and does.
    full = [*[OCEAN] * 3, FIRE, FIRE]
    assert plan(hands=[[OCEAN], full]) == ("Give Ocean's Chalice to Ben", 0)


def test_it_meets_the_collector() -> None:
    apart = {"roles": ("diver", "explorer"), "pawns": ["iron_gate", "misty_marsh"]}
    assert plan(hands=[[OCEAN], [OCEAN] * 3], **apart) == ("Move to Lost Lagoon", 0)
    assert plan(hands=[[OCEAN] * 3, [OCEAN]], **apart) == ("Move to Lost Lagoon", 0)


def test_it_shores_up_what_it_would_miss() -> None:
    assert plan(pawns=["observatory"], flooded=[LANDING], roles=("diver", "pilot"))[0] == "Shore up Fools' Landing"
    two = {"flooded": [LANDING, "phantom_rock"], "pawns": ["observatory", "iron_gate"]}
    assert plan(roles=("engineer", "diver"), **two)[0] == "Shore up Fools' Landing and Phantom Rock"
    far = {"flooded": ["howling_garden"], "sunk": ["whispering_garden"]}
    assert plan(roles=("pilot", "diver"), pawns=["iron_gate"], **far)[0].startswith("Fly to ")
    assert plan(roles=("pilot", "diver"), pawns=["iron_gate"], has_flown=True, **far)[0].startswith("Move to ")
    assert plan(roles=("diver", "pilot"), pawns=["crimson_forest"], **far)[0].startswith("Move to ")


def test_the_navigator_brings_a_pawn_home() -> None:
    position = {"roles": ("navigator", "diver"), "pawns": [LANDING, "crimson_forest"], "captured": TREASURES}
    assert plan(**position, hands=[[LIFT]]) == ("Move Ben to Fools' Landing", 0)


def test_it_ends_its_turn_with_nothing_to_do() -> None:
    assert plan(roles=("diver", "engineer"), pawns=[LANDING, LANDING], captured=TREASURES)[0] == (
        "Draw a Treasure deck card"
    )


@pytest.mark.parametrize("phase", ["draw_treasure", "draw_flood"])
def test_it_draws(phase: str) -> None:
    assert plan(phase=phase)[0].startswith("Draw a ")
    assert plan(phase=phase, captured=TREASURES, hands=[[BAGS]])[0].startswith("Draw a ")


def test_sandbags_save_the_landing() -> None:
    risk = {"flooded": [LANDING], "flood_pile": [LANDING, "observatory"]}
    assert plan(phase="draw_flood", hands=[[], [BAGS]], **risk) == ("Sandbags: shore up Fools' Landing", 1)
    assert plan(phase="draw_flood", hands=[[], [BAGS]], flood_pile=()) == ("Draw a Flood card", 0)
    last = {"actions_left": 1, "pawns": ["iron_gate", "iron_gate"], "roles": ("messenger", "diver")}
    assert plan(hands=[[BAGS]], **risk, **last) == ("Sandbags: shore up Fools' Landing", 0)
    assert plan(hands=[[BAGS]], actions_left=1)[0] == "Draw a Treasure deck card"


def test_a_full_hand() -> None:
    full = {"phase": "discard", "active": 0}
    assert plan(hands=[[OCEAN] * 5 + [FIRE]], **full)[0] in {"Discard Ocean's Chalice", "Discard Crystal of Fire"}
    assert plan(hands=[[OCEAN] * 4 + [FIRE] * 2], captured=[FIRE], **full)[0] == "Discard Crystal of Fire"
    assert plan(hands=[[OCEAN] * 3 + [FIRE] * 2 + [BAGS]], flooded=[LANDING], **full)[0].startswith("Sandbags")
    lifts = [[OCEAN] * 4 + [LIFT] * 2]
    assert plan(hands=lifts, pawns=[LANDING], **full)[0].startswith("Helicopter Lift: Ann to ")
    assert plan(hands=[[OCEAN] * 2 + [FIRE] * 2 + [LIFT] * 2], **full)[0].startswith("Discard ")


def test_a_spare_lift_carries_the_one_who_captures() -> None:
    far = {"pawns": ["howling_garden", LANDING], "roles": ("engineer", "diver")}
    assert plan(hands=[[OCEAN] * 4, [LIFT] * 2], **far)[0].startswith("Helicopter Lift: Ann to ")


def test_lifts_end_the_game() -> None:
    home = {"captured": TREASURES, "hands": [[LIFT] * 2]}
    assert plan(pawns=[LANDING] * 2, **home) == ("Helicopter Lift: lift off Fools' Landing", 0)
    assert plan(pawns=[LANDING, "iron_gate"], **home) == ("Helicopter Lift: Ben to Fools' Landing", 0)
    gone = [tile for sites in SITES.values() for tile in sites] + [
        "iron_gate",
        "gold_gate",
        "silver_gate",
        "bronze_gate",
    ]
    assert plan(ARCHAENS, pawns=[LANDING] * 2, sunk=gone, **home)[0] == "Helicopter Lift: lift off Fools' Landing"
    # Too few tiles have sunk: the Archaens wait.
    assert plan(ARCHAENS, pawns=[LANDING] * 2, flooded=["observatory"], **home)[0] == "Draw an Artifact deck card"
    assert "Lift" not in plan(ARCHAENS, pawns=[LANDING, "iron_gate"], **home)[0]


def test_swimmers() -> None:
    swim = {"phase": "swim", "pawns": ["iron_gate", LANDING], "roles": ("engineer", "diver")}
    assert plan(sunk=["iron_gate"], **swim)[0].startswith("Swim to ")
    stuck = ["iron_gate", "lost_lagoon", "coral_palace"]
    rescue = plan(sunk=stuck, hands=[[], [LIFT]], **swim)
    assert rescue[0].startswith("Helicopter Lift: Ann to ")
    no_rescue = {"options": {"lift_rescues_sinking": False}, "hands": [[], [LIFT]]}
    assert plan(sunk=stuck, **swim, **no_rescue)[0] == "Drown"
    assert plan(sunk=stuck, **swim)[0] == "Drown"


def test_the_archaens_save_a_revealed_tile() -> None:
    for tile, told in ((LANDING, "Sandbags: shore up Fools' Landing"), ("iron_gate", "Iron Gate sinks")):
        options = {"sandbags_after_reveal": True}
        state = island(ARCHAENS, phase="draw_flood", flooded=[tile], flood_pile=[tile], options=options, hands=[[BAGS]])
        state = do(state, "p1", "draw_flood_card", tile)
        assert best(state)[0] == told


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("ruleset", [FORBIDDEN_ISLAND, ARCHAENS])
@pytest.mark.long
def test_it_often_wins(ruleset: str, seats: int) -> None:
    rules = registry.ruleset(ruleset)
    rows = [row for row in simulate(Valuer(player_of(rules), rules, 1), {}, seats, 60) if row is not None]
    assert rows[0].games == 60
    assert rows[0].win_rate > 0.2
