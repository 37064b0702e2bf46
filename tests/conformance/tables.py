"""Tables to play at: every ruleset, with every two values of its options and seat counts together at least once."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

from engine.core.documents import params_schema
from engine.core.errors import Malformed
from engine.kit.ruleset import AnyRuleset
from engine.play.registry import ruleset, rulesets

SEATS = "seats"


class Table(NamedTuple):
    """Who plays what: the options that are left out have their default."""

    ruleset: str
    seats: int
    options: dict[str, Any]

    @property
    def rules(self) -> AnyRuleset:
        return ruleset(self.ruleset)


@functools.cache
def tables() -> tuple[Table, ...]:
    """Every table that the suite plays at."""
    return tuple(table for rules in rulesets() for table in _pairwise(rules))


@functools.cache
def each_choice() -> list[Table]:
    """Few of them, for what is dear: every number of seats and every value of every option is there once at least."""
    met: set[tuple[str, str, str]] = set()
    few = []
    for table in tables():
        choices = {(table.ruleset, name, str(value)) for name, value in (*table.options.items(), (SEATS, table.seats))}
        if not choices <= met:
            met |= choices
            few.append(table)
    return few


def _pairwise(rules: AnyRuleset) -> Iterator[Table]:
    """Tables that have every possible pair of choices among them; few, but not the fewest."""
    axes = dict(_axes(rules))
    pairs = [{one: a, other: b} for one, other in combinations(axes, 2) for a in axes[one] for b in axes[other]]
    left = [pair for pair in pairs if _fits(rules, pair)]
    while left:
        row = dict(left[0])
        for name, values in axes.items():
            if name not in row:
                rows = [{**row, name: value} for value in values]
                row = max((one for one in rows if _fits(rules, one)), key=functools.partial(_met, left))
        left = [pair for pair in left if not pair.items() <= row.items()]
        options = {name: row[name] for name, (default, *_) in axes.items() if row[name] != default}
        options.pop(SEATS, None)
        yield Table(rules.id, row[SEATS], options)


def _met(pairs: list[dict[str, Any]], row: dict[str, Any]) -> int:
    return sum(pair.items() <= row.items() for pair in pairs)


def _fits(rules: AnyRuleset, choices: dict[str, Any]) -> bool:
    given = dict(choices)
    seats = given.pop(SEATS, rules.players[1])
    try:
        rules.parse_options(given, seats)
    except Malformed:
        return False
    return True


def _axes(rules: AnyRuleset) -> Iterator[tuple[str, list[Any]]]:
    """What can be chosen, and the values: the default first."""
    least, most = rules.players
    yield SEATS, list(range(least, most + 1))
    for name, schema in params_schema(rules.options)["properties"].items():
        default = schema["default"]
        yield name, [default, *(value for value in listed(schema) if value != default)]


def listed(schema: dict[str, Any]) -> list[Any]:
    """The values of an option, if they can be listed."""
    if "enum" in schema:
        return list(schema["enum"])
    if schema.get("type") == "boolean":
        return [False, True]
    if schema.get("type") == "integer":
        return list(range(schema["minimum"], schema["maximum"] + 1))
    # Of names, lists and objects there are too many: tables here leave them at their default.
    return []
