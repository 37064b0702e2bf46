"""Running workers: RQ's, each in a process of its own that its parent starts again when it dies."""

from __future__ import annotations

import functools
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
    ListedJob,
    Queue,
    QueueUnavailable,
    enqueue_jobs,
    enqueue_relist,
)
from workers.supervisor import Role

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 1.0
"""How often a queue that does not answer is asked again."""
LONG_WORKERS = 2
"""Long workers beside each worker: so many more jobs of different orderers run at a time."""
NICE = 10
"""The niceness of long workers: beside a busy process they get a tenth of a core, enough to end within their time."""


class Outage(logging.Filter):
    """Tells once that the queue does not answer, however often it is tried by us or by RQ, and once that it does again.

    As a filter of RQ's log it takes what RQ says of it there.
    """

    def __init__(self, worker: str) -> None:
        super().__init__()
        self._worker = worker
        self._is_told = False
        self.is_telling = False
        """Whether it is being told now."""

    def filter(self, record: logging.LogRecord) -> bool:
        if "exception raised while executing" in str(record.msg):
            # With all that the exception says, which may be what players hide: `tasks.gave_up` tells of it.
            return False
        if "could not connect" not in str(record.msg):
            return True
        self.tell(record.args[1] if isinstance(record.args, tuple) else record.msg)
        return False

    def tell(self, error: object) -> None:
        """It does not answer."""
        if not self._is_told:
            self._say("worker %s waits, the queue does not answer: %s", self._worker, error)
        self._is_told = True

    def end(self) -> None:
        """It answers."""
        if self._is_told:
            self._say("worker %s goes on, the queue answers again", self._worker)
        self._is_told = False

    def _say(self, message: str, *arguments: object) -> None:
        self.is_telling = True
        logger.warning(message, *arguments)
        self.is_telling = False


