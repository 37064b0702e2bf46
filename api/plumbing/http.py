"""HTTP functions that several resources use: JSON responses, versions as ETags, idempotency keys."""

from __future__ import annotations

import functools
import hashlib
import itertools
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import flask_smorest
import msgspec
from flask import Request, Response, current_app, request, stream_with_context, url_for
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser

from api.plumbing import access, foreseen
from api.plumbing.access import Rule, caller
from api.plumbing.addresses import client_address
from api.plumbing.current_request import present
from api.plumbing.deprecating import Uses
from api.plumbing.foreseen import NEEDS
from api.plumbing.idempotency import HEADER, REPLAYED, once
from api.plumbing.language import suffix, without_suffix
from api.plumbing.limits import Limits
from api.plumbing.noting import note_look
from api.plumbing.openapi import ASKS, DEPRECATES, REFUSES
from api.plumbing.packing import PACKED
from api.plumbing.problems import Problem, invalid, malformed_request, not_found
from engine.core.errors import UnknownRuleset
from engine.core.events import Event
from engine.core.language import current_language, say
from engine.core.values import SEAT_INDEX
from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from engine.play.game import Game
from exports.log import chunks
from schemas.drafts import parse
from service import viewing
from service.access import Role
from service.queueing import Queues
from store import Store, deleting
from store.cache import Cache
from store.errors import Damaged, LacksRuleset
from store.log.idempotency import IdempotencyKey
from store.work.jobs import Job, address_of, guests_of
from workers.queue import Kind, Queue, submit

TEXT = {"schema": {"type": "string"}}
"""Documentation of a response that is not JSON."""
MINIMAL = "return=minimal"
MOST_MEMBERS = 100
"""Maximum members of a body, more than any schema has."""


class _Parser(FlaskParser):
    """Rejects members that a schema does not define, in a query too: a misspelt filter must not be ignored."""

    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {"json": None, "query": None}

    def parse(self, argmap: Any, req: Request | None = None, *, location: str | None = None, **options: Any) -> Any:
        if location == "query" and not present().query_string:
            usual = _without_query(argmap)
            if usual is not None:
                return dict(usual)
        return super().parse(argmap, req, location=location, **options)

    def _raw_load_json(self, req: Request) -> Any:
        """Parse the body with the app's own parser, because the parser of webargs accepts NaN."""
        require_media_type(req, "application/json")
        document = parse(req.get_data())
        if isinstance(document, dict) and len(document) > MOST_MEMBERS:
            raise invalid("", f"The body has too many members. Send at most {MOST_MEMBERS}.")
        return document


@functools.cache
def _without_query(schema: type[Schema] | Schema) -> Mapping[str, Any] | None:
    """Return the default values of a query schema; None if a parameter of the schema is required."""
    try:
        usual: Mapping[str, Any] = (schema() if isinstance(schema, type) else schema).load({})
    except ValidationError:
        return None
    return usual


class Blueprint(flask_smorest.Blueprint):
    """flask-smorest's blueprint with strict input, and with a shorter openapi.yaml."""

    ARGUMENTS_PARSER = _Parser()

    def operation(
        self,
        name: str,
        *,
        needs: Rule,
        limits: Limits,
        asks: Sequence[str] = (),
        refuses: Sequence[str] = (),
        is_pure: bool = False,
        deprecates: Uses | None = None,
    ) -> Any:
        """Add metadata to a view.

        Args:
            name: the `operationId`, which generated clients use as a name: a verb and its object.
            needs: the required permissions.
            limits: the maximum cost of a request.
            asks: the request headers that the view reads besides `If-None-Match`. A `post` lists `Idempotency-Key` only
                if it handles the key itself; otherwise `once` wraps the view.
            refuses: the problems of this view; `api.plumbing.foreseen` adds those that follow from address and method.
            is_pure: True if a `post` changes nothing, so that it can run again for a repeated request.
            deprecates: returns True if a request uses a deprecated feature.
        """
        told: dict[str, Any] = {ASKS: list(asks), REFUSES: list(refuses), NEEDS: needs.role and needs.role.value}
        told[DEPRECATES] = deprecates is not None
        documented = self.doc(operationId=name, **told, **{"x-limits": limits.to_contract()})

        def declare(view: Any) -> Any:
            if view.__name__ != "get" and not _has_query(view):
                view = _refusing_queries(view)
            if view.__name__ == "post" and HEADER not in asks:
                view = once(view, is_pure=is_pure)
            view.limits = limits
            view.deprecates = deprecates
            return access.needs(needs)(documented(view))

        return declare

    def response(self, status: int, schema: Any = None, *, headers: Sequence[str] = (), **more: Any) -> Any:
        """Declare a response as flask-smorest does; `headers` names the response's headers."""
        named = foreseen.headers(headers) or None
        return super().response(status, schema, headers=named, **more)

    def alt_response(self, status: int, *, schema: Any = None, headers: Sequence[str] = (), **more: Any) -> Any:
        """Declare an alternative response as flask-smorest does; `headers` names the response's headers."""
        named = foreseen.headers(headers) or None
        return super().alt_response(status, schema=schema, headers=named, **more)

    def file(
        self, description: str, content: Mapping[str, Any], *, headers: Sequence[str] = (), in_parts: bool = False
    ) -> Any:
        """Declare that a view's response is not JSON.

        Args:
            content: the documentation by media type.
            in_parts: True if the response supports `Range`.
        """
        said = {"description": description, "content": content, "headers": foreseen.headers(headers)}
        part = {"206": {**said, "description": "The requested part."}} if in_parts else {}
        return self.doc(responses={"200": said, **part})


