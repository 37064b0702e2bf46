"""Observe each request: its id, its trace, its line in the request log, and its metrics."""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from flask import Flask, Response, g

from api.plumbing import metrics
from api.plumbing.addresses import client
from api.plumbing.current_request import present
from service.access import Caller
from telemetry import context, tracing
from telemetry.context import Context

REQUEST_ID = "X-Request-ID"
NOWHERE = "none"
"""The `route` of a request for an unknown address."""
_SEEN = "driftlog.seen"
"""The key of the observed data in the WSGI environment."""
_GAME = re.compile(r"[0-9a-z]{1,32}")
_CONVERTED = re.compile(r"<(?:\w+:)?(\w+)>")


class RequestFacts(msgspec.Struct):
    """Data about a request. None of it is secret. Except for the game, every member has few possible values."""

    method: str
    began: float
    client: str = ""
    """The address of the client, even behind a trusted proxy."""
    route: str = NOWHERE
    """The route as in the contract, such as `/v1/games/{game_id}`; never the address, which may contain a token."""
    problem: str | None = None
    """The slug of the problem in the response."""
    game: str | None = None
    caller: str | None = None
    """The name of the caller."""
    status: int = 500
    """The status of the response, from the app or else from the server."""

    @property
    def more(self) -> dict[str, str]:
        """Return the optional members that are set."""
        told = {"game": self.game, "problem": self.problem, "caller": self.caller}
        return {name: value for name, value in told.items() if value is not None}


@contextmanager
def observe_request(environ: dict[str, Any]) -> Iterator[None]:
    """Run the block, and observe the request that it handles."""
    now = Context.from_headers(environ.get("HTTP_X_REQUEST_ID"), environ.get("HTTP_TRACEPARENT"))
    # Do not reset the context: a response that is streamed later still belongs to this request.
    context.enter(now)
    method = metrics.method(environ["REQUEST_METHOD"])
    seen = environ[_SEEN] = RequestFacts(method, time.perf_counter())
    with tracing.span(method, kind="server") as tell:
        yield
        if tracing.is_on():
            tell(tracing.NAME, f"{method} {seen.route}")
            tell("http.request.method", method)
            tell("http.route", seen.route)
            tell("driftlog.request_id", now.request_id)
            tell("http.response.status_code", seen.status)


def request_facts(environ: dict[str, Any]) -> RequestFacts | None:
    """Return the observed data of a request; None if it never reached the app."""
    return environ.get(_SEEN)


def record_seen(environ: dict[str, Any], seen: RequestFacts) -> None:
    """Set the observed data of a request that another process answered."""
    environ[_SEEN] = seen


def observe(app: Flask) -> None:
    """Make the app observe every request."""
    app.after_request(_end)


def _end(response: Response) -> Response:
    incoming = present()
    seen: RequestFacts = incoming.environ[_SEEN]
    now, rule = context.current(), incoming.url_rule
    if rule is not None:
        seen.route = template(rule.rule)
    seen.client = client()
    seen.problem = g.get("problem")
    who: Caller | None = g.get("caller")
    seen.caller = None if who is None else who.name
    seen.game = _game((incoming.view_args or {}).get("game_id"))
    seen.status = response.status_code
    if now is not None:
        response.headers[REQUEST_ID] = now.request_id
    metrics.count_response(seen.method, seen.route, response.status_code, time.perf_counter() - seen.began)
    if seen.problem is not None:
        metrics.REFUSED.labels(seen.problem).inc()
    return response


@functools.cache
def template(rule: str) -> str:
    """Return a route in the form of the contract."""
    return _CONVERTED.sub(r"{\1}", rule)


def _game(name: object) -> str | None:
    return name if isinstance(name, str) and _GAME.fullmatch(name) else None
