"""Forbidden Desert: the texts of buttons, reports and the table."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.values import GameOutcome
from engine.games.forbidden_desert.components import STORM_DECK
from engine.games.forbidden_desert.state import DesertState, replace
from tests.engine.games.forbidden_desert.positions import RULES, table
from tests.engine.games.playing import do

NAMES = ["Ada", "Bo"]
TABLE = table(
    "navigator",
    "climber",
    city={"r1c2": "tunnel"},
    peeked={"r4c5": "launch_pad"},
    seen=("wind_north_1", "sun_beats_down"),
)


@pytest.mark.parametrize(
    ("kind", "params", "came_up", "label", "sentence"),
    [
        ("move", {"to": "r1c2"}, (), "Move to row 1, column 2 (Tunnel)", "Ada moves to row 1, column 2 (Tunnel)."),
        ("move", {"to": "r2c1", "passenger": "p2"}, (), "Move to row 2, column 1 with Bo",
         "Ada moves to row 2, column 1 with Bo."),
        ("remove_sand", {"tile": "r1c1"}, (), "Remove a sand marker from row 1, column 1",
         "Ada removes a sand marker from row 1, column 1."),
        ("remove_sand", {"tile": "r1c1", "markers": 2}, (), "Remove 2 sand markers from row 1, column 1",
         "Ada removes 2 sand markers from row 1, column 1."),
        ("excavate", {}, ("clue_engine_row",), "Excavate this tile",
         "Ada excavates row 1, column 1 and finds: Engine clue (row)."),
        ("draw_equipment", {}, ("jet_pack",), "Draw an equipment card", "Ada draws Jet Pack."),
        ("pick_up_part", {"part": "solar_crystal"}, (), "Pick up the solar crystal", "Ada picks up the solar crystal!"),
        ("give_water", {"to": "p2", "amount": 2}, (), "Give 2 water to Bo", "Ada gives 2 water to Bo."),
        ("pass_equipment", {"to": "p2", "card": "jet_pack"}, (), "Pass Jet Pack to Bo", "Ada passes Jet Pack to Bo."),
        ("play_jet_pack", {"to": "r5c5", "passenger": "p2"}, (), "Jet Pack: row 5, column 5 (wreck) with Bo",
         "Ada plays Jet Pack: to row 5, column 5 (wreck) with Bo."),
        ("play_jet_pack", {"to": "r5c1"}, (), "Jet Pack: row 5, column 1 (water drop)",
         "Ada plays Jet Pack: to row 5, column 1 (water drop)."),
        ("play_jet_pack", {"to": "r4c5"}, (), "Jet Pack: row 4, column 5 (Launch Pad, not excavated)",
         "Ada plays Jet Pack: to row 4, column 5 (Launch Pad, not excavated)."),
        ("play_terrascope", {"tile": "r4c4"}, ("gear",), "Terrascope: row 4, column 4",
         "Ada plays Terrascope at row 4, column 4 and sees: Gear."),
        ("draw_storm_card", {}, ("wind_south_2",), "Draw a storm card", "Wind Blows 2 South: 2 tiles moved."),
        ("end_turn", {}, (), "End the turn without a storm card", "Ada draws no storm card."),
        ("weaken_storm", {}, (), "Draw one storm card fewer this turn", "Ada will draw one storm card fewer."),
        ("forecast", {}, (), "Look at the top storm cards", "Ada looks at the top storm cards."),
        ("look_at_storm_card", {}, ("wind_east_1",), "Look at the next storm card", "Ada sees Wind Blows 1 East."),
        ("place_storm_cards", {}, (), "Put all of them back on top", "Ada puts the storm cards back on top."),
        ("place_storm_cards", {"bottom": 2}, (), "Put card 2 (Sun Beats Down) at the bottom",
         "Ada puts Sun Beats Down at the bottom of the storm deck."),
        ("navigate", {"seat": "p2", "to": "r1c2"}, (), "Move Bo to row 1, column 2 (Tunnel)",
         "Ada moves Bo to row 1, column 2 (Tunnel)."),
        ("navigate", {"seat": "p2", "to": "r1c3", "passengers": [{"seat": "p1", "to": "r1c2"}]}, (),
         "Move Bo to row 1, column 3, taking Ada to row 1, column 2 (Tunnel)",
         "Ada moves Bo to row 1, column 3, taking Ada to row 1, column 2 (Tunnel)."),
        ("draw_water", {}, (), "Draw 2 water from the well", "Ada draws water from the well."),
    ],
)  # fmt: skip
def test_words(kind: str, params: dict[str, Any], came_up: tuple[str, ...], label: str, sentence: str) -> None:
    action = RULES.parse(kind, params)
    assert action.label(TABLE, NAMES) == label
    assert action.describe(TABLE, 0, came_up, NAMES) == sentence


def test_words__nobody_drinks() -> None:
    sheltered = table("navigator", "climber", shielded=(True, False))
    assert RULES.parse("draw_storm_card", {}).describe(sheltered, 0, ("sun_beats_down",), NAMES) == (
        "The sun beats down: nobody must drink."
    )


def test_words__respite() -> None:
    respite = table("navigator", "climber", hole="r5c3")
    assert RULES.parse("draw_storm_card", {}).describe(respite, 0, ("wind_north_2",), NAMES) == (
        "Wind Blows 2 North: no tiles moved."
    )


def test_words__of_every_card() -> None:
    assert [RULES.value_label(card) for card in dict.fromkeys(STORM_DECK)][:3] == [
        "Storm Picks Up",
        "Sun Beats Down",
        "Wind Blows 1 East",
    ]


def test_tableau__says_what_lies_on_the_table() -> None:
    state = table(
        "navigator",
        "climber",
        city={"r1c2": "tunnel", "r4c4": "gear"},
        sand={"r2c2": 2},
        parts={"r4c4": ("engine",)},
        hole_parts=("propeller",),
        collected=("solar_crystal",),
        shielded=(True, False),
        equipment=(("jet_pack",), ()),
    )
    tableau = RULES.overview(state, NAMES)
    assert tableau["Storm"] == "at row 3, column 3, 2 cards a turn"
    assert tableau["Sand"] == "46 of 48 markers left"
    assert tableau["Sandy tiles"] == "row 2, column 2: 2"
    assert tableau["City"] == "row 1, column 2 (Tunnel); row 4, column 4 (Gear)"
    assert "7 × Gear" in tableau["Not excavated"]
    assert tableau["Parts"] == "Solar Crystal"
    assert tableau["Parts found"] == "Engine at row 4, column 4, Propeller in the storm"
    assert "Ada (Navigator, row 1, column 1): water 4, shielded; Jet Pack" in tableau["Adventurers"]


def draw_losing_card(card: str, **changes: Any) -> DesertState:
    return do(table("navigator", "climber", **changes), "p1", "draw_storm_card", card)


def test_tableau__at_the_skull() -> None:
    assert RULES.overview(draw_losing_card("storm_picks_up", storm_tick=13), NAMES)["Storm"].endswith("at the skull")
    assert "water skull" in RULES.overview(draw_losing_card("sun_beats_down", water=(0, 3)), NAMES)["Adventurers"]


def test_headline__the_table_in_a_line() -> None:
    assert RULES.headline(TABLE, NAMES) == "Storm: 2 cards · sand left: 48 of 48 · water: Ada 4, Bo 3 · parts: 0 of 4"
    assert "Storm: skull" in RULES.headline(draw_losing_card("storm_picks_up", storm_tick=13), NAMES)
    assert "Ada skull" in RULES.headline(draw_losing_card("sun_beats_down", water=(0, 3)), NAMES)


def test_invariants__a_sound_position() -> None:
    assert RULES.check_invariants(table("navigator", "climber")) == []
    assert RULES.check_invariants(draw_losing_card("sun_beats_down", water=(0, 3))) == []


@pytest.mark.parametrize(
    ("changes", "violation"),
    [
        ({"sand_supply": 47}, "48 sand markers"),
        ({"board": (*table("navigator", "climber").board, None)}, "24 tiles and the hole"),
        ({"storm_discard": ("wind_north_1",)}, "31 storm cards"),
        ({"equipment_used": ("jet_pack",)}, "every equipment card is in one place"),
        ({"collected": ("engine",)}, "a part is in the game once both its clues are found"),
        ({"water": (4, -1)}, "canteens between empty and full"),
        ({"pawns": ("r3c3", "r1c1")}, "no pawn in the storm"),
    ],
)
def test_invariants__name_what_is_wrong(changes: dict[str, Any], violation: str) -> None:
    assert violation in RULES.check_invariants(replace(table("navigator", "climber"), **changes))


def test_awaiting__nobody_once_it_is_over() -> None:
    assert RULES.awaiting(draw_losing_card("sun_beats_down", water=(0, 3))) == ()


def test_role__in_a_word() -> None:
    assert [RULES.role(TABLE, seat) for seat in (0, 1)] == [{"Adventurer": "Navigator"}, {"Adventurer": "Climber"}]


def test_endings__each_has_its_sentence() -> None:
    assert set(RULES.endings) == {"took_off", "thirst", "buried", "swept_away"}


def test_document__comes_back_as_the_same_state() -> None:
    state = replace(TABLE, outcome=GameOutcome("lost", (), "thirst", "Losing the Game"))
    assert RULES.from_document(RULES.to_document(state)) == state
