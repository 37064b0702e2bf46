"""Forbidden Island: 1. Take Up to 3 Actions (FI-R6 to FI-R9), without Move."""

from __future__ import annotations

from typing import Any

import pytest

from engine.kit.ruleset import Refusal
from tests.engine.games.forbidden_island.positions import ALL_CAPTURED, island
from tests.engine.games.playing import do, kinds, offered, refused, said

# 1. Take Up to 3 Actions


def test_actions__up_to_three() -> None:
    state = island(pawns=["fools_landing"])
    for to in ("observatory", "misty_marsh", "lost_lagoon"):
        state = do(state, "p1", "move", to=to)
    assert (state.phase, state.actions_left) == ("draw_treasure", 0)


@pytest.mark.parametrize("actions_left", [3, 2, 1])
def test_actions__may_be_fewer(actions_left: int) -> None:
    state = do(island(actions_left=actions_left), "p1", "draw_treasure_card", "earth_stone")
    assert (state.phase, state.actions_left) == ("draw_treasure", 0)


def test_actions__are_the_active_players() -> None:
    assert refused(island(), "p2", "move", to="breakers_bridge") == Refusal(
        "1. Take Up to 3 Actions", "It is another player's turn."
    )


@pytest.mark.parametrize(
    ("phase", "position", "rule", "message"),
    [
        (
            "draw_treasure",
            {},
            "1. Take Up to 3 Actions",
            "The actions of this turn are over. Draw two cards now.",
        ),
        (
            "draw_flood",
            {},
            "1. Take Up to 3 Actions",
            "The actions of this turn are over. Draw Flood cards now.",
        ),
        (
            "discard",
            {"hands": [(), ["earth_stone"] * 5 + ["sandbags"]]},
            "Hand Limit",
            "A player has more than 5 cards and must discard first.",
        ),
        (
            "swim",
            {"sunk": ["watchtower"], "pawns": ["silver_gate", "watchtower"]},
            "Pawns on Flooded Tiles",
            "A pawn is in the water and must swim first.",
        ),
    ],
)
def test_actions__only_while_actions_are_taken(phase: str, position: dict[str, Any], rule: str, message: str) -> None:
    state = island(phase=phase, **position)
    for type_, params in (
        ("move", {"to": "howling_garden"}),
        ("fly", {"to": "howling_garden"}),
        ("navigate", {"seat": "p2", "to": "howling_garden"}),
        ("shore_up", {"tiles": ["howling_garden"]}),
        ("give_card", {"to": "p2", "card": "earth_stone"}),
        ("capture_treasure", {"treasure": "earth_stone"}),
    ):
        assert refused(state, "p1", type_, **params) == Refusal(rule, message)


# Shore Up, FI-R7


def test_shore_up__adjacent_or_own_tile() -> None:
    state = island(
        pawns=["fools_landing"],
        flooded=["fools_landing", "observatory", "cliffs_of_abandon", "phantom_rock", "watchtower"],
    )
    assert offered(state, "p1", "shore_up") == [("cliffs_of_abandon",), ("fools_landing",), ("observatory",)]


def test_shore_up__turns_the_tile_over_for_an_action() -> None:
    state = island(pawns=["fools_landing"], flooded=["observatory", "watchtower"])
    state = do(state, "p1", "shore_up", tiles=["observatory"])
    assert (state.flooded, state.actions_left) == ({"watchtower"}, 2)


def test_shore_up__leaves_the_flood_card_where_it_lies() -> None:
    state = island(pawns=["fools_landing"], flooded=["observatory"], flood_discard=["observatory"])
    assert do(state, "p1", "shore_up", tiles=["observatory"]).flood_discard == ("observatory",)


def test_shore_up__not_diagonally() -> None:
    state = island(pawns=["fools_landing"], flooded=["phantom_rock"])
    assert refused(state, "p1", "shore_up", tiles=["phantom_rock"]) == Refusal(
        "Shore Up", "Phantom Rock is not within reach of Fools' Landing."
    )


def test_shore_up__only_a_flooded_tile() -> None:
    state = island(pawns=["fools_landing"])
    assert refused(state, "p1", "shore_up", tiles=["observatory"]) == Refusal("Shore Up", "Observatory is not flooded.")


def test_shore_up__not_a_tile_that_has_sunk() -> None:
    state = island(pawns=["fools_landing"], sunk=["observatory"])
    assert refused(state, "p1", "shore_up", tiles=["observatory"]) == Refusal("Shore Up", "Observatory has sunk.")


