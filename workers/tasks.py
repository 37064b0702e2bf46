"""The functions that workers run. It does no harm if a function runs twice, even at the same time.

The functions write their results to the store, and return only a word for the metrics. If the store does not answer,
they stop, and the dispatcher queues them again later.
"""

from __future__ import annotations

import functools
import logging
import os
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from types import TracebackType
from typing import Any, cast

import msgspec
from rq import get_current_job
from rq.job import Job as QueuedJob
from rq.timeouts import JobTimeoutException

from engine.core.errors import EngineError, LogDoesNotVerify, Malformed
from engine.core.language import say, speaking
from engine.review.audit import Auditor
from exports import FORMATS, Unsuitable, bgstats_reading, read_file
from service import opening, plays, provenance
from service.languages import catalogue
from store import Store, deleting
from store.errors import (
    Corrupt,
    Damaged,
    GameDeleted,
    LacksRuleset,
    QuotaExceeded,
    StoreError,
    StoreUnavailable,
    UnknownGame,
    VersionConflict,
)
from store.quotas import Quotas
from store.work.jobs import FINAL, WITHDRAWN, Job
from telemetry import context, tracing
from telemetry.context import Context
from workers import analysing, archive, writing
from workers.analysing import REPORT_SECONDS, SliceOver
from workers.figures import Result
from workers.limits import limit_time
from workers.queue import NAME, SECOND, Kind

logger = logging.getLogger(__name__)

REDIS_URL = "DRIFTLOG_REDIS_URL"
"""The environment variable with the address of the events' Redis."""
REPLICAS = "DRIFTLOG_REPLICAS"
"""The environment variable with the required number of replicas."""
ARCHIVE = "DRIFTLOG_ARCHIVE"
"""The environment variable with the location of archived logs."""
RELISTED = 50
"""Number of games that are relisted at a time."""
CHECKED = 10_000
"""Maximum number of events that are checked for damage after each projection."""
FIRST_TRY_SECONDS = 1.0
"""Processor seconds of a job's first try. A job that takes longer starts again in the lane for long jobs."""
VERIFIED = 0.9
"""Progress of an import after its log was verified."""


@functools.cache
def process_store() -> Store:
    """Return the store of this process."""
    environment = os.environ
    return Store.connect(
        environment[REDIS_URL], environment.get(ARCHIVE, ""), replicas=int(environment.get(REPLICAS) or 0)
    )


def project(game_id: str) -> Result:
    """Bring the projections of a game up to date with its log. If the game is being deleted, finish the deletion."""
    store = process_store()
    try:
        with tracing.span("project", {"driftlog.game": game_id}, "consumer"):
            if store.deletions.finish(game_id):
                return "done"
            version = store.projections.project(game_id)
            store.watch.check(game_id, version, CHECKED)
    except GameDeleted:
        return "done"
    except StoreUnavailable as error:
        logger.warning("game %s has to wait: %s", game_id, error)
        return "waits"
    except (LacksRuleset, Corrupt) as error:
        if isinstance(error, Damaged):
            store.watch.suspect(game_id)
        if store.projections.set_aside(game_id):
            logger.warning("game %s cannot be replayed, so it is not projected until its log grows: %s", game_id, error)
        return "waits" if isinstance(error, LacksRuleset) else "failed"
    logger.debug("projected", extra={"game": game_id, "version": version})
    return "done"


class FirstTryOver(BaseException):
    """A job has used up the processor time of its first try.

    The code of jobs must not handle this as an ordinary error.
    """


def relist() -> Result:
    """Relist games after aliases have changed. Return `waits` if games are left at the end of the time slice."""
    end = time.monotonic() + FIRST_TRY_SECONDS
    try:
        while process_store().projections.relist(RELISTED):
            if time.monotonic() > end:
                return "waits"
    except StoreUnavailable as error:
        logger.warning("cannot update the list of games yet: %s", error)
        return "waits"
    return "done"


def archive_game(game_id: str) -> Result:
    """Archive the log of a game."""
    store = process_store()
    try:
        # Check the disk first, because nothing should be written to an almost full one.
        store.durability()
        store.archive(game_id)
    except StoreUnavailable as error:
        logger.warning("game %s has to wait: %s", game_id, error)
        return "waits"
    except (Corrupt, UnknownGame) as error:
        logger.warning("game %s is not archived", game_id, exc_info=error)
        return "failed"
    logger.info("archived", extra={"game": game_id})
    return "done"


