"""The jobs. Each is a plain function that can be imported, and is safe to run twice or in two places at once.

What they do is written to the store; what they return is a word for the figures. Where the store does not answer they
leave it at that, and the dispatcher has them done when it is back.
"""

from __future__ import annotations

import functools
import logging
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from types import FrameType, TracebackType
from typing import Any, cast

import msgspec
from rq import get_current_job
from rq.job import Job as QueuedJob
from rq.timeouts import JobTimeoutException

from engine.core.errors import EngineError, LogDoesNotVerify, Malformed
from engine.core.language import say, speaking
from engine.review.audit import Auditor
from engine.review.report import Report
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
from workers import archive, writing
from workers.figures import Result
from workers.queue import NAME, Kind

logger = logging.getLogger(__name__)

REDIS_URL = "DRIFTLOG_REDIS_URL"
"""The variable that says where the events are."""
REPLICAS = "DRIFTLOG_REPLICAS"
"""The variable that says how many replicas have to have them."""
ARCHIVE = "DRIFTLOG_ARCHIVE"
"""The variable that says where archived logs are."""
TELL_SECONDS = 0.3
"""How often a job tells how far it is."""
RELISTED = 50
"""So many games are listed anew at a time."""
FIRST_TRY_SECONDS = 1.0
"""The processor's time for the first try of a job; one that is not done then begins again in a long worker."""
AGAIN_SECONDS = 0.01
"""The same until the end of a first try is raised again, where it came at a moment at which nothing can be raised."""
VERIFIED = 0.9
"""How far an import is when its log has been verified."""


@functools.cache
def connected() -> Store:
    """The store of this process."""
    environment = os.environ
    return Store.connect(
        environment[REDIS_URL], environment.get(ARCHIVE, ""), replicas=int(environment.get(REPLICAS) or 0)
    )


def project(game_id: str) -> Result:
    """Bring a game's projections to the head of its log; or finish its deletion, where it is being deleted."""
    store = connected()
    try:
        with tracing.span("project", {"driftlog.game": game_id}, "consumer"):
            if store.deletions.finish(game_id):
                return "done"
            version = store.projections.project(game_id)
    except GameDeleted:
        return "done"
    except StoreUnavailable as error:
        logger.warning("game %s has to wait: %s", game_id, error)
        return "waits"
    except (LacksRuleset, Corrupt) as error:
        if store.projections.set_aside(game_id):
            logger.warning("game %s is set aside: %s", game_id, error)
        return "waits" if isinstance(error, LacksRuleset) else "failed"
    logger.debug("projected", extra={"game": game_id, "version": version})
    return "done"


class FirstTryOver(BaseException):
    """A job has used up the processor's time of its first try: no job may take it for a fault of its own."""


