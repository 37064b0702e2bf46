"""The declarations of a ruleset are sound, and the same in every process."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
from random import Random

import msgspec
import pytest

from drawing.symbols import SYMBOLS
from driftlog.testing.tables import TableSetup, option_values, tables
from engine.core.canonical import digest
from engine.core.documents import params_schema
from engine.core.values import SEAT_IDS
from engine.kit.chance import Sampled
from engine.kit.ruleset import AnyRuleset
from engine.play.registry import rulesets
from tests.conformance.recorded import record_random_game
from tests.quick import quick

SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
KEBAB = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

all_rulesets = pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.id)


@all_rulesets
def test_the_tables_meet_every_value_of_every_option(rules: AnyRuleset) -> None:
    mine = [table for table in tables() if table.ruleset == rules.id]
    assert {table.seats for table in mine} == set(range(rules.players[0], rules.players[1] + 1))
    for name, schema in params_schema(rules.options)["properties"].items():
        if not option_values(schema):
            continue
        values = {table.options.get(name, schema["default"]) for table in mine}
        assert values >= set(schema.get("enum", ())), name
        assert len(values) > 1, name


@all_rulesets
def test_results_of_the_setup_are_named_in_words(rules: AnyRuleset) -> None:
    for table in tables():
        if table.ruleset == rules.id:
            chance = Sampled(Random(0))
            chance.begin(2, ())
            rules.setup(rules.parse_options(table.options, table.seats), table.seats, chance)
            labels = {value: rules.value_label(value) for value in chance.finish() if value is not None}
            assert not [value for value, label in labels.items() if "_" in label or label in SEAT_IDS]


@functools.cache
def heads() -> list[str]:
    """Return the last hash and the last state of a game at each of some tables."""
    games = [record_random_game(table, 5, "tides").game for table in tables()[::6] if "seeded" in table.rules.sources]
    return [game.head + digest(game.ruleset.to_document(game.state)) for game in games]


@pytest.mark.parametrize("hash_seed", quick(["0", "1"], "1".__eq__))
def test_hashes_do_not_depend_on_the_order_of_sets(hash_seed: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", "from tests.conformance.test_declarations import heads; print(*heads())"],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout.split() == heads(), run.stderr


def test_the_games_of_a_table_differ() -> None:
    table = TableSetup(rulesets()[0].id, rulesets()[0].players[0], {})
    assert len({record_random_game(table, seed).game.head for seed in range(5)}) == 5


@all_rulesets
def test_every_choice_is_told_in_a_players_words(rules: AnyRuleset) -> None:
    for name, schema in params_schema(rules.options)["properties"].items():
        is_choice = "enum" in schema or schema.get("type") == "boolean"
        if not is_choice or set(schema.get("enum", ())) <= set(SEAT_IDS):
            continue
        values = schema.get("enum", (True, False))
        assert schema["title"], name
        assert set(schema["x-titles"]) == {one if isinstance(one, str) else str(one).lower() for one in values}, name


def test_every_place_of_the_set_up_is_foreseen(table: TableSetup) -> None:
    rules, names = table.rules, [f"player {number}" for number in range(table.seats)]
    options = rules.parse_options(table.options, table.seats)
    chance = Sampled(Random(f"set-up of {table}"))
    chance.begin(2, ())
    state = rules.setup(options, table.seats, chance)
    given = chance.finish()
    for position in range(len(given)):
        assert len(rules.setup_prompts(options, names, given[:position])) > position
    places = rules.setup_prompts(options, names, given)
    assert len(places) == len(given)
    assert len({(place.group, place.label) for place in places}) == len(places)
    for seat in range(table.seats):
        for value in rules.role(state, seat).values():
            assert value


@all_rulesets
def test_what_can_come_up_has_a_cell_of_its_own(rules: AnyRuleset) -> None:
    for layout in rules.faces.values():
        cells = [(face.row, column) for face in layout.faces for column in range(face.column, face.column + face.width)]
        assert len(cells) == len(set(cells))
        assert all(1 <= column <= layout.columns for _, column in cells)
        values = [face.value for face in layout.faces]
        assert len(values) == len(set(values))
        assert all(face.symbol in SYMBOLS for face in layout.faces)


@pytest.mark.rules
@all_rulesets
def test_every_phase_is_told_as_a_player_would_say_it(rules: AnyRuleset) -> None:
    (kind,) = (kind for kind in rules.facts if "phase" in kind.__struct_fields__)
    assert set(params_schema(kind)["properties"]["phase"]["enum"]) == rules.phases.keys()
    for phase, said in rules.phases.items():
        assert "_" not in said
        assert " " in said
        assert rules.words()[phase] == said


@all_rulesets
def test_every_value_of_a_fact_or_an_action_has_a_word(rules: AnyRuleset) -> None:
    words = rules.words()
    for kind in (*rules.facts, *rules.actions):
        schema = msgspec.json.encode({**params_schema(kind), "fact": None}).decode()
        schema = re.sub(r'"fact":\{"enum":\[[^]]*\]\}', "", schema)
        for found in re.findall(r'"enum":(\[[^]]*\])', schema):
            values = {value for value in msgspec.json.decode(found) if isinstance(value, str)}
            assert {value for value in values if value[:2] not in SEAT_IDS} <= words.keys(), kind
