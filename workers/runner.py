"""Running workers: RQ's, each in a process of its own that its parent starts again when it dies."""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Callable
from typing import Any

from redis.client import Pipeline
from rq import SimpleWorker, worker_registration
from rq.executions import Execution, ExecutionRegistry
from rq.serializers import JSONSerializer

from store import Store
from workers import queue, tasks
from workers.supervisor import Role

logger = logging.getLogger(__name__)


class DriftlogWorker(SimpleWorker):
    """RQ's worker without a fork for each job: the jobs are ours, and a fork would take longer than most of them.

    Should it die in a job, its parent has the job done again (`requeue`). Where the parent died as well, another
    worker finds it: RQ's maintenance happens every few seconds, and takes a job for lost whose worker gave no sign of
    life for as long as the job may take, and a minute.
    """

    max_connection_wait_time = 5.0

    def __init__(self, *args: Any, **options: Any) -> None:
        ours: dict[str, Any] = {
            "serializer": JSONSerializer,
            "job_class": queue.ListedJob,
            "worker_ttl": 20,
            "maintenance_interval": 5,
            "log_job_description": False,
        }
        super().__init__(*args, **(ours | options))

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Give a sign of life, also to a queue that has lost everything, and with it who its workers are."""
        super().heartbeat(timeout, pipeline)
        worker_registration.register(self, pipeline)


def roles(count: int, redis_url: str, queue_url: str) -> list[Role]:
    """`count` workers for a supervisor."""
    run = functools.partial(work, redis_url, queue_url)
    bury = functools.partial(requeue, redis_url, queue_url)
    return [Role(f"worker {number}", run, bury) for number in range(1, count + 1)]


def work(redis_url: str, queue_url: str, name: str, *, burst: bool = False) -> None:
    """Do jobs until SIGTERM.

    Args:
        name: no other worker's.
        burst: stop when nothing is waiting.
    """
    os.environ[tasks.REDIS_URL] = redis_url
    gave_up = functools.partial(tasks.gave_up, Store.connect(redis_url))
    worker = DriftlogWorker([queue.connect(queue_url)], name=name, exception_handlers=[gave_up])
    worker.work(burst=burst, logging_level="WARNING")


def requeue(redis_url: str, queue_url: str, name: str) -> None:
    """Have the jobs done again that the worker of that name held when it died, within RQ's count of retries."""
    jobs = queue.connect(queue_url)
    try:
        with queue.translated():
            _requeue(jobs, name, functools.partial(tasks.gave_up, Store.connect(redis_url)))
    except queue.QueueUnavailable as error:
        logger.warning("what worker %s held is left to the other workers: %s", name, error)


def _requeue(jobs: queue.Queue, name: str, gave_up: Callable[..., None]) -> None:
    connection = jobs.connection
    worker = DriftlogWorker.find_by_key(DriftlogWorker.redis_worker_namespace_prefix + name, connection)
    if worker is None:
        return
    worker.register_death()  # type: ignore[no-untyped-call]  # RQ leaves it untyped
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
