"""The picture of Forbidden Island and of the Archaens: every element of the table is in it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forbidden_island.components import SITES, TILES, treasure_deck
from engine.games.forbidden_island.state import replace
from engine.kit.scene.panels import CardStack, Counters, Meter, PlayerMat
from engine.play.registry import ruleset
from tests.engine.games.forbidden_island.positions import ARCHAENS, FORBIDDEN_ISLAND, island

NAMES = ("Ann", "Bob")


def elements(state: Any, rules: str = FORBIDDEN_ISLAND) -> dict[str, Any]:
    return {element.id: element for element in ruleset(rules).board(state, NAMES).elements()}


def test_tiles() -> None:
    state = island(flooded=["coral_palace"], sunk=["watchtower"])
    found = elements(replace(state, pawns=("coral_palace", "watchtower"), captured=("oceans_chalice",)))

    assert [found[tile].state for tile in ("coral_palace", "watchtower", "fools_landing")] == ["flooded", "sunk", "dry"]
    assert [found[tile].is_flooded for tile in ("coral_palace", "fools_landing")] == [True, False]
    assert found["coral_palace"].pattern == "waves"
    assert found["watchtower"].is_gone
    assert [badge.symbol for badge in found["coral_palace"].badges] == ["cup", "check"]
    assert [badge.symbol or badge.form for badge in found["fools_landing"].badges] == ["helicopter", "square"]
    assert found["pawn.p2"].title == "Bob, Engineer, in the water at Watchtower"


def test_hands_and_piles() -> None:
    state = island(hands=[["earth_stone", "earth_stone", "sandbags"], []], treasure_discard=["waters_rise"])
    found = elements(replace(state, flood_pile=state.flood_pile.shuffle_on_top(["watchtower"]),
                             flood_discard=("misty_marsh",)))  # fmt: skip
    ann, deck, flood = found["player.p1"], found["treasure_pile"], found["flood_pile"]

    assert isinstance(ann, PlayerMat)
    assert [(card.label, card.count, card.place) for card in ann.cards] == [
        ("Earth Stone", 2, "earth_stone"),
        ("Sandbags", 1, "sandbags"),
    ]
    assert ann.note == "Left this turn: 3 actions, 2 Treasure cards"
    assert isinstance(deck, CardStack)
    assert (deck.discarded, deck.top) == (1, "Waters Rise!")
    assert isinstance(flood, CardStack)
    assert flood.notes[0] == "First: Watchtower"
    assert flood.notes[1].startswith("Then: ")
    assert flood.notes[2] == "Discarded: Misty Marsh"


def test_the_skull() -> None:
    meter = elements(replace(island(), water_level=10, actions_left=0, treasure_draws_left=0))["water_meter"]

    assert isinstance(meter, Meter)
    assert (meter.at, meter.reading) == (9, "the skull")


@pytest.mark.parametrize(("deadline", "is_grave"), [(None, False), (3, False), (1, True)])
def test_the_archaens_quota(deadline: int | None, is_grave: bool) -> None:
    state = replace(island(ARCHAENS, flooded=["watchtower"], sunk=["misty_marsh"]), revealed="watchtower",
                    deadline=deadline)  # fmt: skip
    found = elements(state, ARCHAENS)
    sinking = found["sinking"]

    assert isinstance(sinking, Counters)
    assert [gauge.is_grave for gauge in sinking.gauges] == [False, *([is_grave] if deadline else [])]
    assert (sinking.gauges[0].value, sinking.gauges[0].of) == (1, 12)
    assert found["watchtower"].state == "about to sink"
    assert found["watchtower"].is_strong


def test_every_tile_shows_what_it_is() -> None:
    found = elements(island())
    tiles = [found[tile] for tile in TILES]
    assert all(tile.vignette for tile in tiles)
    assert len({tile.vignette for tile in tiles}) == len(tiles)
    assert {found[tile].family for tile in SITES["crystal_of_fire"]} == {"fire"}
    assert found["gold_gate"].metal == "gold"


def test_a_treasure_waits_in_the_sea_until_it_is_captured() -> None:
    hands = (("earth_stone",) * 3, ("earth_stone", "crystal_of_fire"))
    state = replace(island(), hands=hands, captured=("crystal_of_fire",))
    stone, fire = (elements(state)[f"waiting.{treasure}"] for treasure in ("earth_stone", "crystal_of_fire"))
    assert (stone.pips, stone.is_done, stone.title) == ((3, 4), False, "Earth Stone: 3 of 4 cards in one hand")
    assert (fire.is_done, fire.title) == (True, "Crystal of Fire: captured")


@pytest.mark.parametrize(("rules", "name"), [(FORBIDDEN_ISLAND, "treasure_card"), (ARCHAENS, "artifact_card")])
def test_every_card_of_the_deck_has_its_place(rules: str, name: str) -> None:
    edition: Any = ruleset(rules)
    layout = ruleset(rules).faces[name]
    assert {face.value for face in layout.faces} == set(treasure_deck(edition.edition))
