"""Each scoresheet in examples/ is a whole game that the API can record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.play import registry
from tests.api.table import Table

SCORESHEETS = sorted((Path(__file__).parents[2] / "examples").glob("*.ndjson"))


@pytest.mark.parametrize("scoresheet", SCORESHEETS, ids=lambda path: path.stem)
def test_records_as_it_was_written_down(table: Table, scoresheet: Path) -> None:
    opening, *lines = map(json.loads, scoresheet.read_text().splitlines())
    opened = table.client.post("/v1/games", json=opening)
    assert opened.status_code == 201, opened.text
    assert opening["chance"] == "observed"
    table.game = opened.headers["Location"]
    for number, line in enumerate(lines, 2):
        answer = table.post(line)
        assert answer.status_code == 201, f"line {number}: {answer.text}"

    game = table.get().json
    assert game["status"] == "finished"
    assert game["outcome"]["reason"] in registry.ruleset(opening["ruleset"]).endings


def test_there_is_one_for_every_rulebook() -> None:
    written = {json.loads(path.read_text().splitlines()[0])["ruleset"] for path in SCORESHEETS}

    assert {rules.id for rules in registry.rulesets()} - written <= {
        *("forbidden-island-archaens", "any-game"),
    }, "a variant of a game, and one without rules"
