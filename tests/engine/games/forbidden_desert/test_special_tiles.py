"""Forbidden Desert, rulebook: Special Tiles and Symbols."""

from __future__ import annotations

from msgspec.structs import replace

from tests.engine.games.forbidden_desert.positions import RULES, table
from tests.engine.games.playing import chance_point_of, do, offered, refused

# Water


def test_water__a_well_gives_2_to_every_pawn_on_the_tile() -> None:
    """FD-R15."""
    state = table("climber", "explorer", "navigator", at=("r5c1", "r5c1", "r1c1"), water=(0, 1, 1))
    assert do(state, "p1", "excavate", "well").water == (2, 3, 1)


def test_water__never_above_the_maximum() -> None:
    state = table("climber", "explorer", at="r5c1", water=(2, 4))
    assert do(state, "p1", "excavate", "well").water == (3, 4)


def test_water__only_once() -> None:
    """FD-R15."""
    state = table("climber", "explorer", at="r5c1", city={"r5c1": "well"}, water=(0, 1))
    assert refused(state, "p1", "excavate").message
    assert refused(state, "p1", "draw_water").message


def test_water__two_wells_and_a_mirage() -> None:
    assert chance_point_of(table("climber", "explorer", at="r5c1"), "p1", "excavate").options == (
        "mirage",
        "well",
        "well",
    )


def test_water__the_last_drop_is_what_is_left() -> None:
    state = table("climber", "explorer", at="r5c1", city={"r4c1": "well", "r5c2": "well"})
    assert chance_point_of(state, "p1", "excavate").options == ("mirage",)


def test_water__a_mirage_gives_nothing() -> None:
    state = table("climber", "explorer", at="r5c1", water=(0, 1))
    assert do(state, "p1", "excavate", "mirage").water == (0, 1)


# Gear


def test_gear__its_card_is_drawn_at_once() -> None:
    state = do(table("climber", "explorer"), "p1", "excavate", "gear")
    assert state.phase == "draw_equipment"
    assert [legal.action.type for legal in RULES.legal_actions(state)] == ["draw_equipment"]


def test_gear__nothing_comes_between() -> None:
    held = (("jet_pack",), ())
    state = do(table("climber", "explorer", water=(3, 1), equipment=held), "p1", "excavate", "gear")
    assert "first" in refused(state, "p1", "pass_equipment", to="p2", card="jet_pack").message
    assert "first" in refused(state, "p1", "give_water", to="p2", amount=1).message
    assert "first" in refused(state, "p1", "move", to="r1c2").message
    assert "first" in refused(state, "p1", "draw_storm_card").message


def test_gear__the_card_lies_before_the_player() -> None:
    state = do(table("climber", "explorer"), "p1", "excavate", "gear")
    after = do(state, "p1", "draw_equipment", "jet_pack")
    assert (after.equipment, len(after.equipment_pile)) == ((("jet_pack",), ()), 11)
    assert (after.phase, after.actions_left) == ("actions", 3)


def test_gear__any_of_the_cards_left() -> None:
    state = do(table("climber", "explorer"), "p1", "excavate", "gear")
    assert chance_point_of(state, "p1", "draw_equipment").options.count("dune_blaster") == 3


def test_gear__after_the_fourth_action_the_storm() -> None:
    state = do(table("climber", "explorer", actions_left=1), "p1", "excavate", "gear")
    assert do(state, "p1", "draw_equipment", "jet_pack").phase == "storm"


def test_gear__drawn_by_whoever_excavated_it() -> None:
    assert refused(do(table("climber", "explorer"), "p1", "excavate", "gear"), "p2", "draw_equipment").message


def test_gear__listed_though_somebody_else_looks_at_the_storm_deck_against_the_rules() -> None:
    state = replace(do(table("climber", "explorer"), "p1", "excavate", "gear"), phase="look", watcher=1, looks_left=2)
    assert (RULES.awaiting(state), offered(state, "p1", "draw_equipment")) == ((1,), [()])


def test_gear__no_card_without_a_gear() -> None:
    assert refused(table("climber", "explorer"), "p1", "draw_equipment").message


# Part Location Clues


def test_clues__one_places_nothing() -> None:
    state = do(table("climber", "explorer"), "p1", "excavate", "clue_engine_row")
    assert not any(tile.parts for tile in state.board if tile is not None)


def test_clues__two_place_the_part_where_row_and_column_cross() -> None:
    """FD-R5."""
    state = table("climber", "explorer", at="r2c1", city={"r5c4": "clue_engine_column"})
    assert do(state, "p1", "excavate", "clue_engine_row").tile("r2c4").parts == ("engine",)


def test_clues__the_row_may_have_been_found_first() -> None:
    state = table("climber", "explorer", at="r2c1", city={"r5c4": "clue_engine_row"})
    assert do(state, "p1", "excavate", "clue_engine_column").tile("r5c1").parts == ("engine",)


def test_clues__clues_of_different_parts_place_nothing() -> None:
    state = table("climber", "explorer", at="r2c1", city={"r5c4": "clue_propeller_column"})
    assert do(state, "p1", "excavate", "clue_engine_row").tile("r2c4").parts == ()


