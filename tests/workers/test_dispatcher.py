"""The dispatcher: hints become few jobs, and a sweep finds what hints missed."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from engine.core.events import Event
from store import Store, keys
from store.library.aliases import Alias
from store.log.snapshots import SNAPSHOT_EVERY
from store.redis.embedded import EmbeddedServer
from tests.playouts import long_record, playout
from tests.waiting import PATIENCE, until, waiting_jobs
from tests.workers.conftest import GONE
from workers import tasks
from workers.dispatcher import Dispatcher, run_until_stopped
from workers.queue import PROJECTIONS, Queue, connect, lane, pending


@contextmanager
def running(dispatcher: Dispatcher) -> Iterator[Dispatcher]:
    thread = threading.Thread(target=dispatcher.run)
    thread.start()
    try:
        yield dispatcher
    finally:
        dispatcher.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def one_by_one(store: Store, game_id: str, events: list[Event]) -> None:
    """Append `events`, beginning with event 2, each with a separate hint."""
    for event in events:
        store.events.append(game_id, (event.seq - 1, event.prev), [event])


def test_however_fast_events_come_one_project_waits(store: Store, queue: Queue) -> None:
    events = playout()
    with running(Dispatcher(store, queue, round_seconds=0.01, sweep_seconds=3600)):
        store.events.open("g1", events[:1], seed=None)
        until(lambda: pending(queue) == 1)
        one_by_one(store, "g1", events[1:])
        store.events.open("g2", events[:1], seed=None)
        until(lambda: "project-g2" in waiting_jobs(queue))
        assert waiting_jobs(queue) == ["project-g1", "project-g2"]


def test_an_append_is_projected(store: Store, queue: Queue, work: Callable[[], None]) -> None:
    events = playout()

    def is_projected() -> bool:
        work()
        return store.projections.projected_version("g1") == len(events)

    with running(Dispatcher(store, queue, round_seconds=0.01, sweep_seconds=3600)):
        store.events.open("g1", events[:1], seed=None)
        one_by_one(store, "g1", events[1:])
        until(is_projected)


def test_what_is_refused_stays_until_it_is_projected(store: Store, queue: Queue, work: Callable[[], None]) -> None:
    events = playout()
    store.events.open("g1", events, seed=None)
    dispatcher = Dispatcher(store, queue)
    dispatcher.round()
    job = lane(queue, PROJECTIONS).fetch_job("project-g1")
    assert job is not None
    dispatcher.note("g1", len(events))
    # As if the job were running, after reading the log before the last event.
    lane(queue, PROJECTIONS).remove(job)
    dispatcher.round()
    assert pending(queue) == 0
    job.delete()
    dispatcher.round()
    assert pending(queue) == 1
    dispatcher.note("g1", len(events))
    work()
    dispatcher.round()
    assert pending(queue) == 0


def test_damaged_ids_hold_up_no_other_game(store: Store, queue: Queue) -> None:
    store.client.hset(keys.DELETING, b"\xff", b"{")
    store.client.hset("{a b}:meta", "v", 1)
    store.events.open("g", playout(limit=2), None)
    dispatcher = Dispatcher(store, queue)
    dispatcher.note("x/y", 1)
    dispatcher.round()
    assert waiting_jobs(queue) == ["project-g"]


def test_what_no_hint_told_is_swept_up(store: Store, queue: Queue) -> None:
    events = playout()
    store.events.open("behind", events, seed=None)
    store.events.open("new", events[:3], seed=None)
    store.events.open("projected", events[:3], seed=None)
    store.projections.project("projected")
    store.projections.project("behind")
    store.client.hset("{behind}:turns", "v", 3)
    job = store.jobs.create("audit", {"game": "new"})
    store.jobs.update(store.jobs.create("audit", {"game": "new"}).id, status="done")
    dispatcher = Dispatcher(store, queue)
    dispatcher.round()
    assert sorted(waiting_jobs(queue)) == [f"job-{job.id}", "project-behind", "project-new"]
    dispatcher.round()
    assert pending(queue) == 3


def test_games_that_are_to_be_listed_anew_are(store: Store, queue: Queue, work: Callable[[], None]) -> None:
    store.events.open("g1", playout(), seed=None)
    store.projections.project("g1")
    store.aliases.declare(Alias("Ada", "Mia", "2026-11-22T20:00:00.000Z"))
    dispatcher = Dispatcher(store, queue)
    dispatcher.round()
    assert waiting_jobs(queue) == ["relist"]
    work()
    assert [one.name for one in store.projections.players()[0]] == ["Bo", "Mia"]
    dispatcher.round()
    assert pending(queue) == 0


def test_games_that_ended_long_enough_ago_are_archived(
    store: Store, queue: Queue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: Callable[[], None]
) -> None:
    for game_id, events in (("ended", playout()), ("running", playout()[:-5])):
        store.events.open(game_id, events, seed=None)
        store.projections.project(game_id)
    Dispatcher(store, queue).round()
    assert pending(queue) == 0
    dispatcher = Dispatcher(store, queue, archive_after=timedelta())
    dispatcher.round()
    assert waiting_jobs(queue) == ["archive-ended"]
    work()
    assert store.archiving.name("ended") is None  # no archive is set up
    monkeypatch.setenv(tasks.ARCHIVE, str(tmp_path))
    tasks.process_store.cache_clear()
    tasks.archive_game("ended")
    tasks.archive_game("nowhere")
    assert store.archiving.name("ended") is not None
    assert len(list(tmp_path.rglob("*.gz"))) == 1
    dispatcher.round()
    assert pending(queue) == 0


def test_it_sweeps_now_and_then(store: Store, queue: Queue) -> None:
    with running(Dispatcher(store, queue, round_seconds=0.01, sweep_seconds=0.02)):
        until(lambda: pending(queue) == 0)
        job = store.jobs.create("audit", {"game": "g1"})
        until(lambda: pending(queue) == 1)
        queue.empty()
        until(lambda: waiting_jobs(queue) == [f"job-{job.id}"])


def test_a_queue_that_comes_back_is_given_what_waited(
    store: Store, own_queue: EmbeddedServer, caplog: pytest.LogCaptureFixture
) -> None:
    store.events.open("g1", playout(limit=3), seed=None)
    jobs = connect(own_queue.url)
    dispatcher = Dispatcher(store, jobs, round_seconds=0.01, sweep_seconds=3600)
    with running(dispatcher):
        until(lambda: pending(jobs) == 1)
        assert own_queue.pid is not None
        os.kill(own_queue.pid, signal.SIGKILL)
        until(lambda: not own_queue.is_running)
        store.events.open("g2", playout(limit=3), seed=None)
        until(lambda: "have to wait" in caplog.text)
        own_queue.start()
        until(lambda: sorted(waiting_jobs(jobs)) == ["project-g1", "project-g2"])
    assert caplog.text.count("have to wait") == 1


def test_a_store_that_comes_back_is_swept(own_events: EmbeddedServer, queue: Queue) -> None:
    store = Store.connect(own_events.url)
    with running(Dispatcher(store, queue, round_seconds=0.01, sweep_seconds=3600)):
        store.events.open("g1", playout(limit=3), seed=None)
        until(lambda: pending(queue) == 1)
        lane(queue, PROJECTIONS).empty()
        assert own_events.pid is not None
        os.kill(own_events.pid, signal.SIGKILL)
        until(lambda: not own_events.is_running)
        own_events.start()
        until(lambda: waiting_jobs(queue) == ["project-g1"])


def test_it_waits_for_a_store_that_is_not_there(queue: Queue, caplog: pytest.LogCaptureFixture) -> None:
    with running(Dispatcher(Store.connect(GONE), queue, round_seconds=0.01)):
        until(lambda: "have to wait" in caplog.text)


@pytest.mark.parametrize("key", [keys.meta, keys.events, keys.turns, keys.snapshots, keys.audits, keys.idempotency])
def test_a_key_of_the_wrong_type_stops_no_other_game(
    key: Callable[[str], str],
    store: Store,
    queue: Queue,
    work: Callable[[], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    events = long_record(SNAPSHOT_EVERY + 1)
    for game_id in ("damaged", "intact"):
        store.events.open(game_id, events, seed=None)
    store.client.delete(key("damaged"))
    store.client.set(key("damaged"), "oops")
    is_set_aside = key in {keys.meta, keys.events}
    dispatcher = Dispatcher(store, queue, sweep_seconds=0)
    dispatcher.note("damaged", len(events))
    for _ in range(2):
        dispatcher.round()
        work()
    dispatcher.round()
    assert pending(queue) == 0
    assert "have to wait" not in caplog.text
    assert caplog.text.count("game damaged cannot be replayed, so it is not projected") == is_set_aside
    assert store.projections.projected_versions(["damaged", "intact"]) == [
        None if is_set_aside else len(events),
        len(events),
    ]


class Waiting:
    """A loop that only waits for its end."""

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self.stop = self.stopped.set

    def run(self) -> None:
        self.stopped.wait()


class Failing(Waiting):
    def run(self) -> None:
        raise LookupError


def test_a_loop_that_fails_ends_the_others() -> None:
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    waiting = Waiting()
    try:
        with pytest.raises(LookupError):
            run_until_stopped(waiting, Failing())
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert waiting.stopped.is_set()
