"""The app factory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
from flask import Flask, Request, Response, current_app, request
from flask.json.provider import JSONProvider
from flask.typing import ResponseReturnValue

from api import pages
from api.admin import contract, health, oversight, session, tokens, webhooks
from api.game import (
    actions,
    analyses,
    audits,
    board,
    comparison,
    deals,
    embedding,
    events,
    export,
    notes,
    proofs,
    recap,
    sharing,
    states,
    story,
    turns,
)
from api.library import (
    aliases,
    exporting,
    formats,
    games,
    imports,
    jobs,
    players,
    plays,
    readings,
    rulesets,
    seeds,
    stream,
)
from api.pages import atom, printing
from api.plumbing import (
    access,
    budget,
    cors,
    deprecating,
    error_handling,
    language,
    limits,
    metrics,
    observing,
    packing,
    rates,
)
from api.plumbing.current_request import present
from api.plumbing.hosts import SAFE, guard
from api.plumbing.limits import SMALL, Limits
from api.plumbing.live import Hub
from api.plumbing.openapi import INFO, Contract
from api.plumbing.problems import Problem, malformed_request
from api.plumbing.settings import Settings
from engine.core.readiness import make_ready
from schemas.drafts import parse
from service.queueing import Queues
from store import Store
from telemetry import tracing
from workers import queue

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

BLUEPRINTS = (
    rulesets.blueprint,
    rulesets.published,
    rulesets.of_game,
    games.blueprint,
    players.blueprint,
    aliases.blueprint,
    stream.blueprint,
    atom.blueprint,
    embedding.blueprint,
    events.blueprint,
    actions.blueprint,
    states.blueprint,
    turns.blueprint,
    export.blueprint,
    board.blueprint,
    story.blueprint,
    recap.blueprint,
    notes.blueprint,
    comparison.blueprint,
    deals.blueprint,
    proofs.blueprint,
    sharing.blueprint,
    tokens.blueprint,
    webhooks.blueprint,
    analyses.blueprint,
    audits.blueprint,
    seeds.blueprint,
    imports.blueprint,
    jobs.blueprint,
    readings.blueprint,
    exporting.blueprint,
    formats.blueprint,
    plays.blueprint,
    oversight.blueprint,
    session.blueprint,
    printing.blueprint,
    health.blueprint,
    contract.blueprint,
    contract.problems,
)
LONGEST_QUERY = 4096
"""Maximum bytes of a query. The longest valid query needs a quarter of it."""
_ANSWERS = ("application/json", "application/problem+json")
_OTHER_FORMS = ("/export", "/file", "/stream", "/board.svg", ".pem", ".atom", ".json", ".csv", ".xlsx")
"""Endings of addresses whose responses are not always JSON."""
_USUAL = (None, "*/*", "application/json")
"""Values of `Accept` that need no negotiation."""
_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}
"""Default headers of every response."""

# Do this before any process forks or starts threads.
make_ready()


class _Json(JSONProvider):
    def dumps(self, obj: Any, **_: Any) -> str:
        return msgspec.json.encode(obj).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        return parse(s.encode() if isinstance(s, str) else s)


class _App(Flask):
    """Flask with a time budget and metrics for each request. It serves the API below each share link, too."""

    def wsgi_app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        access.take_share(environ)
        with observing.observe_request(environ):
            return super().wsgi_app(environ, start_response)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the view unchanged.

        Flask's own method would check twenty times per request if the view is a coroutine.
        """
        return func

    def dispatch_request(self) -> ResponseReturnValue:
        incoming, settings = present(), self.config["SETTINGS"]
        with budget.of_request(incoming.environ, settings.request_seconds * _limits(self, incoming).share):
            return super().dispatch_request()


def create_app(settings: Settings) -> Flask:
    """Create the WSGI application for the process that serves it."""
    app = build_app(settings)
    begin()
    return app


def build_app(settings: Settings) -> Flask:
    """Create the application. After a fork, each process calls `begin` before it serves requests."""
    app = _App("api", static_folder=None)
    app.json = _Json(app)
    app.config.update(INFO, SETTINGS=settings)
    app.url_map.strict_slashes = False
    # Do not redirect paths with an empty part, such as a missing game id: they are invalid.
    app.url_map.merge_slashes = False
    spec = Contract(app)
    for blueprint in BLUEPRINTS:
        spec.register_blueprint(blueprint)
    app.extensions["contract"] = spec
    error_handling.register(app)
    pages.register(app)
    observing.observe(app)
    language.negotiate(app)
    guard(app, settings, pages.problem_response)
    app.before_request(rates.by_address)
    app.config["ADMITS"] = access.guard(app, settings)
    app.config["LONGEST_BODY"] = limits.longest_body(app)
    app.extensions["limits"] = limits.by_route(app)
    oversight.watch(app)
    app.before_request(rates.by_token)
    app.before_request(_measure)
    app.before_request(_negotiate)
    app.after_request(_head)
    deprecating.add_headers(app)
    cors.share(app, settings)
    app.after_request(rates.add_headers)
    app.after_request(packing.pack)
    reset(app)
    return app


def begin() -> None:
    """Begin traces and metrics in this process."""
    tracing.begin()
    metrics.begin()


def reset(app: Flask) -> None:
    """Give the app a new store and queue, without cached games. A forked process needs its own connections."""
    settings: Settings = app.config["SETTINGS"]
    store = Store.connect(
        settings.redis_url, settings.archive_address, replicas=settings.replicas, quotas=settings.quotas
    )
    app.extensions["store"] = store
    app.extensions["queue"] = queue.connect(settings.queue_url)
    app.extensions["writers"] = Queues()
    app.extensions["rates"] = rates.Rates.of(settings)
    app.extensions["hub"] = Hub(
        store.hints(),
        most=settings.streams,
        quotas={"per_address": settings.streams_per_address, "per_token": settings.streams_per_token},
    )


def _limits(app: Flask, incoming: Request) -> Limits:
    route = incoming.url_rule
    declared: dict[tuple[str, str], Limits] = app.extensions["limits"]
    return SMALL if route is None else declared[route.endpoint, incoming.method]


def _measure() -> None:
    """Respond 400 if the query is too long, and limit the body. If the body is longer, reading it causes a 413."""
    incoming = present()
    incoming.max_content_length = _limits(current_app, incoming).body
    if len(incoming.query_string) > LONGEST_QUERY:
        raise malformed_request("", f"The query is too long. Send at most {LONGEST_QUERY} bytes.")


def _negotiate() -> None:
    """Respond 406 if the client does not accept JSON. Endpoints with other formats do their own negotiation."""
    incoming = present()
    if not incoming.path.startswith("/v1/") or incoming.path.endswith(_OTHER_FORMS):
        return
    if incoming.headers.get("Accept") in _USUAL:
        return
    if incoming.accept_mimetypes and not incoming.accept_mimetypes.best_match(_ANSWERS):
        raise Problem("not-acceptable", "This address only returns application/json. Change `Accept`.")


def _head(response: Response) -> Response:
    usual = dict(_HEADERS)
    if response.status_code >= HTTPStatus.BAD_REQUEST:
        usual["Cache-Control"] = "no-store"
    elif request.method in SAFE:
        # Clients may cache responses to reads. Revalidation by the entity tag is cheap.
        usual["Cache-Control"] = "private, no-cache"
    if response.mimetype != "text/html":
        usual["Content-Security-Policy"] = "frame-ancestors 'none'"
    # Faster than `setdefault`, which scans all headers for each header.
    said = {name.lower() for name, _ in response.headers}
    for name, value in usual.items():
        if name.lower() not in said:
            response.headers.add(name, value)
    return response
