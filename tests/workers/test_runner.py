"""Workers as processes: the jobs of a killed worker run again, and workers stop when asked."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rq import Worker
from rq.job import Job

from store import Store
from store.redis.embedded import EmbeddedServer
from store.work.jobs import guests_of
from tests.playouts import long_record, playout
from tests.waiting import PATIENCE, until, waiting_jobs
from tests.workers.conftest import GONE
from workers import runner, tasks
from workers.queue import (
    ATTEMPTS,
    LONG,
    PROJECTIONS,
    Queue,
    connect,
    enqueue_archive,
    enqueue_job,
    enqueue_project,
    lane,
    live_workers,
    pending,
    submit,
)

ROOT = Path(__file__).resolve().parents[2]


class Place:
    """A separate store and queue, with workers."""

    def __init__(self, events: EmbeddedServer, queue: EmbeddedServer) -> None:
        self.events = events
        self.queue_server = queue
        self.store = Store.connect(events.url)
        self.queue = connect(queue.url)
        self.environment = {**os.environ, "DRIFTLOG_REDIS_URL": events.url, "DRIFTLOG_QUEUE_URL": queue.url}

    def signal_events(self, number: signal.Signals) -> None:
        assert self.events.pid is not None
        os.kill(self.events.pid, number)

    def kill_queue(self) -> None:
        assert self.queue_server.pid is not None
        os.kill(self.queue_server.pid, signal.SIGKILL)
        until(lambda: not self.queue_server.is_running)

    def worker_pid(self) -> int:
        """Return the process id of the only live worker."""
        return until(lambda: found[0] if len(found := self.worker_pids()) == 1 else 0)

    def worker_pids(self) -> list[int]:
        return [worker.pid for worker in Worker.all(queue=self.queue) if worker.pid is not None]

    def pids_at(self, job_id: str) -> list[int]:
        """Return the ids of the workers that have started this job, perhaps after waiting for the game's projection."""
        workers = Worker.all(queue=self.queue)
        return [one.pid for one in workers if one.pid is not None and one.get_current_job_id() == f"job-{job_id}"]

    def status(self, job_id: str) -> str:
        job = self.store.jobs.get(job_id)
        assert job is not None
        return job.status


@pytest.fixture
def place(own_events: EmbeddedServer, own_queue: EmbeddedServer) -> Place:
    return Place(own_events, own_queue)


@pytest.fixture
def no_queue(place: Place) -> None:
    """The queue's server has been killed."""
    place.kill_queue()


@pytest.fixture
def workers(place: Place) -> Iterator[subprocess.Popen[str]]:
    """`driftlog worker` with one worker."""
    command = [sys.executable, "-m", "cli.main", "worker"]
    with subprocess.Popen(command, cwd=ROOT, env=place.environment, stderr=subprocess.PIPE, text=True) as parent:
        yield parent
        parent.kill()


def hold(place: Place) -> str:
    """Start a job that cannot continue; return its id."""
    place.store.events.open("g1", long_record(3000), seed=None)
    job = place.store.jobs.create("audit", {"game": "g1"})
    # The worker will wait for the store as long as it is paused.
    place.signal_events(signal.SIGSTOP)
    enqueue_job(place.queue, job.id)
    until(lambda: place.queue.started_job_registry.get_job_ids(cleanup=False) == [f"job-{job.id}"])
    return job.id


def test_a_job_whose_worker_is_killed_is_run_again(place: Place, workers: subprocess.Popen[str]) -> None:
    until(lambda: live_workers(place.queue) == 1)
    job_id = hold(place)
    killed = place.worker_pid()
    os.kill(killed, signal.SIGKILL)
    place.signal_events(signal.SIGCONT)
    until(lambda: place.status(job_id) == "done")
    assert place.worker_pid() != killed
    report = place.store.audits.get("g1", job_id)
    assert report is not None
    assert (report["verdict"], report["events"]) == ("clean", 3000)
    until(lambda: place.queue.connection.keys("rq:job:*") == [])
    assert place.queue.connection.keys("rq:execution*") == []


