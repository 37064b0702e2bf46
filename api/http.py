"""Small HTTP things that several resources need: JSON answers, versions as ETags, idempotency keys."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import flask_smorest
import msgspec
from flask import Request, Response, current_app, request
from webargs.flaskparser import FlaskParser

from api.packing import PACKED
from api.problems import Problem, malformed
from engine.fold import Game
from schemas.events import parse, rfc3339
from store import Store
from store.streams import IdempotencyKey
from workers.queue import Queue


class _Parser(FlaskParser):
    """Refuses what a schema does not know, in a query as in a body: a misspelt filter is no filter."""

    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {"json": None, "query": None}

    def _raw_load_json(self, req: Request) -> Any:
        """The body by the app's own JSON, not by webargs', which takes NaN."""
        require_media_type(req, "application/json")
        return parse(req.get_data())


class Blueprint(flask_smorest.Blueprint):
    """flask-smorest's blueprint, strict in what it takes."""

    ARGUMENTS_PARSER = _Parser()


_KEY = re.compile(r'"([\x20-\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x5b\x5d-\x7e]{1,255})')


def store() -> Store:
    """The app's store."""
    found: Store = current_app.extensions["store"]
    return found


def queue() -> Queue:
    """The app's job queue."""
    found: Queue = current_app.extensions["queue"]
    return found


def now() -> str:
    """This moment, as events tell it."""
    return rfc3339(datetime.now(UTC))


def answer(document: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer."""
    return Response(msgspec.json.encode(document), status=status, headers=headers, content_type="application/json")


def etag(version: int | str) -> str:
    """A version as an entity tag."""
    return f'"{version}"'


def versioned(document: Any, version: int | str) -> Response:
    """A JSON answer whose ETag is a version; 304 where the caller has it already."""
    for tag in (str(version), f"{version}{PACKED}"):
        if request.if_none_match.contains_weak(tag):
            return Response(status=304, headers={"ETag": etag(tag)})
    return answer(document, headers={"ETag": etag(version)})


def if_match() -> set[str] | None:
    """The versions that `If-Match` names; None where anything will do.

    Weak tags are no match (RFC 9110, 13.1.1).
    """
    header = request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    return {tag.removesuffix(PACKED) for tag in request.if_match.as_set()}


def idempotency_key(body: Any) -> IdempotencyKey | None:
    """The caller's key, bound to what it asks for; None where it sent none."""
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    match = _KEY.fullmatch(header.strip())
    if match is None:
        raise malformed("/Idempotency-Key", "1 to 255 printable ASCII characters, quoted or bare")
    digest = hashlib.sha256(request.path.encode() + b"\0" + msgspec.json.encode(body, order="sorted")).digest()
    return IdempotencyKey(match[1] or match[2], digest)


def next_page(**changed: str | int) -> dict[str, str]:
    """The header that points to the next page of this list (RFC 8288)."""
    query = urlencode({**request.args.to_dict(), **changed})
    return {"Link": f'<{request.path}?{query}>; rel="next"'}


def position(game: Game) -> dict[str, Any]:
    """Where a game stands, as every answer that tells of a version says it."""
    return {
        "version": game.version,
        "turn": game.turn,
        "phase": game.phase,
        "awaiting": game.awaiting,
        "outcome": game.outcome,
    }


def require_media_type(incoming: Request, *accepted: str) -> None:
    """415 unless the body is of one of those types."""
    if incoming.mimetype not in accepted:
        raise Problem(
            "unsupported-media-type",
            f"The body has to be {' or '.join(accepted)}.",
            headers={"Accept-Post": ", ".join(accepted)},
        )