def _has_query(view: Any) -> bool:
    parameters = getattr(view, "_apidoc", {}).get("arguments", {}).get("parameters", ())
    return any(one["in"] == "query" for one in parameters)


def _refusing_queries(view: Any) -> Any:
    """Make a write without query parameters reject all of them, such as `dry_run`, instead of ignoring them."""

    @functools.wraps(view)
    def refusing(*args: Any, **named: Any) -> Any:
        for name in present().args:
            raise malformed_request(f"/{name}", say("This operation takes no query parameters. Remove the parameter."))
        return view(*args, **named)

    return refusing


def optional_body(schema: Schema) -> dict[str, Any]:
    """Return the optional JSON body of this request; unknown members are rejected."""
    if not request.get_data():
        return {}
    body: dict[str, Any] = Blueprint.ARGUMENTS_PARSER.parse(schema, request, location="json")
    return body


_CONSTANT: Cache[tuple[Hashable, str, str], tuple[str, bytes]] = Cache(8 * 1024 * 1024, lambda tagged: len(tagged[1]))
"""Constant documents with their entity tags, by key, language and content type."""


def store() -> Store:
    """Return the app's store."""
    found: Store = current_app.extensions["store"]
    return found


def queue() -> Queue:
    """Return the app's job queue."""
    found: Queue = current_app.extensions["queue"]
    return found


def find_ruleset(ruleset_id: str) -> AnyRuleset:
    """Return the newest installed version of a ruleset; raise a `Problem` if there is none."""
    try:
        return registry.ruleset(ruleset_id)
    except UnknownRuleset as error:
        raise not_found(say("ruleset {name}", name=repr(ruleset_id))) from error


def look(game_id: str, query: dict[str, Any]) -> viewing.SeenGame:
    """Return the game after event `until`, as `viewer` sees it. Raise `Forbidden` if the caller may not view it so."""
    who, viewer = caller(), query["viewer"]
    who.require_view(viewer)
    if viewer not in {None, "public", who.seat}:
        note_look(game_id, viewer)
    return viewing.look(store(), game_id, query["viewer"], query.get("until"))


def look_at_log(game_id: str, query: dict[str, Any]) -> viewing.SeenGame:
    """Return the game as `look` does, for requests that need only the log.

    If the log does not replay, return the events as stored, without masking secrets. So this requires an arbiter, or
    installed rules that hide nothing.
    """
    try:
        seen = look(game_id, query)
        # A game replays from a snapshot, which may come after the damage.
        store().watch.check_suspect(game_id)
    except (Damaged, LacksRuleset) as error:
        stored = None if query["viewer"] is not None else viewing.as_stored(store(), game_id, query.get("until"))
        if stored is None or not (caller().role.includes(Role.ARBITER) or viewing.is_public(stored.game)):
            raise
        if isinstance(error, LacksRuleset):
            return stored
        store().watch.suspect(game_id)
        return msgspec.structs.replace(stored, is_damaged=True)
    return seen


def damage(seen: viewing.SeenGame) -> dict[str, str]:
    """Return the header for a damaged record, whose events are unchecked; no header for other records."""
    return {"Driftlog-Damaged": "true"} if seen.is_damaged else {}


def for_caller(game_id: str, game: Game, events: list[Event]) -> list[Event]:
    """Return the events as the caller may see them now; an arbiter sees all secrets."""
    who = caller()
    if who.role.includes(Role.ARBITER):
        return events
    seat = None if who.seat is None else SEAT_INDEX[who.seat]
    return list(map(viewing.masking(store(), game_id, game, seat, is_live=True), events))


def writers() -> Queues:
    """Return the queues of this process, in which requests wait to append to a game."""
    found: Queues = current_app.extensions["writers"]
    return found


