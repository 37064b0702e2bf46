"""Forbidden Desert, rulebook: Meet the Adventurers, without the Navigator."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forbidden_desert.state import DesertState
from engine.kit.piles import Pile
from tests.engine.games.forbidden_desert.positions import RULES, table
from tests.engine.games.playing import chance_point_of, do, offered, refused

# Archeologist


def test_archeologist__2_markers_for_one_action() -> None:
    """FD-R16."""
    state = do(table("archeologist", "climber", sand={"r1c2": 3}), "p1", "remove_sand", tile="r1c2", markers=2)
    assert (state.tile("r1c2").sand, state.actions_left) == (1, 3)


def test_archeologist__or_only_one() -> None:
    """FD-R16."""
    state = table("archeologist", "climber", sand={"r1c2": 3})
    assert do(state, "p1", "remove_sand", tile="r1c2").tile("r1c2").sand == 2


def test_archeologist__not_2_where_there_is_1() -> None:
    assert refused(
        table("archeologist", "climber", sand={"r1c2": 1}), "p1", "remove_sand", tile="r1c2", markers=2
    ).message


# Climber


def test_climber__moves_to_blocked_tiles() -> None:
    """FD-R18."""
    assert do(table("climber", "explorer", sand={"r1c2": 4}), "p1", "move", to="r1c2").pawns[0] == "r1c2"


def test_climber__is_never_buried() -> None:
    """FD-R17."""
    assert not table("climber", "explorer", sand={"r1c1": 4}).is_buried(0)


def test_climber__takes_another_player_along() -> None:
    """FD-R18 and FD-R19."""
    assert do(table("climber", "explorer", sand={"r1c2": 2}), "p1", "move", to="r1c2", passenger="p2").pawns == (
        "r1c2",
        "r1c2",
    )


def test_climber__not_one_from_another_tile() -> None:
    state = table("climber", "explorer", at=("r1c1", "r2c2"))
    assert "same tile" in refused(state, "p1", "move", to="r1c2", passenger="p2").message


def test_climber__takes_nobody_who_is_not_at_the_table() -> None:
    assert refused(table("climber", "explorer"), "p1", "move", to="r1c2", passenger="p5").message


def test_climber__not_into_the_storm() -> None:
    """FD-R33."""
    assert refused(table("climber", "explorer", at="r2c3"), "p1", "move", to="r3c3").message


def test_climber__who_shares_his_tile_is_not_buried_and_may_leave() -> None:
    """FD-R18."""
    state = table("explorer", "climber", sand={"r1c1": 3})
    assert not state.is_buried(0)
    assert do(state, "p1", "move", to="r2c2").pawns[0] == "r2c2"


def test_climber__who_shares_his_tile_does_not_enter_blocked_ones() -> None:
    """FD-R18."""
    assert refused(table("explorer", "climber", sand={"r1c1": 3, "r1c2": 2}), "p1", "move", to="r1c2").message


def test_climber__whom_he_leaves_behind_is_buried_again() -> None:
    """FD-R19."""
    state = do(table("climber", "explorer", sand={"r1c1": 2}), "p1", "move", to="r1c2")
    assert state.is_buried(1)


def test_climber__digs_neighbours_from_a_blocked_tile() -> None:
    state = table("climber", "explorer", sand={"r1c1": 2, "r1c2": 1})
    assert do(state, "p1", "remove_sand", tile="r1c2").tile("r1c2").sand == 0


def test_climber__picks_up_no_part_on_a_blocked_tile() -> None:
    state = table("climber", "explorer", city={"r1c1": "gear"}, sand={"r1c1": 2}, parts={"r1c1": ("engine",)})
    assert "blocked" in refused(state, "p1", "pick_up_part", part="engine").message


# Explorer


def test_explorer__moves_diagonally() -> None:
    moves = offered(table("explorer", "climber", at="r1c2"), "p1", "move")
    assert moves == ["r1c1", "r1c3", "r2c1", "r2c2", "r2c3"]


def test_explorer__past_the_corner_of_the_storm() -> None:
    """FD-R20."""
    assert do(table("explorer", "climber", at="r2c3"), "p1", "move", to="r3c4").pawns[0] == "r3c4"


def test_explorer__between_two_blocked_tiles() -> None:
    """FD-R20."""
    state = table("explorer", "climber", sand={"r1c2": 2, "r2c1": 2})
    assert offered(state, "p1", "move") == ["r2c2"]


def test_explorer__not_onto_a_blocked_tile() -> None:
    assert refused(table("explorer", "climber", sand={"r2c2": 2}, at="r1c1"), "p1", "move", to="r2c2").message


def test_explorer__removes_sand_diagonally() -> None:
    """FD-R16."""
    state = table("explorer", "climber", sand={"r2c2": 1})
    assert do(state, "p1", "remove_sand", tile="r2c2").tile("r2c2").sand == 0


def test_explorer__blasts_dunes_diagonally() -> None:
    """FD-R25."""
    state = table("explorer", "climber", sand={"r2c2": 4}, equipment=(("dune_blaster",), ()))
    assert do(state, "p1", "play_dune_blaster", tile="r2c2").tile("r2c2").sand == 0


# Meteorologist: fewer storm cards


def test_meteorologist__an_action_for_a_storm_card_fewer() -> None:
    """FD-R23."""
    state = do(table("meteorologist", "climber"), "p1", "weaken_storm")
    assert (state.storm_due, state.actions_left) == (1, 3)
    assert do(state, "p1", "draw_storm_card", "wind_north_1").active == 1


def test_meteorologist__down_to_none_and_the_turn_is_ended() -> None:
    state = table("meteorologist", "climber", weakened=2)
    assert "No storm card" in refused(state, "p1", "draw_storm_card").message
    after = do(state, "p1", "end_turn")
    assert (after.active, after.turn, after.weakened) == (1, 2, 0)


def test_meteorologist__more_than_there_are_cards_is_wasted() -> None:
    """FD-R37."""
    assert do(table("meteorologist", "climber", weakened=2), "p1", "weaken_storm").storm_due == 0


def test_meteorologist__only_this_turn() -> None:
    """FD-R23."""
    state = do(table("meteorologist", "climber", weakened=1), "p1", "draw_storm_card", "wind_north_1")
    assert state.storm_due == 2


def test_meteorologist__nobody_else_ends_the_turn_of_a_calm() -> None:
    assert "another player's" in refused(table("meteorologist", "climber", weakened=2), "p2", "end_turn").message


def test_meteorologist__nobody_else_weakens_the_storm() -> None:
    assert "Only the Meteorologist" in refused(table("explorer", "climber"), "p1", "weaken_storm").message


# Meteorologist: a look at the storm deck


def test_meteorologist__looks_at_as_many_cards_as_the_storm_level() -> None:
    """FD-R23."""
    state = do(table("meteorologist", "climber", storm_tick=2), "p1", "forecast")
    assert (state.phase, state.looks_left, state.actions_left) == ("look", 3, 3)


def test_meteorologist__the_level_counts_not_the_weakened_storm() -> None:
    """FD-R23."""
    assert do(table("meteorologist", "climber", weakened=1), "p1", "forecast").looks_left == 2


def test_meteorologist__at_all_of_a_pile_that_is_smaller() -> None:
    state = table("meteorologist", "climber", storm_pile=Pile((("wind_north_1",),)))
    assert do(state, "p1", "forecast").looks_left == 1


def look_at_cards(*cards: str, **changes: Any) -> DesertState:
    state = do(table("meteorologist", "climber", **changes), "p1", "forecast")
    for card in cards:
        state = do(state, "p1", "look_at_storm_card", card)
    return state


def test_meteorologist__the_cards_are_seen_one_by_one() -> None:
    state = look_at_cards("wind_north_3")
    assert state.seen == ("wind_north_3",)
    assert "wind_north_3" not in chance_point_of(state, "p1", "look_at_storm_card").options


def test_meteorologist__puts_one_at_the_bottom() -> None:
    """FD-R23."""
    state = do(look_at_cards("wind_north_3", "wind_south_3"), "p1", "place_storm_cards", bottom=1)
    assert chance_point_of(state, "p1", "draw_storm_card").options == ("wind_south_3",)
    assert state.storm_pile.layers[-1] == ("wind_north_3",)


def test_meteorologist__or_none_and_they_go_back_in_the_same_order() -> None:
    state = do(look_at_cards("wind_north_3", "wind_south_3"), "p1", "place_storm_cards")
    assert state.storm_pile.layers[:2] == (("wind_north_3",), ("wind_south_3",))
    assert (state.seen, state.watcher, state.phase) == ((), None, "actions")


def test_meteorologist__at_most_one() -> None:
    """FD-R23."""
    assert offered(look_at_cards("wind_north_3", "wind_south_3"), "p1", "place_storm_cards") == [1, 2, ()]


def test_meteorologist__one_of_those_seen() -> None:
    state = look_at_cards("wind_north_3", "wind_south_3")
    assert "Only 2 cards" in refused(state, "p1", "place_storm_cards", bottom=3).message


def test_meteorologist__nothing_comes_between() -> None:
    """FD-R40."""
    for state in (look_at_cards("wind_north_3"), look_at_cards("wind_north_3", "wind_south_3")):
        assert "Finish that first" in refused(state, "p1", "move", to="r1c2").message
        assert "Finish that first" in refused(state, "p2", "give_water", to="p1", amount=1).message
        assert "Finish that first" in refused(state, "p1", "end_turn").message


def test_meteorologist__all_of_them_are_looked_at() -> None:
    assert refused(look_at_cards("wind_north_3"), "p1", "place_storm_cards").message
    assert (
        "All of the cards" in refused(look_at_cards("wind_north_3", "wind_south_3"), "p1", "look_at_storm_card").message
    )


def test_meteorologist__nobody_else_looks() -> None:
    assert "Only the Meteorologist" in refused(table("explorer", "climber"), "p1", "forecast").message
    assert refused(look_at_cards("wind_north_3"), "p2", "look_at_storm_card").message
    assert refused(look_at_cards("wind_north_3", "wind_south_3"), "p2", "place_storm_cards").message


def test_meteorologist__what_was_seen_everyone_knows() -> None:
    """FD-R40."""
    state = look_at_cards("wind_north_3")
    assert RULES.view(state, 1) == RULES.view(state, None) == RULES.to_document(state)


def test_meteorologist__may_look_again() -> None:
    """FD-R23."""
    state = do(look_at_cards("wind_north_3", "wind_south_3"), "p1", "place_storm_cards")
    assert chance_point_of(do(state, "p1", "forecast"), "p1", "look_at_storm_card").options == ("wind_north_3",)


# Water Carrier


def test_water_carrier__2_water_from_an_excavated_well_for_an_action() -> None:
    state = table("water_carrier", "climber", at="r5c1", city={"r5c1": "well"}, water=(1, 1))
    after = do(state, "p1", "draw_water")
    assert (after.water, after.actions_left) == ((3, 1), 3)


def test_water_carrier__as_often_as_she_likes() -> None:
    """FD-R15."""
    state = table("water_carrier", "climber", at="r5c1", city={"r5c1": "well"}, water=(1, 1))
    assert do(do(state, "p1", "draw_water"), "p1", "draw_water").water == (5, 1)


def test_water_carrier__even_when_full() -> None:
    """FD-R37."""
    state = table("water_carrier", "climber", at="r5c1", city={"r5c1": "well"})
    assert do(state, "p1", "draw_water").water == (5, 3)


def test_water_carrier__on_a_well_with_one_marker() -> None:
    """FD-R15."""
    state = table("water_carrier", "climber", at="r5c1", city={"r5c1": "well"}, sand={"r5c1": 1}, water=(1, 1))
    assert do(state, "p1", "draw_water").water == (3, 1)


def test_water_carrier__not_when_buried() -> None:
    """FD-R38."""
    state = table("water_carrier", "explorer", at="r5c1", city={"r5c1": "well"}, sand={"r5c1": 2})
    assert "buried" in refused(state, "p1", "draw_water").message


def test_water_carrier__under_sand_with_the_climber_beside_her() -> None:
    """FD-R38."""
    state = table("water_carrier", "climber", at="r5c1", city={"r5c1": "well"}, sand={"r5c1": 2}, water=(1, 1))
    assert do(state, "p1", "draw_water").water == (3, 1)


@pytest.mark.parametrize("city", [{}, {"r5c1": "mirage"}])
def test_water_carrier__not_without_an_excavated_well(city: dict[str, str]) -> None:
    assert "well" in refused(table("water_carrier", "climber", at="r5c1", city=city), "p1", "draw_water").message


def test_water_carrier__nobody_else_draws_water() -> None:
    """FD-R15."""
    state = table("explorer", "climber", at="r5c1", city={"r5c1": "well"})
    assert "Only the Water Carrier" in refused(state, "p1", "draw_water").message


def test_water_carrier__gives_to_adjacent_tiles_at_any_time() -> None:
    """FD-R12."""
    state = table("explorer", "water_carrier", at=("r1c1", "r1c2"), water=(1, 5), sand={"r1c2": 3})
    assert do(state, "p2", "give_water", to="p1", amount=3).water == (4, 2)


def test_water_carrier__not_diagonally() -> None:
    state = table("explorer", "water_carrier", at=("r1c1", "r2c2"), water=(1, 5))
    assert refused(state, "p2", "give_water", to="p1", amount=1).message


def test_water_carrier__not_across_the_storm() -> None:
    state = table("explorer", "water_carrier", at=("r3c2", "r3c4"), water=(1, 5))
    assert refused(state, "p2", "give_water", to="p1", amount=1).message


def test_water_carrier__only_gives_at_a_distance() -> None:
    state = table("explorer", "water_carrier", at=("r1c1", "r1c2"), water=(4, 1))
    assert refused(state, "p1", "give_water", to="p2", amount=1).message


# Buried adventurers


@pytest.mark.parametrize(
    ("role", "kind"),
    [("meteorologist", "weaken_storm"), ("meteorologist", "forecast"), ("water_carrier", "draw_water")],
)
def test_buried__no_power_that_costs_an_action(role: str, kind: str) -> None:
    """FD-R43."""
    assert "buried" in refused(table(role, "explorer", sand={"r1c1": 2}), "p1", kind).message


@pytest.mark.parametrize("kind", ["weaken_storm", "forecast"])
def test_buried__with_the_climber_they_act_as_a_free_pawn(kind: str) -> None:
    """FD-R43."""
    assert do(table("meteorologist", "climber", sand={"r1c1": 2}), "p1", kind).actions_left == 3