def test_shore_up__one_tile_for_everyone_but_the_engineer() -> None:
    state = island(pawns=["fools_landing"], flooded=["fools_landing", "observatory"])
    assert refused(state, "p1", "shore_up", tiles=["fools_landing", "observatory"]) == Refusal(
        "Shore Up", "Only the Engineer can shore up 2 tiles for 1 action."
    )


def test_shore_up__is_told() -> None:
    state = island(roles=["engineer", "diver"], pawns=["fools_landing"], flooded=["fools_landing", "observatory"])
    assert said(state, "p1", "shore_up", tiles=["observatory", "fools_landing"]) == (
        "Shore up Fools' Landing and Observatory",
        "Ada shores up Fools' Landing and Observatory.",
    )


# Exceptions: The Engineer, FI-R6


def test_shore_up__engineer_two_tiles_for_one_action() -> None:
    state = island(roles=["engineer", "diver"], pawns=["fools_landing"], flooded=["fools_landing", "observatory"])
    state = do(state, "p1", "shore_up", tiles=["fools_landing", "observatory"])
    assert (state.flooded, state.actions_left) == (set(), 2)


def test_shore_up__engineer_may_shore_up_one() -> None:
    state = island(roles=["engineer", "diver"], pawns=["fools_landing"], flooded=["fools_landing", "observatory"])
    state = do(state, "p1", "shore_up", tiles=["observatory"])
    assert (state.flooded, state.actions_left) == ({"fools_landing"}, 2)


def test_shore_up__engineer_two_tiles_in_either_order() -> None:
    state = island(roles=["engineer", "diver"], pawns=["fools_landing"], flooded=["fools_landing", "observatory"])
    assert offered(state, "p1", "shore_up") == [
        ("fools_landing", "observatory"),
        ("fools_landing",),
        ("observatory",),
    ]
    assert do(state, "p1", "shore_up", tiles=["observatory", "fools_landing"]).flooded == set()


def test_shore_up__engineer_two_different_tiles() -> None:
    state = island(roles=["engineer", "diver"], pawns=["fools_landing"], flooded=["observatory"])
    assert refused(state, "p1", "shore_up", tiles=["observatory", "observatory"]) == Refusal(
        "Shore Up", "Choose two different tiles."
    )


def test_shore_up__engineer_both_within_reach() -> None:
    state = island(roles=["engineer", "diver"], pawns=["fools_landing"], flooded=["observatory", "phantom_rock"])
    assert refused(state, "p1", "shore_up", tiles=["observatory", "phantom_rock"]) == Refusal(
        "Shore Up", "Phantom Rock is not within reach of Fools' Landing."
    )


# The Explorer


def test_shore_up__explorer_diagonally_too() -> None:
    state = island(roles=["explorer", "diver"], pawns=["fools_landing"], flooded=["phantom_rock", "watchtower"])
    assert offered(state, "p1", "shore_up") == [("phantom_rock",)]


# Give a Treasure Card, FI-R8


def test_give__on_the_same_tile_for_an_action() -> None:
    state = island(roles=["diver", "engineer"], pawns=["watchtower"] * 2, hands=[["earth_stone", "sandbags"], []])
    state = do(state, "p1", "give_card", to="p2", card="earth_stone")
    assert (state.hands, state.actions_left) == ((("sandbags",), ("earth_stone",)), 2)


def test_give__one_card_per_action() -> None:
    state = island(roles=["diver", "engineer"], pawns=["watchtower"] * 2, hands=[["earth_stone"] * 4, []])
    for _ in range(3):
        state = do(state, "p1", "give_card", to="p2", card="earth_stone")
    assert (state.phase, len(state.hands[1])) == ("draw_treasure", 3)


def test_give__not_to_another_tile() -> None:
    state = island(roles=["diver", "engineer"], hands=[["earth_stone"]])
    assert refused(state, "p1", "give_card", to="p2", card="earth_stone") == Refusal(
        "Give a Treasure Card", "Both pawns must be on the same tile."
    )


def test_give__no_special_action_cards() -> None:
    state = island(pawns=["watchtower"] * 2, hands=[["earth_stone", "helicopter_lift", "sandbags"], []])
    assert offered(state, "p1", "give_card") == [("p2", "earth_stone")]


def test_give__a_card_that_is_there() -> None:
    state = island(pawns=["watchtower"] * 2)
    assert refused(state, "p1", "give_card", to="p2", card="earth_stone") == Refusal(
        "Give a Treasure Card", "There is no Earth Stone in that hand."
    )


