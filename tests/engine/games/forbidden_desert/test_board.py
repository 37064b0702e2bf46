"""The picture of Forbidden Desert: every element of the table is in it."""

from __future__ import annotations

from typing import Any

from engine.core.values import GameOutcome
from engine.games.forbidden_desert.components import CITY_SIDES, EQUIPMENT_CARDS, STORM_DECK
from engine.games.forbidden_desert.state import DesertState
from engine.kit.piles import Pile as Cards
from engine.kit.scene import Element
from engine.kit.scene.panels import CardStack, Counters, Meter, PlayerMat, Shelf
from tests.engine.games.forbidden_desert.positions import RULES, table

NAMES = ("Ann", "Bob")


def scene(state: DesertState) -> dict[str, Element]:
    return {element.id: element for element in RULES.board(state, NAMES).elements()}


def test_tiles() -> None:
    state = table(
        "climber", "navigator", sand={"r1c2": 1, "r1c3": 2},
        city={"r2c1": "launch_pad", "r2c2": "clue_engine_row", "r2c4": "clue_engine_column"},
        peeked={"r2c5": "tunnel"}, parts={"r4c4": ("engine",)}, hole_parts=("propeller",),
    )  # fmt: skip
    found: dict[str, Any] = scene(state)

    assert [found[id_].pattern for id_ in ("r1c1", "r1c2", "r1c3", "r2c1")] == ["dunes", "dots", "cross", ""]
    assert found["r1c3"].state == "not excavated, 2 sand (blocked)"
    assert found["r5c5"].label == "Wreck"
    assert found["r4c1"].label == "Water?"
    assert [badge.symbol for badge in found["r2c2"].badges] == ["engine", "row"]
    assert [badge.symbol for badge in found["r2c4"].badges] == ["engine", "column"]
    assert [badge.symbol for badge in found["r2c5"].badges] == ["eye", "tunnel"]
    assert found["r2c1"].is_strong
    assert found["r3c3"].ground == "night"
    assert [found[id_].family for id_ in ("r1c1", "r2c1", "r3c3")] == ["dune", "stone", "night"]
    assert [found[id_].heap for id_ in ("r1c1", "r1c2", "r1c3")] == [0, 1, 2]
    assert all(found[id_].vignette for id_ in ("r1c1", "r2c1", "r2c2", "r2c4", "r5c5", "r4c1", "r3c3"))
    assert (found["lying.engine"].on, found["lying.propeller"].on) == ("r4c4", "r3c3")


def test_adventurers() -> None:
    state = table("navigator", "water_carrier", sand={"r1c1": 3}, water=(-1, 0), shielded=(False, True),
                  equipment=((), ("jet_pack", "jet_pack")))  # fmt: skip
    found = scene(state)
    ann, bob = found["player.p1"], found["player.p2"]

    assert isinstance(ann, PlayerMat)
    assert isinstance(bob, PlayerMat)
    assert ann.is_out
    assert ann.note == "Buried: must be dug out. Left this turn: 4 actions, 2 storm cards."
    assert [(gauge.label, gauge.is_grave) for gauge in (*ann.gauges, *bob.gauges)] == [
        ("Died of thirst", True),
        ("Water", True),
    ]
    assert [(card.label, card.count) for card in bob.cards] == [("Solar Shield is up", 1), ("Jet Pack", 2)]


def test_the_storm() -> None:
    pile = Cards.shuffled(("wind_north_1", "wind_east_2")).put_on_top("sun_beats_down").put_at_bottom("storm_picks_up")
    state = table("navigator", "climber", storm_pile=pile, storm_discard=("wind_west_3",),
                  storm_drawn=("sun_beats_down",), seen=("wind_south_1",))  # fmt: skip
    found = scene(state)
    deck, meter, seen = found["storm_pile"], found["storm_meter"], found["seen"]

    assert isinstance(deck, CardStack)
    assert deck.notes == ("On top: Sun Beats Down", "At the bottom: Storm Picks Up")
    assert (deck.count, deck.discarded, deck.top) == (4, 2, "Sun Beats Down")
    assert isinstance(meter, Meter)
    assert meter.reading == "2 storm cards a turn"
    assert isinstance(seen, Shelf)
    assert [card.label for card in seen.cards] == ["Wind Blows 1 South"]


def test_the_end() -> None:
    swept = table("navigator", "climber", storm_tick=14, actions_left=0, sand_supply=5,
                  outcome=GameOutcome("lost", (), "swept_away", "Losing the Game"))  # fmt: skip
    found = scene(swept)
    meter, box = found["storm_meter"], found["box"]

    assert isinstance(meter, Meter)
    assert meter.reading == "the skull"
    assert isinstance(box, Counters)
    assert box.gauges[0].is_grave
    assert "at the skull" in RULES.board(swept, NAMES).description
    idle = scene(table("navigator", "climber", actions_left=0, storm_left=0))["player.p1"]
    assert isinstance(idle, PlayerMat)
    assert idle.note == ""


def test_every_card_and_city_side_has_its_place() -> None:
    faces = RULES.faces
    assert {face.value for face in faces["storm_card"].faces} == set(STORM_DECK)
    assert {face.value for face in faces["equipment_card"].faces} == set(EQUIPMENT_CARDS)
    assert {face.value for face in faces["tile"].faces} == set().union(*CITY_SIDES.values())
