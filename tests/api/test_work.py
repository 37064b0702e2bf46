"""Long work: audits, imports of long logs, the jobs that one follows them by; and what happens when Redis is gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from api import work as long_work
from api.app import create_app
from api.settings import Settings
from exports import FORMATS, Log
from store.embedded import Embedded
from store.errors import StoreUnavailable
from store.streams import EventStore
from tests.api.table import Table, problem
from tests.playouts import long_record

Work = Callable[[], None]


def test_audit__of_a_finished_game_is_clean(table: Table, work: Work) -> None:
    table.open()
    game = table.play_out()
    answer = table.client.post(table.game + "/audits")
    assert answer.status_code == 202
    where = answer.headers["Location"]
    waiting = table.client.get(where).json
    assert (waiting["status"], waiting["verdict"]) == ("queued", None)
    work()
    report = table.client.get(where).json

    assert (report["status"], report["progress"], report["verdict"], report["findings"]) == ("done", 1.0, "clean", [])
    assert (report["head"], report["events"]) == (game["head"], game["version"])
    assert report["id"] == waiting["id"] == table.client.get(f"/v1/jobs/{waiting['id']}").json["id"]


def test_audit__that_there_is_not(table: Table, work: Work) -> None:
    table.open()
    mine = table.client.post(table.game + "/audits").headers["Location"]
    problem(table.get("/audits/nothing"), 404, "not-found")
    table.open()
    problem(table.get("/audits/" + mine.rsplit("/", 1)[1]), 404, "not-found")
    problem(table.client.get("/v1/jobs/nothing"), 404, "not-found")


@pytest.fixture
def long_log() -> bytes:
    events = long_record(long_work.VERIFIED_AT_ONCE + 10)
    return b"".join(FORMATS["ndjson"].write(Log(game_id="x", events=events)))


def test_import__of_a_long_log_is_a_worker_s(table: Table, work: Work, long_log: bytes) -> None:
    headers = {"Idempotency-Key": "once"}
    post = {"data": long_log, "content_type": "application/x-ndjson", "headers": headers}
    answer = table.client.post("/v1/imports", **post)
    assert answer.status_code == 202
    assert answer.json["kind"] == "import"
    where = answer.headers["Location"]
    assert table.client.post("/v1/imports", **post).headers["Location"] == where
    work()
    job = table.client.get(where).json

    assert (job["status"], job["progress"], job["error"]) == ("done", 1.0, None)
    table.game = f"/v1/games/{job['result']['game']}"
    assert table.get("/export", format="ndjson").data == long_log
    assert len(table.client.get("/v1/games").json["games"]) == 1


def test_import__of_a_long_log_that_does_not_verify(table: Table, work: Work, long_log: bytes) -> None:
    lines = long_log.splitlines(keepends=True)
    lines[500], lines[501] = lines[501], lines[500]
    answer = table.client.post("/v1/imports", data=b"".join(lines), content_type="application/x-ndjson")
    work()
    job = table.client.get(answer.headers["Location"]).json

    assert job["status"] == "failed"
    assert "501" in str(job["error"])
    assert table.client.get("/v1/games").json["games"] == []


def test_import__too_large(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_work, "LONGEST_IMPORT", 100)

    problem(
        table.client.post("/v1/imports", data=b"x" * 101, content_type="application/x-ndjson"), 413, "content-too-large"
    )


def deafened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lose the answer to the next append, which is done."""
    append = EventStore.append

    def deaf(*arguments: Any) -> None:
        append(*arguments)
        monkeypatch.setattr(EventStore, "append", append)
        raise StoreUnavailable

    monkeypatch.setattr(EventStore, "append", deaf)


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "tap-1"}])
def test_append__whose_answer_was_lost_is_found_in_the_log(
    table: Table, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    table.open()
    body = table.body("move")
    deafened(monkeypatch)
    answer = table.post(body, headers=headers)

    assert (answer.status_code, answer.json["version"]) == (201, 3)
    assert table.get().json["version"] == 3


def test_append__whose_place_another_has_taken_is_judged_again(app: Flask, table: Table) -> None:
    table.open()
    other = Table(create_app(app.config["SETTINGS"]).test_client())
    other.game = table.game
    mine, theirs = ({"type": "annotate", "params": {"text": text}} for text in ("mine", "theirs"))
    with pytest.MonkeyPatch.context() as patched:
        append = EventStore.append

        def overtaken(*arguments: Any) -> None:
            patched.setattr(EventStore, "append", append)
            assert other.post(theirs).status_code == 201
            raise StoreUnavailable

        patched.setattr(EventStore, "append", overtaken)
        answer = table.post(mine)

    assert (answer.status_code, answer.json["version"]) == (201, 4)


def test_append__that_never_arrived_is_not_answered_as_done(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open()
    body = table.body("move")

    def dead(*_: object) -> None:
        raise StoreUnavailable

    monkeypatch.setattr(EventStore, "append", dead)
    problem(table.post(body), 503, "store-unavailable")
    assert table.get().json["version"] == 2


def test_stream__ends_when_redis_is_gone(tmp_path_factory: pytest.TempPathFactory, queue_server: str) -> None:
    with Embedded(tmp_path_factory.mktemp("gone"), "events", durable=True) as server:
        table = Table(create_app(Settings(redis_url=server.url, queue_url=queue_server)).test_client())
        table.open()
        answer = table.client.get(table.game + "/stream", buffered=False)
        chunks = answer.iter_encoded()
        assert b"retry" in next(chunks)
    assert list(chunks) == []


def test_metrics__of_all_processes(app: Flask, table: Table, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))

    assert "driftlog_workers 0.0" in table.client.get("/metrics").text
