"""Jobs: audits, imports of long logs, their progress; and the behaviour when Redis is gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from api.app import create_app
from api.library import imports as long_work
from api.plumbing.limits import IMPORT
from api.plumbing.settings import Settings
from exports import FORMATS, Log
from service import opening
from store import Store
from store.errors import StoreUnavailable
from store.log.streams import EventStore
from store.redis.embedded import EmbeddedServer
from tests.api.table import Table, problem
from tests.api.tokens import Door
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
    log = b"".join(FORMATS["ndjson"].write(Log(game_id="x", events=long_record(2000))))
    assert len(log) > long_work.IMPORTED_AT_ONCE
    return log


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


def test_import__the_key_of_a_job_is_for_its_log_alone(table: Table, work: Work) -> None:
    """Although the job's game then has the log, and other logs need no job."""
    table.open("observed")
    table.set_up()
    table.post(table.body("move"))
    assert table.post({"type": "amend", "params": {"seq": 3, "remove": True}}).status_code == 201
    slow = table.get("/export", format="ndjson").data
    assert table.client.delete(table.game).status_code == 204
    quick = b"".join(FORMATS["ndjson"].write(Log(game_id="x", events=long_record(10))))
    post = {"content_type": "application/x-ndjson", "headers": {"Idempotency-Key": "once"}}
    answer = table.client.post("/v1/imports", data=slow, **post)
    assert answer.status_code == 202
    work()

    again = table.client.post("/v1/imports", data=slow, **post)
    assert (again.status_code, again.headers["Idempotent-Replayed"]) == (202, "true")
    assert again.headers["Location"] == answer.headers["Location"]
    for data, kind in ((quick, "application/x-ndjson"), (b"Game: Forbidden Island", "text/x-driftlog")):
        other = table.client.post("/v1/imports", data=data, **{**post, "content_type": kind})
        problem(other, 422, "idempotency-key-reused")
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


def test_import__too_large(table: Table) -> None:
    body = b"x" * (IMPORT.body + 1)
    problem(table.client.post("/v1/imports", data=body, content_type="application/x-ndjson"), 413, "content-too-large")


def test_import__of_a_long_log_is_not_read_before_a_worker_does(table: Table, work: Work) -> None:
    body = b"[" * (long_work.IMPORTED_AT_ONCE + 1)
    headers = {"Idempotency-Key": "once"}
    post = {"content_type": "application/json", "headers": headers}
    answer = table.client.post("/v1/imports", data=body, **post)
    assert answer.status_code == 202
    problem(table.client.post("/v1/imports", data=body + b"[", **post), 422, "idempotency-key-reused")
    work()
    job = table.client.get(answer.headers["Location"]).json

    assert job["status"] == "failed"
    assert job["error"]
    assert table.client.get("/v1/games").json["games"] == []
    assert table.client.post("/v1/imports", data=body, **post).json["id"] == job["id"]


def test_import__that_plays_its_own_events_again_is_a_worker_s(table: Table, work: Work) -> None:
    table.open()
    table.post(table.body("move"))
    table.post({"type": "amend", "params": {"seq": 3, "remove": True}})
    log = table.get("/export", format="ndjson").data
    assert table.client.delete(table.game).status_code == 204
    answer = table.client.post("/v1/imports", data=log, content_type="application/x-ndjson")
    assert answer.status_code == 202
    work()
    game = table.client.get(answer.headers["Location"]).json["result"]["game"]

    assert table.client.get(f"/v1/games/{game}/export?format=ndjson").data == log


def test_import__whose_log_is_not_kept_any_more(table: Table, store: Store, work: Work, long_log: bytes) -> None:
    answer = table.client.post("/v1/imports", data=long_log, content_type="application/x-ndjson")
    store.files.drop(f"payload-{answer.json['id']}")
    work()
    job = table.client.get(answer.headers["Location"]).json

    assert job["status"] == "failed"
    assert "send it again" in job["error"]


def test_fork__of_a_long_game_is_a_worker_s(
    table: Table, work: Work, long_log: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "FORKED_AT_ONCE", 20)
    table.client.post("/v1/imports", data=long_log, content_type="application/x-ndjson")
    work()
    parent = table.client.get("/v1/games").json["games"][0]["link"]
    post = {"json": {"at": 30, "chance": "seeded", "tags": ["if"]}, "headers": {"Idempotency-Key": "once"}}
    answer = table.client.post(parent + "/forks", **post)
    assert (answer.status_code, answer.json["kind"]) == (202, "fork")
    assert "args" not in answer.json
    assert table.client.post(parent + "/forks", **post).json["id"] == answer.json["id"]
    work()
    game = table.client.get("/v1/games/" + table.client.get(answer.headers["Location"]).json["result"]["game"]).json

    assert (game["version"], game["chance"], game["tags"], game["fork"]["at"]) == (30, "seeded", ["if"], 30)
    assert [one["id"] for one in table.client.get(parent + "/forks").json["games"]] == [game["id"]]
    assert table.client.post(parent + "/forks", **post).json["status"] == "done"
    # The key of a job is not for a fork that needs none.
    problem(table.client.post(parent + "/forks", **{**post, "json": {"at": 20}}), 422, "idempotency-key-reused")
    assert table.client.post(parent + "/forks", json={"at": 20}).status_code == 201
    problem(table.client.post(parent + "/forks", json={"at": 9999}), 422, "invalid")


