"""Forbidden Island: Contents and Setup (FI-R25)."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from engine.core.errors import Malformed, OutcomeRequired
from engine.core.values import ChancePoint, Value
from engine.games.forbidden_island.components import (
    AROUND,
    METER,
    ORTHOGONAL,
    ROLES,
    SITES,
    SKULL,
    SPACES,
    TILES,
    TREASURES,
    distance,
    printed_name,
)
from engine.games.forbidden_island.state import IslandState
from engine.kit.chance import Observed
from engine.play import registry

RULES = registry.ruleset("forbidden-island")
FLOODS = ("observatory", "watchtower", "iron_gate", "gold_gate", "misty_marsh", "lost_lagoon")
ROLES_DEALT = ("diver", "pilot")
CARDS = ("earth_stone", "sandbags", "crystal_of_fire", "crystal_of_fire")
DEAL = (*TILES, *FLOODS, *ROLES_DEALT, *CARDS)


def set_up(*outcomes: Value, seats: int = 2, **options: Any) -> IslandState:
    chance = Observed()
    chance.begin(2, outcomes or DEAL)
    state = RULES.setup(RULES.parse_options(options, seats), seats, chance)
    chance.finish()
    assert isinstance(state, IslandState)
    assert RULES.check_invariants(state) == []
    return state


def next_point(*outcomes: Value) -> ChancePoint:
    """Return the question of the setup after `outcomes`."""
    with pytest.raises(OutcomeRequired) as required:
        set_up(*outcomes)
    return required.value.point


# Contents


def test_contents__28_treasure_cards() -> None:
    cards = {card["id"]: card["count"] for card in RULES.components["treasure_cards"]}
    treasures = {treasure: cards.pop(treasure) for treasure in TREASURES}
    assert set(treasures.values()) == {5}
    assert cards == {"waters_rise": 3, "helicopter_lift": 3, "sandbags": 2}


def test_contents__24_flood_cards_one_for_each_tile() -> None:
    assert RULES.components["flood_cards"] == len(RULES.components["tiles"]) == len(set(TILES)) == 24


def test_contents__each_treasure_has_two_sites_of_its_kind() -> None:
    kinds = {treasure: {printed_name(site).split()[0] for site in sites} for treasure, sites in SITES.items()}
    assert kinds["earth_stone"] == {"Temple"}
    assert kinds["crystal_of_fire"] == {"Cave"}
    assert {printed_name(site).split()[1] for site in SITES["oceans_chalice"]} == {"Palace"}
    assert {printed_name(site).split()[1] for site in SITES["statue_of_the_wind"]} == {"Garden"}


def test_contents__tile_knows_its_treasure() -> None:
    treasure_of = {tile["id"]: tile["treasure"] for tile in RULES.components["tiles"]}
    assert treasure_of["cave_of_embers"] == "crystal_of_fire"
    assert sum(treasure is not None for treasure in treasure_of.values()) == 8


def test_contents__six_adventurers_with_pawn_and_start() -> None:
    assert {id_: (role.pawn, role.start) for id_, role in ROLES.items()} == {
        "diver": ("black", "iron_gate"),
        "engineer": ("red", "bronze_gate"),
        "explorer": ("green", "copper_gate"),
        "messenger": ("white", "silver_gate"),
        "navigator": ("yellow", "gold_gate"),
        "pilot": ("blue", "fools_landing"),
    }


def test_contents__water_meter() -> None:
    assert METER == (2, 2, 3, 3, 3, 4, 4, 5, 5)
    assert SKULL == 10
    assert RULES.components["water_meter"][-1] == {"tick": 10, "flood_cards": None}


def test_contents__printed_names() -> None:
    assert [
        printed_name(id_) for id_ in ("fools_landing", "temple_of_the_sun", "oceans_chalice", "breakers_bridge")
    ] == [
        "Fools' Landing",
        "Temple of the Sun",
        "Ocean's Chalice",
        "Breakers Bridge",
    ]


# 1. Create Forbidden Island


def test_board__rows_of_2_4_6_6_4_2_spaces() -> None:
    rows = (
        *((3, 1), (4, 1)),
        *((2, 2), (3, 2), (4, 2), (5, 2)),
        *((1, 3), (2, 3), (3, 3), (4, 3), (5, 3), (6, 3)),
        *((1, 4), (2, 4), (3, 4), (4, 4), (5, 4), (6, 4)),
        *((2, 5), (3, 5), (4, 5), (5, 5)),
        *((3, 6), (4, 6)),
    )
    assert rows == SPACES


def test_board__36_orthogonal_and_34_diagonal_neighbours() -> None:
    assert sum(map(len, ORTHOGONAL)) == 2 * 36
    assert sum(map(len, AROUND)) == 2 * (36 + 34)


def test_board__distance_is_the_shortest_path() -> None:
    for start in range(24):
        steps = {start: 0}
        queue = deque([start])
        while queue:
            space = queue.popleft()
            for near in ORTHOGONAL[space] - steps.keys():
                steps[near] = steps[space] + 1
                queue.append(near)
        assert all(distance(start, space) == steps[space] for space in range(24))


def test_setup_1__tiles_are_laid_in_reading_order() -> None:
    layout = (*TILES[1:], TILES[0])
    assert set_up(*layout, *FLOODS, *ROLES_DEALT, *CARDS).layout == layout


def test_setup_1__each_tile_is_laid_once() -> None:
    point = next_point(*TILES[:10])
    assert point.name == "tile"
    assert point.position == 10
    assert point.options == TILES[10:]


# 4. The Island Starts to Sink


def test_setup_4__six_tiles_are_flooded() -> None:
    assert set_up().flooded == set(FLOODS)


def test_setup_4__their_cards_form_the_flood_discard_pile() -> None:
    state = set_up()
    assert state.flood_discard == FLOODS
    assert len(state.flood_pile) == 18


def test_setup_4__a_card_comes_up_once() -> None:
    point = next_point(*TILES, "observatory")
    assert point.name == "flood_card"
    assert set(point.options) == set(TILES) - {"observatory"}


# 5. The Adventurers Appear


def test_setup_5__one_adventurer_each() -> None:
    assert set_up().roles == ROLES_DEALT


def test_setup_5__an_adventurer_is_dealt_once() -> None:
    point = next_point(*TILES, *FLOODS, "diver")
    assert point.name == "adventurer"
    assert point.options == ("engineer", "explorer", "messenger", "navigator", "pilot")


def test_setup_5__pawns_start_on_their_tiles() -> None:
    assert set_up().pawns == ("iron_gate", "fools_landing")


def test_setup_5__a_pawn_may_start_on_a_flooded_tile() -> None:
    state = set_up()
    assert state.pawns[0] in state.flooded


# 6. Hand Out Treasure Deck Cards


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_setup_6__two_cards_each(seats: int) -> None:
    hands = ("earth_stone", "sandbags", "sandbags", "crystal_of_fire", "helicopter_lift", "earth_stone")
    cards = (*hands, "oceans_chalice", "oceans_chalice")[: 2 * seats]
    state = set_up(*TILES, *FLOODS, *tuple(ROLES)[:seats], *cards, seats=seats)
    assert [len(hand) for hand in state.hands] == [2] * seats
    assert len(state.treasure_pile) == 28 - 2 * seats


def test_setup_6__a_hand_is_kept_sorted() -> None:
    assert set_up().hands[0] == ("earth_stone", "sandbags")
    assert set_up(*DEAL[:-4], "sandbags", "earth_stone", *CARDS[2:]).hands[0] == ("earth_stone", "sandbags")


def test_setup_6__waters_rise_is_replaced() -> None:
    state = set_up(*DEAL[:-4], "earth_stone", "waters_rise", "sandbags", "waters_rise", *CARDS[2:])
    assert state.hands == (("earth_stone", "sandbags"), ("crystal_of_fire", "crystal_of_fire"))


def test_setup_6__waters_rise_is_shuffled_back() -> None:
    state = set_up(*DEAL[:-4], "waters_rise", "waters_rise", "waters_rise", *CARDS)
    assert len(state.treasure_pile.layers) == 1
    assert state.treasure_pile.layers[0].count("waters_rise") == 3


def test_setup_6__what_may_be_dealt() -> None:
    point = next_point(*DEAL[:-4])
    assert point.name == "opening_card"
    assert point.probabilities()["waters_rise"] == Fraction(3, 28)


# 7. Set the Water Level


@pytest.mark.parametrize(("difficulty", "level"), [("novice", 1), ("normal", 2), ("elite", 3), ("legendary", 4)])
def test_setup_7__water_level_by_difficulty(difficulty: str, level: int) -> None:
    assert set_up(difficulty=difficulty).water_level == level


def test_setup_7__novice_by_default() -> None:
    assert set_up().water_level == 1


# Order of Play


def test_order_of_play__the_first_turn_begins_with_three_actions() -> None:
    state = set_up()
    assert (state.turn, state.phase, state.actions_left, state.active) == (1, "actions", 3, 0)
    assert (state.treasure_draws_left, state.flood_draws_left, state.has_flown) == (2, 0, False)
    assert RULES.awaiting(state) == (0,)


@pytest.mark.parametrize(("seats", "first", "active"), [(2, "p2", 1), (3, "p3", 2), (4, "p4", 3)])
def test_first_player__whom_the_table_names(seats: int, first: str, active: int) -> None:
    """FI-R25."""
    cards = ("earth_stone", "sandbags", "sandbags", "crystal_of_fire", *("oceans_chalice",) * 4)[: 2 * seats]
    deal = (*TILES, *FLOODS, *tuple(ROLES)[:seats], *cards)
    state = set_up(*deal, seats=seats, first_player=first)
    assert RULES.active(state) == active


def test_first_player__has_to_sit_at_the_table() -> None:
    with pytest.raises(Malformed) as error:
        RULES.parse_options({"first_player": "p3"}, 2)
    assert (error.value.pointer, error.value.message) == ("/options/first_player", "this game has only 2 players")


def test_options__every_ruling_has_its_default() -> None:
    options = RULES.parse_options({}, 2)
    assert msgspec.to_builtins(options) == {
        "difficulty": "novice",
        "first_player": "p1",
        "navigator_uses_target_power": "steps",
        "hand_limit_timing": "immediate",
        "treasure_reshuffle": "eager",
        "flood_reshuffle": "eager",
        "lift_rescues_sinking": True,
        "diver_swim": "nearest",
    }


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_players__two_to_four(seats: int) -> None:
    with pytest.raises(Malformed, match="Forbidden Island is for 2 to 4 players"):
        RULES.parse_options({}, seats)


def test_setup__is_told() -> None:
    assert RULES.describe_setup(set_up(), ("Ada", "Bo")) == [
        "Flooded from the start: Observatory, Watchtower, Iron Gate, Gold Gate, Misty Marsh, Lost Lagoon.",
        "Ada is the Diver and starts on Iron Gate; Bo is the Pilot and starts on Fools' Landing.",
        "Ada holds Earth Stone and Sandbags; Bo holds Crystal of Fire and Crystal of Fire.",
        "The water is at 1; Ada begins.",
    ]


def test_places__a_waters_rise_is_put_aside_and_another_card_dealt() -> None:
    options, names = RULES.parse_options({}, 2), ["Ann", "Bob"]
    dealt = (*DEAL[: -len(CARDS)], "waters_rise", *CARDS)

    assert len(RULES.setup_prompts(options, names, ())) == len(DEAL)
    assert [place.label for place in RULES.setup_prompts(options, names, dealt)][-5:] == [
        *("Ann, first put aside", "Ann, first card", "Ann, second card"),
        *("Bob, first card", "Bob, second card"),
    ]
