"""The job queue: RQ on a separate Redis, whose data may be lost.

The store has the data that must not be lost: the projected version of each game, and the unfinished jobs. From this
data, the dispatcher rebuilds the queue. A queued job is only a request to run something now, and it does no harm to run
it twice. Jobs wait in lanes. A job that a user requests gets a short first try; if it needs more time, it moves to the
lane for long jobs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal, cast, get_args

import msgspec
import redis
from redis.backoff import NoBackoff
from redis.client import Pipeline
from redis.retry import Retry as Resend
from rq import Queue, Retry, Worker
from rq.exceptions import DuplicateJobError
from rq.job import Job as QueuedJob
from rq.serializers import JSONSerializer
from ulid import ULID

from store import Store
from store.log.idempotency import IdempotencyKey
from store.redis import sentinels
from store.redis.connection import A_SENTINEL, IN_A_CLUSTER, MOST_CONNECTIONS, SOCKET_TIMEOUT, advice
from store.work.jobs import FINAL, Job

NAME = "driftlog"
"""The lane of first tries. A job that takes longer than `workers.tasks.FIRST_TRY_SECONDS` moves to the lane `LONG`."""
PROJECTIONS = f"{NAME}-projections"
"""The lane of projections; jobs that users request never enter it."""
LONG = f"{NAME}-long"
"""The lane for long jobs: jobs that have used up their first try, and archiving."""
LANES = (PROJECTIONS, NAME, LONG)
"""All lanes. Each lane is a queue with its own workers, because a worker of several queues may lose a job."""

PROJECT = "workers.tasks.project"
RUN = "workers.tasks.run"
ARCHIVE = "workers.tasks.archive_game"
RELIST = "workers.tasks.relist"
FUNCTIONS = frozenset({PROJECT, RUN, ARCHIVE, RELIST})
"""The functions that a worker may run."""

Kind = Literal["analysis", "audit", "import", "export", "fork", "plays", "write"]
"""The kinds of jobs that users request; `workers.tasks.KINDS` has the function of each."""
KINDS = frozenset({"archive", "project", "relist", *get_args(Kind)})
"""All kinds of jobs."""

PROJECT_SECONDS = 60
FIRST_SECONDS = 30
"""Timeout of a first try in seconds, for jobs that wait for something other than the processor."""
RUN_SECONDS = 600
"""Timeout of a job in seconds, after which it is stopped and retried."""
EXPORT_SECONDS = 60 * 60
"""Timeout of exports of many games and of slow exports, in seconds; jobs of guests have `RUN_SECONDS`."""
WRITING = frozenset({"export", "write"})
"""The kinds of jobs that write files."""
MAKING_A_GAME = frozenset({"import", "fork"})
"""The kinds of jobs that create a game."""
NO_FIRST_TRY = frozenset({"analysis", "plays"})
"""Kinds of jobs without a first try.

An analysis is always long. An import that starts again would report the plays of its first try as already imported.
"""
SHARED = frozenset({"analysis"})
"""Kinds of jobs whose work two workers share; both run the same job."""
SECOND = "-2"
"""Suffix of the id under which a shared job is queued for the second worker."""
_ID = re.compile(r"[A-Za-z0-9_-]+")
"""The ids that RQ accepts."""
ATTEMPTS = 3

__all__ = [
    "FUNCTIONS",
    "LANES",
    "Kind",
    "Queue",
    "QueueMisconfigured",
    "QueueUnavailable",
    "check",
    "connect",
    "enqueue_archive",
    "enqueue_job",
    "enqueue_jobs",
    "enqueue_project",
    "enqueue_relist",
    "has_jobs",
    "has_waiting",
    "lane",
    "live_workers",
    "pending",
    "submit",
]


class QueueUnavailable(Exception):
    """The queue's Redis does not answer; `why` gives the reason, for the operator."""

    why = "the job queue does not answer"


