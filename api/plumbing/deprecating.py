"""Deprecation headers: the date of deprecation of a feature that the request uses, and the end of its support."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Response

from api.plumbing.current_request import present

Uses = Callable[[], bool]
"""Returns True if this request uses a deprecated feature."""
SINCE = "@1795737600"
"""27 November 2026 (RFC 9745)."""
UNTIL = "Thu, 27 May 2027 00:00:00 GMT"
"""The earliest end of support (RFC 8594)."""
_USED = "driftlog.deprecated"
"""Key in the WSGI environment, set for a request that uses a deprecated feature."""
HEADERS = {"Deprecation": SINCE, "Sunset": UNTIL}


def deprecate() -> None:
    """Mark this request as a user of a deprecated feature."""
    present().environ[_USED] = True


def add_headers(app: Flask) -> None:
    """Make the app add the headers to all responses, including errors. Call this after the routes are registered."""
    declared = _by_route(app)

    def add(response: Response) -> Response:
        incoming = present()
        route = incoming.url_rule
        uses = None if route is None else declared.get((route.endpoint, incoming.method))
        if _USED in incoming.environ or (uses is not None and uses()):
            response.headers.update(HEADERS)
        return response

    app.after_request(add)


def _by_route(app: Flask) -> dict[tuple[str, str], Uses]:
    found = {}
    for route in app.url_map.iter_rules():
        kind = getattr(app.view_functions[route.endpoint], "view_class", None)
        for method in (route.methods or set()) - {"HEAD", "OPTIONS"}:
            uses = getattr(getattr(kind, method.lower(), None), "deprecates", None)
            if uses is not None:
                found[route.endpoint, method] = uses
    return found
