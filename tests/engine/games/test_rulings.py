"""A game's tests name every ruling in its RULINGS.md, whose options are those of the ruleset."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.kit.options import RULING
from engine.kit.ruleset import Ruleset
from engine.play.registry import rulesets

ID = re.compile(r"\b[A-Z]{2}-R\d+\w*\b")
QUOTED = re.compile(r"`([^`]+)`")
GAMES = [pytest.param(rules, id=rules.id) for rules in rulesets() if rules.checks_rules]


def folder(cls: type) -> Path:
    return Path(inspect.getfile(cls)).parent


@cache
def rows(game: Path) -> list[list[str]]:
    """Return the cells of each row of a game's RULINGS.md: id, question, answer, option."""
    table = [line for line in (game / "RULINGS.md").read_text("utf-8").splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def ids(game: Path) -> list[str]:
    return [row[0] for row in rows(game) if ID.fullmatch(row[0])]


@cache
def named_ids(game: Path) -> set[str]:
    """Return the ids that a game's tests name. A module's docstring does not count, because no test checks it."""
    found = set()
    for path in (Path(__file__).parent / game.name).glob("test_*.py"):
        text = path.read_text("utf-8")
        summary = ast.parse(text).body[0]
        found.update(ID.findall("\n".join(text.splitlines()[summary.end_lineno :])))
    return found


def option_rows(rules: Ruleset[Any, Any]) -> dict[str, list[str]]:
    """Return the options that RULINGS.md names, with their values. A variant also has the options of its base game."""
    games = {folder(cls): None for cls in rules.options.__mro__ if cls.__module__.startswith("engine.games.")}
    quoted = [QUOTED.findall(row[3]) for game in games for row in rows(game)]
    return {names[0]: names[1:] for names in quoted if names}


@pytest.mark.parametrize("rules", GAMES)
def test_every_ruling_is_named_by_a_test(rules: Ruleset[Any, Any]) -> None:
    game = folder(type(rules))
    assert ids(game)
    assert [id_ for id_ in ids(game) if id_ not in named_ids(game)] == []


@pytest.mark.parametrize("rules", GAMES)
def test_every_ruling_that_a_test_names_is_there(rules: Ruleset[Any, Any]) -> None:
    known = {id_ for each in rulesets() if each.checks_rules for id_ in ids(folder(type(each)))}
    assert named_ids(folder(type(rules))) <= known


@pytest.mark.parametrize("rules", GAMES)
def test_rulings_are_numbered_in_order(rules: Ruleset[Any, Any]) -> None:
    found = ids(folder(type(rules)))
    prefix = found[0].removesuffix("1")
    assert found == [f"{prefix}{number}" for number in range(1, len(found) + 1)]


@pytest.mark.parametrize("rules", GAMES)
def test_every_ruling_option_has_a_row(rules: Ruleset[Any, Any]) -> None:
    options = option_schemas(rules)
    assert {name for name, schema in options.items() if RULING in schema} <= option_rows(rules).keys() <= options.keys()


@pytest.mark.parametrize("rules", GAMES)
def test_the_values_of_an_option_begin_with_its_default(rules: Ruleset[Any, Any]) -> None:
    for name, values in option_rows(rules).items():
        schema = option_schemas(rules)[name]
        if values:
            assert values[0] == spell_value(schema["default"]), name
            assert set(values) <= set(map(spell_value, schema.get("enum", [True, False]))), name


def option_schemas(rules: Ruleset[Any, Any]) -> dict[str, Any]:
    """Return the JSON Schema of each option."""
    schema = msgspec.json.schema(rules.options)
    found: dict[str, Any] = schema["$defs"][rules.options.__name__]["properties"]
    return found


def spell_value(value: Any) -> str:
    """Return a value as RULINGS.md writes it: `true`, `12`, `steps`."""
    return value if isinstance(value, str) else str(value).lower()