def run(job_id: str) -> Result:
    """Run a job, unless it has ended. The log lines name the request that created the job."""
    try:
        job = process_store().jobs.get(job_id)
        if job is None or job.status in FINAL:
            return "done"
        queued = get_current_job()
        if job.is_long and queued is not None and queued.origin == NAME:
            # RQ has retried the job in the lane of first tries, where a long job must not run.
            return "waits"
        owner = process_store().jobs.owner(job_id)
        if owner is not None and process_store().tokens.is_revoked(owner):
            process_store().jobs.update(job_id, status="failed", error=WITHDRAWN)
            return "failed"
        facts = {"driftlog.job": job.id, "driftlog.kind": job.kind}
        with (
            context.within(job.context),
            tracing.span(f"job {job.kind}", facts, "consumer"),
            speaking(catalogue(job.language)),
            nullcontext() if job.is_long else limit_time(FIRST_TRY_SECONDS, FirstTryOver),
        ):
            return _run(process_store(), job)
    except FirstTryOver:
        return _put_back(process_store(), job_id)
    except SliceOver:
        return "continues"
    except StoreUnavailable as error:
        logger.warning("job %s has to wait: %s", job_id, error)
        return "waits"


def _put_back(store: Store, job_id: str) -> Result:
    """Queue a job again, in the lane for long jobs."""
    logger.info("job returns to the queue, in the lane for long jobs", extra={"job": job_id})
    with suppress(StoreError):
        store.jobs.update(job_id, status="queued", progress=0.0, is_long=True)
    return "waits"


def _run(store: Store, job: Job) -> Result:
    told = {"job": job.id, "kind": job.kind}
    logger.info("job begun", extra=told)
    began = time.monotonic()
    store.jobs.update(job.id, status="running")
    result: Result = "done"
    try:
        made = KINDS[cast("Kind", job.kind)](store, job)
    except GameDeleted:
        store.jobs.update(job.id, status="failed", error=deleting.WHY)
        result = "failed"
    except (EngineError, Corrupt, LacksRuleset, QuotaExceeded, Unsuitable) as error:
        # A retry would fail the same way.
        store.jobs.update(job.id, status="failed", error=str(error))
        result = "failed"
    else:
        store.jobs.update(job.id, status="done", progress=1.0, result=made)
    logger.info("job ended", extra={**told, "result": result, "ms": round((time.monotonic() - began) * 1000)})
    return result


def record_failure(
    store: Store, queued: QueuedJob, kind: type[BaseException], raised: BaseException, trace: object
) -> None:
    """Record that a job failed permanently, for a reason other than its input. This is an exception handler of RQ."""
    with context.within(_context(store, queued)):
        # RQ passes no traceback if the job's worker died.
        known = trace if isinstance(trace, TracebackType) else None
        logger.error("%s has failed", queued.id, exc_info=(kind, raised, known))
    is_too_long = issubclass(kind, JobTimeoutException)
    if not queued.id.startswith("job-") or (queued.should_retry and not is_too_long):
        return
    if queued.id.endswith(SECOND) and not is_too_long:
        # The job of another worker continues alone.
        return
    if is_too_long and queued.origin == NAME:
        _put_back(store, queued.args[0])
        return
    # A job that takes too long would do so again, so it is not retried.
    try:
        store.jobs.update(queued.args[0], status="failed", error=_why(store, queued, kind, is_too_long=is_too_long))
    except StoreError:
        logger.exception("the failure of job %s was not stored", queued.args[0])


def _why(store: Store, queued: QueuedJob, kind: type[BaseException], *, is_too_long: bool) -> str:
    """Return the error message of a job that failed permanently, in the language of its requester."""
    job = store.jobs.get(queued.args[0])
    with speaking(None if job is None else catalogue(job.language)):
        if is_too_long:
            return say("the job exceeded the limit of {seconds} seconds", seconds=queued.timeout)
        return say("all attempts failed: {error}", error=kind.__name__)


def _context(store: Store, queued: QueuedJob) -> Context | None:
    """Return the request that created a job; None if unknown."""
    if not queued.id.startswith("job-"):
        return None
    with suppress(StoreError):
        job = store.jobs.get(queued.args[0])
        return None if job is None else job.context
    return None


def audit(store: Store, job: Job) -> dict[str, Any]:
    """Replay a game's log, and judge every event. Store the report with the game."""
    game_id = job.args["game"]
    version, _ = store.events.head(game_id)
    progressed = _reporter(store, job, version)
    auditor = Auditor(job.args.get("rules"), imported=store.events.imported_count(game_id))
    last = 0
    try:
        for page in store.events.pages(game_id, until=version):
            for event in page:
                auditor.read(event)
            last = page[-1].seq
            progressed(last)
        if last < version:
            # The log is consistent, but acknowledged events are missing at its end.
            raise Damaged(last + 1, "the event is missing")
    except Corrupt as error:
        auditor.stop_reading(str(error))
    report = auditor.finish()
    document = {"id": job.id, "game": game_id, "status": "done", "progress": 1.0, "error": None}
    store.audits.save(game_id, job.id, document | msgspec.to_builtins(report))
    return {"game": game_id, "verdict": report.verdict}


