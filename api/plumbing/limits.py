"""The limits of each operation, which are declared beside the operation's permissions.

The web server rejects a body that is too long before it reads the body. The contract publishes the limits as
`x-limits`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from flask import Flask
from werkzeug.exceptions import HTTPException

from api.plumbing.access import without_share_link
from api.plumbing.settings import Settings
from exports import LONGEST_IMPORT
from schemas.drafts import LONGEST_APPEND

_SECONDS = Settings(redis_url="", queue_url="").request_seconds


class Limits(msgspec.Struct, frozen=True):
    """The maximum cost of a request."""

    body: int = 64 * 1024
    """Maximum bytes of the request's body."""
    share: float = 1.0
    """The share of `DRIFTLOG_REQUEST_SECONDS`, the limit of processor time, that the request may use."""
    jobs: int = 0
    """Maximum number of jobs that the request may queue."""

    def to_contract(self) -> dict[str, Any]:
        """Return the value of `x-limits` in the contract, with the default settings."""
        return {"body_bytes": self.body, "processor_seconds": self.share * _SECONDS, "jobs": self.jobs}


SMALL = Limits()
ORDER = Limits(jobs=1)
"""The limits of an operation that may submit a job."""
OPENING = Limits(body=256 * 1024)
"""The limits of opening a game, whose options can contain a whole document."""
APPEND = Limits(body=LONGEST_APPEND)
IMPORT = Limits(body=LONGEST_IMPORT, jobs=1)
PLAYS = Limits(body=16 * 1024 * 1024, jobs=1)
TEXT = Limits(body=512 * 1024)
"""The limits of an operation that reads a handwritten game."""


def by_route(app: Flask) -> dict[tuple[str, str], Limits]:
    """Return the limits of each route by endpoint and method; pages and files only take small bodies."""
    found = {}
    for route in app.url_map.iter_rules():
        view: Any = app.view_functions[route.endpoint]
        kind = getattr(view, "view_class", None)
        for method in route.methods or ():
            function = view if kind is None else getattr(kind, "get" if method == "HEAD" else method.lower(), None)
            found[route.endpoint, method] = getattr(function, "limits", SMALL)
    return found


def longest_body(app: Flask) -> Callable[[str, str], int]:
    """Return a function that returns the maximum bytes of the body, from the method and path of a request."""
    limits, routes = by_route(app), app.url_map.bind("")

    def longest(method: str, path: str) -> int:
        try:
            endpoint, _ = routes.match(without_share_link(path), method=method)
        except HTTPException:
            return SMALL.body
        return limits[endpoint, method].body

    return longest
