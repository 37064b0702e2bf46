"""Responses that the server itself sends before the app runs: problem documents as bytes."""

from __future__ import annotations

import functools
from http import HTTPStatus

import msgspec
from gunicorn.http.errors import (
    ExpectationFailed,
    InvalidHTTPVersion,
    LimitRequestHeaders,
    LimitRequestLine,
    UnsupportedTransferCoding,
)

from api.plumbing.metrics import REFUSED, method
from api.plumbing.problem_kinds import KINDS
from api.plumbing.problems import LIMITED, MEDIA_TYPE
from cli.web import logs
from cli.web.connection import Connection
from cli.web.incoming import BodyTooLarge

_KINDS: tuple[tuple[type[Exception], str], ...] = (
    (BodyTooLarge, "content-too-large"),
    (LimitRequestLine, "uri-too-long"),
    (LimitRequestHeaders, "head-too-large"),
    (ExpectationFailed, "expectation-failed"),
    (UnsupportedTransferCoding, "coding-not-implemented"),
)


def refusal(
    connection: Connection,
    slug: str,
    *,
    retry_after: int | None = None,
    limit: int | None = None,
    closes: bool = True,
) -> bytes:
    """Count and log a rejected request. Return the bytes of the response: the head and the body.

    Args:
        slug: the problem.
        retry_after: seconds for `Retry-After`, if any.
        limit: the maximum bytes of this request's body, if it is too large.
        closes: True if the connection ends with this response.
    """
    REFUSED.labels(slug).inc()
    # A request with a too long body is refused while it arrives.
    request = connection.request or connection.incoming.long
    asked = None if request is None else method(request.method)
    request_id = logs.log_refusal(slug, KINDS[slug].status, connection.peer, asked)
    head, body = _answer(slug, retry_after, limit, closes=closes)
    head %= request_id.encode()
    # Do not send a body for HEAD, because the client would read it as the start of the next response.
    return head if asked == "HEAD" else head + body


@functools.cache
def _answer(slug: str, retry_after: int | None, limit: int | None, *, closes: bool) -> tuple[bytes, bytes]:
    kind = KINDS[slug]
    problem = {"type": f"/problems/{slug}", "title": kind.title, "status": kind.status, "detail": kind.explanation}
    if limit is not None:
        problem |= {"detail": LIMITED.format(limit=limit), "limit": limit}
    body = msgspec.json.encode(problem)
    lines = [
        f"HTTP/1.1 {kind.status} {HTTPStatus(kind.status).phrase}",
        "Server: gunicorn",
        f"Content-Type: {MEDIA_TYPE}",
        f"Content-Length: {len(body)}",
        "X-Content-Type-Options: nosniff",
        "X-Request-ID: %s",
        *([f"Retry-After: {retry_after}"] if retry_after else []),
        f"Connection: {'close' if closes else 'keep-alive'}",
    ]
    return "\r\n".join([*lines, "", ""]).encode(), body


def slug_of(error: Exception) -> str:
    """Return the slug of the problem for a request that cannot be read."""
    if isinstance(error, InvalidHTTPVersion) and isinstance(error.version, tuple):
        return "version-not-supported"
    return next((slug for type_, slug in _KINDS if isinstance(error, type_)), "bad-request")
