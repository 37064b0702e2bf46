"""Forbidden Island: Move, with its exceptions (FI-R1 to FI-R5, FI-R28)."""

from __future__ import annotations

import pytest

from engine.kit.ruleset import Refusal
from tests.engine.games.forbidden_island.positions import island
from tests.engine.games.playing import do, offered, refused, said

# Move


def test_move__up_down_left_or_right() -> None:
    """FI-R2."""
    state = island(pawns=["fools_landing"])
    assert offered(state, "p1", "move") == ["cliffs_of_abandon", "dunes_of_deception", "gold_gate", "observatory"]


def test_move__costs_an_action() -> None:
    state = do(island(pawns=["fools_landing"]), "p1", "move", to="observatory")
    assert (state.pawns[0], state.actions_left) == ("observatory", 2)


def test_move__never_diagonally() -> None:
    assert refused(island(pawns=["fools_landing"]), "p1", "move", to="phantom_rock") == Refusal(
        "Move", "Phantom Rock is more than one move from Fools' Landing."
    )


def test_move__not_across_the_gap_beyond_the_island() -> None:
    """FI-R1: spaces outside the 24 are not missing tiles."""
    assert offered(island(pawns=["breakers_bridge"]), "p1", "move") == ["bronze_gate", "cave_of_shadows"]


def test_move__onto_a_flooded_tile() -> None:
    """FI-R2."""
    assert "observatory" in offered(island(pawns=["fools_landing"], flooded=["observatory"]), "p1", "move")


def test_move__not_onto_a_missing_tile() -> None:
    """FI-R2."""
    state = island(pawns=["fools_landing"], sunk=["observatory"])
    assert refused(state, "p1", "move", to="observatory") == Refusal("Move", "Observatory has sunk.")


def test_move__not_over_a_missing_tile() -> None:
    state = island(pawns=["fools_landing"], sunk=["observatory"])
    assert "tidal_palace" not in offered(state, "p1", "move")


def test_move__not_to_where_the_pawn_stands() -> None:
    state = island(pawns=["fools_landing"])
    assert refused(state, "p1", "move", to="fools_landing") == Refusal("Move", "The pawn is already there.")


def test_move__is_told() -> None:
    state = island(pawns=["fools_landing"])
    assert said(state, "p1", "move", to="observatory") == ("Move to Observatory", "Ada moves to Observatory.")


# Exceptions: The Explorer


def test_move__explorer_diagonally_too() -> None:
    state = island(roles=["explorer", "diver"], pawns=["fools_landing"])
    assert offered(state, "p1", "move") == [
        "cave_of_shadows",
        "cliffs_of_abandon",
        "copper_gate",
        "dunes_of_deception",
        "gold_gate",
        "misty_marsh",
        "observatory",
        "phantom_rock",
    ]


def test_move__explorer_not_onto_a_missing_tile() -> None:
    state = island(roles=["explorer", "diver"], pawns=["fools_landing"], sunk=["phantom_rock"])
    assert "phantom_rock" not in offered(state, "p1", "move")


# The Pilot, FI-R3


def test_fly__pilot_to_any_tile() -> None:
    state = island(
        roles=["pilot", "diver"],
        flooded=["watchtower"],
        sunk=["iron_gate", "coral_palace"],
        pawns=["fools_landing"] * 2,
    )
    targets = offered(state, "p1", "fly")
    assert len(targets) == 24 - 2 - 1
    assert "watchtower" in targets


def test_fly__costs_an_action() -> None:
    state = do(island(roles=["pilot", "diver"]), "p1", "fly", to="watchtower")
    assert (state.pawns[0], state.actions_left) == ("watchtower", 2)


def test_fly__once_per_turn() -> None:
    state = do(island(roles=["pilot", "diver"]), "p1", "fly", to="watchtower")
    assert refused(state, "p1", "fly", to="iron_gate") == Refusal("Move", "The Pilot flies once per turn.")


def test_fly__again_in_the_next_turn() -> None:
    state = island(roles=["pilot", "diver"], phase="draw_flood", flood_draws_left=1, has_flown=True, active=1)
    state = do(state, "p2", "draw_flood_card", "watchtower")
    assert "watchtower" in offered(state, "p1", "fly")


def test_fly__an_adjacent_tile_may_be_flown_or_moved_to() -> None:
    state = island(roles=["pilot", "diver"])
    assert "observatory" in offered(state, "p1", "fly")
    assert "observatory" in offered(state, "p1", "move")