@pytest.mark.long
def test_a_job_that_kills_its_workers_is_given_up(place: Place, workers: subprocess.Popen[str]) -> None:
    until(lambda: live_workers(place.queue) == 1)
    job_id = hold(place)
    seen: set[int] = set()
    for _ in range(ATTEMPTS):
        # It also lists a dead worker, until the death is known.
        pid = until(lambda: next((pid for pid in place.pids_at(job_id) if pid not in seen), 0))
        seen.add(pid)
        os.kill(pid, signal.SIGKILL)
    place.signal_events(signal.SIGCONT)
    until(lambda: place.status(job_id) == "failed")
    job = place.store.jobs.get(job_id)
    assert job is not None
    assert job.error == "all attempts failed: AbandonedJobError"


def pid_in(place: Place, name: str, job_id: str = "") -> int:
    """Return the process id of a lane's worker that has started this job; 0 if none has."""
    found = [one for one in Worker.all(queue=lane(place.queue, name)) if one.pid is not None]
    return next((one.pid or 0 for one in found if not job_id or one.get_current_job_id() == f"job-{job_id}"), 0)


def order_of_a_guest(place: Place) -> str:
    """Order the same file as `order_of_a_player`, but through a share link."""
    return order_of_a_player(place, owner="link", share=guests_of("long"))


def order_of_a_player(place: Place, **whose: str) -> str:
    """Order a file that takes longer than a first try; return the id of its job."""
    events = long_record(900)
    place.store.events.open("long", events, seed=None)
    args = {"game": "long", "version": len(events), "format": "html", "viewer": "public"}
    return submit(place.store, place.queue, "write", args, same="file", **whose).id


@pytest.mark.long
def test_the_long_job_of_a_guest_holds_up_nobody(place: Place, workers: subprocess.Popen[str]) -> None:
    until(lambda: live_workers(place.queue) == 1)
    guests = order_of_a_guest(place)
    held = until(lambda: place.status(guests) == "running" and pid_in(place, LONG, guests))
    # The job runs as long as this context.
    os.kill(held, signal.SIGSTOP)
    try:
        place.store.events.open("small", playout(limit=5), seed=None)
        audit = submit(place.store, place.queue, "audit", {"game": "small"}, owner=None).id
        until(lambda: place.status(audit) == "done")
        until(lambda: place.store.projections.projected_version("small") == 5)
        assert place.status(guests) == "running"
    finally:
        os.kill(held, signal.SIGCONT)
    until(lambda: place.status(guests) == "done")
    assert place.store.files.find(f"export-long-{last_hash(place)}-html-public") is not None


@pytest.mark.long
def test_a_job_that_outlasts_its_first_try_is_done_by_a_long_worker(
    place: Place, workers: subprocess.Popen[str]
) -> None:
    until(lambda: live_workers(place.queue) == 1)
    job_id = order_of_a_player(place)
    until(lambda: place.status(job_id) == "done")
    done = place.store.jobs.get(job_id)
    assert done is not None
    assert done.is_long


def last_hash(place: Place) -> str:
    return place.store.events.head("long")[1]


def test_more_long_workers_start_while_long_jobs_wait(place: Place, workers: subprocess.Popen[str]) -> None:
    until(lambda: live_workers(place.queue) == 1)
    long = lane(place.queue, LONG)
    assert Worker.all(queue=long) == []
    first = busy_long_worker(place)
    try:
        enqueue_archive(place.queue, "one")
        enqueue_archive(place.queue, "two")
        until(lambda: len(Worker.all(queue=long)) == runner.LONG_WORKERS)
        until(lambda: len(long) == 0)
    finally:
        os.kill(first, signal.SIGCONT)


def busy_long_worker(place: Place) -> int:
    """Return the process id of a long worker that is stopped during a job."""
    guests = order_of_a_guest(place)
    pid: int = until(lambda: pid_in(place, LONG, guests))
    os.kill(pid, signal.SIGSTOP)
    return pid


def test_a_long_job_that_was_lost_starts_a_long_worker(place: Place, request: pytest.FixtureRequest) -> None:
    """Its worker was killed together with its parent, so nobody requeued the job."""
    long = lane(place.queue, LONG)
    enqueue_archive(place.queue, "lost")
    worker, job = take(long, "dead")
    worker.prepare_execution(job)
    worker.prepare_job_execution(job, remove_from_intermediate_queue=True)
    worker.register_death()  # type: ignore[no-untyped-call]  # RQ leaves it untyped
    request.getfixturevalue("workers")
    until(lambda: [one for one in Worker.all(queue=long) if one.name != "dead"])


