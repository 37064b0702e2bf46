"""The Bell Below, our own scenario: tables can reach all of it, and its texts can be read aloud."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.games.forgotten_waters.scenario import packs
from engine.games.forgotten_waters.scenario.pack import Page
from engine.games.forgotten_waters.scenario.packs import PACKS
from engine.games.forgotten_waters.scenario.validate import pack_schema

BELL = PACKS["the_bell_below"]
DOCUMENT = json.loads(files(packs).joinpath("the_bell_below.json").read_text(encoding="utf-8"))
PAGES = {page["id"]: page for page in DOCUMENT["pages"]}
ENTRIES = {entry["id"]: entry for entry in DOCUMENT["entries"]}
TOKENS = {token["id"]: token for token in (*DOCUMENT["locations"], *DOCUMENT["navigation"])}


def nodes(part: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a part of the document."""
    if isinstance(part, dict):
        yield part
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from nodes(inner)


def reachable_objects() -> list[dict[str, Any]]:
    """Return every object that a table can reach from the setup on."""
    tokens = [DOCUMENT["navigation"], *(TOKENS[placed["token"]] for placed in DOCUMENT["placed"])]
    ahead: list[Any] = [DOCUMENT[part] for part in ("set_up", "special_rules", "threat_events", "treasures", "sheets")]
    ahead += tokens
    met: set[str] = set()
    found = []
    while ahead:
        for node in nodes(ahead.pop()):
            found.append(node)
            for key, parts in (("page", PAGES), ("entry", ENTRIES), ("token", TOKENS)):
                id_ = node.get(key)
                if id_ in parts and f"{key} {id_}" not in met:
                    met.add(f"{key} {id_}")
                    ahead.append(parts[id_])
    return found


REACHED = reachable_objects()


def does(effect: str, field: str) -> set[Any]:
    """Return the values of `field` in the effects of a kind that tables can reach."""
    return {node[field] for node in REACHED if node.get("do") == effect}


@pytest.mark.long
def test_fits_the_schema() -> None:
    Draft202012Validator(pack_schema()).validate(DOCUMENT)


@pytest.mark.parametrize("entry", BELL.entries, ids=lambda entry: entry.id)
def test_an_entry_is_long_enough_to_be_read_aloud_and_short_enough_to_be_listened_to(entry: Any) -> None:
    assert 30 <= len(entry.text.split()) <= 80


def test_no_sentence_is_read_twice() -> None:
    texts = [node[field] for node in nodes(DOCUMENT) for field in ("text", "warning") if field in node]
    sentences = Counter(one for text in texts for one in re.split(r"(?<=[.!?])['”]? ", text) if len(one.split()) > 5)
    assert [sentence for sentence, count in sentences.items() if count > 1] == []


def test_every_page_and_every_entry_can_be_come_by() -> None:
    assert set(PAGES) - does("turn_page", "page") == set()
    read = does("read", "entry") | {token["entry"] for token in TOKENS.values() if "entry" in token}
    assert set(ENTRIES) - read == set()


def test_every_story_card_is_taken_somewhere_and_asked_for_elsewhere() -> None:
    stories = {card.id for card in BELL.stories}
    asked = {node["of"].partition(":")[2] for node in REACHED if str(node.get("of")).startswith("story:")}
    assert stories == does("take_story", "story") == asked


@pytest.mark.parametrize("page", [page for page in BELL.pages if any(a.is_locked for a in page.actions)], ids=str)
def test_what_is_locked_can_be_unlocked_on_the_page_by_something_that_is_not(page: Page) -> None:
    locked = {action.number for action in page.actions if action.is_locked}
    opened = {
        node["action"]
        for action in PAGES[page.id]["actions"]
        if action["number"] not in locked
        for node in nodes(action)
        if node.get("do") == "unlock"
    }
    assert locked == opened
    # A lock that opens within a round helps in the next round. This page has one.
    assert any(node.get("do") == "new_round" for node in nodes(PAGES[page.id]["round_end"]))


def test_locks_are_on_most_places_that_are_stayed_at_and_are_laid_as_well_as_opened() -> None:
    assert sum(any(action.is_locked for action in page.actions) for page in BELL.pages) >= 8
    assert does("lock", "action")


def test_the_sea_has_pages_of_its_own_and_none_leads_to_itself() -> None:
    sea = {page.id for page in BELL.pages if page.kind == "At sea"}
    assert len(sea) == 5
    for id_ in sea:
        turned = {node["page"] for node in nodes(PAGES[id_]["round_end"]) if node.get("do") == "turn_page"}
        assert turned == sea - {id_}


def test_the_ship_is_in_danger_in_every_way_wherever_it_is() -> None:
    """At least half of the pages can cost hull, and as many raise discontent or cost crew; the fleet is everywhere."""

    def costs(page: Page, stat: str, sign: int) -> bool:
        entries = [ENTRIES[node["entry"]] for node in nodes(PAGES[page.id]) if node.get("do") == "read"]
        changes = [node for node in nodes([PAGES[page.id], entries]) if node.get("stat") == stat]
        return any(node.get("n", 0) * sign > 0 for node in changes)

    pages = len(BELL.pages)
    assert sum(costs(page, "hull", -1) for page in BELL.pages) * 2 >= pages
    assert sum(costs(page, "discontent", 1) or costs(page, "crew", -1) for page in BELL.pages) * 2 >= pages
    (fleet,) = [rule for rule in BELL.special_rules if rule.players == 7]
    assert [effect.__struct_config__.tag for effect in fleet.round_end] == ["if", "if", "if", "if", "check_threat"]


def test_has_every_kind_of_action_and_two_parts() -> None:
    actions = [action for page in BELL.pages for action in page.actions]
    assert {action.kind for action in actions} == {"unlimited", "limited", "required"}
    assert any(node.get("do") == "complete_part" for node in REACHED)


def test_each_sheet_has_five_events_in_a_constellation_of_its_own() -> None:
    assert [len(sheet.event_stars) for sheet in BELL.sheets] == [5] * 7
    assert len({str(sheet.constellation) for sheet in BELL.sheets}) == 7
