"""Workers: each is an RQ worker in a process of its own, which the parent restarts if it dies."""

from __future__ import annotations

import functools
import gc
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, cast

import redis
from redis.client import Pipeline
from rq import SimpleWorker, worker_registration
from rq.exceptions import StopRequested
from rq.executions import Execution, ExecutionRegistry
from rq.job import Job as QueuedJob
from rq.serializers import JSONSerializer

from store import Store
from store.errors import StoreError
from store.work.jobs import FINAL
from telemetry import tracing
from workers import figures, queue, tasks
from workers.queue import (
    LANES,
    LONG,
    NAME,
    PROJECTIONS,
    SECOND,
    ListedJob,
    Queue,
    QueueUnavailable,
    enqueue_jobs,
    enqueue_relist,
)
from workers.supervisor import ChildRole, stand_back

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 1.0
"""Seconds between attempts while the queue does not answer."""
LONG_WORKERS = 2
"""Number of workers for long jobs per worker of another lane. So many long jobs can run in parallel."""
IDLE_SECONDS = 15
"""Seconds without a job after which a worker on demand ends."""
ASKING_SECONDS = 0.2
"""Seconds to wait for the queue when the parent asks it for waiting jobs."""
NICE = 10
"""The niceness of workers for long jobs.

Beside a busy process they get a tenth of a core, enough to finish before their timeout.
"""


class Outage(logging.Filter):
    """Logs the start and the end of an outage of the queue only once, although the worker and RQ retry often.

    This filter of RQ's log drops RQ's own messages about the outage.
    """

    def __init__(self, worker: str) -> None:
        super().__init__()
        self._worker = worker
        self._is_told = False
        self.is_telling = False
        """True while this filter itself logs a message."""

    def filter(self, record: logging.LogRecord) -> bool:
        if "exception raised while executing" in str(record.msg):
            # The exception's message may contain secrets of players; `tasks.record_failure` logs the rest of the error.
            return False
        if "could not connect" not in str(record.msg):
            return True
        self.report(record.args[1] if isinstance(record.args, tuple) else record.msg)
        return False

    def report(self, error: object) -> None:
        """Report that the queue does not answer."""
        if not self._is_told:
            self._warn("worker %s waits, the queue does not answer: %s", self._worker, error)
        self._is_told = True

    def end(self) -> None:
        """Report that the queue answers again."""
        if self._is_told:
            self._warn("worker %s continues: the queue answers again", self._worker)
        self._is_told = False

    def _warn(self, message: str, *arguments: object) -> None:
        self.is_telling = True
        logger.warning(message, *arguments)
        self.is_telling = False