def import_log(store: Store, job: Job) -> dict[str, Any]:
    """Verify an exported log event by event, and open it under the game id that was reserved during the upload.

    Raises:
        LogDoesNotVerify: an event fails; the error has the first such event.
        Malformed: the file is not a log.
    """
    game_id = job.args["game"]
    payload = store.jobs.payload(job.id)
    if payload is None:
        if store.events.exists(game_id):
            # Another worker has just opened the game.
            return {"game": game_id}
        raise Malformed("", say("the uploaded data has expired: send it again"))
    file = read_file(payload)
    events = file.whole()
    there = provenance.find_origin(store, file)
    if there is not None:
        return {"game": there}
    progressed = _reporter(store, job, len(events) / VERIFIED)
    auditor = Auditor()
    for event in events:
        auditor.read(event)
        if auditor.failures:
            break
        progressed(event.seq)
    auditor.close()
    for failure in auditor.failures:
        raise LogDoesNotVerify(failure.seq, failure.message)
    assert auditor.game is not None
    imported = opening.log_origin(events, provenance.signer(file))
    # A conflict means that an earlier attempt has opened the game. Users may have continued it since.
    try:
        # Append all events in one step, so that nobody can see or continue an incomplete game.
        _with_quotas(store, job).open(game_id, auditor.game, events, owner=job.owner, imported=imported)
    except VersionConflict:
        store.events.confirm(game_id)
    return _list_game(store, job)


def take_in_plays(store: Store, job: Job) -> dict[str, Any]:
    """Import the plays of a BG Stats file.

    Raises:
        Malformed: the input is not a BG Stats file.
        QuotaExceeded: the limit of logged plays is reached.
    """
    payload = store.jobs.payload(job.id)
    if payload is None:
        raise Malformed("", say("the uploaded data has expired: send it again"))
    items = list(bgstats_reading.read(payload))
    progressed = _reporter(store, job, len(items))
    return plays.take_in(store, items, again=job.args["again"], progressed=progressed)


def fork_game(store: Store, job: Job) -> dict[str, Any]:
    """Open a fork of a long game under its reserved id; `job.args` has the parent and the event.

    Raises:
        Malformed: the parent cannot be forked at that event.
        Damaged: the copied events differ from the recorded ones.
    """
    game_id, order = job.args["game"], msgspec.convert(job.args, opening.ForkRequest)
    game, events = opening.fork_log(store, order, recorded_at=job.created_at)
    try:
        _with_quotas(store, job).open(
            game_id,
            game,
            events,
            seed=order.seed,
            owner=job.owner,
            imported=opening.parent_origin(store, order),
        )
    except VersionConflict:
        store.events.confirm(game_id)
    return _list_game(store, job)


def _with_quotas(store: Store, job: Job) -> Store:
    """Return the store with the quotas of the process that accepted the request."""
    return store.within(msgspec.convert(job.args.get("quotas", {}), Quotas))


def _list_game(store: Store, job: Job) -> dict[str, Any]:
    """Put the new game on the list before the job ends."""
    game_id = job.args["game"]
    store.projections.project(game_id)
    _with_quotas(store, job).openings.settle(game_id, job.owner)
    return {"game": game_id}


def export(store: Store, job: Job) -> dict[str, Any]:
    """Write many games to one file with `workers.archive`."""
    is_said = FORMATS[job.args["format"]].is_said
    with speaking(catalogue(job.language) if is_said else None):
        return archive.make(store, job, _reporter(store, job, 1))


KINDS: dict[Kind, Callable[[Store, Job], dict[str, Any]]] = {
    "analysis": analysing.make,
    "audit": audit,
    "import": import_log,
    "export": export,
    "fork": fork_game,
    "plays": take_in_plays,
    "write": writing.make,
}
"""The function of each kind of job; it returns the job's result."""


def _reporter(store: Store, job: Job, total: float) -> Callable[[float], None]:
    """Return a function that reports progress at intervals. Its argument is the amount done, out of `total`."""
    last = time.monotonic()

    def report_progress(done: float) -> None:
        nonlocal last
        if time.monotonic() - last >= REPORT_SECONDS:
            last = time.monotonic()
            store.jobs.update(job.id, progress=round(done / total, 3))

    return report_progress
