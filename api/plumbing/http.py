"""Small HTTP things that several resources need: JSON answers, versions as ETags, idempotency keys."""

from __future__ import annotations

import functools
import hashlib
import itertools
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar
from urllib.parse import urlencode

import flask_smorest
import msgspec
from flask import Request, Response, current_app, request, stream_with_context, url_for
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser

from api.plumbing import access, foreseen
from api.plumbing.access import Rule, caller
from api.plumbing.addresses import client_address
from api.plumbing.foreseen import NEEDS
from api.plumbing.language import suffix, without_suffix
from api.plumbing.limits import Limits
from api.plumbing.noting import note_look
from api.plumbing.openapi import ASKS, REFUSES
from api.plumbing.packing import PACKED
from api.plumbing.present import present
from api.plumbing.problems import Problem, invalid, malformed
from engine.core.events import Event
from engine.core.language import say, spoken
from engine.core.values import SEAT_INDEX
from engine.play.game import Game
from exports.log import chunks
from schemas.events import parse, rfc3339
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
"""How an answer that is no JSON is documented."""
MINIMAL = "return=minimal"
MOST_MEMBERS = 100
"""Of a body: more than any schema knows."""


class _Parser(FlaskParser):
    """Refuses what a schema does not know, in a query as in a body: a misspelt filter is no filter."""

    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {"json": None, "query": None}

    def parse(self, argmap: Any, req: Request | None = None, *, location: str | None = None, **options: Any) -> Any:
        if location == "query" and not present().query_string:
            usual = _without_query(argmap)
            if usual is not None:
                return dict(usual)
        return super().parse(argmap, req, location=location, **options)

    def _raw_load_json(self, req: Request) -> Any:
        """The body by the app's own JSON, not by webargs', which takes NaN."""
        require_media_type(req, "application/json")
        document = parse(req.get_data())
        if isinstance(document, dict) and len(document) > MOST_MEMBERS:
            raise invalid("", f"an object of at most {MOST_MEMBERS} members")
        return document


@functools.cache
def _without_query(schema: type[Schema] | Schema) -> Mapping[str, Any] | None:
    """Return what a schema loads from an empty query; None if it requires a parameter."""
    try:
        usual: Mapping[str, Any] = (schema() if isinstance(schema, type) else schema).load({})
    except ValidationError:
        return None
    return usual


class Blueprint(flask_smorest.Blueprint):
    """flask-smorest's blueprint, strict in what it takes, and brief in what it says of it to openapi.yaml."""

    ARGUMENTS_PARSER = _Parser()

    def operation(
        self, name: str, *, needs: Rule, limits: Limits, asks: Sequence[str] = (), refuses: Sequence[str] = ()
    ) -> Any:
        """Say of a view what no other decorator does.

        Args:
            name: the `operationId`, by which generated clients call it: a verb and what it is done to.
            needs: what it takes to call it.
            limits: the most that one request may cost.
            asks: the headers of the request that it looks at, but for `If-None-Match`.
            refuses: its own problems; `api.plumbing.foreseen` knows those that follow from its address and method.
        """
        told = {ASKS: list(asks), REFUSES: list(refuses), NEEDS: needs.role and needs.role.value}
        documented = self.doc(operationId=name, **told, **{"x-limits": limits.published()})

        def declare(view: Any) -> Any:
            view.limits = limits
            return access.needs(needs)(documented(view))

        return declare

    def response(self, status: int, schema: Any = None, *, headers: Sequence[str] = (), **more: Any) -> Any:
        """As flask-smorest's, with the names of the `headers` that the answer may have."""
        named = foreseen.headers(headers) or None
        return super().response(status, schema, headers=named, **more)

    def alt_response(self, status: int, *, schema: Any = None, headers: Sequence[str] = (), **more: Any) -> Any:
        """The same, of another answer."""
        named = foreseen.headers(headers) or None
        return super().alt_response(status, schema=schema, headers=named, **more)

    def file(
        self, description: str, content: Mapping[str, Any], *, headers: Sequence[str] = (), in_parts: bool = False
    ) -> Any:
        """Say of a view that its answer is no JSON.

        Args:
            content: by its media type, how it is documented.
            in_parts: whether it can be asked for in parts.
        """
        said = {"description": description, "content": content, "headers": foreseen.headers(headers)}
        part = {"206": {**said, "description": "The part that was asked for."}} if in_parts else {}
        return self.doc(responses={"200": said, **part})


