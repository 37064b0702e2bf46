"""Pages and pictures by gzip: a table's Wi-Fi is slow, and both shrink to a fifth."""

from __future__ import annotations

import gzip

from flask import Response, request

TYPES = ("text/html", "image/svg+xml")
"""JSON stays as it is: its entity tags are versions, which a caller gives back as `If-Match`."""
SMALLEST = 1024
_LEVEL = 5


def pack(response: Response) -> Response:
    """Pack an answer where that is of use and the caller can unpack it."""
    if response.mimetype not in TYPES or response.is_streamed or "Content-Encoding" in response.headers:
        return response
    response.vary.add("Accept-Encoding")
    body = response.get_data()
    if len(body) >= SMALLEST and request.accept_encodings.quality("gzip") > 0:
        response.set_data(gzip.compress(body, _LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
        tag, is_weak = response.get_etag()
        if tag is not None and not is_weak:
            response.set_etag(tag, weak=True)
    return response
