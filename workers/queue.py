"""The job queue: RQ on a Redis of its own, which may lose everything.

What is to be done stands elsewhere: how far a game is projected and which long work is unfinished is in the store, and
the dispatcher derives the jobs from it again. So a job here only says "do it now", and each is safe to run twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal, cast, get_args

import msgspec
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry as Resend
from rq import Queue, Retry, Worker
from rq.exceptions import DuplicateJobError
from rq.job import Job as QueuedJob
from rq.serializers import JSONSerializer
from ulid import ULID

from store import Store
from store.log.idempotency import IdempotencyKey
from store.redis import sentinels
from store.redis.connection import A_SENTINEL, IN_A_CLUSTER, MOST_CONNECTIONS, SOCKET_TIMEOUT, misconfigured
from store.work.jobs import FINAL, Job

NAME = "driftlog"
"""The lane of first tries: a job that is not done within `workers.tasks.FIRST_TRY_SECONDS` leaves it."""
PROJECTIONS = f"{NAME}-projections"
"""The lane of what keeps lists up to date; jobs that somebody ordered never enter it."""
LONG = f"{NAME}-long"
"""The lane of jobs that have used up their first try, and of archiving."""
LANES = (PROJECTIONS, NAME, LONG)
"""Each a queue with workers of its own: a worker that takes from several may lose a job that it was about to take."""

PROJECT = "workers.tasks.project"
RUN = "workers.tasks.run"
ARCHIVE = "workers.tasks.archive_game"
RELIST = "workers.tasks.relist"
FUNCTIONS = frozenset({PROJECT, RUN, ARCHIVE, RELIST})
"""All that a worker runs, whatever a job may say."""

Kind = Literal["audit", "import", "export", "fork", "plays", "write"]
"""The kinds of long work: what each does is in `workers.tasks.KINDS`."""
KINDS = frozenset({"archive", "project", "relist", *get_args(Kind)})
"""The kinds of all that is done."""

PROJECT_SECONDS = 60
FIRST_SECONDS = 30
"""How long a first try may take, where it waits for something else than the processor."""
RUN_SECONDS = 600
"""How long a job may take; then it is stopped, and tried again."""
EXPORT_SECONDS = 60 * 60
"""The same for an export of many games, and for one that takes long to write; what guests order has `RUN_SECONDS`."""
WRITING = frozenset({"export", "write"})
"""The kinds of work that write files."""
MAKING_A_GAME = frozenset({"import", "fork"})
"""The kinds of work that make a game."""
NO_FIRST_TRY = frozenset({"plays"})
"""The kinds of work without a first try: begun again, plays would be told as there that the first try took in."""
ATTEMPTS = 3

__all__ = [
    "FUNCTIONS",
    "LANES",
    "Kind",
    "Misconfigured",
    "Queue",
    "QueueUnavailable",
    "check",
    "connect",
    "enqueue_archive",
    "enqueue_job",
    "enqueue_jobs",
    "enqueue_project",
    "enqueue_relist",
    "lane",
    "live_workers",
    "pending",
    "submit",
]


class QueueUnavailable(Exception):
    """The queue's Redis does not answer. `why` says what is in the way, as an operator reads it."""

    why = "the job queue does not answer"


class Misconfigured(QueueUnavailable):
    """It answers, and not as its address has it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class NotAllowed(Exception):
    """A job asks for a function that workers do not run."""


class ListedJob(QueuedJob):
    """A job that runs only what is on the list: whoever can write to the queue can have nothing else run."""

    # What RQ would call around a job is named in it, too.
    success_callback = failure_callback = stopped_callback = None
    result_word = "crashed"
    """What came of it: see `workers.figures.Result`."""

    @property
    def kind(self) -> str:
        """Which kind of work it is; one that knows none is of another release."""
        kind = str(self.meta.get("kind"))
        return kind if kind in KINDS else "other"

    def perform(self) -> Any:
        """Do it.

        Raises:
            NotAllowed: its function is not on the list.
        """
        if self.func_name not in FUNCTIONS:
            raise NotAllowed(self.func_name)
        self.result_word = super().perform()
        return None


@contextmanager
def translated() -> Iterator[None]:
    """Raise what redis-py raises as `QueueUnavailable`."""
    try:
        yield
    except redis.RedisError as error:
        why = misconfigured(error)
        raise QueueUnavailable(str(error)) if why is None else Misconfigured(_said(why)) from error


def _said(why: str) -> str:
    return f"the job queue {'cannot be on a cluster' if why is IN_A_CLUSTER else why}"


def check(queue: Queue) -> None:
    """Look whether the queue's Redis will do.

    Raises:
        Misconfigured: its address has to be another one.
        QueueUnavailable: it does not answer.
    """
    with translated():
        if queue.connection.info("cluster").get("cluster_enabled"):
            raise Misconfigured(_said(IN_A_CLUSTER))
        server = queue.connection.info("server")
        if "sentinel" in (server.get("redis_mode"), server.get("server_mode")):
            raise Misconfigured(_said(A_SENTINEL))


def connect(url: str) -> Queue:
    """The queue on the Redis (no cluster) at `url`, also one behind sentinels; nothing is sent yet."""
    options: dict[str, Any] = {
        "protocol": 3,
        "retry": Resend(NoBackoff(), 0),
        "socket_timeout": SOCKET_TIMEOUT,
        "max_connections": MOST_CONNECTIONS,
    }
    client = sentinels.connect(url, **options) if sentinels.is_address(url) else redis.Redis.from_url(url, **options)
    return Queue(NAME, connection=client, serializer=JSONSerializer, job_class=ListedJob)


def lane(queue: Queue, name: str) -> Queue:
    """Return the lane of that name (see `LANES`) on the Redis of `queue`."""
    return Queue(name, connection=queue.connection, serializer=JSONSerializer, job_class=ListedJob)


def enqueue_project(queue: Queue, game_id: str) -> bool:
    """Have a game's projections made; False where the same is waiting or running.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    place = lane(queue, PROJECTIONS)
    return _enqueue(place, PROJECT, (game_id,), f"project-{game_id}", kind="project", seconds=PROJECT_SECONDS)


