"""Metrics of workers and dispatchers: jobs by result, waiting times, and the lag of projections."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from engine.core.events import Event
from store import Store, keys
from store.work.jobs import Job
from telemetry import context
from telemetry.context import Context
from tests.playouts import playout
from tests.waiting import until
from tests.workers.conftest import GONE
from workers import figures, tasks
from workers.dispatcher import Dispatcher
from workers.figures import Behind, Lag
from workers.queue import PROJECTIONS, Queue, QueueUnavailable, connect, enqueue_job, enqueue_project, lane, submit


@pytest.fixture
def events(store: Store) -> list[Event]:
    """The events of game g1."""
    events = playout()
    store.events.open("g1", events, seed=None)
    return events


def test_jobs_are_counted_by_kind_and_result(
    store: Store, queue: Queue, events: list[Event], work: Callable[[], None]
) -> None:
    enqueue_project(queue, "g1")
    submit(store, queue, "audit", {"game": "g1"})
    submit(store, queue, "import", {}, payload=b"no log")
    work()
    assert figures.count_jobs(queue) == {("project", "done"): 1, ("audit", "done"): 1, ("import", "failed"): 1}


def test_a_job_that_crashes_is_counted_each_time_and_told_by_its_request_without_its_words(
    store: Store,
    queue: Queue,
    work: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def crash(_store: Store, _job: Job) -> None:
        raise RuntimeError("planted-pearl")

    monkeypatch.setitem(tasks.KINDS, "audit", crash)
    asked = Context.from_headers("mine", None)
    with context.within(asked):
        job = submit(store, queue, "audit", {"game": "g1"})
    assert job.context == asked
    # Work without a request has no request id in the log.
    with context.within(None):
        work()
    assert figures.count_jobs(queue) == {("audit", "crashed"): 3}
    said = [record.getMessage() for record in caplog.records]
    assert said.count(f"job-{job.id} has failed") == 3
    assert not any("planted-pearl" in one for one in said)


def test_a_job_that_waits_for_its_rules_is_counted_so(
    store: Store, queue: Queue, events: list[Event], work: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacks(_game_id: str) -> None:
        raise tasks.LacksRuleset("go", None)

    monkeypatch.setattr(tasks.process_store().projections, "project", lacks)
    enqueue_project(queue, "g1")
    work()
    assert figures.count_jobs(queue) == {("project", "waits"): 1}


def test_a_job_of_another_release_is_counted_too(
    store: Store, queue: Queue, events: list[Event], work: Callable[[], None]
) -> None:
    enqueue_project(queue, "g1")
    job = lane(queue, PROJECTIONS).fetch_job("project-g1")
    assert job is not None
    job.meta = {"kind": "whatever somebody writes there"}
    job.save_meta()
    work()
    assert figures.count_jobs(queue) == {("other", "done"): 1}


def test_how_long_the_next_job_has_waited(store: Store, queue: Queue) -> None:
    assert figures.oldest(queue) == 0
    enqueue_job(queue, "a")
    first = until(lambda: figures.oldest(queue))
    enqueue_job(queue, "b")
    assert figures.oldest(queue) >= first
    # A worker takes the job at this moment.
    queue.connection.delete("rq:job:job-a")
    assert figures.oldest(queue) == 0


def test_how_far_projections_are_behind(
    store: Store, queue: Queue, events: list[Event], work: Callable[[], None]
) -> None:
    assert figures.lag(queue) is None
    dispatcher = Dispatcher(store, queue)
    # The sweep finds events without a hint.
    dispatcher.round()
    lag = figures.lag(queue)
    assert lag is not None
    assert (lag.games, lag.since is not None) == (1, True)
    work()
    dispatcher.round()
    assert figures.lag(queue) == Lag(0, None)
    assert 0 < queue.connection.ttl("driftlog:lag") <= figures.LAG_SECONDS


def test_a_deleted_game_is_not_behind(store: Store, queue: Queue, events: list[Event]) -> None:
    dispatcher = Dispatcher(store, queue)
    dispatcher.round()
    (game_id,) = store.events.game_ids()
    store.deletions.delete(game_id, at="2026-11-20T19:00:00.000Z", by=None)
    store.deletions.finish(game_id)
    dispatcher.round()
    assert figures.lag(queue) == Lag(0, None)


def test_a_damaged_game_is_set_aside_and_not_behind(
    store: Store, queue: Queue, events: list[Event], work: Callable[[], None]
) -> None:
    (game_id,) = store.events.game_ids()
    store.client.xdel(keys.events(game_id), f"{len(events)}-0")
    dispatcher = Dispatcher(store, queue, sweep_seconds=0)
    dispatcher.round()
    work()
    dispatcher.round()
    assert figures.lag(queue) == Lag(0, None)
    assert [*store.projections.lagging()] == []
    # The service starts again, and the record may have been mended.
    store.projections.take_up()
    assert [*store.projections.lagging()] == [(game_id, len(events))]


def test_a_game_that_goes_on_is_behind_only_since_its_next_event() -> None:
    behind = Behind()
    behind.note("a", 5, 10.0)
    behind.note("b", 2, 20.0)
    behind.note("a", 6, 30.0)
    behind.note("a", 7, 40.0)
    behind.note("a", 6, 50.0)
    assert behind.oldest(1) == ["a"]
    assert behind.lag(1000.0) == Lag(2, 1010.0)
    behind.settle([("a", 5), ("never noted", 1)])
    assert behind.oldest(5) == ["b", "a"]
    assert behind.lag(0.0) == Lag(2, 20.0)
    behind.settle([("b", 2), ("a", 7)])
    assert behind.lag(0.0) == Lag(0, None)


def test_a_lag_grows_with_time_and_is_never_less_than_none() -> None:
    assert Lag(0, None).seconds() == 0
    assert Lag(1, time.time() - 60).seconds() >= 60
    assert Lag(1, time.time() + 3600).seconds() == 0


def test_a_queue_that_does_not_answer_tells_nothing() -> None:
    gone = connect(GONE)
    for ask in (figures.oldest, figures.count_jobs, figures.lag):
        with pytest.raises(QueueUnavailable):
            ask(gone)
