"""Health, readiness and metrics of the service, and answers while Redis is down."""

from __future__ import annotations

import pytest
from flask import Flask
from rq import Worker

from api.app import create_app
from api.plumbing.settings import Settings
from store import Store
from store.redis.connection import STOPPED
from tests.api.table import Table, problem
from tests.waiting import until


def test_healthz(table: Table) -> None:
    assert table.client.get("/healthz").json == {"status": "ok"}


@pytest.mark.parametrize("path", ["/openapi.yaml", "/v1/rulesets", "/v1/rulesets/forbidden-island"])
def test_what_never_changes_is_made_once(table: Table, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = table.client.get(path)
    monkeypatch.setattr("api.plumbing.openapi.as_yaml", None)
    monkeypatch.setattr("api.library.rulesets.describe", None)
    again = table.client.get(path)
    assert (again.data, again.headers["ETag"]) == (first.data, first.headers["ETag"])
    known = table.client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (known.status_code, known.data) == (304, b"")


def test_readyz__without_a_worker(table: Table) -> None:
    assert "no worker" in problem(table.client.get("/readyz"), 503, "not-ready")["detail"]


def test_metrics(table: Table) -> None:
    table.open()
    figures = table.client.get("/metrics").text

    assert "driftlog_games 1.0" in figures
    assert "driftlog_store_up 1.0" in figures
    assert 'driftlog_requests_total{method="POST",route="/v1/games",status="201"}' in figures


def test_metrics__events_are_counted_once(table: Table) -> None:
    def count_appends() -> float:
        figures = table.client.get("/metrics").text
        return float(next(line.split()[1] for line in figures.splitlines() if line.startswith("driftlog_events_app")))

    before = count_appends()
    table.open(headers={"Idempotency-Key": "open"})
    table.open(headers={"Idempotency-Key": "open"})
    assert count_appends() == before + 2
    note = {"type": "annotate", "params": {"text": "!"}}
    table.post([note, note], headers={"Idempotency-Key": "notes"})
    table.post([note, note], headers={"Idempotency-Key": "notes"})
    table.post(note, dry_run="true")
    assert count_appends() == before + 4
    table.client.post(table.game + "/forks", json={"at": 3})
    assert count_appends() == before + 7


def test_metrics__a_method_that_somebody_invented_has_no_figure_of_its_own(table: Table) -> None:
    table.client.open("/healthz", method="BREW")
    figures = table.client.get("/metrics").text

    assert "BREW" not in figures
    assert 'method="other"' in figures


def test_readyz__with_a_worker(app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Worker([app.extensions["queue"]], connection=app.extensions["queue"].connection)
    worker.register_birth()

    # Readiness waits half a second for the archive, which may be slower at first.
    until(lambda: table.client.get("/readyz").json["archive"] == "usable")
    assert table.client.get("/readyz").json == {
        "status": "ready",
        "writes": "accepted",
        "durability": "fsync",
        "replicas": 0,
        "workers": 1,
        "archive": "usable",
        "not_loaded": [],
    }


@pytest.mark.parametrize(
    ("maxmemory", "reason"),
    [
        ("2", "Reads only: the store's memory is full."),
        # The supervisor of an embedded server stops writes in this way when the disk is almost full.
        (STOPPED, "Reads only: the store's disk is almost full."),
    ],
)
def test_readyz__where_the_store_is_full(app: Flask, table: Table, store: Store, maxmemory: str, reason: str) -> None:
    Worker([app.extensions["queue"]], connection=app.extensions["queue"].connection).register_birth()
    store.client.config_set("maxmemory", maxmemory)
    try:
        answer = table.client.get("/readyz")
    finally:
        store.client.config_set("maxmemory", "0")
    assert answer.status_code == 200
    told = {name: answer.json[name] for name in ("status", "writes", "detail", "durability")}
    assert told == {"status": "ready", "writes": "stopped", "detail": reason, "durability": "fsync"}


def test_readyz__where_the_store_takes_no_write(table: Table, store: Store) -> None:
    store.client.config_set("min-replicas-to-write", "1")
    try:
        answer = table.client.get("/readyz")
    finally:
        store.client.config_set("min-replicas-to-write", "0")
    assert "too few replicas" in problem(answer, 503, "not-ready")["detail"]
    assert answer.headers["Retry-After"]


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


def test_what_is_read_is_asked_for_again_and_nothing_is_kept_of_a_problem(table: Table) -> None:
    table.open()
    for path in (table.game, f"{table.game}/actions", "/v1/games", "/v1/rulesets", "/healthz", "/v1/keys"):
        assert table.client.get(path).headers["Cache-Control"] == "private, no-cache"
    known = table.client.get(table.game, headers={"If-None-Match": '"2"'})
    assert (known.status_code, known.headers["Cache-Control"]) == (304, "private, no-cache")
    assert table.client.get("/v1/games/none").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/v1/games//export", "/v1//games/x", "/games//replay"])
def test_an_empty_name_in_an_address_leads_nowhere_else(table: Table, path: str) -> None:
    answer = table.client.get(path)
    assert (answer.status_code, answer.headers.get("Location")) == (404, None)
