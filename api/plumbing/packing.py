"""Pages, pictures and long documents by gzip: a table's Wi-Fi is slow, and they shrink to a fifth.

An entity tag names one form of an answer, so a packed document has one of its own: the version and `PACKED`. It can be
given back as it is, as `If-Match` too.
"""

from __future__ import annotations

import gzip

from flask import Response, request

from api.plumbing.present import present

PAGES = ("text/html", "image/svg+xml")
DOCUMENTS = "application/json"
AS_THEY_ARE = frozenset({"games.OneGame", "states.States"})
"""The documents whose entity tag is promised to be the version."""
PACKED = "-gzip"
"""What the entity tag of a packed document ends in."""
SMALLEST = 1024
LEVEL = 5


def pack(response: Response) -> Response:
    """Pack an answer where that is of use and the caller can unpack it."""
    if not _is_packable(response) or response.is_streamed or "Content-Encoding" in response.headers:
        return response
    response.vary.add("Accept-Encoding")
    body = response.get_data()
    if len(body) >= SMALLEST and request.accept_encodings.quality("gzip") > 0:
        response.set_data(gzip.compress(body, LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
        if request.method != "GET":
            # The tag is that of the game.
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
        is_long = incoming.method == "GET" or (bool(incoming.query_string) and "include" in incoming.args)
        return is_long and incoming.endpoint not in AS_THEY_ARE
    return response.mimetype in PAGES
