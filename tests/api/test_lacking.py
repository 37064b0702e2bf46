"""A stored game whose ruleset is not installed: the service says so, and otherwise works."""

from __future__ import annotations

import importlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from flask import Flask

from engine.review.audit import audit
from exports import FORMATS
from service import languages
from store import Store
from tests.api.table import Table, problem
from tests.api.test_damage import cold, request_all
from tests.api.tokens import Door
from tests.engine.toy import Dice
from tests.installing import installed
from tests.operations.backup.files import make_backup, restore_backup
from tests.store.conftest import elsewhere
from workers import tasks

__all__ = ["cold", "elsewhere"]


def record_uninstalled_game(table: Table) -> str:
    """A finished game whose ruleset is then removed."""
    with installed(Dice()):
        seats = [{"name": "Ann"}]
        opened = table.client.post("/v1/games", json={"ruleset": "dice", "seats": seats, "chance": "seeded"})
        assert opened.status_code == 201, opened.text
        table.game = opened.headers["Location"]
        assert table.post([{"type": "annotate", "params": {"text": "!"}}] * 5).status_code == 201
        assert table.post({"type": "abandon", "params": {"reason": "The bus."}}).status_code == 201
    return table.game.rsplit("/", 1)[1]


def test_what_takes_the_rules_is_503(table: Table, cold: Callable[[], Flask], store: Store) -> None:
    game_id = record_uninstalled_game(table)
    told = 0
    for app in (cold(), table.client.application):
        for path, answer in request_all(app, game_id):
            assert answer.status_code < 400 or answer.status_code in {404, 409, 503}, (path, answer.text)
            if answer.status_code == 503:
                assert "The rules of this game (dice, version 2) are not installed" in answer.text, path
                told += answer.mimetype == "application/problem+json"
    assert told > 30
    body = problem(cold().test_client().get(table.game + "/state"), 503, "ruleset-not-installed")
    assert (body["ruleset"], body["ruleset_version"]) == ("dice", "2")
    assert store.events.read(game_id)[-1].type == "game_closed"


@pytest.mark.parametrize("is_changed", [False, True])
def test_its_chain_is_audited(is_changed: bool, table: Table, store: Store) -> None:
    events = store.events.read(record_uninstalled_game(table))
    if is_changed:
        events[3] = msgspec.structs.replace(events[3], note="another")
    report = audit(events)
    kinds = ["no_ruleset", "chain"] if is_changed else ["no_ruleset"]
    assert [finding.kind for finding in report.findings] == kinds
    assert report.verdict == ("broken" if is_changed else "findings")
    assert report.events == len(events)
    assert ("The hash chain of 9 events is intact." in report.message) is not is_changed
    assert not report.level.by_the_rules


def test_its_log_can_be_read_and_exported(table: Table, cold: Callable[[], Flask], store: Store) -> None:
    game_id = record_uninstalled_game(table)
    with installed(Dice()):
        events = table.log()
        exports = {name: table.get("/export", format=name).data for name in ("ndjson", "cloudevents")}
        document = table.get("/export", format="json").json
        told = table.get().json
    here = f"/v1/games/{game_id}"
    for client in (cold().test_client(), table.client):
        assert client.get(f"{here}/events").json["events"] == events
        assert client.get(f"{here}/events/2").json == events[1]
        assert client.get(f"{here}/events?after=3&limit=2").json["events"] == events[3:5]
        for name, exported in exports.items():
            assert client.get(f"{here}/export?format={name}").data == exported
        again = client.get(f"{here}/export?format=json").json
        assert "proof" in again
        assert {**again, "proof": None} == {**document, "proof": None}
        assert len(client.get(f"{here}/export?format=ndjson&until=3").data.splitlines()) == 3
        assert client.get(f"{here}/proof").status_code == 200
        older = {"from": 2, "head": events[1]["hash"]}
        assert client.get(f"{here}/proof/consistency", query_string=older).json["events"] == events[2:]
        assert client.get(here).json == {**told, "is_installed": False}
        assert client.get(f"{here}?until=4").json["version"] == 4
        problem(client.get(f"{here}/export?format=csv"), 503, "ruleset-not-installed")
        problem(client.get(f"{here}/events?viewer=p1"), 503, "ruleset-not-installed")
    store.projections.drop(game_id)
    assert table.client.get(here).json["phase"] == "unknown"


