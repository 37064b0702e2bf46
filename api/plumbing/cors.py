"""Read access for web pages from other origins that the settings list, such as an overlay or a club's page.

Such a page has the permissions of the token or share link that it sends. It cannot use the reader's session cookie,
because no response allows credentials. `api.plumbing.hosts` decides which origins may write.
"""

from __future__ import annotations

from flask import Flask, Response, request

from api.plumbing.hosts import SAFE, origin_of
from api.plumbing.settings import BadSetting, Settings

ANY = "*"
_ASKED = "Authorization, If-None-Match, Last-Event-ID"
_TOLD = "ETag, Link, Retry-After, RateLimit, RateLimit-Policy, X-Request-ID, Content-Disposition, Driftlog-Head"
_PREFLIGHT_SECONDS = "600"


def share(app: Flask, settings: Settings) -> None:
    """Make the app allow pages from the configured origins to read the API."""
    if not settings.read_origins:
        return
    is_for_all = ANY in settings.read_origins
    known = {origin_of(text) for text in settings.read_origins if text != ANY}

    def is_known(origin: str) -> bool:
        try:
            return is_for_all or origin_of(origin) in known
        except BadSetting:
            return False

    def add_headers(response: Response) -> Response:
        if request.method not in SAFE or not request.path.startswith(("/v1/", "/openapi.yaml")):
            return response
        origin = request.headers.get("Origin")
        if not is_for_all:
            response.vary.add("Origin")
        if origin is None or not is_known(origin):
            return response
        response.headers["Access-Control-Allow-Origin"] = ANY if is_for_all else origin
        if request.method == "OPTIONS":
            response.headers["Access-Control-Allow-Methods"] = "GET, HEAD"
            response.headers["Access-Control-Allow-Headers"] = _ASKED
            response.headers["Access-Control-Max-Age"] = _PREFLIGHT_SECONDS
        else:
            response.headers["Access-Control-Expose-Headers"] = _TOLD
        return response

    app.after_request(add_headers)
