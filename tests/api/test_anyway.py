"""Accepting an illegal event in a strict game, and dry runs, over REST."""

from __future__ import annotations

import pytest

from tests.api.table import Table, problem
from tests.engine.recording import DEAL

TOO_FAR = {"type": "move", "actor": "p1", "params": {"to": "gold_gate"}}
NEAR = {"type": "move", "actor": "p1", "params": {"to": "howling_garden"}}
ANYWAY = {"accept_illegal": "true"}
TOLD = {"dry_run": "true", "accept_refused": "true"}


@pytest.fixture
def strict(table: Table) -> Table:
    """Ann is on Silver Gate."""
    table.open("observed")
    assert table.post({"type": "set_up", "outcomes": list(DEAL)}).status_code == 201
    return table


def test_a_strict_game_takes_it_where_that_is_said(strict: Table) -> None:
    problem(strict.post(TOO_FAR), 422, "illegal-action")
    answer = strict.post(TOO_FAR, **ANYWAY)
    assert answer.status_code == 201, answer.text
    (event,) = answer.json["events"]
    assert (event["verdict"], event["rule"]) == ("illegal", "Move")
    assert strict.get().json["mode"] == "strict"
    problem(strict.post({**TOO_FAR, "params": {"to": "silver_gate"}}), 422, "illegal-action")
    assert strict.get("/state").json["state"]["pawns"][0] == "gold_gate"


def test_what_the_rules_allow_has_no_verdict(strict: Table) -> None:
    (event,) = strict.post(NEAR, **ANYWAY).json["events"]
    assert event.get("verdict") is None


def test_a_dry_run_tells_a_refusal_without_an_error(strict: Table) -> None:
    answer = strict.post(TOO_FAR, **TOLD)
    assert (answer.status_code, answer.json["events"], answer.json["version"]) == (200, [], 2)
    stopped = answer.json["stopped"]
    assert (stopped["index"], stopped["problem"]["type"]) == (0, "/problems/illegal-action")
    assert "stopped" not in strict.post(NEAR, **TOLD).json
    assert strict.get().json["version"] == 2


def test_only_a_dry_run_does(strict: Table) -> None:
    problem(strict.post(TOO_FAR, accept_refused="true"), 422, "illegal-action")


def test_it_says_which_of_a_list(strict: Table) -> None:
    assert strict.post([NEAR, TOO_FAR, TOO_FAR], **TOLD).json["stopped"]["index"] == 2
