"""Forbidden Desert, rulebook: Draw Sand Storm Cards."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import ImpossibleOutcome
from engine.games.forbidden_desert.components import STORM_DECK
from engine.games.forbidden_desert.state import DesertState
from engine.kit.piles import Pile
from tests.engine.games.forbidden_desert.positions import RULES, table
from tests.engine.games.playing import chance_point_of, do, refused


def storm(*roles: str, left: int = 2, **changes: Any) -> DesertState:
    """A table in the middle of p1's storm."""
    return table(*(roles or ("archeologist", "explorer")), phase="storm", storm_left=left, actions_left=0, **changes)


def draw_card(state: DesertState, card: str) -> DesertState:
    return do(state, "p1", "draw_storm_card", card)


# Draw Sand Storm Cards


def test_storm__as_many_cards_as_the_level_says() -> None:
    """FD-R7."""
    assert draw_card(table("archeologist", "explorer", storm_tick=5), "wind_north_1").storm_left == 3


def test_storm__drawn_by_whose_turn_it_is() -> None:
    assert "another player's turn" in refused(table("archeologist", "explorer"), "p2", "draw_storm_card").message


def test_storm__any_of_the_31_cards() -> None:
    assert chance_point_of(table("archeologist", "explorer"), "p1", "draw_storm_card").options == STORM_DECK


def test_storm__a_card_that_is_not_in_the_pile_cannot_come_up() -> None:
    state = storm(storm_pile=Pile((("wind_north_1",), ("wind_south_1",))))
    with pytest.raises(ImpossibleOutcome):
        draw_card(state, "wind_south_1")


def test_storm__the_cards_join_the_discard_when_all_are_applied() -> None:
    first = draw_card(storm(), "wind_north_1")
    assert (first.storm_drawn, first.storm_discard) == (("wind_north_1",), ())
    second = draw_card(first, "sun_beats_down")
    assert (second.storm_drawn, second.storm_discard) == ((), ("wind_north_1", "sun_beats_down"))


def test_storm__a_card_and_what_it_does_are_one_event() -> None:
    """FD-R11: a Solar Shield played after the card has been revealed is too late for it."""
    state = draw_card(storm(equipment=(("solar_shield",), ()), water=(3, 3)), "sun_beats_down")
    assert do(state, "p1", "play_solar_shield").water == (2, 2)


def test_storm__no_actions_once_it_has_begun() -> None:
    assert refused(draw_card(table("archeologist", "explorer"), "wind_north_1"), "p1", "move", to="r1c2").message


def test_storm__a_turn_with_storm_cards_cannot_be_ended_without_them() -> None:
    assert "have not been drawn yet" in refused(table("archeologist", "explorer"), "p1", "end_turn").message


# Wind Blows


@pytest.mark.parametrize(
    ("card", "hole", "moved"),
    [
        ("wind_north_1", "r4c3", ["r3c3"]),
        ("wind_south_1", "r2c3", ["r3c3"]),
        ("wind_east_1", "r3c2", ["r3c3"]),
        ("wind_west_1", "r3c4", ["r3c3"]),
        ("wind_north_2", "r5c3", ["r3c3", "r4c3"]),
        ("wind_south_2", "r1c3", ["r2c3", "r3c3"]),
        ("wind_east_2", "r3c1", ["r3c2", "r3c3"]),
        ("wind_west_2", "r3c5", ["r3c3", "r3c4"]),
    ],
)
def test_wind_blows__the_tiles_go_where_the_arrow_points(card: str, hole: str, moved: list[str]) -> None:
    """FD-R1."""
    state = draw_card(storm(), card)
    assert state.hole == hole
    assert [space for space, sand in _sand(state).items() if sand] == moved
    assert state.sand_supply == 48 - len(moved)


@pytest.mark.parametrize(
    ("card", "start", "end"),
    [
        ("wind_north_3", "r1c2", "r4c2"),
        ("wind_south_3", "r5c2", "r2c2"),
        ("wind_east_3", "r2c5", "r2c2"),
        ("wind_west_3", "r2c1", "r2c4"),
    ],
)
def test_wind_blows__three_tiles(card: str, start: str, end: str) -> None:
    """FD-R3."""
    state = draw_card(storm(hole=start), card)
    assert state.hole == end
    assert sum(_sand(state).values()) == 3


