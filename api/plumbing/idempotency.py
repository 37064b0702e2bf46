"""Idempotency keys: a `POST` with an `Idempotency-Key` is carried out once, and repeats get the first response.

Appends, new games and jobs store their keys with their results. Every other response is kept for a day. A response may
contain a secret, such as a new token, so it is encrypted. The encryption key is derived from the caller's credential,
the idempotency key and the request. The store has none of these, so only the same request can read the response.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import msgspec
from cryptography.fernet import Fernet, InvalidToken
from flask import Response, current_app, g, request

from api.plumbing.access import credential
from api.plumbing.problems import RETRY_AFTER, Problem, malformed_request
from engine.core.language import say
from schemas.drafts import parse
from store import Store
from store.errors import Corrupt, KeyReused, StoreError
from store.log.idempotency import IdempotencyKey

HEADER = "Idempotency-Key"
REPLAYED = {"Idempotent-Replayed": "true"}
"""The header of a response to a repeated request."""
_KEY = re.compile(r'"([\x20-\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x5b\x5d-\x7e]{1,255})')


class _StoredResponse(msgspec.Struct, array_like=True):
    status: int
    headers: list[tuple[str, str]]
    body: bytes


def idempotency_key(body: Any, *earlier: Any) -> IdempotencyKey | None:
    """Return the idempotency key, bound to the request and the caller; None if the request has no key.

    Args:
        earlier: the body in the forms that earlier versions of Driftlog hashed.
    """
    header = request.headers.get(HEADER)
    if header is None:
        return None
    match = _KEY.fullmatch(header.strip())
    if match is None:
        raise malformed_request(f"/{HEADER}", "must be 1 to 255 printable ASCII characters, quoted or bare")
    digest, *others = map(_body_digest, (body, *earlier))
    who = g.get("caller")
    key, owner = match[1] or match[2], None if who is None else who.token
    return IdempotencyKey(key if owner is None else f"{owner}\0{key}", digest, tuple(others))


def _body_digest(body: Any) -> bytes:
    return hashlib.sha256(request.path.encode() + b"\0" + msgspec.json.encode(body, order="sorted")).digest()


def once(view: Callable[..., Any], *, is_pure: bool) -> Callable[..., Any]:
    """Wrap a view so that repeated requests get the first response.

    Args:
        is_pure: True if the view always returns the same response. A repeat then runs the view again, and no response
            is stored.
    """

    @functools.wraps(view)
    def run_once(*args: Any, **parts: Any) -> Any:
        key = idempotency_key([_body(), request.args.to_dict()]) if HEADER in request.headers else None
        if key is None:
            return view(*args, **parts)
        if is_pure:
            response = current_app.make_response(view(*args, **parts))
            response.headers.update(register_key(key))
            return response
        store: Store = current_app.extensions["store"]
        if "game_id" in parts:
            # After the game is deleted, its stored responses must not be returned.
            store.events.head(parts["game_id"])
        kept = store.answers.claim(key)
        if kept is not None:
            return _unseal(key, kept)
        try:
            response = current_app.make_response(view(*args, **parts))
            store.answers.keep(key, _seal(key, response))
        except Exception:
            with suppress(StoreError):
                store.answers.release(key)
            raise
        return response

    return run_once


def register_key(key: IdempotencyKey | None) -> Mapping[str, str]:
    """Register the key of a request whose response is computed anew for each repeat. Return the header for repeats.

    Raises:
        KeyReused: the key was already used for a different request.
    """
    if key is None:
        return {}
    store: Store = current_app.extensions["store"]
    is_replay = store.answers.claim(key) is not None
    store.answers.keep(key, b"")
    return REPLAYED if is_replay else {}


def _body() -> Any:
    """Return the body for the digest: parsed if it is JSON, otherwise its bytes."""
    sent = request.get_data()
    if request.mimetype == "application/json":
        with suppress(Exception):
            return parse(sent)
    return hashlib.sha256(sent).hexdigest()


def _seal(key: IdempotencyKey, response: Response) -> bytes:
    kept = _StoredResponse(response.status_code, list(response.headers), response.get_data())
    return _cipher(key).encrypt(msgspec.msgpack.encode(kept))


def _unseal(key: IdempotencyKey, sealed: bytes) -> Response:
    if not sealed:
        detail = say("A request with this Idempotency-Key is still being processed. Try again in a moment.")
        raise Problem("request-in-progress", detail, headers={"Retry-After": RETRY_AFTER})
    if not _is_whole(sealed):
        raise Corrupt("the stored response to a request is incomplete")
    try:
        kept = msgspec.msgpack.decode(_cipher(key).decrypt(sealed), type=_StoredResponse)
    except InvalidToken:
        raise KeyReused from None
    return Response(kept.body, kept.status, [*kept.headers, *REPLAYED.items()])


def _is_whole(sealed: bytes) -> bool:
    """Return True if a Fernet token can have this length. A token, decoded, has 57 bytes plus a multiple of 16."""
    size = len(sealed) * 3 // 4 - sealed.count(b"=")
    return len(sealed) % 4 == 0 and size >= 57 and (size - 57) % 16 == 0


def _cipher(key: IdempotencyKey) -> Fernet:
    parts = (b"driftlog answer", credential().encode(), key.key.encode(), key.digest)
    digest = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).digest()
    return Fernet(base64.urlsafe_b64encode(digest))
