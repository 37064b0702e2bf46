"""The client raises an error for each kind of problem, with its details."""

from __future__ import annotations

from typing import Any

import pytest

import driftlog_client as driftlog
from driftlog_client import Client
from driftlog_client.problems import KINDS, problem
from tests.python_client.conftest import ORDER

OBSERVED: driftlog.types.OpenGame = {"ruleset": ORDER["ruleset"], "seats": ORDER["seats"], "chance": "observed"}


def test_what_the_rules_forbid_says_the_rule(client: Client) -> None:
    game_id = client.open_game(ORDER)["id"]
    with pytest.raises(driftlog.IllegalAction) as refused:
        client.append_events(game_id, {"type": "draw_flood_card", "actor": "p1"})
    assert refused.value.rule == "3. Draw Flood Cards"
    assert refused.value.message == "You cannot draw a Flood card now."
    assert (refused.value.index, refused.value.left_out) == (None, [])
    assert (refused.value.slug, refused.value.status) == ("illegal-action", 422)
    assert refused.value.detail in str(refused.value)


def test_what_came_up_is_asked_for(client: Client) -> None:
    game_id = client.open_game(OBSERVED)["id"]
    with pytest.raises(driftlog.OutcomeRequired) as asked:
        client.append_events(game_id, {"type": "set_up"})
    assert len(asked.value.chance["outcomes"]) == 24
    with pytest.raises(driftlog.ImpossibleOutcome) as impossible:
        client.append_events(game_id, {"type": "set_up", "outcomes": ["atlantis"]})
    assert impossible.value.given == "atlantis"


def test_what_does_not_fit_says_where(client: Client) -> None:
    order: Any = {"ruleset": 1}
    with pytest.raises(driftlog.Invalid) as refused:
        client.open_game(order)
    assert {"/seats", "/ruleset"} & {error["pointer"] for error in refused.value.errors}


def test_what_is_not_there_is_not_found(client: Client) -> None:
    with pytest.raises(driftlog.NotFound):
        client.get_game("nowhere/at all")
    game_id = client.open_game(ORDER)["id"]
    client.delete_game(game_id)
    with pytest.raises(driftlog.Gone):
        client.get_game(game_id)


def test_a_table_that_cannot_be_says_why(client: Client) -> None:
    game_id = client.open_game(ORDER)["id"]
    facts = [{"fact": "water_level", "level": 3}, {"fact": "water_level", "level": 4}]
    with pytest.raises(driftlog.Problem) as refused:
        client.append_events(game_id, {"type": "adjust", "params": {"facts": facts, "reason": "both"}})
    assert refused.value.status == 422


def test_every_kind_tells_what_its_document_has() -> None:
    members = {
        "errors": [],
        "needs": "admin",
        "outcome": {},
        "version": 7,
        "rule": "Move",
        "message": "No.",
        "violations": [],
        "chance": {},
        "given": "x",
    }
    for slug, kind in KINDS.items():
        document: Any = {"type": f"/problems/{slug}", "title": "T", "status": 422, "detail": "D", **members}
        raised = kind(document)
        for name, value in members.items():
            if isinstance(getattr(kind, name, None), property):
                assert getattr(raised, name) == value


def test_what_knows_no_problems_is_told_by_its_status() -> None:
    told = problem(502, b"<html>", "Fri, 31 Dec 1999 23:59:59 GMT")
    assert (told.status, told.type, told.retry_after) == (502, "about:blank", None)
    assert problem(503, b'{"type": 1}', "3").retry_after == 3
