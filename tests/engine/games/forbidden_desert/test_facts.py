"""The facts of a Forbidden Desert table, in words."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.kit.facts import Tableau
from tests.engine.games.forbidden_desert.positions import RULES
from tests.engine.games.forbidden_desert.telling import (
    ENGINE,
    NAMES,
    fact,
    reported_facts,
    table_with_cards,
    tile,
)


@pytest.mark.parametrize(
    ("document", "sentence", "no_longer"),
    [
        (tile("r3c3", "storm"), "The storm is at row 3, column 3.", "The storm is no longer at row 3, column 3."),
        (
            tile("r1c1", "plain"),
            "At row 1, column 1: a desert tile, not looked at yet.",
            "A different tile is at row 1, column 1, or something else is known about it.",
        ),
        (
            tile("r1c1", "water", "well", is_excavated=True),
            "At row 1, column 1: Well (a tile with a water drop), excavated.",
            "A different tile is at row 1, column 1, or something else is known about it.",
        ),
        (
            tile("r1c1", "crash"),
            "At row 1, column 1: Gear (the wreck), not excavated.",
            "A different tile is at row 1, column 1, or something else is known about it.",
        ),
        (fact("plays", seat="p1", role="climber"), "Ada is the Climber.", "Ada is no longer the Climber."),
        (
            fact("sand_at", space="r1c1"),
            "There is 1 sand marker at row 1, column 1.",
            "There is no longer 1 sand marker at row 1, column 1.",
        ),
        (
            fact("sand_at", space="r1c1", markers=2),
            "There are 2 sand markers at row 1, column 1.",
            "There are no longer 2 sand markers at row 1, column 1.",
        ),
        (
            fact("sand_at", space="r1c1", markers=0),
            "There are no sand markers at row 1, column 1.",
            "There is sand at row 1, column 1 now.",
        ),
        (
            fact("part_is", part="engine", where="not_in_the_game"),
            "The Engine is not in the game yet.",
            "The Engine is in the game now.",
        ),
        (
            fact("part_is", part="engine", where="with_the_team"),
            "The team has the Engine.",
            "The team no longer has the Engine.",
        ),
        (
            fact("part_is", part="engine", where="in_the_storm"),
            "The Engine waits in the storm.",
            "The Engine no longer waits in the storm.",
        ),
        (
            fact("part_is", part="engine", where="r1c1"),
            "The Engine is at row 1, column 1.",
            "The Engine is no longer at row 1, column 1.",
        ),
        (
            fact("stands_on", seat="p2", space="r1c1"),
            "Bo is at row 1, column 1.",
            "Bo is no longer at row 1, column 1.",
        ),
        (fact("water_is", seat="p1", level=2), "Ada's canteen is at 2.", "Ada's canteen is no longer at 2."),
        (
            fact("water_is", seat="p1", level=-1),
            "Ada's canteen is at the skull.",
            "Ada's canteen is no longer at the skull.",
        ),
        (fact("shielded", seat="p1"), "Ada's Solar Shield is up.", "Ada's Solar Shield is no longer up."),
        (
            fact("shielded", seat="p1", yes=False),
            "Ada's Solar Shield is not up.",
            "Ada's Solar Shield is up now.",
        ),
        (
            fact("has_cards", seat="p1", card="jet_pack", count=2),
            "Ada has 2 Jet Pack.",
            "Ada no longer has 2 Jet Pack.",
        ),
        (fact("has_cards", seat="p1", card="jet_pack", count=0), "Ada has no Jet Pack.", "Ada has Jet Pack now."),
        (
            fact("cards_used", card="jet_pack", count=1),
            "1 Jet Pack is out of the game.",
            "1 Jet Pack is no longer out of the game.",
        ),
        (
            fact("cards_used", card="jet_pack", count=2),
            "2 Jet Pack are out of the game.",
            "2 Jet Pack are no longer out of the game.",
        ),
        (
            fact("cards_used", card="jet_pack", count=0),
            "No Jet Pack is out of the game.",
            "Jet Pack is out of the game now.",
        ),
        (
            fact("storm_tick", tick=3),
            "The storm is at tick 3 of its meter.",
            "The storm is no longer at tick 3 of its meter.",
        ),
        (
            fact("storm_pile_is", layers=[["sun_beats_down"], ["storm_picks_up"]]),
            "The storm deck, each part of it shuffled, from the top: Sun Beats Down; then Storm Picks Up.",
            "The known order of the storm deck no longer holds.",
        ),
        (
            fact("storm_pile_is", layers=[]),
            "The storm deck is one shuffled pile.",
            "The storm deck is no longer one shuffled pile.",
        ),
        (
            fact("look_is", seat=None),
            "Nobody is looking at the storm deck.",
            "A player is looking at the storm deck.",
        ),
        (
            fact("look_is", seat="p1", left=2),
            "Ada is looking at the storm deck: nothing yet, 2 more to see.",
            "Ada's look at the storm deck has changed.",
        ),
        (
            fact("look_is", seat="p1", seen=["sun_beats_down"], has_to_place=True),
            "Ada is looking at the storm deck: Sun Beats Down, 0 more to see; one of them must go to the bottom.",
            "Ada's look at the storm deck has changed.",
        ),
        (
            fact("storm_cards_drawn", card="sun_beats_down", count=1),
            "Drawn this turn: 1 card “Sun Beats Down”.",
            "No longer drawn this turn: 1 card “Sun Beats Down”.",
        ),
        (
            fact("storm_cards_drawn", card="sun_beats_down", count=0),
            "Drawn this turn: no card “Sun Beats Down”.",
            "A card “Sun Beats Down” was drawn this turn.",
        ),
        (
            fact("storm_cards_discarded", card="sun_beats_down", count=2),
            "The storm discard pile holds 2 cards “Sun Beats Down”.",
            "The storm discard pile no longer holds 2 cards “Sun Beats Down”.",
        ),
        (
            fact("storm_cards_discarded", card="sun_beats_down", count=0),
            "The storm discard pile holds no card “Sun Beats Down”.",
            "The storm discard pile has a card “Sun Beats Down” now.",
        ),
        (fact("turn_is", number=4), "This is turn 4.", "This is no longer turn 4."),
        (fact("turn_of", seat="p2"), "It is Bo's turn.", "It is no longer Bo's turn."),
        (
            fact("must_draw_equipment"),
            "An equipment card is due for a gear.",
            "An equipment card is no longer due for a gear.",
        ),
        (
            fact("must_draw_equipment", yes=False),
            "No equipment card is due for a gear.",
            "An equipment card is now due for a gear.",
        ),
        (
            fact("left", of="actions", count=2),
            "Left this turn: 2 actions.",
            "No longer left this turn: 2 actions.",
        ),
        (
            fact("left", of="storm_cards", count=1),
            "Left this turn: 1 storm card to draw.",
            "No longer left this turn: 1 storm card to draw.",
        ),
        (
            fact("weakened", count=2),
            "The Meteorologist has weakened the storm by 2 this turn.",
            "It is no longer true that the Meteorologist weakened the storm by 2 this turn.",
        ),
        (
            fact("phase_is", phase="draw_equipment"),
            "The phase is: drawing an equipment card.",
            "The phase is no longer: drawing an equipment card.",
        ),
        (
            fact("sand_supply_is", count=1),
            "There is 1 sand marker beside the board.",
            "There is no longer 1 sand marker beside the board.",
        ),
        (
            fact("sand_supply_is", count=0),
            "There are no sand markers beside the board.",
            "There are sand markers beside the board now.",
        ),
        (
            fact("sand_supply_is", count=7),
            "There are 7 sand markers beside the board.",
            "There are no longer 7 sand markers beside the board.",
        ),
        (fact("hand_is", seat="p1", count=3), "Ada has 3 equipment cards.", "Ada no longer has 3 equipment cards."),
        (
            fact("equipment_pile_is", count=1),
            "The equipment deck has 1 equipment card.",
            "The equipment deck no longer has 1 equipment card.",
        ),
        (fact("storm_cards_left", count=1), "The storm deck has 1 card.", "The storm deck no longer has 1 card."),
        (fact("storm_cards_left", count=0), "The storm deck has no cards.", "The storm deck no longer has no cards."),
    ],
)
def test_facts__in_words(document: dict[str, Any], sentence: str, no_longer: str) -> None:
    (one,) = reported_facts(document)
    assert (one.sentence(NAMES), one.no_longer(NAMES)) == (sentence, no_longer)


def test_facts__of_a_whole_table() -> None:
    """Every kind of fact is listed, unless it has no facts."""
    state = table_with_cards(
        drawn=["sun_beats_down"],
        discarded=["storm_picks_up"],
        seen=("wind_north_1",),
        sand={"r2c2": 2},
        city=ENGINE,
        parts={"r1c4": ("engine",)},
        watcher=0,
        phase="place",
        weakened=1,
        must_draw_equipment=True,
        shielded=(False, True),
        equipment=(("jet_pack",), ()),
        equipment_used=("terrascope",),
    )
    state = msgspec.structs.replace(state, storm_pile=state.storm_pile.put_on_top("wind_south_1"))
    assert {one.tag() for one in Tableau(RULES.facts, state)} == {kind.tag() for kind in RULES.facts}


# The ground
