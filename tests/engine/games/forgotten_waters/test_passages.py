"""The prose that the table reads, and its picture."""

from __future__ import annotations

import json

import msgspec
import pytest

from engine.games.forgotten_waters.view.texts import passage
from engine.games.forgotten_waters.view.vignettes import PLACES, picture
from engine.play.registry import ruleset
from tests.engine.games.forgotten_waters.positions import FORGOTTEN_WATERS, resolving, voyage

TABLE = voyage(options={"edition": "third"})
PACK = TABLE.pack
NAMES = ("Ann", "Bob", "Cleo")


def effect_of(entry: str, at: int) -> dict[str, object]:
    """Return an effect of an entry, as in the pack's file."""
    found: dict[str, object] = json.loads(msgspec.json.encode(PACK.entry[entry].effects[at]))
    return found


def test_a_choice_of_an_encounter__its_text_under_the_name_of_its_token() -> None:
    read = passage(resolving(effect_of("old_whale", 1), state=TABLE))
    assert read is not None
    assert (read.id, read.title) == ("old_whale", "Old whale")
    assert read.text == PACK.entry["old_whale"].text


def test_a_choice_of_an_entry_without_a_token__under_the_name_of_the_page() -> None:
    read = passage(resolving(effect_of("dirty_3", 0), state=TABLE))
    assert read is not None
    assert read.title == "Gullet Harbour"
    assert read.text == PACK.entry["dirty_3"].text


def test_the_check_of_an_action__the_text_of_the_action() -> None:
    action = PACK.page["gullet_harbour"].actions[0]
    read = passage(resolving(*json.loads(msgspec.json.encode(action.effects)), state=TABLE))
    assert read is not None
    assert (read.title, read.text) == (action.name, action.text)


@pytest.mark.parametrize(
    "state", [voyage(), resolving({"do": "gain_treasure"}), resolving({"do": "roll", "results": []})]
)
def test_nothing_is_read_otherwise(state: object) -> None:
    assert passage(state) is None  # type: ignore[arg-type]


def test_the_page_shows_the_picture__and_while_the_table_reads_nothing_else() -> None:
    rules = ruleset(FORGOTTEN_WATERS)
    planned, reading = (
        next(plane for plane in rules.board(state, NAMES).planes if plane.id == "page")
        for state in (TABLE, resolving(effect_of("old_whale", 1), state=TABLE))
    )
    assert [tile.id for tile in planned.tiles[:2]] == ["picture", "action.1"]
    assert [(tile.id, tile.label) for tile in reading.tiles] == [("picture", "Old whale")]


def test_every_page_has_a_picture_of_its_own() -> None:
    assert {page.id for page in PACK.pages} <= set(PLACES)
    assert picture("nowhere", "flat_calm") == PLACES["flat_calm"]
    assert picture("nowhere") not in PLACES.values()