def _sand(state: DesertState) -> dict[str, int]:
    rows = ((space // 5 + 1, space % 5 + 1, tile) for space, tile in enumerate(state.board))
    return {f"r{row}c{column}": tile.sand for row, column, tile in rows if tile is not None}


def test_wind_blows__pawns_move_along() -> None:
    """FD-R4."""
    assert draw_card(storm(at=("r4c3", "r5c3")), "wind_north_2").pawns == ("r3c3", "r4c3")


def test_wind_blows__other_pawns_stay() -> None:
    assert draw_card(storm(at=("r4c3", "r1c1")), "wind_north_1").pawns == ("r3c3", "r1c1")


def test_wind_blows__sand_moves_along() -> None:
    """FD-R4."""
    assert draw_card(storm(sand={"r4c3": 2}), "wind_north_1").tile("r3c3").sand == 3


def test_wind_blows__parts_move_along_on_top_of_the_sand() -> None:
    """FD-R4."""
    assert draw_card(storm(parts={"r4c3": ("engine",)}), "wind_north_1").tile("r3c3").parts == ("engine",)


def test_wind_blows__excavated_tiles_get_sand_too() -> None:
    """FD-R3 and FD-R4."""
    tile = draw_card(storm(city={"r4c3": "well"}), "wind_north_1").tile("r3c3")
    assert (tile.city_side, tile.is_excavated, tile.sand) == ("well", True, 1)


def test_wind_blows__what_was_seen_of_a_tile_moves_along() -> None:
    """FD-R4."""
    assert draw_card(storm(peeked={"r4c3": "tunnel"}), "wind_north_1").tile("r3c3").city_side == "tunnel"


# Dig Out


def test_dig_out__a_buried_pawn_can_only_dig_on_its_own_tile() -> None:
    """FD-R17 and FD-R18."""
    state = table("archeologist", "explorer", sand={"r1c1": 2, "r1c2": 1})
    assert "buried" in refused(state, "p1", "move", to="r2c1").message
    assert "buried" in refused(state, "p1", "excavate").message
    assert "own tile" in refused(state, "p1", "remove_sand", tile="r1c2").message
    assert do(state, "p1", "remove_sand", tile="r1c1").tile("r1c1").sand == 1


def test_dig_out__with_one_marker_left_it_is_free() -> None:
    state = do(table("archeologist", "explorer", sand={"r1c1": 2}), "p1", "remove_sand", tile="r1c1")
    assert do(state, "p1", "move", to="r1c2").pawns[0] == "r1c2"


def test_dig_out__teammates_may_help() -> None:
    state = table("archeologist", "explorer", at=("r1c1", "r1c2"), sand={"r1c2": 2})
    assert not do(state, "p1", "remove_sand", tile="r1c2").is_buried(1)


# Respite from the Storm


def test_respite__no_tile_to_move() -> None:
    """FD-R2."""
    state = storm(hole="r5c3")
    after = draw_card(state, "wind_north_2")
    assert (after.board, after.hole, after.sand_supply) == (state.board, "r5c3", 48)


def test_respite__for_a_portion_of_the_card() -> None:
    """FD-R2."""
    state = draw_card(storm(hole="r3c3"), "wind_north_3")
    assert (state.hole, state.sand_supply) == ("r5c3", 46)


# Buried in the Sand


def test_buried_in_the_sand__the_last_marker_can_still_be_placed() -> None:
    """FD-R31."""
    state = draw_card(storm(sand={"r1c1": 47}), "wind_north_1")
    assert (state.sand_supply, state.outcome) == (0, None)


def test_buried_in_the_sand__a_marker_that_is_not_there_loses_the_game() -> None:
    outcome = draw_card(storm(sand={"r1c1": 48}), "wind_north_1").outcome
    assert outcome is not None
    assert (outcome.result, outcome.reason) == ("lost", "buried")


def test_buried_in_the_sand__what_is_left_goes_down_in_moving_order() -> None:
    """FD-R41."""
    state = draw_card(storm(sand={"r1c1": 47}), "wind_north_2")
    assert (state.tile("r3c3").sand, state.tile("r4c3").sand, state.sand_supply) == (1, 0, 0)
    assert state.outcome is not None


def test_buried_in_the_sand__a_respite_needs_no_marker() -> None:
    assert draw_card(storm(sand={"r1c1": 48}, hole="r5c3"), "wind_north_2").outcome is None


# Storm Picks Up


def test_storm_picks_up__a_tick_up_the_meter() -> None:
    assert draw_card(storm(), "storm_picks_up").storm_tick == 2


def test_storm_picks_up__counts_from_the_next_turn() -> None:
    """FD-R7."""
    state = draw_card(table("archeologist", "explorer"), "storm_picks_up")
    assert (state.storm_left, state.storm_level) == (1, 3)
    assert draw_card(state, "wind_north_1").storm_due == 3


def test_storm_picks_up__at_the_skull_the_game_is_lost() -> None:
    """FD-R7."""
    outcome = draw_card(storm(storm_tick=13), "storm_picks_up").outcome
    assert outcome is not None
    assert (outcome.result, outcome.reason) == ("lost", "swept_away")


@pytest.mark.parametrize(("players", "last"), [(2, 13), (3, 14), (4, 14), (5, 15)])
def test_storm_picks_up__the_last_tick_before_the_skull_is_6(players: int, last: int) -> None:
    roles = ("archeologist", "climber", "explorer", "meteorologist", "navigator")[:players]
    assert storm(*roles, storm_tick=last).storm_level == 6
    assert storm(*roles, storm_tick=last + 1).storm_level == 0


# Sun Beats Down


def test_sun_beats_down__everyone_drinks_1() -> None:
    """FD-R9."""
    assert draw_card(storm(water=(3, 2)), "sun_beats_down").water == (2, 1)


def test_sun_beats_down__not_in_an_excavated_tunnel() -> None:
    """FD-R9."""
    state = storm(city={"r2c2": "tunnel"}, at=("r2c2", "r1c1"))
    assert draw_card(state, "sun_beats_down").water == (3, 3)


def test_sun_beats_down__sand_does_not_take_the_shelter_away() -> None:
    """FD-R9."""
    state = storm(city={"r2c2": "tunnel"}, at=("r2c2", "r1c1"), sand={"r2c2": 2})
    assert draw_card(state, "sun_beats_down").water == (3, 3)


def test_sun_beats_down__a_tunnel_that_was_only_seen_gives_none() -> None:
    """FD-R9."""
    assert draw_card(storm(peeked={"r1c1": "tunnel"}), "sun_beats_down").water == (2, 3)


def test_sun_beats_down__with_no_water_left_one_is_alive() -> None:
    """FD-R31."""
    assert draw_card(storm(water=(1, 4)), "sun_beats_down").outcome is None


def test_sun_beats_down__the_skull_on_a_canteen_loses_the_game() -> None:
    state = draw_card(storm(water=(0, 4)), "sun_beats_down")
    assert state.outcome is not None
    assert (state.outcome.result, state.outcome.reason, state.water) == ("lost", "thirst", (-1, 3))


# When the Storm Draw Pile Runs Out

LAST = Pile((("wind_north_1",),))
DISCARD = ("storm_picks_up", "sun_beats_down", "wind_south_1")


def test_storm_pile__runs_out_and_the_discard_becomes_the_pile_at_once() -> None:
    """FD-R35."""
    state = draw_card(storm(storm_pile=LAST, storm_discard=DISCARD), "wind_north_1")
    assert (state.storm_pile, state.storm_discard) == (Pile((DISCARD,)), ())


def test_storm_pile__in_the_middle_of_a_turn_the_drawing_goes_on() -> None:
    state = draw_card(storm(storm_pile=LAST, storm_discard=DISCARD), "wind_north_1")
    assert chance_point_of(state, "p1", "draw_storm_card").options == DISCARD


def test_storm_pile__without_the_cards_of_this_step() -> None:
    """FD-R8 and FD-R35."""
    state = storm(left=1, storm_pile=LAST, storm_discard=DISCARD, storm_drawn=("wind_east_3",))
    after = draw_card(state, "wind_north_1")
    assert (after.storm_pile.cards(), after.storm_discard) == (DISCARD, ("wind_east_3", "wind_north_1"))


def test_storm_pile__with_them_by_option() -> None:
    """FD-R8."""
    state = storm(left=2, storm_pile=LAST, storm_discard=DISCARD, options={"storm_reshuffle": "includes_current_step"})
    after = draw_card(state, "wind_north_1")
    assert (after.storm_pile.cards(), after.storm_discard) == (tuple(sorted((*DISCARD, "wind_north_1"))), ())


def test_storm_pile__by_option_each_card_is_discarded_as_it_is_applied() -> None:
    """FD-R8."""
    after = draw_card(storm(options={"storm_reshuffle": "includes_current_step"}), "wind_north_1")
    assert (after.storm_drawn, after.storm_discard) == ((), ("wind_north_1",))


def test_storm_pile__nothing_is_shuffled_after_the_end() -> None:
    """FD-R42."""
    state = draw_card(
        storm(storm_pile=Pile((("sun_beats_down",),)), storm_discard=DISCARD, water=(0, 1)), "sun_beats_down"
    )
    assert (len(state.storm_pile), state.storm_discard) == (0, DISCARD)


@pytest.mark.parametrize(
    ("card", "sentence"),
    [
        ("wind_north_1", "Wind Blows 1 North: 1 tile moved."),
        ("wind_north_3", "Wind Blows 3 North: 2 tiles moved."),
        ("sun_beats_down", "The sun beats down: Ada, Bo must drink."),
        ("storm_picks_up", "The storm picks up."),
    ],
)
def test_storm__is_told(card: str, sentence: str) -> None:
    action = RULES.parse("draw_storm_card", {})
    assert action.describe(storm(), 0, (card,), ["Ada", "Bo"]) == sentence
