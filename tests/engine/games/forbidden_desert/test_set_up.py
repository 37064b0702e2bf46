"""Forbidden Desert, rulebook: Contents, Set Up, Order of Play."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.core.errors import ImpossibleOutcome, Malformed
from engine.games.forbidden_desert.components import (
    CITY_SIDES,
    EQUIPMENT_CARDS,
    FIRST_SAND,
    GEAR_SYMBOLS,
    METER,
    SPACES,
    STORM_DECK,
    equipment_deck,
)
from engine.games.forbidden_desert.state import DesertState
from engine.kit.chance import Observed, Sampled
from tests.engine.games.forbidden_desert.positions import RULES, table
from tests.engine.games.playing import do

DEAL = ("r1c1", "r2c1", "r2c3", "r5c5", "climber", "water_carrier")


def deal_table(*came_up: str, seats: int = 2, **options: str) -> DesertState:
    chance = Observed()
    chance.begin(2, came_up)
    state = RULES.setup(RULES.parse_options(options, seats), seats, chance)
    chance.finish()
    return state


def test_contents__31_storm_cards() -> None:
    wind = {f"wind_{way}_{tiles}": 4 - tiles for way in ("north", "south", "east", "west") for tiles in (1, 2, 3)}
    assert Counter(STORM_DECK) == {**wind, "sun_beats_down": 4, "storm_picks_up": 3}
    assert len(STORM_DECK) == 31


def test_contents__12_equipment_cards() -> None:
    assert sum(EQUIPMENT_CARDS.values()) == len(equipment_deck(with_tracker=False)) == 12


def test_contents__24_tiles() -> None:
    assert {side: sum(cities.values()) for side, cities in CITY_SIDES.items()} == {"crash": 1, "plain": 20, "water": 3}


def test_contents__as_many_gears_as_equipment_cards() -> None:
    gears = [count for cities in CITY_SIDES.values() for city, count in cities.items() if city in GEAR_SYMBOLS]
    assert sum(gears) == 12


def test_contents__the_components_document_counts_the_same() -> None:
    assert sum(tile["count"] for tile in RULES.components["tiles"]) == 24
    assert sum(card["count"] for card in RULES.components["storm_cards"]) == 31
    assert RULES.components["sand_markers"] == 48


def test_set_up_2__a_hole_in_the_middle_of_24_tiles() -> None:
    state = deal_table(*DEAL)
    assert state.hole == "r3c3"
    assert [space for space, tile in enumerate(state.board) if tile is None] == [12]


def test_set_up_2__where_wreck_and_water_lie_is_seen() -> None:
    state = deal_table(*DEAL)
    assert state.tile("r1c1").desert_side == "crash"
    assert {state.tile(space).desert_side for space in ("r2c1", "r2c3", "r5c5")} == {"water"}


def test_set_up_2__what_is_under_the_other_tiles_nobody_knows() -> None:
    state = deal_table(*DEAL)
    assert [tile.city_side for tile in state.board if tile is not None and tile.city_side is not None] == ["gear"]


def test_set_up_2__two_tiles_do_not_share_a_space() -> None:
    with pytest.raises(ImpossibleOutcome):
        deal_table("r1c1", "r1c1")


def test_set_up_2__no_tile_lies_in_the_hole() -> None:
    with pytest.raises(ImpossibleOutcome):
        deal_table("r3c3")


def test_set_up_3__8_markers_in_a_diamond() -> None:
    state = deal_table(*DEAL)
    diamond = {"r1c3", "r2c2", "r2c4", "r3c1", "r3c5", "r4c2", "r4c4", "r5c3"}
    assert diamond == FIRST_SAND
    sandy = {
        space: tile.sand for space, tile in zip(SPACES, state.board, strict=True) if tile is not None and tile.sand
    }
    assert sandy == dict.fromkeys(diamond, 1)
    assert state.sand_supply == 40


@pytest.mark.parametrize(
    ("players", "difficulty", "cards"),
    [
        (2, "novice", 2), (2, "normal", 3), (2, "elite", 3), (2, "legendary", 3),
        (3, "novice", 2), (3, "normal", 3), (4, "elite", 3), (5, "legendary", 3),
    ],
)  # fmt: skip
def test_set_up_5__the_storm_level_by_players_and_difficulty(players: int, difficulty: str, cards: int) -> None:
    roles = ("archeologist", "climber", "explorer", "meteorologist", "navigator")[:players]
    state = deal_table("r1c1", "r2c1", "r2c3", "r5c5", *roles, seats=players, difficulty=difficulty)
    assert state.storm_level == cards
    assert state.storm_tick == ("novice", "normal", "elite", "legendary").index(difficulty) + 1


def test_set_up_5__ticks_to_the_skull() -> None:
    assert {players: len(cards) for players, cards in METER.items()} == {2: 13, 3: 14, 4: 14, 5: 15}


def test_set_up_7__the_canteens_are_full() -> None:
    roles = ("archeologist", "climber", "explorer", "meteorologist", "navigator")
    assert deal_table("r1c1", "r2c1", "r2c3", "r5c5", *roles, seats=5).water == (3, 3, 4, 4, 4)
    assert deal_table(*DEAL).water == (3, 5)


def test_set_up_7__all_pawns_on_the_wreck() -> None:
    assert deal_table(*DEAL).pawns == ("r1c1", "r1c1")


def test_set_up_7__an_adventurer_is_dealt_once() -> None:
    with pytest.raises(ImpossibleOutcome):
        deal_table("r1c1", "r2c1", "r2c3", "r5c5", "climber", "climber")


def test_set_up__is_sound_and_told() -> None:
    chance = Sampled(random.Random(1))
    chance.begin(2, ())
    state = RULES.setup(RULES.parse_options({}, 3), 3, chance)
    assert RULES.check_invariants(state) == []
    told = " ".join(RULES.describe_setup(deal_table(*DEAL), ["Ada", "Bo"]))
    assert "crashed at row 1, column 1" in told
    assert "Bo is the Water Carrier" in told


@pytest.mark.parametrize("seats", [1, 6])
def test_set_up__for_2_to_5_players(seats: int) -> None:
    with pytest.raises(Malformed):
        RULES.parse_options({}, seats)


def test_order_of_play__the_thirstiest_goes_first() -> None:
    """FD-R32."""
    assert deal_table(*DEAL, first_player="p2").active == 1


def test_order_of_play__the_first_player_sits_at_the_table() -> None:
    with pytest.raises(Malformed):
        RULES.parse_options({"first_player": "p3"}, 2)


def test_order_of_play__play_continues_to_the_left() -> None:
    state = table("archeologist", "climber", active=1, storm_left=1, phase="storm", turn=4)
    after = do(state, "p2", "draw_storm_card", "wind_north_1")
    assert (after.active, after.turn, after.phase, after.actions_left) == (0, 5, "actions", 4)


def test_order_of_play__the_game_waits_for_whose_turn_it_is() -> None:
    state = table("archeologist", "climber", active=1)
    assert RULES.active(state) == 1
    assert RULES.awaiting(state) == (1,)


def test_space__where_a_tile_lies() -> None:
    assert RULES.space("r2c5") == (5, 2)
    assert RULES.space("explorer") is None


def test_places__in_the_order_of_the_deal() -> None:
    names = ["Ann", "Bob"]
    places = RULES.setup_prompts(RULES.parse_options({}, 2), names, ())

    assert [place.label for place in places] == [
        "the crashed helicopter",
        *("the first water drop", "the second water drop", "the third water drop"),
        *names,
    ]
    assert len(places) == len(DEAL)
