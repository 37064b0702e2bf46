"""The job queue: RQ on a Redis of its own, which may lose everything.

What is to be done stands elsewhere: how far a game is projected and which long work is unfinished is in the store, and
the dispatcher derives the jobs from it again. So a job here only says "do it now", and each is safe to run twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry as Resend
from rq import Queue, Retry, Worker
from rq.exceptions import DuplicateJobError
from rq.job import Job as QueuedJob
from rq.serializers import JSONSerializer
from ulid import ULID

from store import Store
from store.connection import MOST_CONNECTIONS, SOCKET_TIMEOUT
from store.jobs import FINAL, Job
from store.streams import IdempotencyKey

NAME = "driftlog"
"""One queue: a worker that takes from several may lose a job that it was about to take."""

PROJECT = "workers.tasks.project"
RUN = "workers.tasks.run"
FUNCTIONS = frozenset({PROJECT, RUN})
"""All that a worker runs, whatever a job may say."""

Kind = Literal["audit", "import", "export"]
"""The kinds of long work: what each does is in `workers.tasks.KINDS`."""

PROJECT_SECONDS = 60
RUN_SECONDS = 600
"""How long a job may take; then it is stopped, and tried again."""
EXPORT_SECONDS = 60 * 60
"""The same for an export of many games."""
ATTEMPTS = 3

__all__ = [
    "FUNCTIONS",
    "Kind",
    "Queue",
    "QueueUnavailable",
    "connect",
    "enqueue_job",
    "enqueue_project",
    "live_workers",
    "pending",
    "submit",
]


class QueueUnavailable(Exception):
    """The queue's Redis does not answer."""


class NotAllowed(Exception):
    """A job asks for a function that workers do not run."""


class ListedJob(QueuedJob):
    """A job that runs only what is on the list: whoever can write to the queue can have nothing else run."""

    # What RQ would call around a job is named in it, too.
    success_callback = failure_callback = stopped_callback = None

    def perform(self) -> Any:
        """Do it.

        Raises:
            NotAllowed: its function is not on the list.
        """
        if self.func_name not in FUNCTIONS:
            raise NotAllowed(self.func_name)
        return super().perform()


@contextmanager
def translated() -> Iterator[None]:
    """Raise what redis-py raises as `QueueUnavailable`."""
    try:
        yield
    except redis.RedisError as error:
        raise QueueUnavailable(str(error)) from error


def connect(url: str) -> Queue:
    """The queue on the Redis (no cluster) at `url`; nothing is sent yet."""
    options = {"socket_timeout": SOCKET_TIMEOUT, "max_connections": MOST_CONNECTIONS}
    client = redis.Redis.from_url(url, protocol=3, retry=Resend(NoBackoff(), 0), **options)
    return Queue(NAME, connection=client, serializer=JSONSerializer, job_class=ListedJob)


def enqueue_project(queue: Queue, game_id: str) -> bool:
    """Have a game's projections made; False where the same is waiting or running.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    return _enqueue(queue, PROJECT, game_id, f"project-{game_id}", PROJECT_SECONDS)


def enqueue_job(queue: Queue, job_id: str, kind: Kind = "audit") -> bool:
    """Have long work done; False where the same is waiting or running.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    return _enqueue(queue, RUN, job_id, f"job-{job_id}", EXPORT_SECONDS if kind == "export" else RUN_SECONDS)


def _enqueue(queue: Queue, function: str, argument: str, job_id: str, seconds: int) -> bool:
    try:
        with translated():
            queue.enqueue_call(
                function,
                (argument,),
                timeout=seconds,
                # A job that is over, well or not, leaves nothing that stands in the way of the next of its id.
                result_ttl=0,
                failure_ttl=0,
                # At once: what needs time to get well, the dispatcher tries again later.
                retry=Retry(max=ATTEMPTS - 1),
                job_id=job_id,
                unique=True,
            )
    except DuplicateJobError:
        return False
    return True


def pending(queue: Queue) -> int:
    """How many jobs wait.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    with translated():
        return len(queue)


def live_workers(queue: Queue) -> int:
    """How many workers wait for jobs or do one.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    with translated():
        keys = Worker.all_keys(queue=queue)
        # One that was killed together with its parent is on the list for a while, but its key expires.
        return queue.connection.exists(*keys) if keys else 0


def submit(
    store: Store,
    queue: Queue,
    kind: Kind,
    args: dict[str, Any],
    *,
    payload: bytes | None = None,
    key: IdempotencyKey | None = None,
) -> Job:
    """Have long work done; with the same `key` the same, once.

    The job's document in the store is the promise. A queue that does not answer delays it: the dispatcher finds it.

    Args:
        payload: what it works on, where that is long.

    Raises:
        KeyReused: `key` was used for another body.
        StoreUnavailable: it is not promised.
    """
    if kind == "import":
        # Chosen now, so that a job that is done twice makes one game.
        args = {**args, "game": str(ULID()).lower()}
    job = store.jobs.create(kind, args, payload=payload, key=key)
    if job.status not in FINAL:
        with suppress(QueueUnavailable):
            enqueue_job(queue, job.id, kind)
    return job
