"""A stored game whose rules are not installed: the service says so, and is not at fault."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from service import languages
from store import Store
from tests.api.table import Table, problem
from tests.api.test_damage import asked, cold
from tests.engine.toy import Dice
from tests.installing import installed
from workers import tasks

__all__ = ["cold"]


def recorded(table: Table) -> str:
    """A game that has ended, by rules that are gone then."""
    with installed(Dice()):
        seats = [{"name": "Ann"}]
        opened = table.client.post("/v1/games", json={"ruleset": "dice", "seats": seats, "chance": "seeded"})
        assert opened.status_code == 201, opened.text
        table.game = opened.headers["Location"]
        assert table.post([{"type": "annotate", "params": {"text": "!"}}] * 5).status_code == 201
        assert table.post({"type": "abandon", "params": {"reason": "The bus."}}).status_code == 201
    return table.game.rsplit("/", 1)[1]


def test_whatever_is_asked_of_it_is_503(table: Table, cold: Callable[[], Flask], store: Store) -> None:
    game_id = recorded(table)
    told = 0
    for app in (cold(), table.client.application):
        for path, answer in asked(app, game_id):
            assert answer.status_code < 400 or answer.status_code in {404, 409, 503}, (path, answer.text)
            if answer.status_code == 503:
                assert "This service lacks the rules of dice, version 2" in answer.text, path
                told += answer.mimetype == "application/problem+json"
    assert told > 30
    body = problem(cold().test_client().get(table.game), 503, "ruleset-not-installed")
    assert (body["ruleset"], body["ruleset_version"]) == ("dice", "2")
    assert store.events.read(game_id)[-1].type == "game_closed"


def test_it_is_listed_as_such(table: Table, store: Store) -> None:
    game_id = recorded(table)
    (listed,) = table.client.get("/v1/games").json["games"]
    assert (listed["id"], listed["is_installed"], listed["status"]) == (game_id, False, "abandoned")
    assert table.client.get("/", headers={"Accept": "text/html"}).status_code == 200

    failures = store.projections.rebuild()

    assert failures == {game_id: "this service lacks the rules of 'dice', version 2"}
    assert table.client.get("/v1/games", query_string={"status": "abandoned"}).json["games"] == [listed]
    with installed(Dice()):
        assert store.projections.rebuild() == {}
        assert table.client.get("/v1/games").json["games"] == [{**listed, "is_installed": True}]


def test_a_worker_waits_for_its_rules(table: Table, work: Callable[[], None], store: Store) -> None:
    game_id = recorded(table)
    store.projections.drop(game_id)

    tasks.project(game_id)

    assert list(store.projections.behind()) == [game_id]
    order = table.client.post("/v1/exports", json={"format": "json"}).json["id"]
    work()
    assert table.client.get(f"/v1/jobs/{order}").json["status"] == "done"


def test_a_ruleset_in_a_module_without_a_package(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no catalogue, and every page is there in every language."""
    (tmp_path / "parlour_dice.py").write_text(
        "from tests.engine.toy import Dice\n\n\nclass ParlourDice(Dice):\n    id = 'parlour-dice'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    parlour_dice = importlib.import_module("parlour_dice")
    languages.catalogue.cache_clear()
    try:
        with installed(parlour_dice.ParlourDice()):
            table.open(ruleset="parlour-dice")
            for path in ("/", "/v1/rulesets/parlour-dice", table.game, f"{table.game}/recap"):
                for language in ("de", "en"):
                    headers = {"Accept": "text/html,application/json", "Accept-Language": language}
                    assert table.client.get(path, headers=headers).status_code == 200, path
    finally:
        languages.catalogue.cache_clear()