def test_nobody_knows_what_its_players_hide(door: Door) -> None:
    """Its events need permission for every seat's secrets; its head and opening contain no secrets."""
    with installed(Dice()):
        recorder = door.enter("recorder")
        recorder.open(ruleset="dice")
    for path in ("/events", "/events/1", "/export?format=ndjson", "/export?format=json"):
        problem(recorder.client.get(recorder.game + path), 503, "ruleset-not-installed")
        assert door.enter("arbiter").client.get(recorder.game + path).status_code == 200
    for path in ("", "/proof"):
        assert recorder.get(path).status_code == 200


@pytest.mark.parametrize("kind", ["json", "ndjson", "cloudevents", "csv", "sqlite", "parquet", "markdown"])
def test_many_games_of_which_one_lacks_its_rules(kind: str, table: Table, work: Callable[[], None]) -> None:
    game_id = record_uninstalled_game(table)
    table.open()
    order = table.client.post("/v1/exports", json={"format": kind}).json["id"]
    work()
    assert table.client.get(f"/v1/jobs/{order}").json["status"] == "done"
    with zipfile.ZipFile(io.BytesIO(table.client.get(f"/v1/exports/{order}/file").data)) as archive:
        games = {game["game"]: game for game in json.loads(archive.read("manifest.json"))["games"]}
    lacking = games.pop(game_id)
    if FORMATS[kind].needs_rules:
        assert (lacking["status"], lacking["error"]) == (
            "failed",
            "this service does not have the rules of 'dice', version 2",
        )
    else:
        assert (lacking["status"], lacking["version"]) == ("done", 9)
    assert [game["status"] for game in games.values()] == ["done"]


def test_many_games_for_who_may_not_see_all(door: Door, work: Callable[[], None]) -> None:
    with installed(Dice()):
        viewer = door.enter("recorder")
        viewer.open(ruleset="dice")
    for kind in ("json", "ndjson"):
        order = viewer.client.post("/v1/exports", json={"format": kind}).json["id"]
        work()
        result = viewer.client.get(f"/v1/jobs/{order}").json["result"]
        assert (result["games"], result["failed"]) == (1, 1)


def test_it_is_backed_up(table: Table, store: Store, elsewhere: Store, tmp_path: Path) -> None:
    game_id = record_uninstalled_game(table)
    restore_backup(elsewhere, make_backup(store, tmp_path / "backup"))
    assert elsewhere.events.head(game_id) == store.events.head(game_id)


def test_it_is_listed_as_such(table: Table, store: Store) -> None:
    game_id = record_uninstalled_game(table)
    (listed,) = table.client.get("/v1/games").json["games"]
    assert (listed["id"], listed["is_installed"], listed["status"]) == (game_id, False, "abandoned")
    assert table.client.get("/", headers={"Accept": "text/html"}).status_code == 200

    failures = store.projections.rebuild()

    assert failures == {game_id: "this service does not have the rules of 'dice', version 2"}
    assert table.client.get("/v1/games", query_string={"status": "abandoned"}).json["games"] == [listed]
    with installed(Dice()):
        assert store.projections.rebuild() == {}
        assert table.client.get("/v1/games").json["games"] == [{**listed, "is_installed": True}]


def test_a_worker_waits_for_its_rules(table: Table, work: Callable[[], None], store: Store) -> None:
    game_id = record_uninstalled_game(table)
    store.projections.drop(game_id)

    tasks.project(game_id)

    assert list(store.projections.behind()) == []
    store.projections.take_up()
    assert list(store.projections.behind()) == [game_id]
    order = table.client.post("/v1/exports", json={"format": "json"}).json["id"]
    work()
    assert table.client.get(f"/v1/jobs/{order}").json["status"] == "done"


def test_a_ruleset_in_a_module_without_a_package(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its texts have no catalogue, so they stay English, but every page works."""
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
