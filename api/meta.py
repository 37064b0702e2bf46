"""The service itself: whether it is up and ready, its figures, its contract."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import flask
from flask import Response, current_app, make_response, render_template, send_from_directory
from prometheus_client import CONTENT_TYPE_LATEST

from api import metrics, openapi
from api.http import Blueprint, answer, queue, store
from api.problems import KINDS, RETRY_AFTER, Problem, not_found
from schemas.service import Health, Readiness
from store.errors import StoreError
from workers.queue import QueueUnavailable, live_workers

blueprint = Blueprint("meta", __name__, description="The service itself.")
problems = Blueprint("problems", __name__, url_prefix="/problems", description="What the problems mean.")

assets = flask.Blueprint("assets", __name__)

_SWAGGER_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
"""Swagger UI writes styles into its elements."""
_SWAGGER_UI = Path(str(resources.files("flask_swagger_ui"))) / "dist"


def _page(media_type: str, description: str) -> dict[str, Any]:
    """The documentation of an answer that is not JSON."""
    return {"200": {"description": description, "content": {media_type: {"schema": {"type": "string"}}}}}


@blueprint.route("/healthz")
@blueprint.response(200, Health)
def healthz() -> Response:
    """Whether the process is up"""
    return answer({"status": "ok"})


@blueprint.route("/readyz")
@blueprint.response(200, Readiness)
def readyz() -> Response:
    """Whether the store and the workers can be reached"""
    try:
        durability = store().durability()
    except StoreError as error:
        raise _not_ready("the store does not answer") from error
    try:
        workers = live_workers(queue())
    except QueueUnavailable as error:
        raise _not_ready("the job queue does not answer") from error
    if not workers:
        raise _not_ready("no worker is running")
    return answer({"status": "ready", "durability": durability, "workers": workers})


def _not_ready(reason: str) -> Problem:
    return Problem("not-ready", f"Not ready: {reason}.", headers={"Retry-After": RETRY_AFTER})


@blueprint.route("/metrics")
@blueprint.doc(responses=_page("text/plain", "Prometheus' text format."))
def prometheus() -> Response:
    """Figures for Prometheus"""
    return Response(metrics.exposition(store(), queue()), content_type=CONTENT_TYPE_LATEST)


@blueprint.route("/openapi.yaml")
@blueprint.doc(responses=_page("application/yaml", "OpenAPI 3.1."))
def contract() -> Response:
    """The contract"""
    return Response(openapi.as_yaml(current_app.extensions["contract"]), content_type="application/yaml")


@blueprint.route("/docs")
@blueprint.doc(responses=_page("text/html", "A page for people."))
def docs() -> Response:
    """A page to read and try the contract"""
    page = make_response(render_template("docs.html"))
    page.headers["Content-Security-Policy"] = _SWAGGER_POLICY
    return page


@assets.get("/docs/ui/<path:name>")
def docs_ui(name: str) -> Response:
    """What that page is made of."""
    return send_from_directory(_SWAGGER_UI, name)


@problems.route("/<string:slug>")
@problems.doc(responses=_page("text/html", "A page for people."))
def page(slug: str) -> Response:
    """What a kind of problem means"""
    kind = KINDS.get(slug)
    if kind is None:
        raise not_found(f"problem {slug!r}")
    return make_response(render_template("problem.html", kind=kind))
