"""What is known of each request besides its answer: its id, its trace, its line in the access log, and its figures."""

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
from api.plumbing.present import present
from service.access import Caller
from telemetry import context, tracing
from telemetry.context import Context

REQUEST_ID = "X-Request-ID"
NOWHERE = "none"
"""The route of an address that leads nowhere."""
_SEEN = "driftlog.seen"
"""The key in the WSGI environment."""
_GAME = re.compile(r"[0-9a-z]{1,32}")
_CONVERTED = re.compile(r"<(?:\w+:)?(\w+)>")


class Seen(msgspec.Struct):
    """What the app has to tell of a request. Nothing in it is secret, and all but the game comes from few values."""

    method: str
    began: float
    client: str = ""
    """The address of whoever sent it, also behind a proxy that is trusted."""
    route: str = NOWHERE
    """As the contract writes it: `/v1/games/{game_id}`; never the address itself, which may hold a token."""
    problem: str | None = None
    """The slug of what it was refused for."""
    game: str | None = None
    caller: str | None = None
    """The name of the token that it came with."""
    status: int = 500
    """Of the answer; where there is none, what the server says then."""

    @property
    def more(self) -> dict[str, str]:
        """What is not known of every request."""
        told = {"game": self.game, "problem": self.problem, "caller": self.caller}
        return {name: value for name, value in told.items() if value is not None}


@contextmanager
def observed(environ: dict[str, Any]) -> Iterator[None]:
    """Observe the answer to a request."""
    now = Context.received(environ.get("HTTP_X_REQUEST_ID"), environ.get("HTTP_TRACEPARENT"))
    # Until this thread is given the next one: an answer that is sent bit by bit is still this one's.
    context.enter(now)
    method = metrics.method(environ["REQUEST_METHOD"])
    seen = environ[_SEEN] = Seen(method, time.perf_counter())
    with tracing.span(method, kind="server") as tell:
        yield
        if tracing.is_on():
            tell(tracing.NAME, f"{method} {seen.route}")
            tell("http.request.method", method)
            tell("http.route", seen.route)
            tell("driftlog.request_id", now.request_id)
            tell("http.response.status_code", seen.status)


def seen_of(environ: dict[str, Any]) -> Seen | None:
    """What the app told of a request; None where it never came to the app."""
    return environ.get(_SEEN)


def observe(app: Flask) -> None:
    """Tell of every request of the app what only the app knows."""
    app.after_request(_end)


def _end(response: Response) -> Response:
    incoming = present()
    seen: Seen = incoming.environ[_SEEN]
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
    metrics.answered(seen.method, seen.route, response.status_code, time.perf_counter() - seen.began)
    if seen.problem is not None:
        metrics.REFUSED.labels(seen.problem).inc()
    return response


@functools.cache
def template(rule: str) -> str:
    """A route as the contract writes it."""
    return _CONVERTED.sub(r"{\1}", rule)


def _game(name: object) -> str | None:
    """A game's id; None where it is none, but what somebody made up."""
    return name if isinstance(name, str) and _GAME.fullmatch(name) else None
