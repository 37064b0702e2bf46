"""Code that both clients share: HTTP requests, and the calls of their handwritten methods."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import TypedDict

import httpx

from driftlog_client import types
from driftlog_client.calls import Call, Value, call, part
from driftlog_client.problems import Problem, problem
from driftlog_client.streams import Reader

PATIENCE = 30.0
SECONDS = 60.0
"""Timeout of a request in seconds. A long poll takes 30 seconds."""
SILENCE = 45.0
"""Seconds without data after which a stream counts as broken. The service sends a heartbeat every 15 seconds."""
POLL_SECONDS = 1.0
"""Maximum seconds between polls of a job."""


class Filters(TypedDict, total=False):
    """The filters of `find_games`; `from_` is sent as `from`."""

    ruleset: str
    status: types.GameStatus
    result: types.GameResult
    player: str
    tag: str
    from_: str
    to: str
    q: str
    parent: str


def headers(token: str | None) -> dict[str, str]:
    """Return the headers of every request."""
    try:
        ours = version("driftlog-client")
    except PackageNotFoundError:
        ours = "dev"
    named = {"User-Agent": f"driftlog-client/{ours}"}
    return named if token is None else named | {"Authorization": f"Bearer {token}"}


def request(http: httpx.Client | httpx.AsyncClient, asked: Call, seconds: float) -> httpx.Request:
    """Return the HTTP request for a call."""
    timeout = httpx.Timeout(SECONDS, read=seconds)
    return http.build_request(
        asked.method, asked.path, params=asked.query, headers=asked.headers, content=asked.content, timeout=timeout
    )


def refusal(response: httpx.Response) -> Problem:
    """Return the problem in an error response. The body of the response must have been read."""
    return problem(response.status_code, response.content, response.headers.get("Retry-After"))


def pauses() -> Iterator[float]:
    """Yield the seconds to wait between polls of a job."""
    pause = 0.05
    while True:
        yield pause
        pause = min(2 * pause, POLL_SECONDS)


def listening(path: str, query: dict[str, Value], reader: Reader) -> Call:
    """Return a call that opens a stream, or resumes it after the reader's last message."""
    return call("GET", path, query=query, headers={"Last-Event-ID": reader.last_id or None})


def of_games(filters: Filters) -> dict[str, Value]:
    """Convert filters to the parameters of a query."""
    return {name.removesuffix("_"): value for name, value in filters.items() if isinstance(value, str)}


def export(game_id: str, **query: Value) -> Call:
    """Return the call that exports a game's log in a format."""
    return call("GET", f"/v1/games/{part(game_id)}/export", query=query)
