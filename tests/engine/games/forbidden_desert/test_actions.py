"""Forbidden Desert, rulebook: Take Up to 4 Actions (Move, Remove Sand, Excavate, Pick Up a Part), Share Water."""

from __future__ import annotations

import pytest

from engine.core.errors import ImpossibleOutcome, Malformed
from engine.games.forbidden_desert.components import PARTS
from tests.engine.games.forbidden_desert.positions import RULES, table
from tests.engine.games.playing import chance_point_of, do, offered, refused

# Take Up to 4 Actions


def test_actions__each_costs_one_of_four() -> None:
    assert do(table("archeologist", "explorer"), "p1", "move", to="r1c2").actions_left == 3


def test_actions__the_fourth_is_the_last() -> None:
    state = do(table("archeologist", "explorer", actions_left=1), "p1", "move", to="r1c2")
    assert state.phase == "storm"
    assert "over" in refused(state, "p1", "move", to="r1c1").message


def test_actions__none_has_to_be_taken() -> None:
    state = do(table("archeologist", "explorer"), "p1", "draw_storm_card", "wind_north_1")
    assert (state.actions_left, state.phase) == (0, "storm")


def test_actions__only_on_the_own_turn() -> None:
    assert "another player's turn" in refused(table("archeologist", "explorer"), "p2", "move", to="r1c2").message


# Move


def test_move__up_down_left_right() -> None:
    moves = offered(table("archeologist", "explorer", at="r2c2"), "p1", "move")
    assert moves == ["r1c2", "r2c1", "r2c3", "r3c2"]


def test_move__never_diagonally() -> None:
    assert (
        "more than one move" in refused(table("archeologist", "explorer", at="r2c2"), "p1", "move", to="r1c1").message
    )


def test_move__not_beyond_the_edge() -> None:
    assert offered(table("archeologist", "explorer"), "p1", "move") == ["r1c2", "r2c1"]


def test_move__not_to_the_own_tile() -> None:
    assert refused(table("archeologist", "explorer"), "p1", "move", to="r1c1").message


def test_move__with_one_marker_a_tile_is_not_blocked() -> None:
    assert do(table("archeologist", "explorer", sand={"r1c2": 1}), "p1", "move", to="r1c2").pawns[0] == "r1c2"


def test_move__with_two_markers_a_tile_is_blocked() -> None:
    """FD-R18."""
    assert refused(table("archeologist", "explorer", sand={"r1c2": 2}), "p1", "move", to="r1c2").message


def test_move__never_through_the_storm() -> None:
    """FD-R33."""
    assert refused(table("archeologist", "explorer", at="r2c3"), "p1", "move", to="r3c3").message


def test_move__a_passenger_only_with_the_climber() -> None:
    assert (
        "Only the Climber"
        in refused(table("archeologist", "explorer"), "p1", "move", to="r1c2", passenger="p2").message
    )


def test_move__to_a_space_of_the_board() -> None:
    with pytest.raises(Malformed):
        RULES.parse("move", {"to": "r6c1"})


# Remove Sand


def test_remove_sand__a_marker_from_the_own_tile() -> None:
    """FD-R16."""
    state = do(table("climber", "explorer", sand={"r1c1": 1}), "p1", "remove_sand", tile="r1c1")
    assert (state.tile("r1c1").sand, state.sand_supply, state.actions_left) == (0, 48, 3)


def test_remove_sand__a_marker_from_an_adjacent_tile_even_a_blocked_one() -> None:
    """FD-R16."""
    assert do(table("climber", "explorer", sand={"r1c2": 3}), "p1", "remove_sand", tile="r1c2").tile("r1c2").sand == 2


def test_remove_sand__not_diagonally() -> None:
    """FD-R16."""
    message = refused(table("climber", "explorer", sand={"r2c2": 1}), "p1", "remove_sand", tile="r2c2").message
    assert "not within reach" in message


def test_remove_sand__not_across_the_storm() -> None:
    """FD-R33."""
    assert refused(table("climber", "explorer", at="r3c2"), "p1", "remove_sand", tile="r3c3").message


def test_remove_sand__not_where_there_is_none() -> None:
    """FD-R37."""
    assert "not enough sand" in refused(table("climber", "explorer"), "p1", "remove_sand", tile="r1c1").message


