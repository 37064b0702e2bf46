"""Sentences that say what to do now."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.play.registry import ruleset
from tests.engine.games.forbidden_desert.positions import table
from tests.engine.games.forbidden_island.positions import ARCHAENS, island
from tests.engine.games.forever_island.positions import atoll
from tests.engine.games.forgotten_waters.positions import resolving, voyage

ISLAND, DESERT, ATOLL, WATERS = "forbidden-island", "forbidden-desert", "forever-island", "forgotten-waters"
NAMES = ("Ann", "Bob", "Cleo")
CHECK = {"do": "check", "skill": "swagger", "results": [{"from": 1, "effects": []}]}
CHOICE = {"do": "choose", "by": "group", "options": [{"name": "Stay"}, {"name": "Leave"}]}


def question_text(id_: str, state: Any) -> str:
    """Return the sentence of a table and its legal kinds of actions."""
    rules = ruleset(id_)
    awaited = rules.awaiting(state)
    legal = {type(one.action) for one in rules.legal_actions(state) if one.seat in awaited}
    return rules.ask(state, [kind for kind in rules.actions if kind in legal and not kind.any_time], NAMES)


@pytest.mark.parametrize(
    ("id_", "state", "sentence"),
    [
        (ISLAND, island(actions_left=2), "Two actions left: move or draw cards."),
        (ISLAND, island(hands=[["earth_stone"]]), "Three actions left: move, give a card, or draw cards."),
        (ISLAND, island(phase="draw_treasure", treasure_draws_left=1), "Treasure deck card 2 of 2."),
        (ISLAND, island(phase="draw_flood", water_level=3, flood_draws_left=2), "Flood card 2 of 3."),
        (
            ISLAND,
            island(phase="discard", hands=[["sandbags", *["earth_stone"] * 5]]),
            "Ann has more than 5 cards: discard one.",
        ),
        (
            ISLAND,
            island(phase="swim", pawns=("observatory",), sunk=["observatory"]),
            "The tile of Ann has sunk: swim to a tile nearby.",
        ),
        (DESERT, table("climber", "explorer", actions_left=1), "One action left: move, excavate, or draw storm cards."),
        (DESERT, table("climber", "explorer", actions_left=0, phase="storm"), "Storm card 1 of 2."),
        (ATOLL, atoll(huts=[["hog_1_a"], ["log_1_a"]]), "Any number of actions: harvest or pass the die."),
        (ATOLL, atoll(phase="weather"), "Roll for weather."),
        (WATERS, voyage(), "Ann chooses: tap a free action."),
        (WATERS, resolving(CHECK), "Swagger check: roll a die."),
        (WATERS, resolving(CHOICE), "Choose together: tap one of the choices."),
        (WATERS, resolving({"do": "move_ship", "n": 2}), "2 spaces left: stop or tap a lit space."),
        (WATERS, resolving({"do": "gain_treasure"}), "Draw a treasure."),
    ],
)
def test_the_sentence_says_what_to_do(id_: str, state: Any, sentence: str) -> None:
    assert question_text(id_, state) == sentence


def test_forbidden_island_archaens__a_tile_about_to_sink_needs_no_start() -> None:
    assert ruleset(ARCHAENS).moment(replace(island(ARCHAENS), phase="sink"), NAMES) == ""


def test_forgotten_waters__the_last_to_choose_and_the_action_that_is_resolved() -> None:
    rules = ruleset(WATERS)
    assert rules.moment(voyage(choosing=(1,)), NAMES) == "Bob is last to choose"
    acting = replace(voyage(choosing=()), phase="action", active=1, standees=(1, 4, 2))
    assert rules.moment(acting, NAMES) == "Action 4"
    assert rules.moment(replace(acting, phase="end_of_round", active=None), NAMES) == ""


def test_forbidden_desert__no_storm_cards_are_left() -> None:
    state = replace(table("meteorologist", "explorer"), phase="storm", actions_left=0, weakened=9)
    assert ruleset(DESERT).moment(state, NAMES) == ""
