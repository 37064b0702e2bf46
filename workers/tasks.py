"""The jobs. Each is a plain function that can be imported, and is safe to run twice or in two places at once.

What they do is written to the store; what they return is nothing. Where the store does not answer they leave it at
that, and the dispatcher has them done when it is back.
"""

from __future__ import annotations

import functools
import logging
import os
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, cast

import msgspec
from rq.job import Job as QueuedJob

from engine.audit import Auditor
from engine.errors import EngineError, LogDoesNotVerify
from engine.report import Report
from exports import read_any
from store import Store
from store.errors import Corrupt, StoreError, StoreUnavailable, VersionConflict
from store.jobs import FINAL, Job
from workers import archive
from workers.queue import Kind

logger = logging.getLogger(__name__)

REDIS_URL = "DRIFTLOG_REDIS_URL"
"""The variable that says where the events are."""
TELL_SECONDS = 0.3
"""How often a job tells how far it is."""
VERIFIED = 0.9
"""How far an import is when its log has been verified."""


@functools.cache
def store() -> Store:
    """The store of this process."""
    return Store.connect(os.environ[REDIS_URL])


def project(game_id: str) -> None:
    """Bring a game's projections to the head of its log."""
    try:
        store().projections.project(game_id)
    except StoreUnavailable as error:
        logger.warning("game %s has to wait: %s", game_id, error)


def run(job_id: str) -> None:
    """Do the long work of that id, unless it is over."""
    try:
        job = store().jobs.get(job_id)
        if job is not None and job.status not in FINAL:
            _run(store(), job)
    except StoreUnavailable as error:
        logger.warning("job %s has to wait: %s", job_id, error)


def _run(kept: Store, job: Job) -> None:
    kept.jobs.update(job.id, status="running")
    try:
        result = KINDS[cast("Kind", job.kind)](kept, job)
    except EngineError as error:
        # The same would come of it every time.
        kept.jobs.update(job.id, status="failed", error=str(error))
    else:
        kept.jobs.update(job.id, status="done", progress=1.0, result=result)


def gave_up(
    kept: Store, queued: QueuedJob, kind: type[BaseException], _error: BaseException, _trace: TracebackType | None
) -> None:
    """An RQ exception handler: note that long work has failed for good, and not by what it was given."""
    if queued.should_retry or not queued.id.startswith("job-"):
        return
    error = f"it was tried several times, and failed: {kind.__name__}"
    try:
        kept.jobs.update(queued.args[0], status="failed", error=error)
    except StoreError:
        logger.exception("the failure of job %s is not noted", queued.args[0])


def audit(kept: Store, job: Job) -> dict[str, Any]:
    """Replay a game's log and judge every event; the report is kept with the game."""
    game_id = job.args["game"]
    version, _ = kept.events.head(game_id)
    tell = _teller(kept, job, version)
    auditor = Auditor(job.args.get("rules"))
    try:
        for page in kept.events.pages(game_id, until=version):
            for event in page:
                auditor.read(event)
            tell(page[-1].seq)
    except Corrupt as error:
        auditor.lost(str(error))
    report = auditor.finish()
    kept.projections.save_audit(game_id, job.id, {"id": job.id, "game": game_id, **_judged(report)})
    return {"game": game_id, "verdict": report.verdict}


def _judged(report: Report) -> dict[str, Any]:
    return {"status": "done", "progress": 1.0, "error": None, **msgspec.to_builtins(report)}


def import_log(kept: Store, job: Job) -> dict[str, Any]:
    """Verify an exported log, event by event, and open it as the game that was promised when it was handed in.

    Raises:
        LogDoesNotVerify: with the first event that fails.
        Malformed: it is not a log.
    """
    game_id = job.args["game"]
    payload = kept.jobs.payload(job.id)
    if payload is None:
        # Another worker has just finished it.
        return {"game": game_id}
    events = read_any(payload)
    tell = _teller(kept, job, len(events) / VERIFIED)
    auditor = Auditor()
    for event in events:
        auditor.read(event)
        if auditor.failures:
            break
        tell(event.seq)
    auditor.close()
    for failure in auditor.failures:
        raise LogDoesNotVerify(failure.seq, failure.message)
    assert auditor.game is not None
    # A conflict: an earlier attempt got so far, and somebody may have gone on with the game since.
    with suppress(VersionConflict):
        # All of it at once: nobody sees half of a game, or appends to it.
        kept.open(game_id, auditor.game, events)
    # Whoever is told that the game is there finds it in the list.
    kept.projections.project(game_id)
    return {"game": game_id}


def export(kept: Store, job: Job) -> dict[str, Any]:
    """Write many games into one file; see `workers.archive`."""
    return archive.make(kept, job, _teller(kept, job, 1))


KINDS: dict[Kind, Callable[[Store, Job], dict[str, Any]]] = {"audit": audit, "import": import_log, "export": export}
"""What each kind of long work does, and what its job tells in the end."""


def _teller(kept: Store, job: Job, total: float) -> Callable[[float], None]:
    """Tells how much of `total` is done, now and then."""
    last = time.monotonic()

    def tell(done: float) -> None:
        nonlocal last
        if time.monotonic() - last >= TELL_SECONDS:
            last = time.monotonic()
            kept.jobs.update(job.id, progress=round(done / total, 3))

    return tell
