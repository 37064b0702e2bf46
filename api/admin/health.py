"""The health of the service, and its metrics."""

from __future__ import annotations

from flask import Response
from prometheus_client import CONTENT_TYPE_LATEST

from api.plumbing import metrics
from api.plumbing.access import ANYONE, WATCHER
from api.plumbing.http import TEXT, Blueprint, answer, queue, store
from api.plumbing.limits import SMALL
from api.plumbing.problems import RETRY_AFTER, Problem
from engine.play import registry
from schemas.service import Health, Readiness
from store.errors import StoreFull, StoreUnavailable
from workers.queue import QueueUnavailable, live_workers

blueprint = Blueprint("health", __name__, description="Health and metrics.")


@blueprint.route("/healthz")
@blueprint.operation("getHealth", needs=ANYONE, limits=SMALL)
@blueprint.response(200, Health)
def healthz() -> Response:
    """Check that the process is running

    The check uses no other service.
    """
    return answer({"status": "ok"})


@blueprint.route("/readyz")
@blueprint.operation("getReadiness", needs=ANYONE, limits=SMALL, refuses=["not-ready"])
@blueprint.response(200, Readiness)
def readyz() -> Response:
    """Check that the store accepts writes and workers are running

    The check makes a small write, at most once a second. If the response is 503, `detail` gives the reason. If the
    store is full, the service still counts as ready, because reads continue: `writes` is `stopped`, and `detail` gives
    the reason. If the archive is unavailable, the service still counts as ready, because only archived logs are
    missing: `archive` is `unavailable`. `not_loaded` names the packages whose rulesets could not be loaded.
    """
    writes = {"writes": "accepted"}
    try:
        try:
            durability = store().durability()
        except StoreFull as error:
            durability, writes = (
                store().configured_durability(),
                {"writes": "stopped", "detail": f"Reads only: {error.why}."},
            )
    except StoreUnavailable as error:
        raise _not_ready(error.why) from error
    try:
        workers = live_workers(queue())
    except QueueUnavailable as error:
        raise _not_ready(error.why) from error
    if not workers:
        raise _not_ready("no worker is running")
    promised = {"durability": durability, "replicas": store().replicas}
    archive = "usable" if store().archiving.fault_monitor.fault() is None else "unavailable"
    packages = {"not_loaded": registry.not_loaded()}
    return answer({"status": "ready", **writes, **promised, "workers": workers, "archive": archive, **packages})


def _not_ready(reason: str) -> Problem:
    return Problem("not-ready", f"Not ready: {reason}.", headers={"Retry-After": RETRY_AFTER})


@blueprint.route("/metrics")
@blueprint.operation("getMetrics", needs=WATCHER, limits=SMALL)
@blueprint.file("The metrics in Prometheus' text format.", {"text/plain": TEXT})
def prometheus() -> Response:
    """Get metrics for Prometheus

    The metrics cover all web processes, the store and the queue; docs/metrics.md lists them.
    """
    return Response(metrics.exposition(store(), queue()), content_type=CONTENT_TYPE_LATEST)
