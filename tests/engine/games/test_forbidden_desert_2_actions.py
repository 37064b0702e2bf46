"""Forbidden Desert, rulebook: Take Up to 4 Actions (Move, Remove Sand, Excavate, Pick Up a Part), Share Water."""

from __future__ import annotations

import pytest

from engine.errors import ImpossibleOutcome, Malformed
from tests.engine.games.desert import RULES, act, chances, offered, refused, table

# Take Up to 4 Actions


def test_actions__each_costs_one_of_four() -> None:
    assert act(table("archeologist", "explorer"), "p1", "move", to="r1c2").actions_left == 3


def test_actions__the_fourth_is_the_last() -> None:
    state = act(table("archeologist", "explorer", actions_left=1), "p1", "move", to="r1c2")
    assert state.phase == "storm"
    assert "over" in refused(state, "p1", "move", to="r1c1")


def test_actions__none_has_to_be_taken() -> None:
    state = act(table("archeologist", "explorer"), "p1", "draw_storm_card", "wind_north_1")
    assert (state.actions_left, state.phase) == (0, "storm")


def test_actions__only_on_the_own_turn() -> None:
    assert "another player's turn" in refused(table("archeologist", "explorer"), "p2", "move", to="r1c2")


# Move


def test_move__up_down_left_right() -> None:
    moves = offered(table("archeologist", "explorer", at="r2c2"), "p1", "move")
    assert [move.to for move in moves] == ["r1c2", "r2c1", "r2c3", "r3c2"]


def test_move__never_diagonally() -> None:
    assert "cannot be reached" in refused(table("archeologist", "explorer", at="r2c2"), "p1", "move", to="r1c1")


def test_move__not_beyond_the_edge() -> None:
    assert [move.to for move in offered(table("archeologist", "explorer"), "p1", "move")] == ["r1c2", "r2c1"]


def test_move__not_to_the_own_tile() -> None:
    assert refused(table("archeologist", "explorer"), "p1", "move", to="r1c1")


def test_move__with_one_marker_a_tile_is_not_blocked() -> None:
    assert act(table("archeologist", "explorer", sand={"r1c2": 1}), "p1", "move", to="r1c2").pawns[0] == "r1c2"


def test_move__with_two_markers_a_tile_is_blocked() -> None:
    assert refused(table("archeologist", "explorer", sand={"r1c2": 2}), "p1", "move", to="r1c2")


def test_move__never_through_the_storm() -> None:
    assert refused(table("archeologist", "explorer", at="r2c3"), "p1", "move", to="r3c3")


def test_move__a_passenger_only_with_the_climber() -> None:
    assert "Only the Climber" in refused(table("archeologist", "explorer"), "p1", "move", to="r1c2", passenger="p2")


def test_move__to_a_space_of_the_board() -> None:
    with pytest.raises(Malformed):
        RULES.parse("move", {"to": "r6c1"})


# Remove Sand


def test_remove_sand__a_marker_from_the_own_tile() -> None:
    state = act(table("climber", "explorer", sand={"r1c1": 1}), "p1", "remove_sand", tile="r1c1")
    assert (state.tile("r1c1").sand, state.sand_supply, state.actions_left) == (0, 48, 3)


def test_remove_sand__a_marker_from_an_adjacent_tile_even_a_blocked_one() -> None:
    assert act(table("climber", "explorer", sand={"r1c2": 3}), "p1", "remove_sand", tile="r1c2").tile("r1c2").sand == 2


def test_remove_sand__not_diagonally() -> None:
    message = refused(table("climber", "explorer", sand={"r2c2": 1}), "p1", "remove_sand", tile="r2c2")
    assert "not within reach" in message


def test_remove_sand__not_across_the_storm() -> None:
    assert refused(table("climber", "explorer", at="r3c2"), "p1", "remove_sand", tile="r3c3")


def test_remove_sand__not_where_there_is_none() -> None:
    assert "not so much sand" in refused(table("climber", "explorer"), "p1", "remove_sand", tile="r1c1")


def test_remove_sand__one_marker_per_action() -> None:
    state = table("climber", "explorer", sand={"r1c1": 2})
    assert "Archeologist" in refused(state, "p1", "remove_sand", tile="r1c1", markers=2)


def test_remove_sand__a_tunnel_makes_no_tile_adjacent() -> None:
    state = table("climber", "explorer", city={"r1c1": "tunnel", "r4c4": "tunnel"}, sand={"r4c4": 1})
    assert refused(state, "p1", "remove_sand", tile="r4c4")


# Excavate


def test_excavate__turns_the_own_tile() -> None:
    tile = act(table("climber", "explorer"), "p1", "excavate", "launch_pad").tile("r1c1")
    assert (tile.city_side, tile.is_excavated) == ("launch_pad", True)


def test_excavate__what_is_under_a_plain_tile_is_any_of_the_twenty() -> None:
    options = chances(table("climber", "explorer"), "p1", "excavate")
    assert len(options) == 20
    assert options.count("gear") == 8
    assert options.count("tunnel") == 3
    assert options.count("launch_pad") == 1


def test_excavate__what_has_been_seen_elsewhere_is_not_here() -> None:
    state = table("climber", "explorer", city={"r4c4": "launch_pad"}, peeked={"r4c5": "tunnel"})
    options = chances(state, "p1", "excavate")
    assert "launch_pad" not in options
    assert options.count("tunnel") == 2
    with pytest.raises(ImpossibleOutcome):
        act(state, "p1", "excavate", "launch_pad")