def test_projections_advance_while_every_other_worker_is_busy(place: Place, workers: subprocess.Popen[str]) -> None:
    until(lambda: live_workers(place.queue) == 1)
    busy = [busy_long_worker(place), place.worker_pid()]
    os.kill(busy[1], signal.SIGSTOP)
    try:
        place.store.events.open("small", playout(limit=5), seed=None)
        until(lambda: place.store.projections.projected_version("small") == 5)
    finally:
        for pid in busy:
            os.kill(pid, signal.SIGCONT)


@pytest.mark.long
def test_a_long_job_whose_worker_is_killed_is_run_again(place: Place, workers: subprocess.Popen[str]) -> None:
    until(lambda: live_workers(place.queue) == 1)
    guests = order_of_a_guest(place)
    killed = until(lambda: pid_in(place, LONG, guests))
    os.kill(killed, signal.SIGKILL)
    until(lambda: place.status(guests) == "done")


def wait_for_outage(workers: subprocess.Popen[str]) -> None:
    """Wait until a worker logs that its queue does not answer, or dies."""
    assert workers.stderr is not None
    line = next(line for line in workers.stderr if "waits, the queue" in line or "has ended" in line)
    assert "waits, the queue" in line


def next_line(workers: subprocess.Popen[str]) -> str:
    """Return the next line of a worker about its queue."""
    assert workers.stderr is not None
    return next(line for line in workers.stderr if "the queue" in line)


def test_a_queue_that_dies_takes_no_worker_with_it(place: Place, workers: subprocess.Popen[str]) -> None:
    until(lambda: live_workers(place.queue) == 1)
    pid = place.worker_pid()
    job_id = hold(place)
    place.kill_queue()
    place.signal_events(signal.SIGCONT)
    wait_for_outage(workers)
    place.queue_server.start()
    until(lambda: place.status(job_id) == "done")
    assert place.worker_pid() == pid


def test_a_queue_that_is_away_is_told_once_and_so_is_its_return(place: Place, workers: subprocess.Popen[str]) -> None:
    until(lambda: live_workers(place.queue) == 1)
    place.kill_queue()
    assert "waits, the queue does not answer" in next_line(workers)
    place.queue_server.start()
    assert "continues: the queue answers again" in next_line(workers)
    workers.terminate()
    assert workers.communicate(timeout=PATIENCE)[1] == ""


def test_what_rq_says_besides_is_heard() -> None:
    outage = runner.Outage("w")
    assert outage.filter(logging.LogRecord("rq.worker", logging.ERROR, "", 0, "a job failed", None, None))


@pytest.mark.usefixtures("no_queue")
def test_workers_wait_for_a_queue_that_is_not_there_yet(place: Place, workers: subprocess.Popen[str]) -> None:
    wait_for_outage(workers)
    place.queue_server.start()
    until(lambda: live_workers(place.queue) == 1)
    workers.terminate()
    assert "has ended" not in workers.communicate(timeout=PATIENCE)[1]
    assert workers.returncode == 0


@pytest.mark.usefixtures("no_queue")
def test_workers_that_wait_for_their_queue_stop_when_asked(workers: subprocess.Popen[str]) -> None:
    wait_for_outage(workers)
    workers.terminate()
    assert "killed" not in workers.communicate(timeout=PATIENCE)[1]
    assert workers.returncode == 0


def test_workers_stop_when_asked(place: Place, workers: subprocess.Popen[str]) -> None:
    until(lambda: live_workers(place.queue) == 1)
    pid = place.worker_pid()
    workers.terminate()
    assert workers.wait(PATIENCE) == 0
    assert live_workers(place.queue) == 0
    until(lambda: not Path(f"/proc/{pid}").exists())


def test_more_workers_do_more(place: Place) -> None:
    command = [sys.executable, "-m", "cli.main", "worker", "--count", "2"]
    with subprocess.Popen(command, cwd=ROOT, env=place.environment, stdout=subprocess.PIPE, text=True) as parent:
        until(lambda: live_workers(place.queue) == 2)
        for number in range(20):
            place.store.events.open(f"g{number}", playout(limit=9), seed=None)
        until(lambda: list(place.store.projections.behind()) == [])
        parent.terminate()
        said, _ = parent.communicate(timeout=PATIENCE)
    assert parent.returncode == 0
    assert said == "2 workers: waiting for jobs\n"


