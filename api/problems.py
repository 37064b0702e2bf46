"""Problem documents (RFC 9457): one table from what went wrong to what the caller is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from flask import Flask, Response, current_app, url_for
from werkzeug.exceptions import HTTPException

from engine import errors
from engine.beliefs import MixedPoint
from engine.chance import ChancePoint
from engine.ruleset import Ruleset
from schemas.events import Unparsable
from store import errors as store_errors


class Kind(msgspec.Struct, frozen=True):
    """A kind of problem: its page is `/problems/<slug>`."""

    slug: str
    status: int
    title: str
    explanation: str


KINDS = {
    kind.slug: kind
    for kind in (
        Kind(
            "malformed",
            400,
            "This cannot be read",
            "The body is not JSON, or a query parameter or header does not have its form. `errors` says where.",
        ),
        Kind("not-found", 404, "There is no such thing", "Nothing lives at this address."),
        Kind("method-not-allowed", 405, "That cannot be done here", "`Allow` lists the methods of this address."),
        Kind("not-acceptable", 406, "Not in that form", "The answer has none of the media types that `Accept` names."),
        Kind("content-too-large", 413, "Too large", "The body is larger than this service takes."),
        Kind("unsupported-media-type", 415, "Not in that form", "The body has a media type that is not taken here."),
        Kind(
            "too-many-streams",
            429,
            "Too many listeners",
            "This service holds as many live streams as it can. `Retry-After` says when to come back.",
        ),
        Kind("game-over", 409, "The game has ended", "Nothing can be appended any more. `outcome` says how it ended."),
        Kind(
            "not-a-prefix",
            409,
            "The record does not begin with that",
            "The head that was named is no beginning of this record, whose last event is `version`. If it was signed "
            "by this service, the record was rewritten since: keep the proof of it.",
        ),
        Kind(
            "version-conflict",
            412,
            "The game has moved on",
            "`If-Match` names another version than the game's last. `version` is that one: read on from yours.",
        ),
        Kind("invalid", 422, "This does not fit", "The body does not fit its schema. `errors` says where."),
        Kind(
            "illegal-action",
            422,
            "The rules forbid this now",
            "`rule` is the rulebook's heading, `message` the reason; `index` the place in a list.",
        ),
        Kind(
            "outcome-required",
            422,
            "What came up?",
            "The rules ask chance here, and the table has to say what came up: `chance` lists all that can.",
        ),
        Kind(
            "impossible-outcome",
            422,
            "That cannot have come up",
            "`given` was reported where only what `chance` lists can come up. Look at the table again.",
        ),
        Kind(
            "idempotency-key-reused",
            422,
            "This key was used for something else",
            "The Idempotency-Key came with another body before. A new request needs a new key.",
        ),
        Kind(
            "too-many-shares",
            422,
            "Too many links",
            "The game has as many share links as a game may have. Withdraw one that nobody needs.",
        ),
        Kind(
            "log-does-not-verify",
            422,
            "The log does not verify",
            "The log breaks its chain or the rules. `seq` is the first event that fails, `reason` says why.",
        ),
        Kind(
            "store-unavailable",
            503,
            "The store does not answer",
            "Nothing was answered as done. Repeat the request, with the same Idempotency-Key, after `Retry-After`.",
        ),
        Kind("not-ready", 503, "Not ready", "The store or the workers cannot be reached; `detail` says which."),
        Kind("internal-error", 500, "Something broke", "This is a fault of the service. Nothing was answered as done."),
    )
}

_BY_STATUS = {kind.status: kind for kind in reversed(KINDS.values()) if kind.status < 500 and kind.status != 422}
MEDIA_TYPE = "application/problem+json"
RETRY_AFTER = "2"


class Problem(Exception):
    """An answer that is a problem document."""

    def __init__(self, slug: str, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any) -> None:
        super().__init__(detail)
        self.kind = KINDS[slug]
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = members


def malformed(pointer: str, message: str) -> Problem:
    """400: a query parameter, a header or the whole body cannot be read."""
    return Problem("malformed", message, errors=[{"pointer": pointer, "message": message}])


def invalid(pointer: str, message: str) -> Problem:
    """422: the body does not fit its schema."""
    where = f"{pointer}: " if pointer else ""
    return Problem("invalid", f"{where}{message}", errors=[{"pointer": pointer, "message": message}])


def not_found(what: str) -> Problem:
    """404."""
    return Problem("not-found", f"There is no {what}.")


def chance_document(point: ChancePoint, ruleset: Ruleset[Any, Any]) -> dict[str, Any]:
    """A chance point as the API shows it: all that can come up, each with its label and probability; and with
    its number, where the cards are known.
    """
    counts = {} if isinstance(point, MixedPoint) else Counter(point.options)
    outcomes = [
        {
            "value": value,
            "label": ruleset.value_label(value),
            **({"count": counts[value]} if counts else {}),
            "p": float(p),
        }
        for value, p in point.probabilities().items()
    ]
    return {"name": point.name, "position": point.position, "outcomes": outcomes}


def from_engine(error: errors.EngineError, ruleset: Ruleset[Any, Any] | None = None) -> Problem:
    """The problem that an engine error is; `ruleset` puts names to chance's outcomes."""
    where: dict[str, Any] = {} if error.index is None else {"index": error.index}
    match error:
        case errors.Malformed():
            prefix = "" if error.index is None else f"/{error.index}"
            problem = invalid(prefix + error.pointer, error.message)
            problem.members.update(where)
            return problem
        case errors.UnknownRuleset():
            return invalid("/ruleset", str(error))
        case errors.IllegalAction():
            return Problem(
                "illegal-action", str(error), rule=error.rule, message=error.message, **_more(error), **where
            )
        case errors.GameOver():
            return Problem("game-over", str(error), outcome=msgspec.to_builtins(error.outcome), **where)
        case errors.OutcomeRequired():
            assert ruleset is not None
            where |= {"look": error.look} if error.look else {}
            return Problem("outcome-required", str(error), chance=chance_document(error.point, ruleset), **where)
        case errors.ImpossibleOutcome():
            assert ruleset is not None
            chance = chance_document(error.point, ruleset)
            return Problem("impossible-outcome", str(error), chance=chance, given=error.given, **where)
        case errors.LogDoesNotVerify():
            return Problem("log-does-not-verify", str(error), seq=error.seq, reason=error.reason)
    # The rules ask chance only where `ruleset` is known; anything else is a fault of the service.
    raise error