def test_remove_sand__one_marker_per_action() -> None:
    """FD-R16."""
    state = table("climber", "explorer", sand={"r1c1": 2})
    assert "Archeologist" in refused(state, "p1", "remove_sand", tile="r1c1", markers=2).message


def test_remove_sand__a_tunnel_makes_no_tile_adjacent() -> None:
    """FD-R21."""
    state = table("climber", "explorer", city={"r1c1": "tunnel", "r4c4": "tunnel"}, sand={"r4c4": 1})
    assert refused(state, "p1", "remove_sand", tile="r4c4").message


# Excavate


def test_excavate__turns_the_own_tile() -> None:
    """FD-R14."""
    tile = do(table("climber", "explorer"), "p1", "excavate", "launch_pad").tile("r1c1")
    assert (tile.city_side, tile.is_excavated) == ("launch_pad", True)


def test_excavate__what_is_under_a_plain_tile_is_any_of_the_twenty() -> None:
    options = chance_point_of(table("climber", "explorer"), "p1", "excavate").options
    assert len(options) == 20
    assert options.count("gear") == 8
    assert options.count("tunnel") == 3
    assert options.count("launch_pad") == 1


def test_excavate__what_has_been_seen_elsewhere_is_not_here() -> None:
    state = table("climber", "explorer", city={"r4c4": "launch_pad"}, peeked={"r4c5": "tunnel"})
    options = chance_point_of(state, "p1", "excavate").options
    assert "launch_pad" not in options
    assert options.count("tunnel") == 2
    with pytest.raises(ImpossibleOutcome):
        do(state, "p1", "excavate", "launch_pad")


def test_excavate__a_tile_seen_before_is_what_it_was() -> None:
    assert chance_point_of(table("climber", "explorer", peeked={"r1c1": "tunnel"}), "p1", "excavate").options == (
        "tunnel",
    )


def test_excavate__the_wreck_is_a_gear() -> None:
    assert chance_point_of(table("climber", "explorer", at="r5c5"), "p1", "excavate").options == ("gear",)


def test_excavate__how_a_tile_lies_is_not_asked() -> None:
    """FD-R34: only clues have a direction, and it is printed."""
    sides = set(chance_point_of(table("climber", "explorer"), "p1", "excavate").options)
    directed = {side for side in sides if side.endswith(("_row", "_column"))}
    assert directed == {f"clue_{part}_{way}" for part in PARTS for way in ("row", "column")}
    assert sides - directed == {"gear", "launch_pad", "tunnel"}


def test_excavate__not_under_sand() -> None:
    """FD-R14."""
    assert "sand" in refused(table("climber", "explorer", sand={"r1c1": 1}), "p1", "excavate").message


def test_excavate__not_twice() -> None:
    """FD-R14."""
    assert "already" in refused(table("climber", "explorer", city={"r1c1": "gear"}), "p1", "excavate").message


# Pick Up a Part

FOUND = {"r4c4": "clue_engine_row", "r4c5": "clue_engine_column", "r1c1": "gear"}


def test_pick_up_a_part__from_the_own_tile_for_an_action() -> None:
    """FD-R29."""
    state = table("climber", "explorer", city=FOUND, parts={"r1c1": ("engine",)})
    after = do(state, "p1", "pick_up_part", part="engine")
    assert (after.collected, after.tile("r1c1").parts, after.actions_left) == (("engine",), (), 3)


def test_pick_up_a_part__with_one_marker_on_the_tile() -> None:
    """FD-R29."""
    state = table("climber", "explorer", city=FOUND, parts={"r1c1": ("engine",)}, sand={"r1c1": 1})
    assert do(state, "p1", "pick_up_part", part="engine").collected == ("engine",)


def test_pick_up_a_part__not_from_a_blocked_tile() -> None:
    """FD-R29."""
    state = table("climber", "explorer", city=FOUND, parts={"r1c1": ("engine",)}, sand={"r1c1": 2})
    assert "blocked" in refused(state, "p1", "pick_up_part", part="engine").message


def test_pick_up_a_part__the_tile_has_to_be_excavated() -> None:
    """FD-R29."""
    state = table("climber", "explorer", parts={"r1c1": ("engine",)})
    assert "excavated" in refused(state, "p1", "pick_up_part", part="engine").message