def answer(document: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a JSON response."""
    return Response(msgspec.json.encode(document), status=status, headers=headers, content_type="application/json")


def etag(version: int | str) -> str:
    """Return the entity tag of a version in the current language."""
    return f'"{version}{suffix()}"'


def versioned_response(document: Any, version: int | str, headers: Mapping[str, str] | None = None) -> Response:
    """Return a JSON response with a version as its ETag, or 304 if the caller already has that version."""
    response = unless_known(version, lambda: [msgspec.json.encode(document)])
    if response.status_code == HTTPStatus.OK:
        response.headers.update(headers or {})
    return response


def unless_known(
    version: int | str, make: Callable[[], Iterable[bytes]], content_type: str = "application/json"
) -> Response:
    """Return a streamed document with a version as its ETag, or 304 if the caller already has that version.

    Args:
        make: creates the document; not called for a 304.
    """
    plain = f"{version}{suffix()}"
    for tag in (plain, *(f"{plain}{packed}" for packed in PACKED)):
        if request.if_none_match.contains_weak(tag):
            return Response(status=304, headers={"ETag": f'"{tag}"'})
    return streamed_response(make(), headers={"ETag": etag(version)}, content_type=content_type)


def constant(key: Hashable, make: Callable[[], bytes], content_type: str = "application/json") -> Response:
    """Return a document that stays the same while the process runs. It is cached under `key`, once per language."""
    tag, body = _CONSTANT.once((key, current_language(), content_type), lambda: _tag_and_body(make()))
    return unless_known(tag, lambda: [body], content_type)


def fixed_response(document: Any, headers: Mapping[str, str]) -> Response:
    """Return a JSON response that changes only when the service changes. Its ETag is a digest of the document."""
    tag, body = _tag_and_body(msgspec.json.encode(document))
    response = unless_known(tag, lambda: [body])
    if response.status_code == HTTPStatus.OK:
        response.headers.update(headers)
    return response


def _tag_and_body(body: bytes) -> tuple[str, bytes]:
    return hashlib.sha256(body).hexdigest()[:16], body


def streamed_response(
    pieces: Iterable[bytes], headers: Mapping[str, str] | None = None, content_type: str = "application/json"
) -> Response:
    """Return a streamed response. A short response is sent as a whole, so that it can be compressed."""
    made = chunks(pieces)
    first, second = next(made, b""), next(made, None)
    body = first if second is None else stream_with_context(itertools.chain([first, second], made))
    return Response(body, headers=headers, content_type=content_type)


def if_match() -> set[str] | None:
    """Return the versions in `If-Match`; None if any version matches. Weak tags never match (RFC 9110, 13.1.1)."""
    header = request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    tags = (tag.rpartition("-")[0] if tag.endswith(PACKED) else tag for tag in request.if_match.as_set())
    return {without_suffix(tag) for tag in tags}


def wants_minimal() -> bool:
    """Return True if the caller prefers a response without the sent content (RFC 7240, `Prefer: return=minimal`)."""
    header = request.headers.get("Prefer")
    if header is None:
        return False
    preferences = (one.partition(";")[0].replace(" ", "").replace('"', "").lower() for one in header.split(","))
    # If a preference is repeated, the first one counts (RFC 7240, 2).
    return next((one for one in preferences if one.startswith("return=")), "") == MINIMAL


def job_document(job: Job) -> dict[str, Any]:
    """Convert a job to its API document. If the job's game was deleted, the document reveals nothing about the game."""
    game_id = job.args.get("game")
    if game_id is not None and store().events.tombstone(game_id) is not None:
        job = job.without_game(deleting.WHY)
    return {
        "id": job.id,
        "kind": job.kind,
        "status": job.status,
        "progress": job.progress,
        "result": job.result,
        "error": failure(job),
        "created_at": job.created_at,
    }


def failure(job: Job) -> Any:
    """Return the error of a job; a text that is not translated yet is translated now."""
    return say(job.error) if isinstance(job.error, str) else job.error


def order_job(
    kind: Kind,
    args: dict[str, Any],
    *,
    payload: bytes | None = None,
    key: IdempotencyKey | None = None,
    same: str | None = None,
) -> Job:
    """Submit a job for the caller; raise `TooManyJobs` or `ShareUsed` if a limit is reached.

    All guests of a game share one quota. So do all callers without a token at the same address.
    """
    who = caller()
    share = address_of(client_address()) if who.token is None else who.token
    if who.is_link and who.game is not None:
        share = guests_of(who.game)
    return submit(store(), queue(), kind, args, payload=payload, key=key, same=same, owner=who.token, share=share)


def submit_job(
    kind: Kind, args: dict[str, Any], *, payload: bytes | None = None, key: IdempotencyKey | None = None
) -> Response:
    """Submit a job for the caller, once for each `key`, and return the response with it."""
    return earlier_job(key) or accepted_response(order_job(kind, args, payload=payload, key=key))


def earlier_job(key: IdempotencyKey | None) -> Response | None:
    """Return the response with the job that an earlier request with this key started; None if it started none.

    A view that only sometimes needs a job calls this first. Otherwise it could use a key a second time without a job.

    Raises:
        KeyReused: the key was used for a different request, with or without a job.
    """
    if key is None:
        return None
    store().answers.check(key)
    job = store().jobs.of_key(key)
    return None if job is None else accepted_response(job, REPLAYED)


def accepted_response(job: Job, headers: Mapping[str, str] | None = None) -> Response:
    """Return the response 202 for a job; `Location` is its address."""
    return answer(job_document(job), 202, {"Location": url_for("jobs.Jobs", job_id=job.id), **(headers or {})})


def require_media_type(incoming: Request, *accepted: str) -> None:
    """Check the media type of the body; raise the problem 415 if it is not in `accepted`."""
    if incoming.mimetype not in accepted:
        raise Problem(
            "unsupported-media-type",
            f"This address does not accept the media type of the body. Send {' or '.join(accepted)}.",
            headers={"Accept-Post": ", ".join(accepted)},
        )
