"""Forgotten Waters: scenario packs, and the line numbers of their errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from engine.games.forgotten_waters.scenario.packs import first_edition
from engine.games.forgotten_waters.scenario.validate import BadPack, load_pack, pack_schema
from tests.engine.games.forgotten_waters.positions import BELL

DOCUMENT = files(first_edition).joinpath("the_bell_below.json").read_text(encoding="utf-8")
DOCS = Path(__file__).parents[4] / "docs"
Change = Callable[[Any], object]


def faults(change: Change) -> list[tuple[str, str]]:
    """Return the errors in The Bell Below after `change`: pointers and messages."""
    document = json.loads(DOCUMENT)
    change(document)
    with pytest.raises(BadPack) as caught:
        load_pack(json.dumps(document, indent=1).encode())
    return [(fault.pointer, fault.message) for fault in caught.value.faults]


def test_schema__is_the_one_in_the_docs() -> None:
    assert json.loads((DOCS / "scenario-packs.schema.json").read_text(encoding="utf-8")) == json.loads(
        json.dumps(pack_schema())
    )


def test_guide__names_every_effect() -> None:
    guide = (DOCS / "scenario-packs.md").read_text(encoding="utf-8")
    effects = [
        definition["properties"]["do"]["enum"][0]
        for definition in pack_schema()["$defs"].values()
        if "do" in definition.get("properties", {})
    ]
    assert [effect for effect in effects if f"`{effect}`" not in guide] == []


# Errors and their places


def test_fault__no_json() -> None:
    with pytest.raises(BadPack) as caught:
        load_pack(b'{\n"id": "x",\n"version" 1}')
    assert caught.value.lines == (3,)


def test_fault__cut_off() -> None:
    with pytest.raises(BadPack) as caught:
        load_pack(b'{\n"id": "x",\n')
    assert caught.value.lines == (3,)


def test_fault__against_the_schema_by_line() -> None:
    lines = DOCUMENT.splitlines()
    at = next(number for number, line in enumerate(lines, 1) if '"id": "flotsam"' in line and '"effects"' in line)
    broken = DOCUMENT.replace(
        '"stat": "supplies", "n": 2}, {"do": "remove_token"', '"stat": "rum", "n": 2}, {"do": "remove_token"'
    )
    with pytest.raises(BadPack) as caught:
        load_pack(broken.encode())
    assert caught.value.lines == (at,)
    assert str(caught.value).startswith(
        f"line {at}: 'rum' is not one of 'crew', 'discontent', 'hull' and 'supplies' (/entries/"
    )


def test_fault__by_line() -> None:
    lines = DOCUMENT.splitlines()
    at = next(number for number, line in enumerate(lines, 1) if '"id": "flotsam"' in line and '"effects"' in line)
    broken = lines[:]
    broken[at - 1] = broken[at - 1].replace('{"do": "remove_token"}', '{"do": "read", "entry": "nowhere"}')
    with pytest.raises(BadPack) as caught:
        load_pack("\n".join(broken).encode())
    assert caught.value.lines == (at,)


def test_fault__something_missing_stands_where_it_is_missing() -> None:
    lines = DOCUMENT.splitlines()
    at = next(number for number, line in enumerate(lines, 1) if '"id": "calm_water", "name"' in line)
    broken = DOCUMENT.replace('{"id": "calm_water", "name": "Calm water"', '{"id": "calm_water"')
    with pytest.raises(BadPack) as caught:
        load_pack(broken.encode())
    assert caught.value.lines == (at,)


def test_fault__a_list_that_is_left_out_stands_where_it_is_missing() -> None:
    assert faults(lambda document: document.pop("set_up")) == [
        ("/set_up", "the set-up ends by turning to the first page")
    ]


def at(*path: Any) -> Callable[[Any], Any]:
    def reach(document: Any) -> Any:
        for key in path:
            document = document[key]
        return document

    return reach


def put(value: Any, *path: Any) -> Change:
    """Set `value` at this path."""
    return lambda document: at(*path[:-1])(document).__setitem__(path[-1], value)


def effect(**document: Any) -> Change:
    """Make this effect the only one of the first action of the first page."""
    return put([document], "pages", 0, "actions", 0, "effects")


HERE = "/pages/0/actions/0/effects/0"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (effect(do="take_story", story="x"), (f"{HERE}/story", "there is no story 'x'")),
        (effect(do="dial", feature="bids"), (f"{HERE}/feature", "there is no feature 'bids'")),
        (effect(do="objective", objective="x"), (f"{HERE}/objective", "there is no objective 'x'")),
        (effect(do="place_token", space="z1", token="flotsam"), (f"{HERE}/space", "there is no space 'z1'")),
        (effect(do="place_token", space="b2", token="x"), (f"{HERE}/token", "there is no token 'x'")),
        (effect(do="remove_token", space="z1"), (f"{HERE}/space", "there is no space 'z1'")),
        (effect(do="lock", action=9), (f"{HERE}/action", "there is no action '9'")),
        (effect(do="read", entry="x"), (f"{HERE}/entry", "there is no entry 'x'")),
        (effect(do="turn_page", page="x"), (f"{HERE}/page", "there is no page 'x'")),
        (effect(do="turn_page", page="open_sea", actions=[{}]), (HERE, "put the contents of a page in `pages`")),
        (effect(do="card_icon", card="x", skill="aim", n=1), (HERE, "card_icon is for a table's own box")),
        (
            effect(do="set_die", to=3),
            (
                HERE,
                "only treasures for checks can have set_die and add_to_check, and nothing else",
            ),
        ),
        (effect(do="roll", results=[{"from": 2}]), (f"{HERE}/results", "the results must ascend from 1")),
        (
            effect(do="check", skill="aim", results=[{"from": 1}, {"from": 1}]),
            (f"{HERE}/results", "the results must ascend from 1"),
        ),
        (
            effect(do="choose", options=[{"name": "a", "when": [{"of": "hull"}]}]),
            (f"{HERE}/options/0/when/0", "a condition needs at_least, at_most or both"),
        ),
        (
            effect(do="choose", options=[{"name": "a", "effects": [{"do": "read", "entry": "x"}]}]),
            (f"{HERE}/options/0/effects/0/entry", "there is no entry 'x'"),
        ),
        (effect(do="if", when=[{"of": "story:x", "at_least": 1}]), (f"{HERE}/when/0/of", "there is no story 'x'")),
        (
            effect(do="if", when=[{"of": "hull", "at_least": 1}], then=[{"do": "read", "entry": "x"}]),
            (f"{HERE}/then/0/entry", "there is no entry 'x'"),
        ),
        (
            effect(do="if", when=[{"of": "hull", "at_least": 1}], otherwise=[{"do": "read", "entry": "x"}]),
            (f"{HERE}/otherwise/0/entry", "there is no entry 'x'"),
        ),
        (effect(do="per", of="dial:bids", effects=[{"do": "fill_star"}]), (f"{HERE}/of", "there is no dial 'bids'")),
        (
            effect(do="for_players", who="all", effects=[{"do": "read", "entry": "x"}]),
            (f"{HERE}/effects/0/entry", "there is no entry 'x'"),
        ),
        (
            put([{"do": "new_round"}, {"do": "fill_star"}], "pages", 0, "actions", 0, "effects"),
            (HERE, "nothing can follow this effect"),
        ),
        (put("gullet_harbour", "pages", 1, "id"), ("/pages", "'gullet_harbour' occurs 2 times")),
        (put(1, "pages", 0, "actions", 1, "number"), ("/pages/0/actions", "'1' occurs 2 times")),
        (
            put([{"id": "a", "max": 2}, {"id": "a", "max": 2}], "pages", 0, "features"),
            ("/pages/0/features", "'a' occurs 2 times"),
        ),
        (
            put([{"id": "a", "start": 3, "max": 2}], "pages", 0, "features"),
            ("/pages/0/features/0", "the value at the start is above the maximum"),
        ),
        (
            put([{"number": 1, "name": "a", "is_locked": True}], "pages", 0, "actions"),
            ("/pages/0/actions", "a page has at least one unlimited action that is not locked"),
        ),
        (
            put([{"number": n, "name": "a", "is_locked": n > 1} for n in range(1, 12)], "pages", 0, "actions"),
            ("/pages/0/actions", "there are only 9 lock tokens"),
        ),
        (put([{"do": "new_round"}], "entries", 0, "effects"), None),
        (put(15, "ship", "start", "hull"), ("/ship/start/hull", "the value at the start is above the maximum")),
        (put(14, "ship", "start", "discontent"), ("/ship/start", "the game would be lost at the start")),
        (
            put([{"level": 3}, {"level": 3}], "ship", "cannons"),
            ("/ship/cannons", "there are fewer than 2 cannons of level 3"),
        ),
        (put("x", "objective"), ("/objective", "there is no objective 'x'")),
        (put("z1", "ship", "space"), ("/ship/space", "there is no space 'z1'")),
        (put("z1", "placed", 0, "space"), ("/placed/0/space", "there is no space 'z1'")),
        (put("x", "placed", 0, "token"), ("/placed/0/token", "there is no location 'x'")),
        (put("rocky_waters", "placed", 0, "token"), ("/ship/space", "the ship cannot start on rocky waters")),
        (put("x", "navigation", 0, "entry"), ("/navigation/0/entry", "there is no entry 'x'")),
        (put("x", "locations", 0, "entry"), ("/locations/0/entry", "there is no entry 'x'")),
        (put([], "set_up"), ("/set_up", "the set-up ends by turning to the first page")),
        (
            put(
                [{"do": "choose", "options": [{"name": "a", "effects": [{"do": "read", "entry": "flotsam"}]}]}],
                "entries",
                31,
                "effects",
            ),
            None,
        ),
        (
            put({}, "sheets", 0, "skills"),
            ("/sheets/0/skills", "a sheet has the six skills: aim, brawn, exploration, hunting, navigation, swagger"),
        ),
        (
            put(["nowhere", "start"], "sheets", 0, "constellation", 0, "links"),
            ("/sheets/0/constellation/0/links", "there is no star 'nowhere'"),
        ),
        (
            put(True, "sheets", 0, "constellation", 0, "is_event"),
            ("/sheets/0/constellation", "5 of the stars are events"),
        ),
        (put("a2", "sheets", 0, "constellation", 0, "id"), ("/sheets/0/constellation", "'a2' occurs 2 times")),
        (
            put(["d3"], "sheets", 0, "constellation", 14, "links"),
            ("/sheets/0/constellation", "nothing links d1, d2, d3 to the start star"),
        ),
        (
            put([{"do": "read", "entry": "x"}], "sheets", 0, "events", 0, "effects"),
            ("/sheets/0/events/0/effects/0/entry", "there is no entry 'x'"),
        ),
        (
            put([{"do": "read", "entry": "x"}], "threat_events", 0, "effects"),
            ("/threat_events/0/effects/0/entry", "there is no entry 'x'"),
        ),
        (
            put([{"do": "read", "entry": "x"}], "special_rules", 0, "set_up"),
            ("/special_rules/0/set_up/0/entry", "there is no entry 'x'"),
        ),
        (
            put([{"do": "fill_star"}], "treasures", 22, "discard"),
            (
                "/treasures/22/discard/0",
                "only treasures for checks can have set_die and add_to_check, and nothing else",
            ),
        ),
    ],
)
def test_fault(change: Change, fault: tuple[str, str] | None) -> None:
    if fault is None:
        document = json.loads(DOCUMENT)
        change(document)
        load_pack(json.dumps(document).encode())
    else:
        assert fault in faults(change)


@pytest.mark.parametrize(
    "inside",
    [
        lambda read: read,
        lambda read: {"do": "choose", "options": [{"name": "a", "effects": [read]}]},
        lambda read: {"do": "roll", "results": [{"from": 1, "effects": [read]}]},
        lambda read: {"do": "if", "when": [{"of": "hull", "at_least": 1}], "otherwise": [read]},
        lambda read: {"do": "per", "of": "round", "effects": [read]},
    ],
)
def test_fault__an_entry_that_leads_back_to_itself(inside: Callable[[Any], Any]) -> None:
    number = next(index for index, entry in enumerate(BELL.entries) if entry.id == "flotsam")
    change = put([inside({"do": "read", "entry": "flotsam"})], "entries", number, "effects")
    assert faults(change) == [(f"/entries/{number}", "this entry leads back to itself")]
