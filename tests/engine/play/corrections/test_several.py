"""Facts about several subjects: lists in one fact, stored one by one, in a correction and at a beginning."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import Malformed
from engine.kit.rest import REST
from engine.kit.several import schema_of_several
from engine.play.beliefs.belief import worlds
from engine.play.registry import ruleset
from tests.engine.play.telling import Told, photograph, round_trip, state, tell, tile, water
from tests.engine.recording import played
from tests.recording import Recording

MOST_FACTS = 10


def tiles(names: list[Any], state: Any) -> Told:
    return {"fact": "tile_is", "tile": names, "state": state}


def in_short() -> list[Told]:
    """Return the facts of a table in the middle of a game, as a table reports them over REST."""
    told = photograph(played())
    lies = [fact for fact in told if fact["fact"] == "lies_at"]
    plays, stands = ([fact for fact in told if fact["fact"] == kind] for kind in ("plays", "stands_on"))
    return [
        {"fact": "lies_at", **{name: [one[name] for one in lies] for name in ("tile", "column", "row")}},
        {"fact": "plays", **{name: [one[name] for one in plays] for name in ("seat", "role")}},
        {"fact": "stands_on", **{name: [one[name] for one in stands] for name in ("seat", "tile")}},
        {
            "fact": "tile_is",
            "tile": ["coral_palace", "iron_gate", "watchtower", REST],
            "state": ["flooded", "flooded", "sunk", "dry"],
        },
        {"fact": "flood_card_is", "tile": ["coral_palace", REST], "place": ["discard_pile", "pile"]},
        {"fact": "has_cards", "seat": ["p1", "p1"], "card": ["earth_stone", "sandbags"], "count": [2, 1]},
        {"fact": "captured", "treasure": ["crystal_of_fire"]},
        {"fact": "hand_is", "seat": ["p1", "p2"], "count": [4, 1]},
        water(3),
        {"fact": "turn_of", "seat": "p2"},
    ]


def test_a_record_begins_with_ten_facts() -> None:
    """Hands as listed, and two cards that nobody named; all other Flood cards are in the pile."""
    assert len(in_short()) <= MOST_FACTS
    recording = Recording()
    recording.add("set_up", None, [None, None], position={"facts": in_short()})
    table: Any = worlds(state(recording))[0].state
    assert table.layout == state(played()).layout
    assert (table.flooded, table.sunk) == ({"coral_palace", "iron_gate"}, {"watchtower"})
    assert table.flood_discard == ("coral_palace",)
    assert (table.water_level, table.active, table.actions_left) == (3, 1, 3)
    assert set(table.captured) == {"crystal_of_fire"}
    stored = recording.events[1].params["position"]["facts"]
    assert sum(fact["fact"] == "tile_is" for fact in stored) == 24
    assert not any(isinstance(value, list) for fact in stored for value in fact.values())
    round_trip(recording)


def test_a_correction_about_several_subjects() -> None:
    recording = played()
    tell(recording, tiles(["coral_palace", "iron_gate"], "flooded"))
    assert state(recording).flooded >= {"coral_palace", "iron_gate"}
    tell(recording, {"fact": "has_cards", "seat": ["p1", "p2"], "card": REST, "count": 0})
    assert state(recording).hands == ((), ())
    round_trip(recording)


@pytest.mark.parametrize(
    ("told", "pointer", "message"),
    [
        ([tiles([], "dry")], "/params/facts/0/tile", "at least one"),
        ([tiles(["iron_gate"], ["dry", "dry"])], "/params/facts/0", "same length"),
        ([water(1), tiles(["iron_gate", "atlantis"], "dry")], "/params/facts/1/tile/1", "atlantis"),
        ([tiles([REST, "iron_gate"], ["wet", "dry"])], "/params/facts/0/state/0", "dry"),
        ([tiles(["iron_gate"], "wet")], "/params/facts/0/state", "dry"),
        ([{"fact": "hand_is", "seat": ["p1", "p3"], "count": 2}], "/params/facts/0/seat/1", "seat"),
        ([{"fact": "water_level", "level": [1]}], "/params/facts/0/level", "whole number"),
        ([tiles(["iron_gate"] * 301, "dry")], "/params/facts", "at most 300"),
        ([water(1), tiles([["iron_gate"]], "dry")], "/params/facts/1/tile/0", "."),
    ],
)
def test_lists_that_cannot_be_read(told: list[Any], pointer: str, message: str) -> None:
    with pytest.raises(Malformed, match=message) as refused:
        tell(played(), *told)
    assert refused.value.pointer == pointer


def test_the_schema_has_the_lists() -> None:
    kinds = {kind.tag(): kind for kind in ruleset("forbidden-island").facts}
    members = schema_of_several(kinds["tile_is"])["properties"]
    assert members["tile"]["anyOf"][1]["items"] == members["tile"]["anyOf"][0]
    assert members["state"]["anyOf"][1]["type"] == "array"
    assert "anyOf" not in schema_of_several(kinds["water_level"])["properties"]["level"]


def test_a_single_tile_is_no_list() -> None:
    recording = played()
    tell(recording, tile("coral_palace", "sunk"))
    assert state(recording).sunk == {"coral_palace"}