class QueueMisconfigured(QueueUnavailable):
    """The queue's Redis answers, but its address is wrong."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class NotAllowed(Exception):
    """A job names a function that workers may not run."""


class ListedJob(QueuedJob):
    """A job that runs only listed functions. Thus, write access to the queue is not enough to run other code."""

    # A job also names RQ's callbacks, which could be any function.
    success_callback = failure_callback = stopped_callback = None
    result_word = "crashed"
    """The result: see `workers.figures.Result`."""

    @property
    def kind(self) -> str:
        """The kind of the job. An unknown kind comes from another release."""
        kind = str(self.meta.get("kind"))
        return kind if kind in KINDS else "other"

    def heartbeat(self, *_: Any, **__: Any) -> None:
        """Do nothing: a heartbeat after the deletion of a job would leave data that blocks the job's id."""

    def prepare_for_execution(self, worker_name: str, pipeline: Pipeline) -> None:
        """Start the job, and delete the time that RQ's maintenance has stored for it.

        Maintenance stores the time when it sees that a job was taken, but not started. RQ keeps this time for a day. So
        a later job with the same id would look old, and maintenance would fail it.
        """
        super().prepare_for_execution(worker_name, pipeline)
        taken = Queue(self.origin, self.connection).intermediate_queue
        pipeline.delete(taken.get_first_seen_key(self.id))

    def perform(self) -> Any:
        """Run the job.

        Raises:
            NotAllowed: the job's function is not on the list.
        """
        if self.func_name not in FUNCTIONS:
            raise NotAllowed(self.func_name)
        self.result_word = super().perform()
        return None


@contextmanager
def translate_errors() -> Iterator[None]:
    """Convert errors of redis-py to `QueueUnavailable`."""
    try:
        yield
    except redis.RedisError as error:
        why = advice(error)
        raise QueueUnavailable(str(error)) if why is None else QueueMisconfigured(_reason_lines(why)) from error


def _reason_lines(why: str) -> str:
    return f"the job queue {'cannot be on a cluster' if why is IN_A_CLUSTER else why}"


def check(queue: Queue) -> None:
    """Check the queue's Redis.

    Raises:
        QueueMisconfigured: the address is wrong.
        QueueUnavailable: the Redis does not answer.
    """
    with translate_errors():
        if queue.connection.info("cluster").get("cluster_enabled"):
            raise QueueMisconfigured(_reason_lines(IN_A_CLUSTER))
        server = queue.connection.info("server")
        if "sentinel" in (server.get("redis_mode"), server.get("server_mode")):
            raise QueueMisconfigured(_reason_lines(A_SENTINEL))


def connect(url: str, seconds: float = SOCKET_TIMEOUT) -> Queue:
    """Return the queue on the Redis at `url`, which may be behind sentinels, but not a cluster. Nothing is sent yet.

    Args:
        seconds: the timeout of an answer.
    """
    options: dict[str, Any] = {
        "protocol": 3,
        "retry": Resend(NoBackoff(), 0),
        "socket_timeout": seconds,
        "max_connections": MOST_CONNECTIONS,
    }
    client = sentinels.connect(url, **options) if sentinels.is_address(url) else redis.Redis.from_url(url, **options)
    return Queue(NAME, connection=client, serializer=JSONSerializer, job_class=ListedJob)


def lane(queue: Queue, name: str) -> Queue:
    """Return the named lane (see `LANES`) on the Redis of `queue`."""
    return Queue(name, connection=queue.connection, serializer=JSONSerializer, job_class=ListedJob)


def enqueue_project(queue: Queue, game_id: str) -> bool:
    """Queue the projection of a game; return False if this projection is already queued or running.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    place = lane(queue, PROJECTIONS)
    return _enqueue(place, PROJECT, (game_id,), f"project-{game_id}", kind="project", seconds=PROJECT_SECONDS)


def enqueue_archive(queue: Queue, game_id: str) -> bool:
    """Queue the archiving of a game; return False if this job is queued or running already.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    place = lane(queue, LONG)
    return _enqueue(place, ARCHIVE, (game_id,), f"archive-{game_id}", kind="archive", seconds=RUN_SECONDS)


