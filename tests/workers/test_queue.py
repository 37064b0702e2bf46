"""The queue: it runs one job of a kind at a time, leaves nothing behind, and calls only its own functions."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable

import pytest
from rq import Callback

from store import Store, keys
from store.errors import KeyReused
from store.log.idempotency import IdempotencyKey
from store.work.jobs import WITHDRAWN
from tests.playouts import clock, playout
from tests.waiting import waiting_jobs
from tests.workers.conftest import GONE
from workers.queue import (
    FUNCTIONS,
    PROJECT,
    Queue,
    QueueUnavailable,
    connect,
    enqueue_job,
    enqueue_project,
    live_workers,
    pending,
    submit,
)


def test_the_same_project_waits_once(queue: Queue) -> None:
    assert enqueue_project(queue, "g1")
    assert not enqueue_project(queue, "g1")
    assert enqueue_project(queue, "g2")
    assert waiting_jobs(queue) == ["project-g1", "project-g2"]
    assert pending(queue) == 2


def test_a_job_that_is_done_leaves_nothing(store: Store, queue: Queue, work: Callable[[], None]) -> None:
    store.events.open("g1", playout(limit=5), seed=None)
    enqueue_project(queue, "g1")
    work()
    assert store.projections.projected_version("g1") == 5
    assert queue.connection.keys("rq:job:*") == []
    assert enqueue_project(queue, "g1")


def test_a_job_that_fails_is_tried_again_and_leaves_nothing(
    queue: Queue, work: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []

    def fail(game_id: str) -> None:
        tries.append(game_id)
        raise OSError("no luck")

    monkeypatch.setattr("workers.tasks.project", fail)
    enqueue_project(queue, "g1")
    work()
    assert tries == ["g1", "g1", "g1"]
    assert queue.connection.keys("rq:job:*") == []
    assert enqueue_project(queue, "g1")


def test_jobs_are_json(queue: Queue) -> None:
    enqueue_job(queue, "j1")
    data = queue.connection.hget("rq:job:job-j1", "data")
    assert json.loads(zlib.decompress(data)) == ["workers.tasks.run", None, ["j1"], {}]


def test_only_what_is_on_the_list_is_run(
    queue: Queue, work: Callable[[], None], capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    assert "builtins.print" not in FUNCTIONS
    queue.enqueue_call("builtins.print", ("run after all",), failure_ttl=0)
    work()
    assert "run after all" not in capfd.readouterr().out
    assert "NotAllowed: builtins.print" in caplog.text


def test_callbacks_of_a_job_are_not_called(
    store: Store, queue: Queue, work: Callable[[], None], capfd: pytest.CaptureFixture[str]
) -> None:
    store.events.open("g1", playout(limit=5), seed=None)
    queue.enqueue_call(PROJECT, ("g1",), on_success=Callback("builtins.print"))
    queue.enqueue_call(PROJECT, ("no such game",), on_failure=Callback("builtins.print"), failure_ttl=0)
    work()
    assert store.projections.projected_version("g1") == 5
    assert capfd.readouterr().out == ""


def test_submit_promises_long_work_in_the_store(store: Store, queue: Queue) -> None:
    job = submit(store, queue, "audit", {"game": "g1"})
    assert store.jobs.get(job.id) == job
    assert job.status == "queued"
    assert waiting_jobs(queue) == [f"job-{job.id}"]


def test_submit_chooses_the_game_of_an_import(store: Store, queue: Queue) -> None:
    job = submit(store, queue, "import", {}, payload=b"a log")
    assert len(job.args["game"]) == 26
    assert store.jobs.payload(job.id) == b"a log"


def test_submit_with_the_same_key_is_the_same_work(store: Store, queue: Queue, work: Callable[[], None]) -> None:
    key = IdempotencyKey("again", b"digest")
    job = submit(store, queue, "import", {}, payload=b"not a log", key=key)
    assert submit(store, queue, "import", {}, payload=b"not a log", key=key) == job
    assert pending(queue) == 1
    work()
    assert submit(store, queue, "import", {}, payload=b"not a log", key=key).status == "failed"
    assert pending(queue) == 0
    with pytest.raises(KeyReused):
        submit(store, queue, "import", {}, payload=b"other", key=IdempotencyKey("again", b"other"))


def test_many_jobs_of_one_token_leave_room_for_another(store: Store, queue: Queue, work: Callable[[], None]) -> None:
    ann, bob = (store.tokens.create("viewer", created_at=clock(1))[1].id for _ in range(2))
    of_ann = [submit(store, queue, "export", {"format": "csv", "filter": {}}, owner=ann) for _ in range(7)]
    of_bob = submit(store, queue, "export", {"format": "csv", "filter": {}}, owner=bob)
    assert pending(queue) == 5
    assert waiting_jobs(queue)[-1] == f"job-{of_bob.id}"
    # Each job that ends makes room for the next.
    work()
    assert {job.status for job in map(store.jobs.get, [one.id for one in [*of_ann, of_bob]]) if job} == {"done"}


def test_the_work_of_a_token_that_is_withdrawn_is_not_done(
    store: Store, queue: Queue, work: Callable[[], None]
) -> None:
    store.events.open("g1", playout(limit=5), seed=None)
    _, ann = store.tokens.create("viewer", created_at=clock(1))
    jobs = [submit(store, queue, "audit", {"game": "g1"}, owner=ann.id) for _ in range(2)]
    store.tokens.withdraw(ann.id)
    # As if the store had not answered, and the worker of the job had died.
    store.jobs.update(jobs[1].id, status="running", error=None)
    store.client.hset(keys.JOB_OWNERS, jobs[1].id, ann.id)
    work()
    for job in jobs:
        now = store.jobs.get(job.id)
        assert now is not None
        assert (now.status, now.error) == ("failed", WITHDRAWN)
    assert store.jobs.list_unfinished() == []


def test_submit_does_without_the_queue(store: Store) -> None:
    job = submit(store, connect(GONE), "audit", {"game": "g1"})
    assert store.jobs.list_unfinished() == [job]


@pytest.mark.parametrize(
    "ask", [pending, live_workers, lambda queue: enqueue_project(queue, "g1"), lambda queue: enqueue_job(queue, "j1")]
)
def test_a_queue_that_does_not_answer_says_so(ask: Callable[[Queue], object]) -> None:
    with pytest.raises(QueueUnavailable):
        ask(connect(GONE))


def test_live_workers_are_those_whose_key_is_there(queue: Queue) -> None:
    assert live_workers(queue) == 0
    queue.connection.sadd("rq:workers:driftlog", "rq:worker:one", "rq:worker:two")
    queue.connection.hset("rq:worker:one", "state", "idle")
    assert live_workers(queue) == 1