def test_excavate__a_tile_seen_before_is_what_it_was() -> None:
    assert chances(table("climber", "explorer", peeked={"r1c1": "tunnel"}), "p1", "excavate") == ("tunnel",)


def test_excavate__the_wreck_is_a_gear() -> None:
    assert chances(table("climber", "explorer", at="r5c5"), "p1", "excavate") == ("gear",)


def test_excavate__not_under_sand() -> None:
    assert "sand" in refused(table("climber", "explorer", sand={"r1c1": 1}), "p1", "excavate")


def test_excavate__not_twice() -> None:
    assert "already" in refused(table("climber", "explorer", city={"r1c1": "gear"}), "p1", "excavate")


# Pick Up a Part

FOUND = {"r4c4": "clue_engine_row", "r4c5": "clue_engine_column", "r1c1": "gear"}


def test_pick_up_a_part__from_the_own_tile_for_an_action() -> None:
    state = table("climber", "explorer", city=FOUND, parts={"r1c1": ("engine",)})
    after = act(state, "p1", "pick_up_part", part="engine")
    assert (after.collected, after.tile("r1c1").parts, after.actions_left) == (("engine",), (), 3)


def test_pick_up_a_part__with_one_marker_on_the_tile() -> None:
    state = table("climber", "explorer", city=FOUND, parts={"r1c1": ("engine",)}, sand={"r1c1": 1})
    assert act(state, "p1", "pick_up_part", part="engine").collected == ("engine",)


def test_pick_up_a_part__not_from_a_blocked_tile() -> None:
    state = table("climber", "explorer", city=FOUND, parts={"r1c1": ("engine",)}, sand={"r1c1": 2})
    assert "blocked" in refused(state, "p1", "pick_up_part", part="engine")


def test_pick_up_a_part__the_tile_has_to_be_excavated() -> None:
    state = table("climber", "explorer", parts={"r1c1": ("engine",)})
    assert "excavated" in refused(state, "p1", "pick_up_part", part="engine")


def test_pick_up_a_part__it_has_to_lie_there() -> None:
    assert "does not lie" in refused(table("climber", "explorer", city=FOUND), "p1", "pick_up_part", part="engine")


def test_pick_up_a_part__one_per_action() -> None:
    state = table("climber", "explorer", city=FOUND, parts={"r1c1": ("engine", "propeller")})
    assert act(state, "p1", "pick_up_part", part="propeller").tile("r1c1").parts == ("engine",)


# Share Water and Pass Equipment


def test_share_water__on_the_same_tile_for_free() -> None:
    state = act(table("climber", "explorer", water=(3, 1)), "p1", "give_water", to="p2", amount=2)
    assert (state.water, state.actions_left) == ((1, 3), 4)


def test_share_water__on_another_players_turn() -> None:
    assert act(table("climber", "explorer", water=(1, 3)), "p2", "give_water", to="p1", amount=1).water == (2, 2)


def test_share_water__between_two_storm_cards() -> None:
    state = table("climber", "explorer", water=(1, 3), phase="storm", storm_left=1, actions_left=0)
    assert act(state, "p2", "give_water", to="p1", amount=1).water == (2, 2)


def test_share_water__down_to_nothing() -> None:
    assert act(table("climber", "explorer", water=(2, 1)), "p1", "give_water", to="p2", amount=2).water == (0, 3)


def test_share_water__not_more_than_there_is() -> None:
    assert "not so much" in refused(table("climber", "explorer", water=(1, 1)), "p1", "give_water", to="p2", amount=2)


def test_share_water__never_above_the_maximum() -> None:
    assert "does not hold" in refused(table("climber", "explorer", water=(3, 3)), "p1", "give_water", to="p2", amount=2)


def test_share_water__not_to_an_adjacent_tile() -> None:
    state = table("climber", "explorer", at=("r1c1", "r1c2"), water=(3, 1))
    assert "within reach" in refused(state, "p1", "give_water", to="p2", amount=1)


def test_share_water__not_to_oneself() -> None:
    assert refused(table("climber", "explorer", water=(1, 1)), "p1", "give_water", to="p1", amount=1)


def test_share_water__a_buried_pawn_may() -> None:
    state = table("explorer", "navigator", sand={"r1c1": 2}, water=(3, 1))
    assert act(state, "p1", "give_water", to="p2", amount=1).water == (2, 2)


def test_pass_equipment__on_the_same_tile_for_free() -> None:
    state = table("climber", "explorer", equipment=(("jet_pack", "terrascope"), ("dune_blaster",)))
    after = act(state, "p1", "pass_equipment", to="p2", card="jet_pack")
    assert (after.equipment, after.actions_left) == ((("terrascope",), ("dune_blaster", "jet_pack")), 4)


def test_pass_equipment__at_any_time() -> None:
    state = table("climber", "explorer", equipment=((), ("jet_pack",)), phase="storm", storm_left=1, actions_left=0)
    assert act(state, "p2", "pass_equipment", to="p1", card="jet_pack").equipment == (("jet_pack",), ())


def test_pass_equipment__not_to_another_tile() -> None:
    state = table("climber", "explorer", at=("r1c1", "r1c2"), equipment=(("jet_pack",), ()))
    assert "same tile" in refused(state, "p1", "pass_equipment", to="p2", card="jet_pack")


def test_pass_equipment__only_what_one_has() -> None:
    assert "not before" in refused(table("climber", "explorer"), "p1", "pass_equipment", to="p2", card="jet_pack")
