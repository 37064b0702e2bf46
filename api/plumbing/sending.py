"""Send files: stored files completely or in ranges (RFC 9110, 14), and generated files compressed."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Mapping

from flask import Response, request, stream_with_context

from api.plumbing.http import etag
from api.plumbing.packing import LEVEL, compress
from api.plumbing.problems import Problem
from store.work.files import Files, PublishedFile

ASKS = ("Range", "If-Range")
"""The request headers for partial responses."""
TELLS = ("Accept-Ranges", "Content-Range", "ETag")
"""The response headers of partial responses."""
_RANGE = re.compile(r"bytes\s*=\s*(?:(\d{1,18})\s*-\s*(\d{1,18})?|-\s*(\d{1,18}))\s*", re.ASCII | re.IGNORECASE)
_GZIP_WINDOW = 16 + zlib.MAX_WBITS
"""Makes zlib write gzip."""


def in_parts(
    size: int, tag: str, read: Callable[[int, int], Iterator[bytes]], content_type: str, headers: Mapping[str, str]
) -> Response:
    """Return a file of `size` bytes, or the part that `Range` requests; 304 if the caller has the same file.

    A malformed `Range` is ignored, and so is one with several ranges or another unit than bytes.

    Args:
        tag: unique for each content.
        read: returns the bytes from a start (inclusive) to an end (exclusive).
    """
    headers = {**headers, "ETag": etag(tag), "Accept-Ranges": "bytes"}
    if request.if_none_match.contains_weak(tag):
        return Response(status=304, headers={name: headers[name] for name in headers if name in ("ETag", "Vary")})
    part = _requested_range(size, tag)
    if part is None:
        return Response(read(0, size), content_type=content_type, headers={**headers, "Content-Length": str(size)})
    first, end = part
    if first >= min(end, size):
        told = {"Content-Range": f"bytes */{size}"}
        raise Problem(
            "range-not-satisfiable", f"The requested range is outside the file, which has {size} bytes.", headers=told
        )
    headers |= {"Content-Range": f"bytes {first}-{end - 1}/{size}", "Content-Length": str(end - first)}
    return Response(read(first, end), 206, content_type=content_type, headers=headers)


def stored_response(
    files: Files, name: str, file: PublishedFile, content_type: str, headers: Mapping[str, str]
) -> Response:
    """Return a file that a worker wrote, or the part that `Range` requests, like `in_parts`."""
    return in_parts(
        file.size, file.attempt, lambda first, end: files.read(name, file, first, end), content_type, headers
    )


def compressed_response(made: bytes | Iterator[bytes], content_type: str, headers: Mapping[str, str]) -> Response:
    """Return a text or a stream, compressed with gzip if the caller accepts it."""
    response = Response(content_type=content_type, headers=headers)
    response.vary.add("Accept-Encoding")
    is_packed = request.accept_encodings.quality("gzip") > 0
    if is_packed:
        response.headers["Content-Encoding"] = "gzip"
    if isinstance(made, bytes):
        response.set_data(compress(made, "gzip") if is_packed else made)
    else:
        response.response = stream_with_context(_gzip(made) if is_packed else made)
    return response


def _gzip(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the chunks compressed. Flush each chunk, so that available data never waits for the rest."""
    packer = zlib.compressobj(LEVEL, wbits=_GZIP_WINDOW)
    for chunk in chunks:
        yield packer.compress(chunk) + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()


def _requested_range(size: int, tag: str) -> tuple[int, int] | None:
    """Return the requested range as its first byte and the byte after its end; None for the whole file."""
    match = _RANGE.fullmatch(request.headers.get("Range", "").strip())
    if match is None or request.method != "GET":
        return None
    condition = request.headers.get("If-Range")
    # Only a strong tag can match: the file has no time, and weak tags never match (RFC 9110, 13.1.5).
    if condition is not None and condition.strip() != etag(tag):
        return None
    first, last, suffix = match.groups()
    if suffix is not None:
        return max(0, size - int(suffix)), size
    if last is not None and int(last) < int(first):
        return None
    return int(first), size if last is None else min(size, int(last) + 1)
