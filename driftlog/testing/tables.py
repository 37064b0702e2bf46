"""Test tables: together they cover every pair of option values and seat counts of a ruleset."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from engine.core.documents import params_schema
from engine.core.errors import Malformed
from engine.kit.ruleset import AnyRuleset
from engine.play.registry import ruleset, rulesets

SEATS = "seats"
MOST_VALUES = 20
"""Maximum number of values of a numeric option that are all tested. Of a longer range, only both ends are tested."""


class TableSetup(NamedTuple):
    """A ruleset, the number of seats, and the options that differ from their defaults."""

    ruleset: str
    seats: int
    options: dict[str, Any]

    @property
    def rules(self) -> AnyRuleset:
        return ruleset(self.ruleset).at(self.options)


@functools.cache
def tables() -> tuple[TableSetup, ...]:
    """Return the tables of every installed ruleset."""
    return tuple(table for rules in rulesets() for table in tables_of(rules))


def each_choice(many: Iterable[TableSetup] | None = None) -> list[TableSetup]:
    """Select a few tables from `many` (default: all) that cover every number of seats and every option's values."""
    met: set[tuple[str, str, str]] = set()
    few = []
    for table in tables() if many is None else many:
        choices = {(table.ruleset, name, str(value)) for name, value in (*table.options.items(), (SEATS, table.seats))}
        if not choices <= met:
            met |= choices
            few.append(table)
    return few


def tables_of(rules: AnyRuleset) -> Iterator[TableSetup]:
    """Yield tables that cover every possible pair of choices. They are few, but not always the fewest possible."""
    axes = dict(_axes(rules))
    pairs = [{one: a, other: b} for one, other in combinations(axes, 2) for a in axes[one] for b in axes[other]]
    if len(axes) == 1:
        pairs = [{SEATS: seats} for seats in axes[SEATS]]
    left = [pair for pair in pairs if _fits(rules, pair)]
    while left:
        row = dict(left[0])
        for name, values in axes.items():
            if name not in row:
                rows = [{**row, name: value} for value in values]
                row = max((one for one in rows if _fits(rules, one)), key=functools.partial(_count_met, left))
        left = [pair for pair in left if not pair.items() <= row.items()]
        options = {name: row[name] for name, (default, *_) in axes.items() if row[name] != default}
        options.pop(SEATS, None)
        yield TableSetup(rules.id, row[SEATS], options)


def _count_met(pairs: list[dict[str, Any]], row: dict[str, Any]) -> int:
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
    """Yield the seat count and each option with its values, the default first."""
    least, most = rules.players
    yield SEATS, list(range(least, most + 1))
    for name, schema in params_schema(rules.options)["properties"].items():
        default = schema["default"]
        yield name, [default, *(value for value in option_values(schema) if value != default)]


def option_values(schema: dict[str, Any]) -> list[Any]:
    """Return the values of an option, if they can be listed."""
    if "enum" in schema:
        return list(schema["enum"])
    if schema.get("type") == "boolean":
        return [False, True]
    if schema.get("type") == "integer" and {"minimum", "maximum"} <= schema.keys():
        least, most = schema["minimum"], schema["maximum"]
        return list(range(least, most + 1)) if most - least < MOST_VALUES else [least, most]
    # Texts, lists and objects have too many values, so they keep their default.
    return []
