"""Convert an error in a request to a problem. If a damaged log or a deletion may be the cause, report that instead."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from flask import Flask, current_app, g, request
from werkzeug.exceptions import HTTPException, NotFound, RequestEntityTooLarge

from api.plumbing.problem_kinds import KINDS
from api.plumbing.problems import (
    GAMES,
    LIMITED,
    Problem,
    from_engine,
    from_service,
    from_store,
    invalid,
    malformed_request,
    respond,
)
from engine.core import errors
from engine.core.language import say
from exports import Unsuitable
from schemas.drafts import Unparsable
from service import errors as service_errors
from service.logs import signed_deletion
from store import errors as store_errors

_BY_STATUS = {kind.status: kind for kind in reversed(KINDS.values()) if kind.status < 500 and kind.status != 422}
_READING = frozenset({"GET", "HEAD"})
MOST_ERRORS = 100
"""Maximum number of errors reported for a body."""


def _gone_problem(error: store_errors.GameDeleted) -> Problem:
    at = error.at[:16].replace("T", " ")
    proof: dict[str, Any] = {}
    with suppress(store_errors.StoreError):
        # If the signing key is damaged, the game is still deleted.
        proof["proof"] = signed_deletion(current_app.extensions["store"], error)
    return Problem(
        "gone",
        say(
            "The game was deleted at {at} (UTC). Its last event was {event}, with the hash {hash}.",
            at=at,
            event=error.version,
            hash=error.head,
        ),
        version=error.version,
        head=error.head,
        deleted_at=error.at,
        **proof,
    )


def validation_errors(messages: Any, pointer: str = "") -> Iterator[dict[str, str]]:
    """Flatten marshmallow's nested messages to pointers and messages."""
    if isinstance(messages, dict):
        for key, nested in messages.items():
            # marshmallow reports the keys and values of a Dict field one level too deep.
            inner = pointer if key in {"_schema", "value", "key"} else f"{pointer}/{key}"
            yield from validation_errors(nested, inner)
    elif isinstance(messages, list):
        for message in messages:
            yield from validation_errors(message, pointer)
    else:
        yield {"pointer": pointer, "message": str(messages)}


def register(app: Flask) -> None:
    """Make the app respond to every error with a problem document."""
    app.register_error_handler(Exception, lambda error: respond(problem_of(error)))


def problem_of(error: Exception) -> Problem:
    """Convert any error to a problem. Log the error, unless the caller caused it."""
    error = _of_a_game(error)
    problem = _of_the_record(error)
    if problem is not None:
        return problem
    try:
        match error:
            case Problem():
                return error
            case errors.EngineError():
                return from_engine(error)
            case service_errors.ServiceError():
                return from_service(error)
            case store_errors.StoreError():
                problem = from_store(error)
                if problem.kind.status == HTTPStatus.INTERNAL_SERVER_ERROR:
                    _log_error("the store is at fault", error)
                return problem
            case Unparsable():
                return malformed_request("", f"The body is not valid JSON: {error}")
            case HTTPException():
                return _from_http(error)
    except type(error):
        pass
    return _internal(error)


def _log_error(what: str, error: Exception) -> None:
    """Log an internal error with its route, not its address, which may contain a token."""
    rule = request.url_rule
    facts = {"method": request.method, "route": None if rule is None else rule.rule, "seq": getattr(error, "seq", None)}
    current_app.logger.error(what, exc_info=error, extra=facts)


def _of_a_game(error: Exception) -> Exception:
    """Convert missing rules of a stored game to a `LacksRuleset`, because the caller did not cause this error."""
    if isinstance(error, Unsuitable):
        return invalid(error.pointer, error.message)
    if isinstance(error, errors.UnknownRuleset) and GAMES & (request.view_args or {}).keys():
        return store_errors.LacksRuleset(error.ruleset, error.version)
    return error


def _of_the_record(error: Exception) -> Problem | None:
    """Return a problem if the requested game is deleted or damaged, which may have caused the error; otherwise None."""
    deletion = _deletion(error)
    if deletion is not None:
        return _gone_problem(deletion)
    damage = _damage(error)
    if damage is None and isinstance(error, store_errors.Damaged):
        damage = error
    if damage is None:
        return None
    _log_error("the record is damaged", damage)
    for game_id in _games():
        current_app.extensions["store"].watch.suspect(game_id)
    return from_store(damage)


def _deletion(error: Exception) -> store_errors.GameDeleted | None:
    """Return the deletion of the requested game, if it may have caused the error; otherwise None.

    Lookups in a deleted game find nothing, and a read of the log may stop before the end.
    """
    match error:
        case store_errors.GameDeleted():
            return error
        case store_errors.UnknownGame() | store_errors.Corrupt() | NotFound():
            pass
        case Problem() if error.kind.status == HTTPStatus.NOT_FOUND:
            pass
        case _:
            return None
    with suppress(store_errors.StoreError):
        for game_id in _games():
            tombstone: store_errors.GameDeleted | None = current_app.extensions["store"].events.tombstone(game_id)
            if tombstone is not None:
                return tombstone
    return None


def _games() -> list[str]:
    """Return the ids of the games in the address. If the caller is unknown, return none, to reveal no game."""
    if g.get("caller") is None:
        return []
    return [value for name, value in (request.view_args or {}).items() if name in GAMES]


def _damage(error: Exception) -> store_errors.Damaged | None:
    """Return the damage of the requested record, if it may have caused the error; otherwise None.

    Code that reads a damaged log can fail anywhere. Such an error must not look like a rejected request.
    """
    match error:
        case store_errors.Corrupt() if getattr(error, "seq", None) is None:
            # The record is damaged, but at an unknown event.
            pass
        case Problem() | errors.TooMuchWork() | store_errors.StoreError() | HTTPException() | Unparsable():
            return None
        case errors.EngineError() if error.seq is None and request.method not in _READING:
            return None
    try:
        for game_id in _games():
            current_app.extensions["store"].games.check(game_id)
    except store_errors.Damaged as damage:
        return damage
    except store_errors.StoreError:
        return None
    except Exception:
        current_app.logger.exception("looking for damage")
    return None


def _from_http(error: HTTPException) -> Problem:
    status = error.code or 500
    data = getattr(error, "data", None)
    if data and "messages" in data:
        # webargs adds the location to marshmallow's messages.
        ((location, messages),) = data["messages"].items()
        found = list(itertools.islice(validation_errors(messages), MOST_ERRORS))
        slug = "invalid" if location == "json" and status == 422 else "malformed"
        first = found[0]
        return Problem(slug, f"{first['pointer'] or 'the body'}: {first['message']}", errors=found)
    kind = _BY_STATUS.get(status)
    if kind is None:
        return _internal(error)
    if isinstance(error, RequestEntityTooLarge):
        limit = request.max_content_length
        return Problem(kind.slug, say(LIMITED, limit=limit), limit=limit)
    allow = getattr(error, "valid_methods", None)
    headers = {"Allow": ", ".join(sorted(allow))} if allow else {}
    said = None if error.description == type(error).description else error.description
    return Problem(kind.slug, said or kind.explanation, headers=headers)


def _internal(error: Exception) -> Problem:
    _log_error("unhandled", error)
    return Problem(
        "internal-error", "The service failed unexpectedly. Report the request id (`X-Request-ID`) to the operator."
    )