@contextmanager
def first_try() -> Iterator[None]:
    """Limit the processor's time of the block.

    Raises:
        FirstTryOver: it is used up.
    """

    def end(_number: int, frame: FrameType | None) -> None:
        while frame is not None:
            if frame.f_code.co_name == "__del__":
                return
            frame = frame.f_back
        raise FirstTryOver

    before = signal.signal(signal.SIGPROF, end)
    # Again and again: Python drops what is raised where an object ends, so nothing is raised there.
    signal.setitimer(signal.ITIMER_PROF, FIRST_TRY_SECONDS, AGAIN_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def relist() -> Result:
    """List games again after names or aliases changed; `waits` if some are left when the slice of time is over."""
    end = time.monotonic() + FIRST_TRY_SECONDS
    try:
        while connected().projections.relist(RELISTED):
            if time.monotonic() > end:
                return "waits"
    except StoreUnavailable as error:
        logger.warning("games that are to be listed anew have to wait: %s", error)
        return "waits"
    return "done"


def archive_game(game_id: str) -> Result:
    """Archive the log of a game that has ended."""
    store = connected()
    try:
        # Not a file on a disk that is almost full.
        store.durability()
        store.archive(game_id)
    except StoreUnavailable as error:
        logger.warning("game %s has to wait: %s", game_id, error)
        return "waits"
    except (Damaged, UnknownGame) as error:
        logger.warning("game %s is not archived", game_id, exc_info=error)
        return "failed"
    logger.info("archived", extra={"game": game_id})
    return "done"


def run(job_id: str) -> Result:
    """Do the long work of that id, unless it is over; what is said of it is said of the request that asked for it."""
    try:
        job = connected().jobs.get(job_id)
        if job is None or job.status in FINAL:
            return "done"
        queued = get_current_job()
        if job.is_long and queued is not None and queued.origin == NAME:
            # RQ tries it again where it was.
            return "waits"
        owner = connected().jobs.owner(job_id)
        if owner is not None and connected().tokens.get(owner) is None:
            connected().jobs.update(job_id, status="failed", error=WITHDRAWN)
            return "failed"
        facts = {"driftlog.job": job.id, "driftlog.kind": job.kind}
        with (
            context.within(job.context),
            tracing.span(f"job {job.kind}", facts, "consumer"),
            speaking(catalogue(job.language)),
            nullcontext() if job.is_long else first_try(),
        ):
            return _run(connected(), job)
    except FirstTryOver:
        return _put_back(connected(), job_id)
    except StoreUnavailable as error:
        logger.warning("job %s has to wait: %s", job_id, error)
        return "waits"


def _put_back(store: Store, job_id: str) -> Result:
    """Have a job wait for a long worker."""
    logger.info("job takes longer than its first try", extra={"job": job_id})
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
        # The same would come of it every time.
        store.jobs.update(job.id, status="failed", error=str(error))
        result = "failed"
    else:
        store.jobs.update(job.id, status="done", progress=1.0, result=made)
    logger.info("job ended", extra={**told, "result": result, "ms": round((time.monotonic() - began) * 1000)})
    return result


def gave_up(store: Store, queued: QueuedJob, kind: type[BaseException], raised: BaseException, trace: object) -> None:
    """An RQ exception handler: note that long work has failed for good, and not by what it was given."""
    with context.within(_context(store, queued)):
        # Of a job whose worker has gone RQ has no trace, but where it noticed.
        known = trace if isinstance(trace, TracebackType) else None
        logger.error("%s has failed", queued.id, exc_info=(kind, raised, known))
    is_too_long = issubclass(kind, JobTimeoutException)
    if not queued.id.startswith("job-") or (queued.should_retry and not is_too_long):
        return
    if is_too_long and queued.origin == NAME:
        _put_back(store, queued.args[0])
        return
    # What takes too long would do so again: it is not tried three times.
    try:
        store.jobs.update(queued.args[0], status="failed", error=_why(store, queued, kind, is_too_long=is_too_long))
    except StoreError:
        logger.exception("the failure of job %s is not noted", queued.args[0])


def _why(store: Store, queued: QueuedJob, kind: type[BaseException], *, is_too_long: bool) -> str:
    """What is said of long work that failed for good, in the language of whoever asked for it."""
    job = store.jobs.get(queued.args[0])
    with speaking(None if job is None else catalogue(job.language)):
        if is_too_long:
            return say("it exceeded the limit of {seconds} seconds", seconds=queued.timeout)
        return say("it was tried several times, and failed: {error}", error=kind.__name__)


def _context(store: Store, queued: QueuedJob) -> Context | None:
    """The request for which a job is done, as far as it can be known."""
    if not queued.id.startswith("job-"):
        return None
    with suppress(StoreError):
        job = store.jobs.get(queued.args[0])
        return None if job is None else job.context
    return None


def audit(store: Store, job: Job) -> dict[str, Any]:
    """Replay a game's log and judge every event; the report is kept with the game."""
    game_id = job.args["game"]
    version, _ = store.events.head(game_id)
    progressed = _reporter(store, job, version)
    auditor = Auditor(job.args.get("rules"), imported=store.events.imported(game_id))
    last = 0
    try:
        for page in store.events.pages(game_id, until=version):
            for event in page:
                auditor.read(event)
            last = page[-1].seq
            progressed(last)
        if last < version:
            # What was acknowledged is gone, and all that is left of the log agrees with itself.
            raise Damaged(last + 1, "it is not there")
    except Corrupt as error:
        auditor.lost(str(error))
    report = auditor.finish()
    store.audits.save(game_id, job.id, {"id": job.id, "game": game_id, **_judged(report)})
    return {"game": game_id, "verdict": report.verdict}


def _judged(report: Report) -> dict[str, Any]:
    return {"status": "done", "progress": 1.0, "error": None, **msgspec.to_builtins(report)}


def import_log(store: Store, job: Job) -> dict[str, Any]:
    """Verify an exported log, event by event, and open it as the game that was promised when it was handed in.

    Raises:
        LogDoesNotVerify: with the first event that fails.
        Malformed: it is not a log.
    """
    game_id = job.args["game"]
    payload = store.jobs.payload(job.id)
    if payload is None:
        if store.events.exists(game_id):
            # Another worker has just finished it.
            return {"game": game_id}
        raise Malformed("", say("the uploaded data has expired: send it again"))
    file = read_file(payload)
    events = file.whole()
    there = provenance.known(store, file)
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
    imported = opening.imported_log(events, provenance.signer(file))
    # A conflict: an earlier attempt got so far, and somebody may have gone on with the game since.
    try:
        # All of it at once: nobody sees half of a game, or appends to it.
        _limited(store, job).open(game_id, auditor.game, events, owner=job.owner, imported=imported)
    except VersionConflict:
        store.events.confirm(game_id)
    return _listed(store, job)


def take_in_plays(store: Store, job: Job) -> dict[str, Any]:
    """Take in the plays of a file of BG Stats.

    Raises:
        Malformed: it is none.
        QuotaExceeded: there are as many past plays as there may be.
    """
    payload = store.jobs.payload(job.id)
    if payload is None:
        raise Malformed("", say("the uploaded data has expired: send it again"))
    items = list(bgstats_reading.read(payload))
    progressed = _reporter(store, job, len(items))
    return plays.take_in(store, items, again=job.args["again"], progressed=progressed)


def fork_game(store: Store, job: Job) -> dict[str, Any]:
    """Open a fork of a long game, as the game that was promised; `job.args` says of what, and from where on.

    Raises:
        Malformed: it cannot be forked there.
        Damaged: what it would begin with is not what was recorded.
    """
    game_id, order = job.args["game"], msgspec.convert(job.args, opening.Fork)
    game, events = opening.forked(store, order, recorded_at=job.created_at)
    try:
        _limited(store, job).open(
            game_id,
            game,
            events,
            seed=order.seed,
            owner=job.owner,
            imported=opening.imported_before(store, order),
        )
    except VersionConflict:
        store.events.confirm(game_id)
    return _listed(store, job)


def _limited(store: Store, job: Job) -> Store:
    """The store with the quotas of whoever took the order."""
    return store.within(msgspec.convert(job.args.get("quotas", {}), Quotas))


def _listed(store: Store, job: Job) -> dict[str, Any]:
    """Put the game that was promised into the list: whoever is told that it is there finds it there."""
    game_id = job.args["game"]
    store.projections.project(game_id)
    _limited(store, job).openings.settle(game_id, job.owner)
    return {"game": game_id}


def export(store: Store, job: Job) -> dict[str, Any]:
    """Write many games into one file; see `workers.archive`."""
    is_said = FORMATS[job.args["format"]].is_said
    with speaking(catalogue(job.language) if is_said else None):
        return archive.make(store, job, _reporter(store, job, 1))


KINDS: dict[Kind, Callable[[Store, Job], dict[str, Any]]] = {
    "audit": audit,
    "import": import_log,
    "export": export,
    "fork": fork_game,
    "plays": take_in_plays,
    "write": writing.make,
}
"""What each kind of long work does, and what its job tells in the end."""


def _reporter(store: Store, job: Job, total: float) -> Callable[[float], None]:
    """Tells how much of `total` is done, now and then."""
    last = time.monotonic()

    def progressed(done: float) -> None:
        nonlocal last
        if time.monotonic() - last >= TELL_SECONDS:
            last = time.monotonic()
            store.jobs.update(job.id, progress=round(done / total, 3))

    return progressed
