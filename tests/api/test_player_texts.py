"""Texts for players, in every ruleset, contain no id, no type name and no doubled punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from engine.play import registry
from tests.api.table import Table, problem
from tests.engine.recording import DEAL
from tests.exports.logs import export
from tests.playouts import playout

RULESETS = [rules.id for rules in registry.rulesets() if "seeded" in rules.sources]
WRONG = re.compile(
    r"\b[a-z0-9]+_[a-z0-9_]+\b|(?<![.…])\.\.(?!\.)|,,|;;|::|\?\?\.|[!?]\.(?:\s|$)|\b[A-Z][a-z]+[A-Z][a-z]+\("
)
"""An id in snake case, two marks in a row, or a class name with its arguments."""
TEXTS = frozenset(
    {"label", "text", "sentence", "detail", "message", "title", "summary", "reason", "headline", "account"}
)
"""Members of JSON documents that players read."""


def texts(document: Any) -> Iterator[str]:
    """Yield the texts in a document."""
    if isinstance(document, dict):
        for name, value in document.items():
            if name == "reason" and "result" in document:
                continue  # the name of an ending
            if name in TEXTS and isinstance(value, str):
                yield value
            elif name in {"sentences", "phases", "endings"}:
                yield from (value.values() if isinstance(value, dict) else value)
            elif name != "schema":
                yield from texts(value)
    elif isinstance(document, list):
        for one in document:
            yield from texts(one)


def wrong(found: Iterator[str] | list[str]) -> list[str]:
    return sorted({text for text in found if WRONG.search(text)})


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in (0, 2))])
def test_no_export_in_prose_has_an_id(ruleset: str, seed: int) -> None:
    events = playout(ruleset, seats=registry.ruleset(ruleset).players[0], seed=seed)
    for name in ("markdown", "sheet"):
        assert not wrong(export(name, events).decode().splitlines()), name
    page = export("html", events).decode()
    body = re.sub(r"<(script|style|svg)[^>]*>.*?</\1>|<[^>]*>", "\n", page, flags=re.DOTALL)
    assert not wrong(unescape(body).splitlines())


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_answer_about_a_game_has_an_id(ruleset: str, table: Table) -> None:
    seats = registry.ruleset(ruleset).players[0]
    table.open(
        ruleset=ruleset,
        seats=[{"name": f"Player {number}"} for number in range(1, seats + 1)],
        chance="seeded",
        seed="x",
    )
    found = wrong(texts(table.client.get(f"/v1/rulesets/{ruleset}").json))
    for _ in range(12):
        for path in ("", "/actions", "/story", "/facts", "/turns", "/recap", "/state"):
            found += wrong(texts(table.get(path).json))
        actions = table.get("/actions").json["actions"]
        if not actions:
            break
        table.post({name: actions[-1][name] for name in ("type", "actor", "params")})
    assert not found


def test_a_result_that_cannot_be_is_named_as_players_name_it(table: Table) -> None:
    table.open(chance="observed")
    answer = table.post({"type": "set_up", "outcomes": ["temple_of_the_sun", "temple_of_the_sun"]})
    detail = problem(answer, 422, "impossible-outcome")["detail"]
    assert detail.startswith("Temple of the Sun is not a possible result for tile")
    detail = problem(table.post({"type": "set_up"}), 422, "outcome-required")["detail"]
    assert not WRONG.search(detail)


def test_what_a_correction_makes_impossible_is_named_as_players_name_it(table: Table) -> None:
    table.open(chance="observed", mode="as_played")
    table.post({"type": "set_up", "outcomes": list(DEAL)})
    draw = {"type": "draw_treasure_card", "actor": "p1"}
    table.post([{**draw, "outcomes": [None]}, {**draw, "outcomes": ["sandbags"]}])
    given = {"fact": "has_cards", "seat": "p2", "card": "sandbags", "count": 1}
    insert = {"type": "adjust", "params": {"facts": [given], "reason": "it lies there"}}
    answer = table.post({"type": "amend", "params": {"seq": 3, "insert": insert}}, if_illegal="accept")
    assert answer.status_code == 201, answer.json
    impact = next(one for one in answer.json["impact"] if one["effect"] == "outcome_impossible")
    assert impact["reason"] == "Sandbags is not a possible result for treasure card"
    assert not wrong(texts(answer.json["impact"]))