def _more(error: errors.IllegalAction) -> dict[str, Any]:
    """What helps with an action that is refused."""
    match error:
        case errors.BreaksFollowers():
            return {"impact": msgspec.to_builtins(error.impact)}
        case errors.UnclearEffect():
            event = {"type": "adjust", "params": {"patch": [], "reason": error.message}}
            return {"instead": {"message": error.instead, "event": event}}
        case errors.Undetermined():
            return {"look": error.look}
    return {}


def from_store(error: store_errors.StoreError) -> Problem:
    """The problem that a store error is."""
    match error:
        case store_errors.UnknownGame():
            return not_found("such game")
        case store_errors.VersionConflict():
            return Problem("version-conflict", f"The game is at version {error.version}.", version=error.version)
        case store_errors.KeyReused():
            return Problem("idempotency-key-reused", "This Idempotency-Key came with another body before.")
        case store_errors.BadCursor():
            return malformed("/cursor", "not a cursor of this list")
        case store_errors.StoreUnavailable():
            return Problem("store-unavailable", "The store does not answer.", headers={"Retry-After": RETRY_AFTER})
    raise error


def validation_errors(messages: Any, pointer: str = "") -> Iterator[dict[str, str]]:
    """The nested messages of marshmallow as a flat list of pointers and messages."""
    if isinstance(messages, dict):
        for key, nested in messages.items():
            # marshmallow tells of the keys and values of a Dict field one level deeper than they stand.
            inner = pointer if key in {"_schema", "value", "key"} else f"{pointer}/{key}"
            yield from validation_errors(nested, inner)
    else:
        for message in messages if isinstance(messages, list) else [messages]:
            yield {"pointer": pointer, "message": str(message)}


def respond(problem: Problem) -> Response:
    """The HTTP answer."""
    kind = problem.kind
    document = {
        "type": url_for("problems.page", slug=kind.slug),
        "title": kind.title,
        "status": kind.status,
        "detail": problem.detail,
        **problem.members,
    }
    return Response(msgspec.json.encode(document), status=kind.status, headers=problem.headers, content_type=MEDIA_TYPE)


def register(app: Flask) -> None:
    """Answer every error of the app with a problem document."""
    app.register_error_handler(Exception, lambda error: respond(problem_of(error)))


def problem_of(error: Exception) -> Problem:
    """The problem that an error is; what is no caller's fault is logged."""
    try:
        match error:
            case Problem():
                return error
            case errors.EngineError():
                return from_engine(error)
            case store_errors.StoreError():
                return from_store(error)
            case Unparsable():
                return malformed("", f"This is not JSON: {error}")
            case HTTPException():
                return _from_http(error)
    except type(error):
        pass
    return _internal(error)


def _from_http(error: HTTPException) -> Problem:
    status = error.code or 500
    data = getattr(error, "data", None)
    if data and "messages" in data:
        # webargs: what marshmallow refused, by the place where it was looked for.
        ((location, messages),) = data["messages"].items()
        found = list(validation_errors(messages))
        slug = "invalid" if location == "json" and status == 422 else "malformed"
        first = found[0]
        return Problem(slug, f"{first['pointer'] or 'the body'}: {first['message']}", errors=found)
    kind = _BY_STATUS.get(status)
    if kind is None:
        return _internal(error)
    allow = getattr(error, "valid_methods", None)
    headers = {"Allow": ", ".join(sorted(allow))} if allow else {}
    return Problem(kind.slug, error.description or kind.explanation, headers=headers)


def _internal(error: Exception) -> Problem:
    current_app.logger.error("unhandled", exc_info=error)
    return Problem("internal-error", "The service failed to answer this.")