class DriftlogWorker(SimpleWorker):
    """An RQ worker that does not fork for each job. Jobs are trusted, and a fork would take longer than most jobs.

    If the worker dies during a job, its parent requeues the job (`requeue`). If the parent has died, too, another
    worker finds the job: RQ's maintenance runs every few seconds, and treats a job as lost if there was no heartbeat
    for the job's timeout plus a minute.
    """

    max_connection_wait_time = 5.0
    is_asked_to_stop = False
    outage: Outage | None = None

    def __init__(self, *args: Any, **options: Any) -> None:
        ours: dict[str, Any] = {
            "serializer": JSONSerializer,
            "job_class": queue.ListedJob,
            "worker_ttl": 20,
            "maintenance_interval": 5,
            "log_job_description": False,
        }
        super().__init__(*args, **(ours | options))

    def subscribe(self) -> None:
        """Do not subscribe to commands: workers receive none.

        The subscribing thread would survive an outage of the queue.
        """

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Stop after the current job, if there is one."""
        self.is_asked_to_stop = True
        if self.outage is not None and self.outage.is_telling:
            # RQ would raise its stop signal, which `logging` would report as an error. Instead, `heartbeat` stops the
            # worker.
            return
        # RQ would report the stop to the queue, which may not answer.
        with suppress(redis.RedisError):
            super().request_stop(signum, frame)  # type: ignore[no-untyped-call]  # RQ leaves it untyped

    def perform_job(self, job: QueuedJob, queue: Queue) -> bool:
        """Run a job, count its result, and queue the owner's next job."""
        is_done = super().perform_job(job, queue)
        if isinstance(job, ListedJob):
            figures.count(queue, job.kind, cast("figures.Result", job.result_word))
        # Use only the job's id, because its other contents may be invalid. If queueing fails, the dispatcher does it
        # later.
        with suppress(StoreError, QueueUnavailable):
            store = tasks.process_store()
            if job.id.startswith("job-"):
                done = store.jobs.get(job.id.removeprefix("job-").removesuffix(SECOND))
                # Do not requeue a job that waits for the store, because it would only wait again. The dispatcher
                # requeues it later.
                has_moved = done is not None and done.is_long and job.origin == NAME
                continues = getattr(job, "result_word", "") == "continues"
                if done is not None and (done.status in FINAL or has_moved or continues):
                    enqueue_jobs(queue, store.jobs.in_turn(done))
            elif job.id == "relist" and store.projections.is_unlisted():
                enqueue_relist(queue)
        return is_done

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Send a heartbeat, and register again, in case the queue has lost its data."""
        if pipeline is not None:
            super().heartbeat(timeout, pipeline)
            worker_registration.register(self, pipeline)
            pipeline.hset(self.key, "pid", str(self.pid))
            return
        # Send all commands at once, because a job sends several heartbeats.
        with self.connection.pipeline(transaction=False) as commands:
            self.heartbeat(timeout, commands)
            commands.execute()
        if self.outage is not None:
            self.outage.end()
            if self.is_asked_to_stop and not self._stop_requested:
                self._shutdown()  # type: ignore[no-untyped-call]  # RQ leaves it untyped


def roles(count: int, redis_url: str, queue_url: str, archive: str = "") -> list[ChildRole]:
    """Return `count` workers of each lane, and `LONG_WORKERS` times as many for long jobs, as roles of the supervisor.

    Workers for first tries run all the time, because users wait for these jobs. The others start when there are jobs,
    because each worker takes 10 MB of memory.

    Args:
        archive: location of archived logs (see `store.log.archive.Archive`).
    """
    _set_store(redis_url, archive)
    # Connect before the workers are forked, so that they share the memory of the connection code.
    tasks.process_store()
    jobs = queue.connect(queue_url, ASKING_SECONDS)
    kinds = [("projector", PROJECTIONS, 1), ("worker", NAME, 1), ("long worker", LONG, LONG_WORKERS)]

    def role(kind: str, lane: str, number: int) -> ChildRole:
        is_extra = lane != NAME
        run = functools.partial(
            work, redis_url, queue_url, archive=archive, lanes=(lane,), idle_seconds=IDLE_SECONDS if is_extra else None
        )
        bury = functools.partial(requeue, redis_url, queue_url, lanes=(lane,))
        # The first worker of a lane also looks for jobs whose worker was lost together with its parent.
        has_work = queue.has_jobs if number == 1 else queue.has_waiting
        is_needed = functools.partial(has_work, queue.lane(jobs, lane)) if is_extra else None
        return ChildRole(f"{kind} {number}", run, bury, is_needed)

    return [role(kind, lane, number) for kind, lane, each in kinds for number in range(1, count * each + 1)]


def work(
    redis_url: str,
    queue_url: str,
    name: str,
    *,
    archive: str = "",
    burst: bool = False,
    lanes: Sequence[str] = LANES,
    idle_seconds: int | None = None,
) -> None:
    """Run jobs until SIGTERM. If the queue does not answer or fails, wait for it.

    Args:
        name: a unique name of the worker.
        archive: location of archived logs.
        lanes: the lanes to take jobs from.
        burst: True to stop when nothing is queued.
        idle_seconds: stop after this time without a job; None: never.

    Raises:
        QueueUnavailable: only if `burst`.
    """
    _set_store(redis_url, archive)
    # Few of the many objects that a job creates are in a cycle. The web processes do the same.
    gc.set_threshold(10_000)
    tracing.begin()
    gave_up = functools.partial(tasks.record_failure, tasks.process_store())
    if lanes == (LONG,):
        # Workers for long jobs use the processor time that other processes leave.
        stand_back(NICE)
    jobs = queue.connect(queue_url)
    worker: DriftlogWorker | None = None
    outage = Outage(name)
    with suppress(StopRequested), _filter_log(outage):
        # RQ ends a worker if the queue fails during, before or after a job.
        while worker is None or not worker.is_asked_to_stop:
            try:
                with queue.translate_errors():
                    places = [queue.lane(jobs, lane) for lane in lanes]
                    _requeue(places, name, gave_up)
                    worker = DriftlogWorker(places, name=name, exception_handlers=[gave_up])
                    worker.outage = outage
                    # Reconnect, because RQ sets a longer timeout for waiting on jobs, which applies only to new
                    # connections.
                    jobs.connection.connection_pool.disconnect()
                    jobs.connection.connection_pool.reset()
                    worker.work(burst=burst, max_idle_time=idle_seconds, logging_level="WARNING")
                if burst or idle_seconds is not None:
                    return
            except queue.QueueUnavailable as error:
                if burst:
                    raise
                outage.report(error)
                time.sleep(PAUSE_SECONDS)


def _set_store(redis_url: str, archive: str) -> None:
    os.environ |= {tasks.REDIS_URL: redis_url, tasks.ARCHIVE: archive}


@contextmanager
def _filter_log(outage: Outage) -> Iterator[None]:
    log = logging.getLogger("rq.worker")
    log.addFilter(outage)
    try:
        yield
    finally:
        log.removeFilter(outage)


def requeue(redis_url: str, queue_url: str, name: str, *, lanes: Sequence[str] = LANES) -> None:
    """Requeue the jobs of a dead worker, as often as RQ allows."""
    jobs = queue.connect(queue_url)
    try:
        with queue.translate_errors():
            places = [queue.lane(jobs, lane) for lane in lanes]
            _requeue(places, name, functools.partial(tasks.record_failure, Store.connect(redis_url)))
    except (queue.QueueUnavailable, StoreError) as error:
        logger.warning("other workers take over the jobs of worker %s: %s", name, error)


def _requeue(lanes: Sequence[Queue], name: str, gave_up: Callable[..., None]) -> None:
    prefix = DriftlogWorker.redis_worker_namespace_prefix
    worker = DriftlogWorker.find_by_key(prefix + name, lanes[0].connection)
    if worker is None:
        return
    worker.register_death()  # type: ignore[no-untyped-call]  # RQ leaves it untyped
    for lane in lanes:
        _requeue_of(lane, name, gave_up)


def _requeue_of(jobs: Queue, name: str, gave_up: Callable[..., None]) -> None:
    connection = jobs.connection
    registry, taken = jobs.started_job_registry, jobs.intermediate_queue
    running = [
        Execution(execution_id, job_id, connection)
        for job_id, execution_id in registry.get_job_and_execution_ids(cleanup=False)
    ]
    held = [one for one in running if connection.hget(one.key, "worker_name") == name.encode()]
    # These jobs were taken but not started. Another worker may just be starting one, which then runs twice.
    stranded = set(taken.get_job_ids()) - {one.job_id for one in running}
    if held:
        # Let the heartbeats of these jobs expire, so that RQ treats them as lost at once.
        connection.zadd(registry.key, {one.composite_key: 0 for one in held}, xx=True)
        registry.cleanup(exception_handlers=[gave_up])
    with connection.pipeline() as pipeline:
        for one in held:
            pipeline.delete(one.key)
            pipeline.lrem(taken.key, 1, one.job_id)
            ExecutionRegistry(one.job_id, connection).remove(one, pipeline)
        for job_id in stranded:
            pipeline.lrem(taken.key, 1, job_id)
            jobs.push_job_id(job_id, pipeline)
        pipeline.execute()