def optional_body(schema: Schema) -> dict[str, Any]:
    """The JSON body of this request, which may be left out; what the schema does not know is refused."""
    if not request.get_data():
        return {}
    body: dict[str, Any] = Blueprint.ARGUMENTS_PARSER.parse(schema, request, location="json")
    return body


_CONSTANT: Cache[tuple[Hashable, str, str], tuple[str, bytes]] = Cache(8 * 1024 * 1024, lambda tagged: len(tagged[1]))
"""With the entity tag of each."""
_KEY = re.compile(r'"([\x20-\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x5b\x5d-\x7e]{1,255})')


def store() -> Store:
    """The app's store."""
    found: Store = current_app.extensions["store"]
    return found


def queue() -> Queue:
    """The app's job queue."""
    found: Queue = current_app.extensions["queue"]
    return found


def look(game_id: str, query: dict[str, Any]) -> viewing.Seen:
    """The game as `query` (its `viewer` and its `until`) asks to see it.

    Raises:
        Forbidden: the caller may not see what that viewer sees.
        As `service.viewing.look`.
    """
    who, viewer = caller(), query["viewer"]
    who.require_view(viewer)
    if viewer not in {None, "public", who.seat}:
        note_look(game_id, viewer)
    return viewing.look(store(), game_id, query["viewer"], query.get("until"))


def look_at_log(game_id: str, query: dict[str, Any]) -> viewing.Seen:
    """The same where its log is all that is needed: a game that cannot be played is shown as it is stored.

    Only its rules know what its players hide. So it is shown to callers who may see that, and to everyone where these
    rules are installed and hide nothing.

    Raises:
        As `look`.
    """
    try:
        return look(game_id, query)
    except (Damaged, LacksRuleset) as error:
        seen = None if query["viewer"] is not None else viewing.as_stored(store(), game_id, query.get("until"))
        if seen is None or not (caller().role.includes(Role.ARBITER) or viewing.is_public(seen.game)):
            raise
        if isinstance(error, LacksRuleset):
            return seen
        store().watch.suspect(game_id)
        return msgspec.structs.replace(seen, is_damaged=True)


def damage(seen: viewing.Seen) -> dict[str, str]:
    """Return the header that marks unchecked events of a damaged record."""
    return {"Driftlog-Damaged": "true"} if seen.is_damaged else {}


def for_caller(game_id: str, game: Game, events: list[Event]) -> list[Event]:
    """Events of the game as the caller may see them now: whole for an arbiter, who sees what any seat sees."""
    who = caller()
    if who.role.includes(Role.ARBITER):
        return events
    seat = None if who.seat is None else SEAT_INDEX[who.seat]
    return list(map(viewing.shown(store(), game_id, game, seat, is_live=True), events))


def writers() -> Queues:
    """Who writes to each game of the app."""
    found: Queues = current_app.extensions["writers"]
    return found


def now() -> str:
    """This moment, as events tell it."""
    return rfc3339(datetime.now(UTC))