def test_fly__a_plain_move_leaves_the_flight() -> None:
    state = do(island(roles=["pilot", "diver"]), "p1", "move", to="observatory")
    assert not state.has_flown


def test_fly__only_the_pilot() -> None:
    assert refused(island(), "p1", "fly", to="watchtower") == Refusal("Move", "Only the Pilot can fly.")


def test_fly__not_to_a_missing_tile() -> None:
    state = island(roles=["pilot", "diver"], sunk=["watchtower"])
    assert refused(state, "p1", "fly", to="watchtower") == Refusal("Move", "Watchtower has sunk.")


def test_fly__not_to_where_the_pawn_stands() -> None:
    state = island(roles=["pilot", "diver"])
    assert refused(state, "p1", "fly", to="fools_landing") == Refusal("Move", "The pawn is already there.")


def test_fly__is_told() -> None:
    state = island(roles=["pilot", "diver"])
    assert said(state, "p1", "fly", to="watchtower") == ("Fly to Watchtower", "Ada flies to Watchtower.")


# The Navigator, FI-R4 and FI-R28


def test_navigate__one_or_two_adjacent_tiles() -> None:
    state = island(roles=["navigator", "messenger"], pawns=["iron_gate", "watchtower"])
    assert offered(state, "p1", "navigate") == [
        ("p2", "misty_marsh"),
        ("p2", "temple_of_the_moon"),
        ("p2", "temple_of_the_sun"),
        ("p2", "tidal_palace"),
        ("p2", "whispering_garden"),
    ]


def test_navigate__costs_an_action() -> None:
    state = island(roles=["navigator", "messenger"], pawns=["iron_gate", "watchtower"])
    state = do(state, "p1", "navigate", seat="p2", to="tidal_palace")
    assert (state.pawns, state.actions_left) == (("iron_gate", "tidal_palace"), 2)


def test_navigate__not_through_a_missing_tile() -> None:
    state = island(roles=["navigator", "messenger"], pawns=["iron_gate", "watchtower"], sunk=["temple_of_the_sun"])
    assert offered(state, "p1", "navigate") == [("p2", "tidal_palace"), ("p2", "whispering_garden")]


def test_navigate__there_and_back_is_no_move() -> None:
    state = island(roles=["navigator", "messenger"], pawns=["iron_gate", "watchtower"])
    assert refused(state, "p1", "navigate", seat="p2", to="watchtower") == Refusal(
        "Move", "Watchtower is more than two steps from Watchtower."
    )


def test_navigate__not_three_tiles() -> None:
    state = island(roles=["navigator", "messenger"], pawns=["iron_gate", "watchtower"])
    assert refused(state, "p1", "navigate", seat="p2", to="observatory") == Refusal(
        "Move", "Observatory is more than two steps from Watchtower."
    )


@pytest.mark.parametrize("seat", ["p1", "p3"])
def test_navigate__another_player_not_herself(seat: str) -> None:
    state = island(roles=["navigator", "messenger"])
    assert refused(state, "p1", "navigate", seat=seat, to="fools_landing") == Refusal(
        "Move", "The Navigator can only move another player."
    )


def test_navigate__only_the_navigator() -> None:
    state = island(roles=["messenger", "navigator"])
    assert refused(state, "p1", "navigate", seat="p2", to="fools_landing") == Refusal(
        "Move", "Only the Navigator can move other players."
    )


def test_navigate__explorer_each_step_diagonally_too() -> None:
    state = island(roles=["navigator", "explorer"], pawns=["iron_gate", "breakers_bridge"])
    targets = offered(state, "p1", "navigate")
    assert ("p2", "fools_landing") in targets
    assert ("p2", "gold_gate") in targets
    assert ("p2", "observatory") not in targets


def test_navigate__diver_first_step_onto_a_missing_space() -> None:
    state = island(
        roles=["navigator", "diver"], pawns=["gold_gate", "watchtower"], sunk=["temple_of_the_sun", "misty_marsh"]
    )
    targets = offered(state, "p1", "navigate")
    assert ("p2", "temple_of_the_moon") in targets
    assert ("p2", "lost_lagoon") not in targets


def test_navigate__diver_ends_on_a_tile() -> None:
    state = island(roles=["navigator", "diver"], pawns=["gold_gate", "watchtower"], sunk=["temple_of_the_sun"])
    assert ("p2", "temple_of_the_sun") not in offered(state, "p1", "navigate")


def test_navigate__pilot_never_flies() -> None:
    state = island(roles=["navigator", "pilot"], pawns=["gold_gate", "watchtower"])
    assert len(offered(state, "p1", "navigate")) == 5


