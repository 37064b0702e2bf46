"""Compress pages, pictures and long documents with gzip to a fifth of their size, because Wi-Fi at a table is slow.

An entity tag identifies one form of a response, so a compressed document has its own: the version with the suffix
`PACKED`. Clients can send it unchanged, also as `If-Match`.
"""

from __future__ import annotations

import gzip

from flask import Response, request

from api.plumbing.current_request import present

PAGES = ("text/html", "image/svg+xml")
DOCUMENTS = "application/json"
AS_THEY_ARE = frozenset({"games.OneGame", "states.States"})
"""Endpoints whose documents must have the version as their entity tag, unless they include further data."""
PACKED = "-gzip"
"""Suffix of the entity tag of a compressed document."""
SMALLEST = 1024
LEVEL = 5


def pack(response: Response) -> Response:
    """Compress a response if that helps and the caller accepts it."""
    if not _is_packable(response) or response.is_streamed or "Content-Encoding" in response.headers:
        return response
    response.vary.add("Accept-Encoding")
    body = response.get_data()
    if len(body) >= SMALLEST and request.accept_encodings.quality("gzip") > 0:
        response.set_data(gzip.compress(body, LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
        if request.method != "GET":
            # The entity tag is the game's version, so leave the response unchanged.
            return response
        tag, is_weak = response.get_etag()
        if tag is not None and not is_weak:
            if response.mimetype == DOCUMENTS:
                response.set_etag(tag + PACKED)
            else:
                response.set_etag(tag, weak=True)
    return response


def _is_packable(response: Response) -> bool:
    if response.mimetype == DOCUMENTS:
        incoming = present()
        if incoming.query_string and "include" in incoming.args:
            return True
        return incoming.method == "GET" and incoming.endpoint not in AS_THEY_ARE
    return response.mimetype in PAGES
