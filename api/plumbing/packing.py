"""Compress pages, pictures and long documents to a fifth of their size, because Wi-Fi at a table is slow.

Browsers accept gzip everywhere, but Brotli only over HTTPS or from this machine.

A compressed document has an entity tag of its own: the version with a suffix from `PACKED`. Clients can send this tag
unchanged, also in `If-Match`.
"""

from __future__ import annotations

import gzip

import brotli
from flask import Response, request

from api.plumbing.current_request import present

PAGES = ("text/html", "image/svg+xml")
DOCUMENTS = "application/json"
AS_THEY_ARE = frozenset({"games.OneGame", "states.States"})
"""Endpoints whose entity tag must be exactly the version, unless the document has included members."""
ENCODINGS = ("br", "gzip")
"""The content codings, the best one first."""
PACKED = tuple(f"-{encoding}" for encoding in ENCODINGS)
"""Suffixes of the entity tags of compressed documents."""
SMALLEST = 1024
LEVEL = 5


def accepted_coding() -> str | None:
    """Return the best content coding that the caller accepts; None if there is none."""
    return next((one for one in ENCODINGS if request.accept_encodings.quality(one) > 0), None)


def compress(body: bytes, encoding: str, *, is_kept: bool = False) -> bytes:
    """Compress a body. If the result is kept, take the time to make it as small as possible."""
    if encoding == "br":
        packed: bytes = brotli.compress(body, quality=11 if is_kept else LEVEL)
        return packed
    return gzip.compress(body, 9 if is_kept else LEVEL, mtime=0)


def pack(response: Response) -> Response:
    """Compress a response if the caller accepts that and it makes the response smaller."""
    if not _is_packable(response) or response.is_streamed or "Content-Encoding" in response.headers:
        return response
    response.vary.add("Accept-Encoding")
    body = response.get_data()
    encoding = accepted_coding()
    if len(body) >= SMALLEST and encoding is not None:
        response.set_data(compress(body, encoding))
        response.headers["Content-Encoding"] = encoding
        if request.method != "GET":
            # The entity tag is the game's version, so leave the response unchanged.
            return response
        tag, is_weak = response.get_etag()
        if tag is not None and not is_weak:
            if response.mimetype == DOCUMENTS:
                response.set_etag(f"{tag}-{encoding}")
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
