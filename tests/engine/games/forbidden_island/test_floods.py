"""Forbidden Island: 3. Draw Flood Cards (FI-R14 to FI-R16, FI-R18 to FI-R20, FI-R26, FI-R27, FI-R31, FI-R32)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from engine.games.forbidden_island.components import TILES
from engine.kit.ruleset import Refusal
from tests.engine.games.forbidden_island.positions import island
from tests.engine.games.playing import do, kinds, may_come_up, offered, refused, rules_of, said

AROUND_WATCHTOWER = ["temple_of_the_sun", "whispering_garden"]
"""Both neighbours of a tile; once they have sunk, a pawn there cannot swim."""


def sinking(*pawns: str, **position: Any) -> Any:
    """A position in which the next flood card may sink Watchtower."""
    flooded = {"watchtower", *position.pop("flooded", ())}
    return island(**{"phase": "draw_flood", "flooded": flooded, "pawns": pawns, **position})


# 3. Draw Flood Cards, FI-R14


@pytest.mark.parametrize(("level", "cards"), list(enumerate((2, 2, 3, 3, 3, 4, 4, 5, 5), 1)))
def test_draw_flood__as_many_cards_as_the_meter_says(level: int, cards: int) -> None:
    state = island(phase="draw_treasure", treasure_draws_left=1, water_level=level)
    assert do(state, "p1", "draw_treasure_card", "earth_stone").flood_draws_left == cards


def test_draw_flood__one_at_a_time() -> None:
    state = do(island(phase="draw_flood", flood_draws_left=2), "p1", "draw_flood_card", "watchtower")
    assert (state.phase, state.flood_draws_left) == ("draw_flood", 1)


def test_draw_flood__any_tile_whose_card_is_in_the_top_layer() -> None:
    state = island(phase="draw_flood", flood_pile=["watchtower", "iron_gate", "gold_gate"])
    assert may_come_up(state, "p1", "draw_flood_card") == {
        "gold_gate": Fraction(1, 3),
        "iron_gate": Fraction(1, 3),
        "watchtower": Fraction(1, 3),
    }


def test_draw_flood__the_active_player() -> None:
    assert refused(island(phase="draw_flood"), "p2", "draw_flood_card") == Refusal(
        "3. Draw Flood Cards", "It is another player's turn."
    )


def test_draw_flood__after_the_treasure_cards() -> None:
    assert refused(island(phase="draw_treasure"), "p1", "draw_flood_card") == Refusal(
        "3. Draw Flood Cards", "You cannot draw a Flood card now."
    )


def test_draw_flood__a_dry_tile_is_flooded() -> None:
    state = do(island(phase="draw_flood"), "p1", "draw_flood_card", "watchtower")
    assert state.flooded == {"watchtower"}
    assert state.flood_discard == ("watchtower",)


def test_draw_flood__a_flooded_tile_sinks_with_its_card() -> None:
    state = do(sinking(), "p1", "draw_flood_card", "watchtower")
    assert (state.flooded, state.sunk) == (set(), {"watchtower"})
    assert "watchtower" not in (*state.flood_discard, *state.flood_pile.cards())


def test_draw_flood__a_revealed_tile_cannot_be_saved() -> None:
    """FI-R16: the card applies at once, without a moment between."""
    state = do(sinking(hands=[["sandbags"]]), "p1", "draw_flood_card", "watchtower")
    assert refused(state, "p1", "play_sandbags", tile="watchtower") == Refusal(
        "Special Action Cards", "Watchtower has sunk."
    )


def test_draw_flood__between_two_cards_sandbags_may_be_played() -> None:
    state = do(sinking(hands=[[], ["sandbags"]]), "p1", "draw_flood_card", "iron_gate")
    assert do(state, "p2", "play_sandbags", tile="watchtower").flooded == {"iron_gate"}


@pytest.mark.parametrize(("flooded", "sentence"), [([], "Watchtower floods."), (["watchtower"], "Watchtower sinks.")])
def test_draw_flood__is_told(flooded: list[str], sentence: str) -> None:
    state = island(phase="draw_flood", flooded=flooded)
    assert said(state, "p1", "draw_flood_card", "watchtower") == ("Draw a Flood card", sentence)


def test_draw_flood__a_tile_that_sinks_is_told_with_what_it_takes() -> None:
    state = island(phase="draw_flood", flooded=["cave_of_embers"], pawns=["cave_of_embers", "watchtower"])
    assert said(state, "p1", "draw_flood_card", "cave_of_embers")[1] == (
        "Cave of Embers sinks with Ada on it. For the Crystal of Fire, only Cave of Shadows is left."
    )


# Pawns on Flooded Tiles


def test_pawns__stay_on_a_tile_that_is_flooded() -> None:
    state = do(island(phase="draw_flood", pawns=["watchtower"]), "p1", "draw_flood_card", "watchtower")
    assert (state.phase, state.pawns[0]) == ("draw_flood", "watchtower")


def test_swim__a_pawn_whose_tile_sinks_swims_at_once() -> None:
    state = do(sinking("iron_gate", "watchtower"), "p1", "draw_flood_card", "watchtower")
    assert (state.phase, rules_of(state).awaiting(state)) == ("swim", (1,))
    state = do(state, "p2", "swim", to="temple_of_the_sun")
    assert (state.phase, state.pawns[1]) == ("draw_flood", "temple_of_the_sun")


def test_swim__up_down_left_or_right_also_to_a_flooded_tile() -> None:
    state = sinking("watchtower", flooded=["whispering_garden"])
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert offered(state, "p1", "swim") == ["temple_of_the_sun", "whispering_garden"]


def test_swim__not_to_a_missing_tile() -> None:
    state = do(sinking("watchtower", sunk=["whispering_garden"]), "p1", "draw_flood_card", "watchtower")
    assert refused(state, "p1", "swim", to="whispering_garden") == Refusal(
        "Pawns on Flooded Tiles", "That pawn cannot swim to Whispering Garden."
    )


def test_swim__every_pawn_on_the_tile_in_any_order() -> None:
    """FI-R19."""
    state = do(sinking("watchtower", "watchtower"), "p1", "draw_flood_card", "watchtower")
    state = do(state, "p2", "swim", to="temple_of_the_sun")
    assert rules_of(state).awaiting(state) == (0,)
    assert do(state, "p1", "swim", to="whispering_garden").phase == "draw_flood"


def test_swim__the_draws_wait() -> None:
    state = do(sinking("watchtower"), "p1", "draw_flood_card", "watchtower")
    assert kinds(state, "p1") == ["swim"]


def test_swim__only_a_pawn_in_the_water() -> None:
    state = do(sinking("watchtower"), "p1", "draw_flood_card", "watchtower")
    assert refused(state, "p2", "swim", to="temple_of_the_sun") == Refusal(
        "Pawns on Flooded Tiles", "That pawn is not in the water."
    )


def test_swim__is_told() -> None:
    state = do(sinking("watchtower"), "p1", "draw_flood_card", "watchtower")
    assert said(state, "p1", "swim", to="temple_of_the_sun") == (
        "Swim to Temple of the Sun",
        "Ada swims to Temple of the Sun.",
    )


# Exceptions, FI-R20


def test_swim__explorer_diagonally_too() -> None:
    state = sinking("watchtower", roles=["explorer", "diver"], sunk=["temple_of_the_sun"])
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert offered(state, "p1", "swim") == ["temple_of_the_moon", "tidal_palace", "whispering_garden"]


def test_swim__pilot_to_any_tile_and_keeps_the_flight() -> None:
    """FI-R3: it neither uses nor needs the flight of the turn."""
    state = do(sinking("watchtower", roles=["pilot", "diver"]), "p1", "draw_flood_card", "watchtower")
    assert len(offered(state, "p1", "swim")) == 23
    assert not do(state, "p1", "swim", to="copper_gate").has_flown
    assert len(offered(msgspec.structs.replace(state, has_flown=True), "p1", "swim")) == 23


def test_swim__pilot_who_has_flown() -> None:
    state = sinking("watchtower", roles=["pilot", "diver"], has_flown=True)
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert len(offered(state, "p1", "swim")) == 23


def test_swim__diver_to_the_nearest_tile() -> None:
    state = sinking("watchtower", roles=["diver", "pilot"], sunk=["temple_of_the_sun"])
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert offered(state, "p1", "swim") == ["whispering_garden"]


def test_swim__diver_to_any_of_the_nearest_tiles() -> None:
    state = sinking("watchtower", roles=["diver", "pilot"], sunk=AROUND_WATCHTOWER)
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert offered(state, "p1", "swim") == ["misty_marsh", "temple_of_the_moon", "tidal_palace"]


def test_swim__option_as_move__diver_along_flooded_and_missing_tiles() -> None:
    state = sinking(
        "watchtower",
        roles=["diver", "pilot"],
        sunk=["temple_of_the_sun"],
        flooded=["whispering_garden"],
        options={"diver_swim": "as_move"},
    )
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert offered(state, "p1", "swim") == ["misty_marsh", "temple_of_the_moon", "tidal_palace", "whispering_garden"]


# Helicopter Lift as a rescue, FI-R18 and FI-R26


def test_rescue__a_lift_takes_pawns_off_the_tile_that_sank() -> None:
    state = sinking("watchtower", "watchtower", hands=[[], ["helicopter_lift"]])
    state = do(state, "p1", "draw_flood_card", "watchtower")
    state = do(state, "p2", "play_helicopter_lift", pawns=["p1", "p2"], to="copper_gate")
    assert (state.phase, state.pawns) == ("draw_flood", ("copper_gate", "copper_gate"))


def test_rescue__any_of_the_pawns() -> None:
    state = sinking("watchtower", "watchtower", hands=[["helicopter_lift"]])
    state = do(state, "p1", "draw_flood_card", "watchtower")
    state = do(state, "p1", "play_helicopter_lift", pawns=["p2"], to="copper_gate")
    assert (state.phase, rules_of(state).awaiting(state)) == ("swim", (0,))


def test_rescue__a_pawn_that_cannot_swim() -> None:
    state = sinking("iron_gate", "watchtower", sunk=AROUND_WATCHTOWER, hands=[["helicopter_lift"]])
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert (state.phase, state.outcome) == ("swim", None)
    state = do(state, "p1", "play_helicopter_lift", pawns=["p2"], to="copper_gate")
    assert state.phase == "draw_flood"


def test_rescue__other_special_cards_may_be_played_meanwhile() -> None:
    """FI-R26."""
    state = sinking("iron_gate", "watchtower", flooded=["iron_gate"], hands=[["helicopter_lift", "sandbags"]])
    state = do(state, "p1", "draw_flood_card", "watchtower")
    state = do(state, "p1", "play_sandbags", tile="iron_gate")
    state = do(state, "p1", "play_helicopter_lift", pawns=["p1"], to="copper_gate")
    assert (state.phase, state.pawns) == ("swim", ("copper_gate", "watchtower"))


def test_rescue__not_onto_the_tile_that_sank() -> None:
    state = do(sinking("watchtower", hands=[["helicopter_lift"]]), "p1", "draw_flood_card", "watchtower")
    assert refused(state, "p1", "play_helicopter_lift", pawns=["p2"], to="watchtower") == Refusal(
        "Special Action Cards", "Watchtower has sunk."
    )


def test_rescue__option_false__no_lift_from_a_tile_that_has_sunk() -> None:
    state = sinking("watchtower", hands=[["helicopter_lift"]], options={"lift_rescues_sinking": False})
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert refused(state, "p1", "play_helicopter_lift", pawns=["p1"], to="copper_gate") == Refusal(
        "Pawns on Flooded Tiles", "The options of this game do not allow a Helicopter Lift from a sunk tile."
    )


def test_rescue__option_false__other_pawns_may_be_lifted() -> None:
    state = sinking("watchtower", hands=[["helicopter_lift"]], options={"lift_rescues_sinking": False})
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert do(state, "p1", "play_helicopter_lift", pawns=["p2"], to="copper_gate").pawns[1] == "copper_gate"


# When the Flood Draw Pile Runs Out, FI-R15 and FI-R31


def test_flood_pile__its_last_card_dealt_with_the_discard_is_shuffled() -> None:
    state = island(phase="draw_flood", flood_pile=["watchtower"])
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert (state.flood_pile.layers, state.flood_discard) == ((TILES,), ())


def test_flood_pile__drawing_goes_on_from_the_new_one() -> None:
    state = island(phase="draw_flood", flood_pile=["watchtower"])
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert may_come_up(state, "p1", "draw_flood_card")["iron_gate"] == Fraction(1, 24)


def test_flood_pile__a_tile_may_flood_and_sink_in_one_step() -> None:
    state = island(phase="draw_flood", flood_pile=["watchtower"])
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert do(state, "p1", "draw_flood_card", "watchtower").sunk == {"watchtower"}


def test_flood_pile__a_sunk_tiles_card_is_not_shuffled_in() -> None:
    state = do(sinking(flood_pile=["watchtower"]), "p1", "draw_flood_card", "watchtower")
    assert len(state.flood_pile) == 23
    assert "watchtower" not in state.flood_pile.cards()


def test_flood_pile__renewed_before_pawns_swim() -> None:
    state = do(sinking("watchtower", flood_pile=["watchtower"]), "p1", "draw_flood_card", "watchtower")
    assert (state.phase, len(state.flood_pile)) == ("swim", 23)


def test_flood_pile__option_lazy__renewed_when_the_next_card_is_drawn() -> None:
    state = island(phase="draw_flood", flood_pile=["watchtower"], options={"flood_reshuffle": "lazy"})
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert (len(state.flood_pile), len(state.flood_discard)) == (0, 24)
    state = do(state, "p1", "draw_flood_card", "watchtower")
    assert (len(state.flood_pile), state.sunk) == (23, {"watchtower"})


def test_flood_pile__option_lazy__waters_rise_makes_the_new_one() -> None:
    state = island(phase="draw_treasure", flood_pile=[], options={"flood_reshuffle": "lazy"})
    state = do(state, "p1", "draw_treasure_card", "waters_rise")
    assert (state.flood_pile.layers, state.flood_discard) == ((TILES,), ())


# The turn passes, FI-R32


def test_turn__passes_to_the_left_after_the_last_flood_card() -> None:
    state = do(island(phase="draw_flood", flood_draws_left=1), "p1", "draw_flood_card", "watchtower")
    assert (state.turn, state.active, state.phase) == (2, 1, "actions")
    assert (state.actions_left, state.treasure_draws_left) == (3, 2)


@pytest.mark.parametrize(("active", "next_one"), [(0, 1), (1, 2), (2, 0)])
def test_turn__goes_round_the_table(active: int, next_one: int) -> None:
    roles = ["messenger", "engineer", "pilot"]
    state = island(roles=roles, phase="draw_flood", flood_draws_left=1, active=active)
    assert do(state, f"p{active + 1}", "draw_flood_card", "watchtower").active == next_one


def test_turn__passes_after_the_last_swim() -> None:
    state = do(sinking("iron_gate", "watchtower", flood_draws_left=1), "p1", "draw_flood_card", "watchtower")
    assert (state.phase, state.turn) == ("swim", 1)
    state = do(state, "p2", "swim", to="temple_of_the_sun")
    assert (state.phase, state.turn, state.active) == ("actions", 2, 1)