def test_pick_up_a_part__it_has_to_lie_there() -> None:
    assert (
        "is not on this tile"
        in refused(table("climber", "explorer", city=FOUND), "p1", "pick_up_part", part="engine").message
    )


def test_pick_up_a_part__one_per_action() -> None:
    """FD-R29."""
    state = table("climber", "explorer", city=FOUND, parts={"r1c1": ("engine", "propeller")})
    assert do(state, "p1", "pick_up_part", part="propeller").tile("r1c1").parts == ("engine",)


# Share Water and Pass Equipment


def test_share_water__on_the_same_tile_for_free() -> None:
    """FD-R12."""
    state = do(table("climber", "explorer", water=(3, 1)), "p1", "give_water", to="p2", amount=2)
    assert (state.water, state.actions_left) == ((1, 3), 4)


def test_share_water__on_another_players_turn() -> None:
    """FD-R12."""
    assert do(table("climber", "explorer", water=(1, 3)), "p2", "give_water", to="p1", amount=1).water == (2, 2)


def test_share_water__between_two_storm_cards() -> None:
    """FD-R12."""
    state = table("climber", "explorer", water=(1, 3), phase="storm", storm_left=1, actions_left=0)
    assert do(state, "p2", "give_water", to="p1", amount=1).water == (2, 2)


def test_share_water__down_to_nothing() -> None:
    """FD-R12."""
    assert do(table("climber", "explorer", water=(2, 1)), "p1", "give_water", to="p2", amount=2).water == (0, 3)


def test_share_water__not_none() -> None:
    """FD-R37."""
    with pytest.raises(Malformed):
        RULES.parse("give_water", {"to": "p2", "amount": 0})


def test_share_water__not_more_than_there_is() -> None:
    """FD-R12."""
    assert (
        "not have enough water"
        in refused(table("climber", "explorer", water=(1, 1)), "p1", "give_water", to="p2", amount=2).message
    )


def test_share_water__never_above_the_maximum() -> None:
    """FD-R12."""
    assert (
        "has no room"
        in refused(table("climber", "explorer", water=(3, 3)), "p1", "give_water", to="p2", amount=2).message
    )


def test_share_water__not_to_an_adjacent_tile() -> None:
    """FD-R12."""
    state = table("climber", "explorer", at=("r1c1", "r1c2"), water=(3, 1))
    assert "within reach" in refused(state, "p1", "give_water", to="p2", amount=1).message


def test_share_water__not_to_oneself() -> None:
    assert refused(table("climber", "explorer", water=(1, 1)), "p1", "give_water", to="p1", amount=1).message


def test_share_water__a_buried_pawn_may() -> None:
    """FD-R12 and FD-R17."""
    state = table("explorer", "navigator", sand={"r1c1": 2}, water=(3, 1))
    assert do(state, "p1", "give_water", to="p2", amount=1).water == (2, 2)


def test_pass_equipment__on_the_same_tile_for_free() -> None:
    """FD-R13."""
    state = table("climber", "explorer", equipment=(("jet_pack", "terrascope"), ("dune_blaster",)))
    after = do(state, "p1", "pass_equipment", to="p2", card="jet_pack")
    assert (after.equipment, after.actions_left) == ((("terrascope",), ("dune_blaster", "jet_pack")), 4)


def test_pass_equipment__at_any_time() -> None:
    """FD-R13."""
    state = table("climber", "explorer", equipment=((), ("jet_pack",)), phase="storm", storm_left=1, actions_left=0)
    assert do(state, "p2", "pass_equipment", to="p1", card="jet_pack").equipment == (("jet_pack",), ())


def test_pass_equipment__not_to_another_tile() -> None:
    """FD-R13."""
    state = table("climber", "explorer", at=("r1c1", "r1c2"), equipment=(("jet_pack",), ()))
    assert "same tile" in refused(state, "p1", "pass_equipment", to="p2", card="jet_pack").message


def test_pass_equipment__only_what_one_has() -> None:
    assert (
        "does not have"
        in refused(table("climber", "explorer"), "p1", "pass_equipment", to="p2", card="jet_pack").message
    )