def enqueue_archive(queue: Queue, game_id: str) -> bool:
    """Have a game's log archived; False where the same is waiting or running.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    place = lane(queue, LONG)
    return _enqueue(place, ARCHIVE, (game_id,), f"archive-{game_id}", kind="archive", seconds=RUN_SECONDS)


def enqueue_relist(queue: Queue) -> bool:
    """Have games listed anew of which something else was said of who sat there; False where that is waiting or running.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    return _enqueue(lane(queue, PROJECTIONS), RELIST, (), "relist", kind="relist", seconds=RUN_SECONDS)


def enqueue_job(
    queue: Queue, job_id: str, kind: Kind = "audit", *, is_long: bool = False, for_guests: bool = False
) -> bool:
    """Have long work done; False where the same is waiting or running.

    Args:
        is_long: whether it has used up its first try.
        for_guests: whether it was ordered by share links.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    seconds = FIRST_SECONDS
    if is_long:
        seconds = EXPORT_SECONDS if kind in WRITING and not for_guests else RUN_SECONDS
    return _enqueue(lane(queue, LONG if is_long else NAME), RUN, (job_id,), f"job-{job_id}", kind=kind, seconds=seconds)


def enqueue_jobs(queue: Queue, jobs: Iterable[Job]) -> None:
    """Have long work done, but for what is waiting or running.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    for job in jobs:
        enqueue_job(queue, job.id, cast("Kind", job.kind), is_long=job.is_long, for_guests=job.is_for_guests)


def _enqueue(queue: Queue, function: str, arguments: tuple[str, ...], job_id: str, *, kind: str, seconds: int) -> bool:
    try:
        with translated():
            queue.enqueue_call(
                function,
                arguments,
                timeout=seconds,
                # A job that is over, well or not, leaves nothing that stands in the way of the next of its id.
                result_ttl=0,
                failure_ttl=0,
                # At once: what needs time to get well, the dispatcher tries again later.
                retry=Retry(max=ATTEMPTS - 1),
                job_id=job_id,
                meta={"kind": kind},
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
        return sum(len(lane(queue, name)) for name in LANES)


def live_workers(queue: Queue) -> int:
    """How many workers wait for first tries or do one.

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
    same: str | None = None,
    owner: str | None = None,
    share: str | None = None,
) -> Job:
    """Have long work done; with the same `key` the same, once.

    The job's document in the store is the promise. A queue that does not answer delays it: the dispatcher finds it.

    Args:
        payload: what it works on, where that is long.
        same: what it does, where one unfinished job that does it is enough.
        owner: the id of the token that asks for it.
        share: whose turn it takes, if not that of `owner`.

    Raises:
        KeyReused: `key` was used for another body.
        TooManyJobs, ShareUsed: there is as much to do as there may be.
        StoreUnavailable: it is not promised.
    """
    if kind in MAKING_A_GAME:
        # Chosen now, so that a job that is done twice makes one game.
        # What there may be is a setting of whoever was asked, not of the worker.
        args = {**args, "game": str(ULID()).lower(), "quotas": msgspec.to_builtins(store.quotas)}
    job = store.jobs.create(
        kind, args, payload=payload, key=key, same=same, owner=owner, share=share, is_long=kind in NO_FIRST_TRY
    )
    if job.status not in FINAL:
        with suppress(QueueUnavailable):
            enqueue_jobs(queue, store.jobs.in_turn(job))
    return job