def answer(document: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer."""
    return Response(msgspec.json.encode(document), status=status, headers=headers, content_type="application/json")


def etag(version: int | str) -> str:
    """A version as an entity tag, which is another one in another language."""
    return f'"{version}{suffix()}"'


def versioned(document: Any, version: int | str) -> Response:
    """A JSON answer whose ETag is a version; 304 where the caller has it already."""
    return unless_known(version, lambda: [msgspec.json.encode(document)])


def unless_known(
    version: int | str, make: Callable[[], Iterable[bytes]], content_type: str = "application/json"
) -> Response:
    """The same, of a document that is made piece by piece: made only where the caller has not got it."""
    plain = f"{version}{suffix()}"
    for tag in (plain, f"{plain}{PACKED}"):
        if request.if_none_match.contains_weak(tag):
            return Response(status=304, headers={"ETag": f'"{tag}"'})
    return streamed(make(), headers={"ETag": etag(version)}, content_type=content_type)


def constant(key: Hashable, make: Callable[[], bytes], content_type: str = "application/json") -> Response:
    """A document that stays the same as long as the process lives: `key` names it, and it is made once a language.

    Raises:
        What `make` raises.
    """
    tag, body = _CONSTANT.once((key, spoken(), content_type), lambda: _tagged(make()))
    return unless_known(tag, lambda: [body], content_type)


def _tagged(body: bytes) -> tuple[str, bytes]:
    return hashlib.sha256(body).hexdigest()[:16], body


def streamed(
    pieces: Iterable[bytes], headers: Mapping[str, str] | None = None, content_type: str = "application/json"
) -> Response:
    """An answer, sent as it is made; a short one at once, so that it can be packed."""
    made = chunks(pieces)
    first, second = next(made, b""), next(made, None)
    body = first if second is None else stream_with_context(itertools.chain([first, second], made))
    return Response(body, headers=headers, content_type=content_type)


def if_match() -> set[str] | None:
    """The versions that `If-Match` names; None where anything will do.

    Weak tags are no match (RFC 9110, 13.1.1).
    """
    header = request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    return {without_suffix(tag.removesuffix(PACKED)) for tag in request.if_match.as_set()}


def wants_minimal() -> bool:
    """Whether the caller prefers an answer without what it sent (RFC 7240, `Prefer: return=minimal`)."""
    header = request.headers.get("Prefer")
    if header is None:
        return False
    preferences = (one.partition(";")[0].replace(" ", "").replace('"', "").lower() for one in header.split(","))
    # Of one that is said twice the first counts (RFC 7240, 2).
    return next((one for one in preferences if one.startswith("return=")), "") == MINIMAL


def idempotency_key(body: Any, *earlier: Any) -> IdempotencyKey | None:
    """Return the caller's idempotency key, bound to what it asks for; None if it sent none.

    A key belongs to its token: another token cannot use it to learn what was asked, or to get the answer.

    Args:
        earlier: the same body in the forms in which earlier versions digested it.
    """
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    match = _KEY.fullmatch(header.strip())
    if match is None:
        raise malformed("/Idempotency-Key", "1 to 255 printable ASCII characters, quoted or bare")
    digest, *others = map(_body_digest, (body, *earlier))
    key, owner = match[1] or match[2], caller().token
    return IdempotencyKey(key if owner is None else f"{owner}\0{key}", digest, tuple(others))


def _body_digest(body: Any) -> bytes:
    return hashlib.sha256(request.path.encode() + b"\0" + msgspec.json.encode(body, order="sorted")).digest()


def next_page(**changed: str | int) -> dict[str, str]:
    """The header that points to the next page of this list (RFC 8288)."""
    query = urlencode({**request.args.to_dict(), **changed})
    return {"Link": f'<{request.script_root}{request.path}?{query}>; rel="next"'}


class Listed(Protocol):
    """What stands in a list, in the order of its ids."""

    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=Listed)


def listed(name: str, found: Sequence[T], limit: int, tell: Callable[[T], Any]) -> Response:
    """A page of a list, newest first, of which one more than `limit` was looked for: it goes on after an `id`."""
    cursor = found[limit - 1].id if len(found) > limit else None
    headers = {} if cursor is None else next_page(cursor=cursor)
    return answer({name: list(map(tell, found[:limit])), "next_cursor": cursor}, headers=headers)


def position(game: Game) -> dict[str, Any]:
    """Where a game stands, as every answer that tells of a version says it."""
    return {
        "version": game.version,
        "turn": game.turn,
        "phase": game.phase,
        "awaiting": game.awaiting,
        "outcome": game.outcome,
    }


def job_document(job: Job) -> dict[str, Any]:
    """A job as the API tells of it: from the moment that the game it was about is deleted, nothing of that."""
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
    """Why a job failed; what was said of it before anybody's language was known is said now."""
    return say(job.error) if isinstance(job.error, str) else job.error


def order_job(
    kind: Kind,
    args: dict[str, Any],
    *,
    payload: bytes | None = None,
    key: IdempotencyKey | None = None,
    same: str | None = None,
) -> Job:
    """Submit a job for the caller: guests of a game share its turns, and so do callers without a token at one address.

    Raises:
        TooManyJobs, ShareUsed: a limit is reached.
    """
    who = caller()
    share = address_of(client_address()) if who.token is None else who.token
    if who.is_link and who.game is not None:
        share = guests_of(who.game)
    return submit(store(), queue(), kind, args, payload=payload, key=key, same=same, owner=who.token, share=share)


def accepted(job: Job, headers: Mapping[str, str] | None = None) -> Response:
    """202: a worker will do it, and `Location` is where to follow that."""
    return answer(job_document(job), 202, {"Location": url_for("jobs.Jobs", job_id=job.id), **(headers or {})})


def require_media_type(incoming: Request, *accepted: str) -> None:
    """415 unless the body is of one of those types."""
    if incoming.mimetype not in accepted:
        raise Problem(
            "unsupported-media-type",
            f"The body has to be {' or '.join(accepted)}.",
            headers={"Accept-Post": ", ".join(accepted)},
        )