def test_clues__one_that_was_only_seen_does_not_count() -> None:
    """FD-R5."""
    state = table("climber", "explorer", at="r2c1", peeked={"r5c4": "clue_engine_column"})
    assert do(state, "p1", "excavate", "clue_engine_row").tile("r2c4").parts == ()


def test_clues__where_the_clues_lie_now_counts() -> None:
    """FD-R5."""
    city = {"r4c3": "clue_engine_column"}
    state = table("climber", "explorer", at="r2c1", city=city, storm_left=2, phase="storm", actions_left=0)
    moved = do(state, "p1", "draw_storm_card", "wind_north_1")
    after = table("climber", "explorer", at="r2c1", hole=moved.hole, board=moved.board)
    assert after.tile("r3c3").city_side == "clue_engine_column"
    assert do(after, "p1", "excavate", "clue_engine_row").tile("r2c3").parts == ("engine",)


def test_clues__several_parts_may_share_a_tile() -> None:
    """FD-R5."""
    state = table("climber", "explorer", at="r2c1", city={"r5c4": "clue_engine_column"}, parts={"r2c4": ("propeller",)})
    assert do(state, "p1", "excavate", "clue_engine_row").tile("r2c4").parts == ("propeller", "engine")


def test_clues__on_the_tile_of_a_clue_itself() -> None:
    state = table("climber", "explorer", at="r2c1", city={"r5c1": "clue_engine_column"})
    assert do(state, "p1", "excavate", "clue_engine_row").tile("r2c1").parts == ("engine",)


def test_clues__pointing_to_the_storm_the_part_waits_in_the_hole() -> None:
    """FD-R6."""
    state = table("climber", "explorer", at="r3c1", city={"r5c3": "clue_engine_column"})
    assert do(state, "p1", "excavate", "clue_engine_row").hole_parts == ("engine",)


def test_clues__the_next_tile_that_moves_there_gets_it() -> None:
    """FD-R6."""
    state = table("climber", "explorer", hole_parts=("engine",))
    after = do(state, "p1", "draw_storm_card", "wind_north_2")
    assert after.tile("r3c3").parts == ("engine",)
    assert after.tile("r4c3").parts == ()
    assert after.hole_parts == ()


def test_clues__a_respite_leaves_it_in_the_hole() -> None:
    """FD-R6."""
    state = table("climber", "explorer", hole="r5c3", hole_parts=("engine",))
    assert do(state, "p1", "draw_storm_card", "wind_north_2").hole_parts == ("engine",)


# Tunnels

TUNNELS = {"r1c1": "tunnel", "r4c4": "tunnel", "r5c3": "tunnel"}


def test_tunnels__to_any_other_excavated_tunnel_for_an_action() -> None:
    """FD-R21."""
    moves = offered(table("archeologist", "explorer", city=TUNNELS), "p1", "move")
    assert moves == ["r1c2", "r2c1", "r4c4", "r5c3"]


def test_tunnels__not_to_one_that_has_not_been_excavated() -> None:
    """FD-R21."""
    state = table("archeologist", "explorer", city={"r1c1": "tunnel"}, peeked={"r4c4": "tunnel"})
    assert refused(state, "p1", "move", to="r4c4").message


def test_tunnels__not_from_any_other_tile() -> None:
    assert refused(table("archeologist", "explorer", at="r2c1", city=TUNNELS), "p1", "move", to="r4c4").message


def test_tunnels__not_to_a_blocked_one() -> None:
    """FD-R36."""
    assert refused(table("archeologist", "explorer", city=TUNNELS, sand={"r4c4": 2}), "p1", "move", to="r4c4").message


def test_tunnels__with_one_marker_it_is_open() -> None:
    state = table("archeologist", "explorer", city=TUNNELS, sand={"r1c1": 1, "r4c4": 1})
    assert do(state, "p1", "move", to="r4c4").pawns[0] == "r4c4"


def test_tunnels__a_tunnel_is_a_gear_too() -> None:
    assert do(table("archeologist", "explorer"), "p1", "excavate", "tunnel").phase == "draw_equipment"


def test_tunnels__the_climber_goes_through_blocked_ones_with_his_passenger() -> None:
    """FD-R36."""
    state = table("climber", "explorer", city=TUNNELS, sand={"r1c1": 2, "r4c4": 3})
    assert do(state, "p1", "move", to="r4c4", passenger="p2").pawns == ("r4c4", "r4c4")


def test_tunnels__who_shares_the_climbers_tile_may_leave_a_blocked_one() -> None:
    """FD-R36."""
    state = table("explorer", "climber", city=TUNNELS, sand={"r1c1": 2})
    assert do(state, "p1", "move", to="r4c4").pawns == ("r4c4", "r1c1")


# Launch Pad


def test_launch_pad__excavating_it_gives_nothing_else() -> None:
    state = do(table("archeologist", "explorer"), "p1", "excavate", "launch_pad")
    assert (state.phase, state.outcome) == ("actions", None)
