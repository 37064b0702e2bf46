"""The app factory."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Flask, Response, request
from flask.json.provider import JSONProvider

from api import (
    board,
    comparing,
    events,
    exporting,
    games,
    meta,
    metrics,
    notes,
    packing,
    pages,
    problems,
    proofs,
    reading,
    rulesets,
    sharing,
    story,
    work,
)
from api.live import Hub
from api.openapi import INFO, Contract
from api.problems import Problem
from api.settings import Settings
from schemas.events import parse
from store import Store
from workers import queue

BLUEPRINTS = (
    rulesets.blueprint,
    games.blueprint,
    events.blueprint,
    reading.blueprint,
    board.blueprint,
    story.blueprint,
    notes.blueprint,
    comparing.blueprint,
    proofs.blueprint,
    sharing.blueprint,
    work.blueprint,
    exporting.blueprint,
    meta.blueprint,
    meta.problems,
)
LONGEST_BODY = 8 * 1024 * 1024
"""Bytes, but for imports."""
_ANSWERS = ("application/json", "application/problem+json")
_OTHER_FORMS = ("/export", "/file", "/stream", "/board.svg", ".pem")
_USUAL = (None, "*/*", "application/json")
"""What needs no weighing."""


class _Json(JSONProvider):
    """JSON by msgspec: strict RFC 8259 (no NaN), and fast."""

    def dumps(self, obj: Any, **_: Any) -> str:
        return msgspec.json.encode(obj).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        return parse(s.encode() if isinstance(s, str) else s)


def create_app(settings: Settings) -> Flask:
    """The service as a WSGI application.

    It connects when it is asked the first time: a worker process makes its own.
    """
    app = Flask("api", static_folder=None)
    app.json = _Json(app)
    app.config.update(INFO, MAX_CONTENT_LENGTH=LONGEST_BODY, SETTINGS=settings)
    app.url_map.strict_slashes = False
    app.extensions["store"] = Store.connect(settings.redis_url)
    app.extensions["queue"] = queue.connect(settings.queue_url)
    app.extensions["hub"] = Hub(app.extensions["store"].hints(), most=settings.streams)
    contract = Contract(app)
    for blueprint in BLUEPRINTS:
        contract.register_blueprint(blueprint)
    app.register_blueprint(meta.assets)
    app.extensions["contract"] = contract
    problems.register(app)
    pages.register(app)
    metrics.measure(app)
    app.before_request(_negotiate)
    app.after_request(_head)
    app.after_request(packing.pack)
    return app


def _negotiate() -> None:
    """406 where a JSON answer is not wanted; whatever is not JSON negotiates for itself."""
    if not request.path.startswith("/v1/") or request.path.endswith(
        ("/export", "/file", "/stream", "/board.svg", ".pem")
    ):
        return
    if request.headers.get("Accept") in _USUAL:
        return
    if request.accept_mimetypes and not request.accept_mimetypes.best_match(_ANSWERS):
        raise Problem("not-acceptable", "The answer is application/json.")


def _head(response: Response) -> Response:
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    return response