def take(queue: Queue, name: str) -> tuple[runner.DriftlogWorker, Job]:
    """A worker that has taken a job without starting it."""
    worker = runner.DriftlogWorker([queue], name=name)
    worker.register_birth()
    taken = worker.queue_class.dequeue_any(
        [queue], 1, connection=queue.connection, job_class=queue.job_class, serializer=queue.serializer
    )
    assert taken is not None
    return worker, taken[0]


def test_only_what_the_dead_worker_held_is_requeued(queue: Queue, events_server: str, queue_server: str) -> None:
    for name in ("one", "two"):
        enqueue_project(queue, name)
        worker, job = take(lane(queue, PROJECTIONS), name)
        worker.prepare_execution(job)
        worker.prepare_job_execution(job, remove_from_intermediate_queue=True)
    assert pending(queue) == 0
    for name in ("nobody", "two", "two"):
        runner.requeue(events_server, queue_server, name)
    assert waiting_jobs(queue) == ["project-two"]
    assert lane(queue, PROJECTIONS).started_job_registry.get_job_ids(cleanup=False) == ["project-one"]
    assert [worker.name for worker in Worker.all(queue=lane(queue, PROJECTIONS))] == ["one"]


@pytest.mark.parametrize("has_begun", [False, True])
def test_what_was_taken_and_not_begun_is_requeued(
    queue: Queue, events_server: str, queue_server: str, has_begun: bool
) -> None:
    enqueue_project(queue, "g1")
    worker, job = take(lane(queue, PROJECTIONS), "one")
    if has_begun:
        worker.prepare_execution(job)
    assert lane(queue, PROJECTIONS).intermediate_queue.get_job_ids() == ["project-g1"]
    runner.requeue(events_server, queue_server, "one")
    assert waiting_jobs(queue) == ["project-g1"]
    assert lane(queue, PROJECTIONS).intermediate_queue.get_job_ids() == []


def test_an_earlier_job_leaves_nothing_that_harms_the_next_one_with_its_id(queue: Queue) -> None:
    projections = lane(queue, PROJECTIONS)
    taken = projections.intermediate_queue
    enqueue_project(queue, "g1")
    worker, job = take(projections, "one")
    taken.cleanup(worker, projections)
    assert taken.get_first_seen(job.id) is not None
    worker.prepare_execution(job)
    worker.prepare_job_execution(job, remove_from_intermediate_queue=True)
    assert taken.get_first_seen(job.id) is None, "maintenance fails a job that it saw over a minute ago"
    job.delete()
    worker.handle_execution_ended(job, projections, 0)
    assert enqueue_project(queue, "g1"), "a heartbeat of a deleted job blocks its id"


def test_a_queue_that_is_gone_keeps_nobody_from_starting_again(caplog: pytest.LogCaptureFixture) -> None:
    runner.requeue(GONE, GONE, "worker")
    assert "other workers take over the jobs" in caplog.text


def test_a_worker_that_was_idle_leaves_nothing_to_requeue(queue: Queue, events_server: str, queue_server: str) -> None:
    worker = runner.DriftlogWorker([queue], name="idle")
    worker.register_birth()
    runner.requeue(events_server, queue_server, "idle")
    assert live_workers(queue) == 0
    assert pending(queue) == 0


def test_a_queue_that_has_lost_everything_is_told_of_its_workers(queue: Queue) -> None:
    worker = runner.DriftlogWorker([queue], name="survivor")
    worker.register_birth()
    queue.connection.flushdb()
    assert live_workers(queue) == 0
    worker.heartbeat()
    assert live_workers(queue) == 1


def test_a_worker_is_found_dead_within_a_minute_or_so(queue: Queue) -> None:
    worker = runner.DriftlogWorker([queue], name="settings")
    assert worker.dequeue_timeout == 5
    assert worker.maintenance_interval == 5


def test_a_worker_waits_for_jobs_for_longer_than_for_an_answer(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise an idle worker would treat the queue as dead every few seconds."""
    waits: list[tuple[float, float]] = []

    def look(worker: runner.DriftlogWorker, **_: object) -> None:
        held = worker.connection.connection_pool.get_connection()
        waits.append((held.socket_timeout, worker.dequeue_timeout))

    monkeypatch.setattr(runner.DriftlogWorker, "work", look)
    # A worker's settings for its process are restored after the test.
    monkeypatch.setenv(tasks.REDIS_URL, place.events.url)
    runner.work(place.events.url, place.queue_server.url, "patient", burst=True)
    ((answer, job),) = waits
    assert answer > job
