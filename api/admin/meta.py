"""The service itself: whether it is up and ready, its figures, its contract."""

from __future__ import annotations

from functools import cache

from flask import Response, current_app, make_response, render_template
from prometheus_client import CONTENT_TYPE_LATEST

from api.plumbing import metrics, openapi, reference
from api.plumbing.access import ANYONE, WATCHER
from api.plumbing.http import TEXT, Blueprint, answer, constant, queue, store
from api.plumbing.limits import SMALL
from api.plumbing.problem_kinds import KINDS
from api.plumbing.problems import RETRY_AFTER, Problem, not_found
from engine.core.language import say
from schemas.service import Health, Readiness
from store.errors import StoreUnavailable
from workers.queue import QueueUnavailable, live_workers

blueprint = Blueprint("meta", __name__, description="The service itself.")
problems = Blueprint("problems", __name__, url_prefix="/problems", description="What the problems mean.")


@blueprint.route("/healthz")
@blueprint.operation("getHealth", needs=ANYONE, limits=SMALL)
@blueprint.response(200, Health)
def healthz() -> Response:
    """Whether the process is up

    It asks nobody else: an answer is all there is to know.
    """
    return answer({"status": "ok"})


@blueprint.route("/readyz")
@blueprint.operation("getReadiness", needs=ANYONE, limits=SMALL, refuses=["not-ready"])
@blueprint.response(200, Readiness)
def readyz() -> Response:
    """Whether the store takes writes, and workers are there

    By a small write, at most one a second. `detail` of a 503 says what is in the way. Where the archive is not to be
    reached, all but what needs an archived log goes on: `archive` says so, and it is ready.
    """
    try:
        durability = store().durability()
    except StoreUnavailable as error:
        raise _not_ready(error.why) from error
    try:
        workers = live_workers(queue())
    except QueueUnavailable as error:
        raise _not_ready(error.why) from error
    if not workers:
        raise _not_ready("no worker is running")
    promised = {"durability": durability, "replicas": store().replicas}
    archive = "usable" if store().archiving.aside.fault() is None else "unavailable"
    return answer({"status": "ready", **promised, "workers": workers, "archive": archive})


def _not_ready(reason: str) -> Problem:
    return Problem("not-ready", f"Not ready: {reason}.", headers={"Retry-After": RETRY_AFTER})


@blueprint.route("/metrics")
@blueprint.operation("getMetrics", needs=WATCHER, limits=SMALL)
@blueprint.file("Prometheus' text format.", {"text/plain": TEXT})
def prometheus() -> Response:
    """Figures for Prometheus

    Of all web processes, and of what the store and the queue tell; docs/metrics.md lists them.
    """
    return Response(metrics.exposition(store(), queue()), content_type=CONTENT_TYPE_LATEST)


@blueprint.route("/openapi.yaml")
@blueprint.operation("getContract", needs=ANYONE, limits=SMALL)
@blueprint.file("OpenAPI 3.1.", {"application/yaml": TEXT}, headers=["ETag"])
def contract() -> Response:
    """The contract

    This document.
    """
    made: openapi.Contract = current_app.extensions["contract"]
    return constant(made, lambda: openapi.as_yaml(made).encode(), "application/yaml")


@blueprint.route("/docs")
@blueprint.operation("readContract", needs=ANYONE, limits=SMALL)
@blueprint.file("A page for people.", {"text/html": TEXT})
def docs() -> Response:
    """A page to read and try the contract

    It asks no other host.
    """
    return make_response(render_template("docs.html", reference=_reference(current_app.extensions["contract"])))


@cache
def _reference(contract: openapi.Contract) -> str:
    """Return the part of the page that is the same for every caller: it takes a second to make."""
    document = openapi.document(contract)
    return render_template("_reference.html", contract=document, sections=reference.sections(document))


@problems.route("/<string:slug>")
@problems.operation("explainProblem", needs=ANYONE, limits=SMALL)
@problems.file("A page for people.", {"text/html": TEXT})
def page(slug: str) -> Response:
    """What a kind of problem means

    The `type` of a problem document leads here.
    """
    kind = KINDS.get(slug)
    if kind is None:
        raise not_found(say("problem {name}", name=repr(slug)))
    return make_response(render_template("problem.html", kind=kind))