class DriftlogWorker(SimpleWorker):
    """RQ's worker without a fork for each job: the jobs are ours, and a fork would take longer than most of them.

    Should it die in a job, its parent has the job done again (`requeue`). Where the parent died as well, another
    worker finds it: RQ's maintenance happens every few seconds, and takes a job for lost whose worker gave no sign of
    life for as long as the job may take, and a minute.
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
        """Listen to nobody: no commands are sent to workers, and the thread would outlive a queue that dies."""

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Stop after the job in hand, if there is one."""
        self.is_asked_to_stop = True
        if self.outage is not None and self.outage.is_telling:
            # RQ raises what stops it, and `logging` would take that for a fault of its own: `heartbeat` stops it.
            return
        # RQ notes it in the queue, which may not answer.
        with suppress(redis.RedisError):
            super().request_stop(signum, frame)  # type: ignore[no-untyped-call]  # RQ leaves it untyped

    def perform_job(self, job: QueuedJob, queue: Queue) -> bool:
        """Do a job, count what came of it, and have the next of the same owner wait in its place."""
        is_done = super().perform_job(job, queue)
        if isinstance(job, ListedJob):
            figures.count(queue, job.kind, cast("figures.Result", job.result_word))
        # By its name: what else it says may be nonsense. Where that is lost, the dispatcher finds it.
        with suppress(StoreError, QueueUnavailable):
            store = tasks.connected()
            if job.id.startswith("job-"):
                done = store.jobs.get(job.id.removeprefix("job-"))
                # What waits for the store waits for the dispatcher: it would be tried again at once, and wait again.
                has_moved = done is not None and done.is_long and job.origin == NAME
                if done is not None and (done.status in FINAL or has_moved):
                    enqueue_jobs(queue, store.jobs.in_turn(done))
            elif job.id == "relist" and store.projections.is_unlisted():
                enqueue_relist(queue)
        return is_done

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Give a sign of life, also to a queue that has lost everything, and with it who its workers are."""
        super().heartbeat(timeout, pipeline)
        worker_registration.register(self, pipeline)
        if pipeline is None:
            self.connection.hset(self.key, "pid", self.pid)
        if self.outage is not None and pipeline is None:
            self.outage.end()
            if self.is_asked_to_stop and not self._stop_requested:
                self._shutdown()  # type: ignore[no-untyped-call]  # RQ leaves it untyped


def roles(count: int, redis_url: str, queue_url: str, archive: str = "") -> list[Role]:
    """Return `count` workers of each lane, and `LONG_WORKERS` times as many long ones, for a supervisor.

    Args:
        archive: where archived logs are, see `store.log.archive.Archive`.
    """
    kinds = [("projector", PROJECTIONS, 1), ("worker", NAME, 1), ("long worker", LONG, LONG_WORKERS)]
    return [
        Role(
            f"{kind} {number}",
            functools.partial(work, redis_url, queue_url, archive=archive, lanes=(lane,)),
            functools.partial(requeue, redis_url, queue_url, lanes=(lane,)),
        )
        for kind, lane, each in kinds
        for number in range(1, count * each + 1)
    ]


def work(
    redis_url: str,
    queue_url: str,
    name: str,
    *,
    archive: str = "",
    burst: bool = False,
    lanes: Sequence[str] = LANES,
) -> None:
    """Do jobs until SIGTERM. A queue that does not answer, or dies, is waited for.

    Args:
        name: no other worker's.
        archive: where archived logs are.
        lanes: from which it takes jobs.
        burst: stop when nothing is waiting.

    Raises:
        QueueUnavailable: in a burst alone.
    """
    os.environ[tasks.REDIS_URL] = redis_url
    os.environ[tasks.ARCHIVE] = archive
    tracing.begin()
    gave_up = functools.partial(tasks.gave_up, Store.connect(redis_url))
    if lanes == (LONG,):
        # Whatever else runs here goes first; what is long shares the rest.
        os.nice(NICE)
    jobs = queue.connect(queue_url)
    worker: DriftlogWorker | None = None
    outage = Outage(name)
    with suppress(StopRequested), _heard_by(outage):
        # RQ ends a worker whose queue fails in or around a job.
        while worker is None or not worker.is_asked_to_stop:
            try:
                with queue.translated():
                    places = [queue.lane(jobs, lane) for lane in lanes]
                    _requeue(places, name, gave_up)
                    worker = DriftlogWorker(places, name=name, exception_handlers=[gave_up])
                    worker.outage = outage
                    # It waits for jobs for longer than others wait for an answer, but not on connections made before.
                    jobs.connection.connection_pool.disconnect()
                    jobs.connection.connection_pool.reset()
                    worker.work(burst=burst, logging_level="WARNING")
                if burst:
                    return
            except queue.QueueUnavailable as error:
                if burst:
                    raise
                outage.tell(error)
                time.sleep(PAUSE_SECONDS)


@contextmanager
def _heard_by(outage: Outage) -> Iterator[None]:
    """Have RQ's log go through `outage`."""
    log = logging.getLogger("rq.worker")
    log.addFilter(outage)
    try:
        yield
    finally:
        log.removeFilter(outage)


def requeue(redis_url: str, queue_url: str, name: str, *, lanes: Sequence[str] = LANES) -> None:
    """Have the jobs done again that the worker of that name held when it died, within RQ's count of retries."""
    jobs = queue.connect(queue_url)
    try:
        with queue.translated():
            places = [queue.lane(jobs, lane) for lane in lanes]
            _requeue(places, name, functools.partial(tasks.gave_up, Store.connect(redis_url)))
    except (queue.QueueUnavailable, StoreError) as error:
        logger.warning("what worker %s held is left to the other workers: %s", name, error)


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
    # Taken, and not begun: perhaps by another worker, which is about to; then it is done twice.
    stranded = set(taken.get_job_ids()) - {one.job_id for one in running}
    if held:
        # What RQ does about a job that gave no sign of life for too long, without the wait.
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
