"""Small HTTP things that several resources need: JSON answers, versions as ETags, idempotency keys."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Request, Response, current_app, request
from workers.queue import Queue

from api.problems import Problem, malformed
from engine.fold import Game
from schemas.events import rfc3339
from store import Store
from store.streams import IdempotencyKey

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


def answer(document: Any, status: int = 200, **headers: str) -> Response:
    """A JSON answer. Keyword arguments are headers, `_` for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(msgspec.json.encode(document), status=status, headers=named, content_type="application/json")


def etag(version: int) -> str:
    """A version as an entity tag."""
    return f'"{version}"'


def versioned(document: Any, version: int, **headers: str) -> Response:
    """A JSON answer whose ETag is a version; 304 where the caller has it already."""
    if request.if_none_match.contains_weak(str(version)):
        return Response(status=304, headers={"ETag": etag(version)})
    return answer(document, ETag=etag(version), **headers)


def if_match() -> set[str] | None:
    """The versions that `If-Match` names; None where anything will do.

    Weak tags are no match (RFC 9110, 13.1.1).
    """
    header = request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    tags = request.if_match.as_set()
    if not tags and "W/" not in header:
        raise malformed("/If-Match", 'a version as a quoted string, such as "42"')
    return set(tags)


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
