"""Tables in the middle of a game, and the answers with which a late page describes them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from driftlog.testing.tables import TableSetup
from engine.core.values import State, Value
from engine.games.forever_island.components import DIRECTIONS
from engine.kit.facts import Tableau
from engine.kit.setup_page import Report, SetupPage, SetupPart
from engine.play.registry import ruleset
from tests.conformance.recorded import record_random_game

Given = list[Value | None]
"""The value at each place of a part."""


def begun(id_: str, seats: int, seed: int = 0) -> State:
    """Return the table at the start of a turn in the middle of a random game."""
    starts: list[State] = []
    while not starts:
        states = [state for state in record_random_game(TableSetup(id_, seats, {}), seed).states if state is not None]
        starts = [now for before, now in pairwise(states) if now.turn > before.turn and now.outcome is None]
        seed += 100
    return starts[len(starts) * 2 // 3]


def facts_of(id_: str, state: State) -> list[dict[str, Any]]:
    """Return the facts of a table as JSON."""
    return [msgspec.to_builtins(fact) for fact in Tableau(ruleset(id_).facts, state)]


def answers(page: SetupPage, facts: Sequence[dict[str, Any]]) -> list[Given]:
    """Return the values with which each part of the page describes the table with these facts."""
    parts = [part for step in page.steps for part in step.parts]
    return [_answer(part, part.report, facts) if part.report else _walk(part, facts) for part in parts]


def _walk(part: SetupPart, facts: Sequence[dict[str, Any]]) -> Given:
    """Return the sides by which each tile touches the tile before it."""
    laid = [(fact["q"], fact["r"]) for fact in facts if fact["fact"] == "lies_at"]
    sides: Given = []
    turned = 0
    for (q, r), (u, v) in pairwise(laid):
        direction = DIRECTIONS.index((u - q, v - r))
        sides.append((direction - turned) % 6 + 1)
        turned = (direction + 4 - part.connect) % 6
    return sides


def _answer(part: SetupPart, report: Report, facts: Sequence[dict[str, Any]]) -> Given:
    about = [fact for fact in facts if fact["fact"] == report.facts[0]["fact"]]
    given: Given = []
    for place, template in enumerate(report.facts):
        same = {name: value for name, value in template.items() if name != report.count}
        found = [about[place]] if report.coordinates else [fact for fact in about if same.items() <= fact.items()]
        values = [value for fact in found for value in [_value(report, fact)] * fact.get(report.count, 1)]
        nth = sum({**one, report.count: 1} == {**template, report.count: 1} for one in report.facts[:place])
        given.append(values[nth] if nth < len(values) and values[nth] in (*report.stock, *(part.range or ())) else None)
    return given


def _value(report: Report, fact: dict[str, Any]) -> Value:
    for value, meanings in report.means.items():
        if any(meaning.items() <= fact.items() for meaning in meanings):
            return str(value)
    value: Value = fact[report.member]
    return value


def position(page: SetupPage, given: Sequence[Given], facts: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    """Return the position that the page reports for these values, as its script does."""
    parts = [part for step in page.steps for part in step.parts]
    told: list[dict[str, Any]] = []
    laid = [{"q": fact["q"], "r": fact["r"]} for fact in facts if fact["fact"] == "lies_at" and "q" in fact]
    for part, values in zip(parts, given, strict=True):
        if part.report is not None:
            told += _told(part.report, values, laid)
    return {"facts": told}


def _told(report: Report, values: Given, laid: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    told: dict[str, dict[str, Any]] = {}
    for place, value in enumerate(values):
        template = report.facts[place]
        if report.size:
            size = {name: one for name, one in template.items() if name != report.count} | {"fact": report.size}
            counted = told.setdefault(repr(size), {**size, report.count: 0})
            counted[report.count] += value is not None
        if value is None or value == report.unknown:
            continue
        meanings = report.means.get(value, ({report.member: value},))
        meaning = meanings[min(values[:place].count(value), len(meanings) - 1)]
        fact = {**template, **(laid[place] if report.coordinates else {}), **meaning}
        if report.count in told.get(repr(fact), {}):
            told[repr(fact)][report.count] += 1
        else:
            told[repr(fact)] = fact
    return [*told.values(), *([report.rest] if report.rest else [])]