@pytest.mark.parametrize("to", ["p1", "p3"])
def test_give__to_another_player(to: str) -> None:
    state = island(hands=[["earth_stone"]])
    assert refused(state, "p1", "give_card", to=to, card="earth_stone") == Refusal(
        "Give a Treasure Card", "You can only give a card to another player."
    )


def test_give__cards_of_a_captured_treasure_too() -> None:
    state = island(pawns=["watchtower"] * 2, hands=[["earth_stone"]], captured=ALL_CAPTURED)
    assert offered(state, "p1", "give_card") == [("p2", "earth_stone")]


def test_give__the_messenger_to_any_tile() -> None:
    state = island(roles=["messenger", "engineer", "diver"], hands=[["earth_stone"]])
    assert offered(state, "p1", "give_card") == [("p2", "earth_stone"), ("p3", "earth_stone")]


def test_give__not_to_the_messenger_from_afar() -> None:
    state = island(roles=["engineer", "messenger"], hands=[["earth_stone"]])
    assert offered(state, "p1", "give_card") == []


def test_give__is_told() -> None:
    state = island(hands=[["earth_stone"]])
    assert said(state, "p1", "give_card", to="p2", card="earth_stone") == (
        "Give Earth Stone to Bo",
        "Ada gives Earth Stone to Bo.",
    )


# Capture a Treasure, FI-R9


@pytest.mark.parametrize("site", ["temple_of_the_moon", "temple_of_the_sun"])
@pytest.mark.parametrize("flooded", [[], ["temple_of_the_moon", "temple_of_the_sun"]])
def test_capture__four_cards_on_either_site(site: str, flooded: list[str]) -> None:
    state = island(pawns=[site], flooded=flooded, hands=[["earth_stone"] * 4])
    state = do(state, "p1", "capture_treasure", treasure="earth_stone")
    assert (state.captured, state.hands[0], state.actions_left) == (("earth_stone",), (), 2)


def test_capture__cards_go_to_the_treasure_discard_pile() -> None:
    state = island(pawns=["temple_of_the_sun"], hands=[["earth_stone"] * 4], treasure_discard=["sandbags"])
    state = do(state, "p1", "capture_treasure", treasure="earth_stone")
    assert state.treasure_discard == ("sandbags", *["earth_stone"] * 4)


def test_capture__a_fifth_card_stays() -> None:
    state = island(pawns=["temple_of_the_sun"], hands=[["earth_stone"] * 5])
    assert do(state, "p1", "capture_treasure", treasure="earth_stone").hands[0] == ("earth_stone",)


def test_capture__takes_four_cards() -> None:
    state = island(pawns=["temple_of_the_sun"], hands=[["earth_stone"] * 3])
    assert refused(state, "p1", "capture_treasure", treasure="earth_stone") == Refusal(
        "Capture a Treasure", "Capturing it takes 4 cards of Earth Stone."
    )


def test_capture__cards_of_two_hands_do_not_add_up() -> None:
    state = island(pawns=["temple_of_the_sun"] * 2, hands=[["earth_stone"] * 2, ["earth_stone"] * 2])
    assert offered(state, "p1", "capture_treasure") == []


def test_capture__on_a_site_of_that_treasure() -> None:
    state = island(pawns=["cave_of_embers"], hands=[["earth_stone"] * 4])
    assert refused(state, "p1", "capture_treasure", treasure="earth_stone") == Refusal(
        "Capture a Treasure", "Earth Stone is found on Temple of the Moon or Temple of the Sun."
    )


def test_capture__each_treasure_once() -> None:
    state = island(pawns=["temple_of_the_sun"], hands=[["earth_stone"] * 4], captured=["earth_stone"])
    assert refused(state, "p1", "capture_treasure", treasure="earth_stone") == Refusal(
        "Capture a Treasure", "The team already has Earth Stone."
    )


def test_capture__is_told() -> None:
    state = island(pawns=["temple_of_the_sun"], hands=[["earth_stone"] * 4])
    assert said(state, "p1", "capture_treasure", treasure="earth_stone") == (
        "Capture Earth Stone",
        "Ada captures Earth Stone!",
    )


def test_actions__what_a_hand_full_of_everything_allows() -> None:
    state = island(
        roles=["navigator", "pilot"],
        pawns=["temple_of_the_sun"] * 2,
        flooded=["watchtower"],
        hands=[["earth_stone"] * 4, ["helicopter_lift", "sandbags"]],
    )
    assert kinds(state, "p1") == [
        "move",
        "navigate",
        "shore_up",
        "give_card",
        "capture_treasure",
        "draw_treasure_card",
    ]
    assert kinds(state, "p2") == ["play_helicopter_lift", "play_sandbags"]