def enqueue_relist(queue: Queue) -> bool:
    """Queue the relisting of games whose aliases have changed; return False if a relisting is queued or running.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    return _enqueue(lane(queue, PROJECTIONS), RELIST, (), "relist", kind="relist", seconds=RUN_SECONDS)


def enqueue_job(
    queue: Queue, job_id: str, kind: Kind = "audit", *, is_long: bool = False, for_guests: bool = False
) -> bool:
    """Queue a job; return False if it is queued or running already.

    Args:
        is_long: True if the job has used up its first try.
        for_guests: True if users of share links requested the job.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    seconds = FIRST_SECONDS
    if is_long:
        seconds = EXPORT_SECONDS if kind in WRITING and not for_guests else RUN_SECONDS
    place = lane(queue, LONG if is_long else NAME)
    ids = [f"job-{job_id}", f"job-{job_id}{SECOND}"] if kind in SHARED else [f"job-{job_id}"]
    queued = [_enqueue(place, RUN, (job_id,), one, kind=kind, seconds=seconds) for one in ids]
    return queued[0]


def enqueue_jobs(queue: Queue, jobs: Iterable[Job]) -> None:
    """Queue jobs. Omit jobs that are queued or running already.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    for job in jobs:
        enqueue_job(queue, job.id, cast("Kind", job.kind), is_long=job.is_long, for_guests=job.is_for_guests)


def _enqueue(queue: Queue, function: str, arguments: tuple[str, ...], job_id: str, *, kind: str, seconds: int) -> bool:
    if _ID.fullmatch(job_id) is None:
        # Only damaged data contains such an id, so there is nothing to do.
        return True
    try:
        with translate_errors():
            queue.enqueue_call(
                function,
                arguments,
                timeout=seconds,
                # Do not keep results, because they would block the next job with the same id.
                result_ttl=0,
                failure_ttl=0,
                # Retry without a pause. The dispatcher later retries jobs that fail again.
                retry=Retry(max=ATTEMPTS - 1),
                job_id=job_id,
                meta={"kind": kind},
                unique=True,
            )
    except DuplicateJobError:
        return False
    return True


def pending(queue: Queue) -> int:
    """Return the number of waiting jobs.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    with translate_errors():
        return sum(len(lane(queue, name)) for name in LANES)


def has_waiting(queue: Queue) -> bool:
    """Return True if a job is waiting in this lane; False if no job is, or if the queue does not answer."""
    with suppress(QueueUnavailable), translate_errors():
        return len(queue) > 0
    return False


def has_jobs(queue: Queue) -> bool:
    """Return True if a job in this lane is waiting, or was taken by a worker, dead or alive."""
    with suppress(QueueUnavailable), translate_errors():
        is_taken = queue.started_job_registry.get_job_count(cleanup=False) or queue.intermediate_queue.get_job_ids()
        return len(queue) > 0 or bool(is_taken)
    return False


def live_workers(queue: Queue) -> int:
    """Return the number of workers for first tries, idle or busy.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    with translate_errors():
        keys = Worker.all_keys(queue=queue)
        # A worker that was killed together with its parent stays on the list for a while. But its key expires.
        return queue.connection.exists(*keys) if keys else 0


def submit(
    store: Store,
    queue: Queue,
    kind: Kind,
    args: dict[str, Any],
    *,
    payload: bytes | None = None,
    key: IdempotencyKey | None = None,
    same: str | None = None,
    owner: str | None = None,
    share: str | None = None,
) -> Job:
    """Create and queue a job. The same `key` returns the same job.

    Only the store must answer: if the queue does not, the dispatcher queues the job later.

    Args:
        payload: the job's input, if large.
        same: the key of the job's task; if the task already has an unfinished job, that job is returned.
        owner: the id of the requesting token.
        share: the quota that the job uses (default: the quota of `owner`).

    Raises:
        KeyReused: `key` was used for a request with a different body.
        TooManyJobs, ShareUsed: the limit of unfinished jobs is reached.
        StoreUnavailable: the job was not created.
    """
    if kind in MAKING_A_GAME:
        # Choose the game's id now, so that a job that runs twice creates only one game. Pass the quotas, because only
        # the web process has these settings.
        args = {**args, "game": str(ULID()).lower(), "quotas": msgspec.to_builtins(store.quotas)}
    job = store.jobs.create(
        kind, args, payload=payload, key=key, same=same, owner=owner, share=share, is_long=kind in NO_FIRST_TRY
    )
    if job.status not in FINAL:
        with suppress(QueueUnavailable):
            enqueue_jobs(queue, store.jobs.in_turn(job))
    return job
