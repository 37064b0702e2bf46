"""Problem documents (RFC 9457), and the conversion of errors to problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Response, g

from api.plumbing.problem_kinds import KINDS
from engine.core import errors
from engine.core.events import Draft
from engine.core.language import marked, say
from engine.kit.presentation import AnyPresentation
from service import errors as service_errors
from service.chance import chance_document
from store import errors as store_errors

GAMES = frozenset({"game_id", "other_id"})
"""The names of the path parameters that contain a game id."""
MEDIA_TYPE = "application/problem+json"
LIMITED = marked("The body of this request is too large. Send at most {limit} bytes.")
RETRY_AFTER = "2"
_QUOTAS = {
    "games": marked(
        "Quota reached: {used} of {limit} games on this service. Delete games, or ask the operator for a higher limit."
    ),
    "games_per_token": marked(
        "Quota reached: {used} of {limit} games opened with this token. "
        "Delete games, or ask the operator for a higher limit."
    ),
    "events": marked("Quota reached: {used} of {limit} events in this game. Ask the operator for a higher limit."),
    "bytes": marked(
        "Quota reached: {used} of {limit} bytes of events in this game. Ask the operator for a higher limit."
    ),
    "plays": marked(
        "Quota reached: {used} of {limit} logged plays on this service. "
        "Remove some, or ask the operator for a higher limit."
    ),
}
RETRY_LATER = "30"
"""Value of `Retry-After`, in seconds, if a worker must act first."""


class Problem(Exception):
    """An error whose response is a problem document."""

    def __init__(self, slug: str, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any) -> None:
        super().__init__(detail)
        self.kind = KINDS[slug]
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = members


def malformed_request(pointer: str, message: str) -> Problem:
    """Return the problem 400: a query parameter, a header or the whole body is malformed."""
    return Problem("malformed", message, errors=[{"pointer": pointer, "message": message}])


def invalid(pointer: str, message: str) -> Problem:
    """Return the problem 422: the body does not match its schema."""
    where = f"{pointer}: " if pointer else ""
    return Problem("invalid", f"{where}{message}", errors=[{"pointer": pointer, "message": message}])


def not_found(what: str) -> Problem:
    """Return the problem 404."""
    return Problem("not-found", say("There is no {what}.", what=say(what)))


def from_engine(error: errors.EngineError, ruleset: AnyPresentation | None = None) -> Problem:
    """Convert an engine error to a problem; `ruleset` gives the labels of possible results."""
    where: dict[str, Any] = {} if error.index is None else {"index": error.index}
    match error:
        case errors.Malformed():
            prefix = "" if error.index is None else f"/{error.index}"
            problem = invalid(prefix + error.pointer, error.message)
            problem.members.update(where)
            return problem
        case errors.UnknownRuleset():
            return invalid("/ruleset", str(error))
        case errors.UnsoundTable():
            told = {"violations": msgspec.to_builtins(error.violations)}
            told |= {"instead": list(error.instead)} if error.instead else {}
            return Problem("unsound-table", error.violations[0].message, **told, **where)
        case errors.IllegalAction():
            where |= _explanations(error)
            return Problem(
                "illegal-action", str(error), rule=error.rule, message=error.message, **_more(error), **where
            )
        case errors.GameOver():
            where |= _explanations(error)
            said = str(error) if ruleset is None else ruleset.account(error)
            return Problem("game-over", said, outcome=msgspec.to_builtins(error.outcome), **where)
        case errors.OutcomeRequired():
            assert ruleset is not None
            where |= {"look": error.hints} if error.hints else {}
            return Problem(
                "outcome-required",
                ruleset.account(error),
                chance=chance_document(error.point, ruleset),
                **where,
            )
        case errors.ImpossibleOutcome():
            assert ruleset is not None
            chance = chance_document(error.point, ruleset)
            where |= _explanations(error)
            return Problem("impossible-outcome", ruleset.account(error), chance=chance, given=error.given, **where)
        case errors.TooMuchWork():
            return Problem("too-much-work", str(error), **where)
        case errors.LogDoesNotVerify():
            return Problem("log-does-not-verify", str(error), seq=error.seq, reason=error.reason)
    # Without a known `ruleset`, a missing result is an internal error.
    raise error


def _explanations(error: errors.EngineError) -> dict[str, Any]:
    if error.explanations is None:
        return {}
    return {
        "explanations": [
            {"kind": one.kind, "seat": one.seat, "message": one.message, "events": list(map(_as_sent, one.drafts))}
            for one in error.explanations
        ]
    }


def _as_sent(draft: Draft) -> dict[str, Any]:
    document: dict[str, Any] = msgspec.to_builtins(draft)
    return {name: value for name, value in document.items() if value not in (None, (), [])}


def _more(error: errors.IllegalAction) -> dict[str, Any]:
    match error:
        case errors.BreaksFollowers():
            return {"impact": None if error.impact is None else msgspec.to_builtins(list(error.impact))}
        case errors.IsLeftOut():
            return {"left_out": msgspec.to_builtins(list(error.left_out))}
        case errors.WouldDiffer():
            return {"seq": error.differs_at}
        case errors.UnclearEffect():
            event = {"type": "adjust", "params": {"facts": [], "reason": error.message}}
            return {"instead": {"message": error.instead, "event": event}}
        case errors.Undetermined():
            unknowns = [{"seq": seq, "position": position} for seq, position in error.unknowns]
            return {"look": error.hints, **({"unknowns": unknowns} if unknowns else {})}
    return {}


def from_store(error: store_errors.StoreError) -> Problem:
    """Convert a store error to a problem."""
    match error:
        case store_errors.UnknownGame() | store_errors.UnknownEvent():
            return not_found(_missing(error))
        case store_errors.VersionConflict():
            return _conflict(error.version)
        case store_errors.KeyReused():
            return Problem(
                "idempotency-key-reused",
                say("This Idempotency-Key was already used for a different request. Use a new key."),
            )
        case store_errors.AliasLoop():
            return invalid("/is", str(error))
        case store_errors.BadCursor():
            return malformed_request(
                "/cursor", "this cursor does not belong to this list: use the `next_cursor` of the previous page"
            )
        case (
            store_errors.TooManyJobs()
            | store_errors.ShareUsed()
            | store_errors.QuotaExceeded()
            | store_errors.StoreFull()
        ):
            return _no_room(error)
        case store_errors.LacksRuleset():
            return _lacking(error.ruleset, error.version)
        case store_errors.Corrupt():
            return _damage_problem(error)
        case store_errors.StoreUnavailable():
            return _unavailable(error)
    raise error


def _damage_problem(error: store_errors.Corrupt) -> Problem:
    """Return the problem for damaged data; the reason is only logged, because it may reveal secrets."""
    if not isinstance(error, store_errors.Damaged):
        return Problem("damaged-record", say("Stored data is damaged. Ask the operator to run `driftlog doctor`."))
    seq = error.seq
    if seq is None:
        return Problem(
            "damaged-record", say("The record is damaged. Ask the operator to restore the game from a backup.")
        )
    return Problem(
        "damaged-record",
        say("The record is damaged at event {event}. Ask the operator to restore the game from a backup.", event=seq),
        seq=seq,
    )


def _missing(error: store_errors.UnknownGame | store_errors.UnknownEvent) -> str:
    if isinstance(error, store_errors.UnknownEvent):
        return say("event {event} in this game; the last event is {last}", event=error.seq, last=error.version)
    return marked("such game")


def _unavailable(error: store_errors.StoreUnavailable) -> Problem:
    headers = {"Retry-After": RETRY_AFTER}
    if isinstance(error, store_errors.NotReplicated):
        detail = f"Stored, not yet replicated: {error}. Repeat the request with the same Idempotency-Key."
        return Problem("not-replicated", detail, headers=headers, replicas=error.replicas, reached=error.reached)
    return Problem("store-unavailable", say("The store does not answer. Try again in a moment."), headers=headers)


def from_service(error: service_errors.ServiceError) -> Problem:
    """Convert an error of a use case to a problem."""
    match error:
        case service_errors.TooBusy():
            return Problem(
                "too-busy", say("This game is busy. Try again in a moment."), headers={"Retry-After": RETRY_AFTER}
            )
        case service_errors.VersionMismatch():
            return _conflict(error.version)
        case service_errors.UnknownViewer():
            return malformed_request("/viewer", str(error))
        case service_errors.UnknownTurn():
            return not_found(say("turn {turn} in this game", turn=error.turn))
        case service_errors.Forbidden():
            message = str(error)
            return Problem("forbidden", f"{message[0].upper()}{message[1:]}.", needs=error.needs)
        case service_errors.NotUnderstood():
            reading = msgspec.to_builtins(error.reading.items), msgspec.to_builtins(error.reading.questions)
            return Problem("not-understood", str(error), items=reading[0], questions=reading[1])
        case service_errors.UnknownMix():
            return not_found(marked("such seed"))
        case service_errors.ShareRejected():
            return Problem("seed-share-rejected", str(error))
        case service_errors.DifferentRulesets():
            return invalid("/other_id", say("this game has a different ruleset, so the games cannot be compared"))
    raise error


def _lacking(ruleset: str, version: str | None) -> Problem:
    named = ruleset if version is None else say("{ruleset}, version {version}", ruleset=ruleset, version=version)
    return Problem(
        "ruleset-not-installed",
        say(
            "The rules of this game ({rules}) are not installed on this service. Ask the operator to install them.",
            rules=named,
        ),
        ruleset=ruleset,
        ruleset_version=version,
    )


def _no_room(
    error: store_errors.TooManyJobs | store_errors.ShareUsed | store_errors.QuotaExceeded | store_errors.StoreFull,
) -> Problem:
    match error:
        case store_errors.ShareUsed(for_guests=True):
            detail = say(
                "The guests of this game have reached their limit of {limit} unfinished jobs. Wait until "
                "one is done, or ask a player of the game to start this one.",
                limit=error.limit,
            )
            return Problem("too-many-own-jobs", detail, headers={"Retry-After": RETRY_LATER}, limit=error.limit)
        case store_errors.ShareUsed():
            detail = say("This token has reached its limit of unfinished jobs. Wait until one is done.")
            return Problem("too-many-own-jobs", detail, headers={"Retry-After": RETRY_LATER})
        case store_errors.QuotaExceeded():
            detail = say(_QUOTAS[error.quota], limit=error.limit, used=error.used)
            return Problem("quota-exceeded", detail, quota=error.quota, limit=error.limit, used=error.used)
        case store_errors.StoreFull():
            detail = say(
                "The store is full, so nothing new can be stored until the operator makes room. You can "
                "still read everything."
            )
            return Problem("store-full", detail, headers={"Retry-After": RETRY_LATER})
    detail = say("This service has reached its limit of unfinished jobs. Try again later.")
    return Problem("too-many-jobs", detail, headers={"Retry-After": RETRY_LATER})


def _conflict(version: int) -> Problem:
    return Problem(
        "version-conflict",
        say("The game has moved on to version {version}. Read the newer events, then try again.", version=version),
        version=version,
    )


def document(problem: Problem) -> dict[str, Any]:
    """Return the document of a problem."""
    kind = problem.kind
    return {
        # Do not use `url_for`: Flask cannot create addresses if `Host` is invalid.
        "type": f"/problems/{kind.slug}",
        "title": say(kind.title),
        "status": kind.status,
        "detail": problem.detail,
        **problem.members,
    }


def respond(problem: Problem) -> Response:
    """Return the HTTP response of a problem."""
    g.problem = problem.kind.slug
    body = msgspec.json.encode(document(problem))
    return Response(body, status=problem.kind.status, headers=problem.headers, content_type=MEDIA_TYPE)