def test_navigate__is_told() -> None:
    state = island(roles=["navigator", "messenger"], pawns=["iron_gate", "watchtower"])
    assert said(state, "p1", "navigate", seat="p2", to="tidal_palace") == (
        "Move Bo to Tidal Palace",
        "Ada moves Bo to Tidal Palace.",
    )


# The option navigator_uses_target_power: none, FI-R4


def test_navigate__option_none__explorer_orthogonally_only() -> None:
    state = island(
        roles=["navigator", "explorer"],
        pawns=["iron_gate", "watchtower"],
        options={"navigator_uses_target_power": "none"},
    )
    assert len(offered(state, "p1", "navigate")) == 5
    assert ("p2", "lost_lagoon") not in offered(state, "p1", "navigate")


def test_navigate__option_none__diver_on_tiles_only() -> None:
    state = island(
        roles=["navigator", "diver"],
        pawns=["gold_gate", "watchtower"],
        sunk=["temple_of_the_sun"],
        options={"navigator_uses_target_power": "none"},
    )
    assert offered(state, "p1", "navigate") == [("p2", "tidal_palace"), ("p2", "whispering_garden")]


# The option navigator_uses_target_power: full, FI-R4


def test_navigate__option_full__diver_swims_in_each_step() -> None:
    state = island(
        roles=["navigator", "diver"],
        pawns=["gold_gate", "watchtower"],
        sunk=["temple_of_the_sun", "misty_marsh"],
        options={"navigator_uses_target_power": "full"},
    )
    targets = offered(state, "p1", "navigate")
    assert ("p2", "dunes_of_deception") in targets
    assert ("p2", "cave_of_shadows") in targets
    assert ("p2", "breakers_bridge") not in targets


def test_navigate__option_full__explorer_diagonally() -> None:
    state = island(
        roles=["navigator", "explorer"],
        pawns=["iron_gate", "breakers_bridge"],
        options={"navigator_uses_target_power": "full"},
    )
    assert ("p2", "gold_gate") in offered(state, "p1", "navigate")


def test_navigate__option_full__pilot_never_flies() -> None:
    state = island(
        roles=["navigator", "pilot"],
        pawns=["gold_gate", "watchtower"],
        options={"navigator_uses_target_power": "full"},
    )
    assert len(offered(state, "p1", "navigate")) == 5


# The Diver, FI-R5


def test_move__diver_through_flooded_and_missing_tiles() -> None:
    state = island(
        roles=["diver", "engineer"],
        pawns=["fools_landing"],
        sunk=["observatory"],
        flooded=["tidal_palace"],
    )
    assert "whispering_garden" in offered(state, "p1", "move")


def test_move__diver_may_turn_in_the_water() -> None:
    state = island(roles=["diver", "engineer"], pawns=["fools_landing"], sunk=["observatory", "misty_marsh"])
    assert "lost_lagoon" in offered(state, "p1", "move")


def test_move__diver_not_past_a_dry_tile() -> None:
    state = island(roles=["diver", "engineer"], pawns=["fools_landing"], sunk=["tidal_palace"])
    assert refused(state, "p1", "move", to="whispering_garden") == Refusal(
        "Move", "Whispering Garden is more than one move from Fools' Landing."
    )


def test_move__diver_not_diagonally() -> None:
    state = island(roles=["diver", "engineer"], pawns=["fools_landing"])
    assert offered(state, "p1", "move") == ["cliffs_of_abandon", "dunes_of_deception", "gold_gate", "observatory"]


def test_move__diver_may_end_on_a_flooded_tile() -> None:
    state = island(roles=["diver", "engineer"], pawns=["fools_landing"], sunk=["observatory"], flooded=["tidal_palace"])
    assert "tidal_palace" in offered(state, "p1", "move")


def test_move__diver_ends_on_a_tile() -> None:
    state = island(roles=["diver", "engineer"], pawns=["fools_landing"], sunk=["observatory", "tidal_palace"])
    assert refused(state, "p1", "move", to="tidal_palace") == Refusal("Move", "Tidal Palace has sunk.")


def test_move__diver_not_back_to_where_she_stands() -> None:
    state = island(roles=["diver", "engineer"], pawns=["fools_landing"], flooded=["fools_landing", "observatory"])
    assert "fools_landing" not in offered(state, "p1", "move")


def test_move__diver_one_action_however_far() -> None:
    state = island(roles=["diver", "engineer"], pawns=["fools_landing"], sunk=["observatory"], flooded=["tidal_palace"])
    assert do(state, "p1", "move", to="whispering_garden").actions_left == 2
