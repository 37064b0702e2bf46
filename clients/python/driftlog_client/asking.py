"""What both clients have in common: how a request looks, and which calls their own methods make."""

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
"""Until an answer has to come; a long poll takes 30."""
SILENCE = 45.0
"""Seconds of silence after which a stream is taken for broken: there is a sign of life every 15."""
POLL_SECONDS = 1.0
"""How long to wait, at the most, until long work is asked after again."""


class Filters(TypedDict, total=False):
    """Which games: as of `find_games`; `from_` is `from`."""

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
    """Of every request."""
    try:
        ours = version("driftlog-client")
    except PackageNotFoundError:
        ours = "dev"
    named = {"User-Agent": f"driftlog-client/{ours}"}
    return named if token is None else named | {"Authorization": f"Bearer {token}"}


def request(http: httpx.Client | httpx.AsyncClient, asked: Call, seconds: float) -> httpx.Request:
    """A call as a request."""
    timeout = httpx.Timeout(SECONDS, read=seconds)
    return http.build_request(
        asked.method, asked.path, params=asked.query, headers=asked.headers, content=asked.content, timeout=timeout
    )


def refusal(response: httpx.Response) -> Problem:
    """What an answer refuses that was read."""
    return problem(response.status_code, response.content, response.headers.get("Retry-After"))


def pauses() -> Iterator[float]:
    """Seconds between the questions after long work."""
    pause = 0.05
    while True:
        yield pause
        pause = min(2 * pause, POLL_SECONDS)


def listening(path: str, query: dict[str, Value], reader: Reader) -> Call:
    """A connection of a stream, from where it is."""
    return call("GET", path, query=query, headers={"Last-Event-ID": reader.last_id or None})


def of_games(filters: Filters) -> dict[str, Value]:
    """Filters as a query."""
    return {name.removesuffix("_"): value for name, value in filters.items() if isinstance(value, str)}


def export(game_id: str, **query: Value) -> Call:
    """The log of a game in a format."""
    return call("GET", f"/v1/games/{part(game_id)}/export", query=query)