def test_fork__behind_what_was_written_anew_is_a_worker_s(table: Table, work: Work) -> None:
    table.open("observed")
    table.set_up()
    table.post(table.body("move"))
    table.post({"type": "amend", "params": {"seq": 3, "remove": True}})
    answer = table.client.post(table.game + "/forks", json={"at": 4})
    assert answer.status_code == 202
    work()

    assert table.client.get(answer.headers["Location"]).json["status"] == "done"
    assert table.client.post(table.game + "/forks", json={"at": 3}).status_code == 201


def test_jobs__as_many_as_there_may_be(table: Table, work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.work.jobs.MOST_UNFINISHED", 2)
    table.open()
    first = table.client.post(table.game + "/audits")
    assert table.client.post(table.game + "/audits").json["id"] == first.json["id"]
    table.post(table.body("move"))
    assert table.client.post(table.game + "/audits").status_code == 202
    table.post({"type": "annotate", "params": {"text": "one more"}})
    refused = table.client.post(table.game + "/audits")
    problem(refused, 503, "too-many-jobs")
    assert int(refused.headers["Retry-After"]) > 0
    work()
    assert table.client.post(table.game + "/audits").status_code == 202


def test_jobs__one_token_leaves_room_for_others(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.work.jobs.MOST_OF_ONE", 2)
    ann, bob, admin = door.enter("recorder"), door.enter("recorder"), door.enter("admin")
    ann.open()
    order = {"format": "csv"}
    location = ann.client.post("/v1/exports", json=order).headers["Location"]
    assert ann.client.post(f"{ann.game}/audits").status_code == 202
    refused = ann.client.post("/v1/exports", json=order)
    assert "limit of unfinished jobs" in problem(refused, 429, "too-many-own-jobs")["detail"]
    assert int(refused.headers["Retry-After"]) > 0
    # A waiting job is not queued again, and from then on belongs to nobody alone.
    assert ann.client.post(f"{ann.game}/audits").status_code == 202
    assert bob.client.post(f"{ann.game}/audits").status_code == 202
    assert ann.client.post("/v1/exports", json=order).status_code == 202
    assert bob.client.post("/v1/exports", json=order).status_code == 202
    assert admin.withdraw(ann.token.id) == 204
    told = admin.client.get(location).json
    assert (told["status"], told["error"]) == ("failed", "the token that requested it was revoked")


def test_jobs__they_work_on_as_much_as_they_may(
    table: Table, store: Store, work: Work, long_log: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.work.jobs.MOST_HELD", 2 * len(long_log) - 1)
    post = {"content_type": "application/x-ndjson"}
    assert table.client.post("/v1/imports", data=long_log, **post).status_code == 202
    problem(table.client.post("/v1/imports", data=long_log, **post), 503, "too-many-jobs")
    work()
    assert list(store.client.scan_iter("{file:payload-*")) == []
    assert table.client.post("/v1/imports", data=long_log, **post).status_code == 202


def lose_next_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next append succeed, but lose its answer."""
    append = EventStore.append

    def deaf(*arguments: Any, **more: Any) -> None:
        append(*arguments, **more)
        monkeypatch.setattr(EventStore, "append", append)
        raise StoreUnavailable("gone")

    monkeypatch.setattr(EventStore, "append", deaf)


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "tap-1"}])
def test_append__whose_answer_was_lost_is_found_in_the_log(
    table: Table, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    table.open()
    body = table.body("move")
    lose_next_answer(monkeypatch)
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

        def overtaken(*_: Any, **__: Any) -> None:
            patched.setattr(EventStore, "append", append)
            assert other.post(theirs).status_code == 201
            raise StoreUnavailable("gone")

        patched.setattr(EventStore, "append", overtaken)
        answer = table.post(mine)

    assert (answer.status_code, answer.json["version"]) == (201, 4)


def test_append__that_never_arrived_is_not_answered_as_done(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open()
    body = table.body("move")

    def dead(*_: object, **__: object) -> None:
        raise StoreUnavailable("gone")

    monkeypatch.setattr(EventStore, "append", dead)
    problem(table.post(body), 503, "store-unavailable")
    assert table.get().json["version"] == 2


def test_stream__ends_when_redis_is_gone(tmp_path_factory: pytest.TempPathFactory, queue_server: str) -> None:
    with EmbeddedServer(tmp_path_factory.mktemp("gone"), "events", durable=True) as server:
        table = Table(create_app(Settings(redis_url=server.url, queue_url=queue_server)).test_client())
        table.open()
        answer = table.client.get(table.game + "/stream", buffered=False)
        chunks = answer.iter_encoded()
        assert b"retry" in next(chunks)
    assert list(chunks) == []


def test_metrics__of_all_processes(app: Flask, table: Table, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))

    assert "driftlog_workers 0.0" in table.client.get("/metrics").text


def test_jobs__guests_of_a_game_share_one_limit(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.work.jobs.MOST_OF_GUESTS", 2)
    ann = door.enter("recorder")
    ann.open()
    links = [f"/s/{ann.client.post(f'{ann.game}/shares').json['token']}" for _ in range(2)]
    audits = []
    for link in [*links, *links]:
        audits.append(door.client().post(f"{link}{ann.game}/audits"))
        # Another version of the rules needs another audit.
        ann.post({"type": "annotate", "params": {"text": "one more"}})
    assert [answer.status_code for answer in audits] == [202, 202, 429, 429]
    refused = problem(audits[-1], 429, "too-many-own-jobs")
    assert refused["detail"].startswith("The guests of this game have reached their limit of 2 unfinished jobs.")
    assert refused["limit"] == 2
    assert int(audits[-1].headers["Retry-After"]) > 0
    # The table itself has its own limit.
    assert ann.client.post(f"{ann.game}/audits").status_code == 202
