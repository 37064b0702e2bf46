"""The service itself: up, ready, figures; and what happens when Redis does not answer."""

from __future__ import annotations

import pytest
from flask import Flask
from rq import Worker

from api.app import create_app
from api.settings import Settings
from store import Store
from tests.api.table import Table, problem


def test_healthz(table: Table) -> None:
    assert table.client.get("/healthz").json == {"status": "ok"}


def test_readyz__without_a_worker(table: Table) -> None:
    assert "no worker" in problem(table.client.get("/readyz"), 503, "not-ready")["detail"]


def test_metrics(table: Table) -> None:
    table.open()
    figures = table.client.get("/metrics").text

    assert "driftlog_games 1.0" in figures
    assert "driftlog_store_up 1.0" in figures
    assert 'driftlog_requests_total{endpoint="games.Games"' in figures


def test_metrics__a_method_that_somebody_invented_has_no_figure_of_its_own(table: Table) -> None:
    table.client.open("/healthz", method="BREW")
    figures = table.client.get("/metrics").text

    assert "BREW" not in figures
    assert 'method="other"' in figures


def test_readyz__with_a_worker(app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Worker([app.extensions["queue"]], connection=app.extensions["queue"].connection)
    worker.register_birth()

    assert table.client.get("/readyz").json == {"status": "ready", "durability": "fsync", "workers": 1}


def test_readyz__without_the_queue(events_server: str, store: Store) -> None:
    app = create_app(Settings(redis_url=events_server, queue_url="unix:///nowhere.sock"))

    assert "queue" in problem(app.test_client().get("/readyz"), 503, "not-ready")["detail"]
    assert "driftlog_queue_up 0.0" in app.test_client().get("/metrics").text


def test_nothing_answers_without_redis() -> None:
    app = create_app(Settings(redis_url="unix:///nowhere.sock", queue_url="unix:///nowhere.sock"))
    table = Table(app.test_client())
    body = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "seeded"}
    for answer in (
        table.client.post("/v1/games", json=body),
        table.client.get("/v1/games"),
        table.client.get("/v1/games/x/events"),
        table.client.post("/v1/games/x/events", json={"type": "undo", "params": {"to": 1}}),
        table.client.post("/v1/games/x/audits"),
        table.client.get("/v1/jobs/x"),
    ):
        problem(answer, 503, "store-unavailable")
        assert answer.headers["Retry-After"]
    problem(table.client.get("/readyz"), 503, "not-ready")
    assert "driftlog_store_up 0.0" in table.client.get("/metrics").text
    assert table.client.get("/healthz").status_code == 200
    assert table.client.get("/v1/rulesets").status_code == 200


def test_a_fault_of_ours_is_a_problem_too(app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.extensions["store"], "games", None)

    problem(table.client.get("/v1/games/x"), 500, "internal-error")
