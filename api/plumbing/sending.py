"""How files leave: in parts where they are made already (RFC 9110, 14), and packed where they are made as they go."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Iterator, Mapping

from flask import Response, request, stream_with_context

from api.plumbing.http import etag
from api.plumbing.packing import LEVEL
from api.plumbing.problems import Problem
from store.work.files import File, Files

ASKS = ("Range", "If-Range")
"""The request headers that an answer in parts looks at."""
TELLS = ("Accept-Ranges", "Content-Range", "ETag")
"""The headers of it."""
_RANGE = re.compile(r"bytes\s*=\s*(?:(\d{1,18})\s*-\s*(\d{1,18})?|-\s*(\d{1,18}))\s*", re.ASCII | re.IGNORECASE)
_GZIP_WINDOW = 16 + zlib.MAX_WBITS
"""Tells zlib to write gzip."""


def in_parts(
    size: int, tag: str, read: Callable[[int, int], Iterator[bytes]], content_type: str, headers: Mapping[str, str]
) -> Response:
    """A file of `size` bytes, or the part of it that `Range` asks for; 304 where the caller has it already.

    A `Range` that is malformed, or names several parts or another unit, is not heeded.

    Args:
        tag: another one for every other content.
        read: the bytes from the first of these places up to the second, which is not among them.

    Raises:
        Problem: no byte of the file is in the part that is asked for.
    """
    headers = {**headers, "ETag": etag(tag), "Accept-Ranges": "bytes"}
    if request.if_none_match.contains_weak(tag):
        return Response(status=304, headers={name: headers[name] for name in headers if name in ("ETag", "Vary")})
    part = _asked(size, tag)
    if part is None:
        return Response(read(0, size), content_type=content_type, headers={**headers, "Content-Length": str(size)})
    first, end = part
    if first >= min(end, size):
        told = {"Content-Range": f"bytes */{size}"}
        raise Problem("range-not-satisfiable", f"The file has {size} bytes, from 0 on.", headers=told)
    headers |= {"Content-Range": f"bytes {first}-{end - 1}/{size}", "Content-Length": str(end - first)}
    return Response(read(first, end), 206, content_type=content_type, headers=headers)


def kept(files: Files, name: str, file: File, content_type: str, headers: Mapping[str, str]) -> Response:
    """The same, of a file that a worker made."""
    return in_parts(
        file.size, file.attempt, lambda first, end: files.read(name, file, first, end), content_type, headers
    )


def packed(made: bytes | Iterator[bytes], content_type: str, headers: Mapping[str, str]) -> Response:
    """A text, or one that is sent as it is made: by gzip where the caller can unpack it."""
    response = Response(content_type=content_type, headers=headers)
    response.vary.add("Accept-Encoding")
    is_packed = request.accept_encodings.quality("gzip") > 0
    if is_packed:
        response.headers["Content-Encoding"] = "gzip"
    if isinstance(made, bytes):
        response.set_data(gzip.compress(made, LEVEL, mtime=0) if is_packed else made)
    else:
        response.response = stream_with_context(_gzipped(made) if is_packed else made)
    return response


def _gzipped(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """What there is never waits for the rest."""
    packer = zlib.compressobj(LEVEL, wbits=_GZIP_WINDOW)
    for chunk in chunks:
        yield packer.compress(chunk) + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()


def _asked(size: int, tag: str) -> tuple[int, int] | None:
    """The part that is asked for: its first byte, and the one after its last; None where all is."""
    match = _RANGE.fullmatch(request.headers.get("Range", "").strip())
    if match is None or request.method != "GET":
        return None
    condition = request.headers.get("If-Range")
    # A time is none that can be compared: the file says none. Weak tags are no match (RFC 9110, 13.1.5).
    if condition is not None and condition.strip() != etag(tag):
        return None
    first, last, suffix = match.groups()
    if suffix is not None:
        return max(0, size - int(suffix)), size
    if last is not None and int(last) < int(first):
        return None
    return int(first), size if last is None else min(size, int(last) + 1)
