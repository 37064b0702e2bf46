"""Events: append them, read the log, watch it live."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from flask import Response, request
from flask.views import MethodView

from api.game.including import check, requested_members
from api.plumbing import live
from api.plumbing.access import RECORDER, VIEWER, caller, leave
from api.plumbing.deprecating import deprecate
from api.plumbing.error_handling import problem_of
from api.plumbing.http import (
    MINIMAL,
    TEXT,
    Blueprint,
    answer,
    damage,
    etag,
    for_caller,
    if_match,
    look,
    look_at_log,
    require_media_type,
    store,
    versioned_response,
    wants_minimal,
    writers,
)
from api.plumbing.idempotency import REPLAYED, idempotency_key
from api.plumbing.limits import APPEND, SMALL
from api.plumbing.listening import event_stream, holders, wait_for_more
from api.plumbing.metrics import APPENDS
from api.plumbing.noting import note
from api.plumbing.paging import after_of, cursor_to, next_page
from api.plumbing.problems import Problem, document, from_engine, malformed_request, not_found
from engine.core.errors import EngineError
from engine.core.events import Draft
from engine.core.events import Event as LoggedEvent
from engine.core.language import say
from engine.core.lifecycle import SET_UP
from engine.play.corrections.undo import SupersededRange
from engine.play.game import Game
from schemas.appending import Appended, AppendQuery
from schemas.drafts import parse_drafts
from schemas.events import Event, EventList, EventQuery, Viewed
from schemas.times import now
from service.chance import setup_document
from service.recording import append
from service.table import position
from service.viewing import masking
from store.errors import Damaged

_DEPRECATED = frozenset({"accept_left_out", "accept_illegal", "accept_refused"})


def _uses_deprecated() -> bool:
    return not _DEPRECATED.isdisjoint(request.args)


blueprint = Blueprint("events", __name__, url_prefix="/v1/games/<string:game_id>", description="The log of a game.")


@blueprint.route("/events")
class Events(MethodView):
    @blueprint.operation("readEvents", needs=VIEWER, limits=SMALL, refuses=["too-many-streams"])
    @blueprint.arguments(EventQuery, location="query", error_status_code=400)
    @blueprint.response(200, EventList, headers=["Link", "Driftlog-Damaged"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Read the log

        Returns the events in order, from the one after `after`. `superseded` lists the events that were undone or
        amended. With `wait`, the service waits up to that many seconds for such an event. If there is none, the list is
        empty.
        """
        after = after_of(query)
        seen = look_at_log(game_id, query)
        if query["wait"] and seen.game.version <= after and not live.is_over_for_good(seen.game):
            if "until" in query:
                raise malformed_request("/wait", "Send either `wait` or `until`, not both.")
            wait_for_more(game_id, after, query["wait"])
            seen = look_at_log(game_id, query)
        version = seen.game.version
        events = _page(game_id, after, version, query["limit"], is_raw=seen.is_damaged)
        cursor = cursor_to(events[-1].seq) if events and events[-1].seq < version else None
        page = {
            "events": list(map(seen.show, events)),
            "superseded": _of_page(_superseded_events(game_id, version), events),
            "next_cursor": cursor,
            "version": version,
        }
        return answer(page, headers={**damage(seen), **next_page(cursor)})

    @blueprint.operation(
        "appendEvents",
        needs=RECORDER,
        limits=APPEND,
        deprecates=_uses_deprecated,
        asks=["If-Match", "Idempotency-Key", "Prefer"],
        refuses=[
            "game-over",
            "illegal-action",
            "unsound-table",
            "outcome-required",
            "impossible-outcome",
            "quota-exceeded",
            "too-busy",
            "not-replicated",
        ],
    )
    # Pass an instance, because flask-smorest would create one from a class for each request, which is slow.
    @blueprint.arguments(AppendQuery(), location="query", error_status_code=400)
    @blueprint.response(201, Appended, headers=["ETag", "Idempotent-Replayed", "Preference-Applied"])
    @blueprint.alt_response(
        200,
        schema=Appended,
        description="With `dry_run`: the events were judged, but not appended.",
        headers=["ETag", "Preference-Applied"],
    )
    @blueprint.doc(
        requestBody={
            "required": True,
            "content": {
                "application/json": {
                    "schema": {
                        "oneOf": [
                            {"$ref": "#/components/schemas/NewEvent"},
                            {
                                "type": "array",
                                "minItems": 1,
                                "maxItems": 1000,
                                "items": {"$ref": "#/components/schemas/NewEvent"},
                            },
                        ]
                    }
                }
            },
        }
    )
    def post(self, query: dict[str, Any], game_id: str) -> Response:
        """Append events

        Send one event, or a list. A list is normally appended completely or not at all. But once an event draws a
        result or reveals hidden information, that event is stored before the service judges the next one. From then on,
        the service appends event by event, and stops at the first rejected event. Earlier events stay in the log, and
        `stopped` has the index of the rejected event and the reason. After a 201, the events are on disk, and on as
        many replicas as the service requires. With `Prefer: return=minimal`, the response has `head` instead of
        `events`. `include` adds the responses of other reads, computed after the append. Reads that exceed the
        time limit of a request are null; the events are appended anyway.
        """
        require_media_type(request, "application/json")
        drafts = parse_drafts(request.get_data())
        if any(draft.type == "amend" and "accept_broken" in draft.params for draft in drafts):
            deprecate()
        check(game_id, query)
        is_dry_run = query["dry_run"]
        key = None if is_dry_run else idempotency_key(drafts)
        try:
            recorded = append(
                store(),
                game_id,
                drafts,
                explain=partial(explain_refusal, drafts),
                recorded_at=now(),
                caller=caller(),
                key=key,
                versions=if_match(),
                accept_left_out=query.get("accept_left_out"),
                accept_illegal=query["accept_illegal"],
                if_illegal=query.get("if_illegal"),
                as_played=query["as_played"],
                is_dry_run=is_dry_run,
                writers=writers(),
                meter=APPENDS,
                overruled=lambda kind: note(type=kind),
            )
        except EngineError as error:
            game = store().games.cached_game(game_id) or store().games.latest(game_id)
            draft = drafts[error.index or 0]
            if request.get_data().lstrip()[:1] != b"[":
                # The `index` of an error only matters for a list.
                error.index = None
            problem = _refusal_problem(error, game, draft)
            if not (is_dry_run and query["accept_refused"]):
                raise problem from error
            stopped = {"index": error.index or 0, "problem": document(problem)}
            return answer(
                {**position(game), "events": [], "stopped": stopped},
                headers={"ETag": etag(game.version)},
            )
        is_minimal = wants_minimal()
        # Do not mask events for their sender. A client with the same token may repeat the request, and must get the
        # same response.
        events = for_caller(game_id, recorded.game, recorded.events) if recorded.is_replay else recorded.events
        told: dict[str, Any] = position(recorded.game)
        told |= {"head": recorded.game.head} if is_minimal else {"events": events}
        if recorded.impact is not None:
            told["impact"] = recorded.impact
        if recorded.stopped is not None:
            told["stopped"] = recorded.stopped
        after = recorded.events[0].seq - 1 if recorded.events else recorded.game.version
        told |= requested_members(game_id, query, recorded.game, after)
        headers = {"ETag": etag(recorded.game.version)}
        if recorded.is_replay:
            headers |= REPLAYED
        if is_minimal:
            headers["Preference-Applied"] = MINIMAL
        return answer(told, 200 if is_dry_run else 201, headers)


def _page(game_id: str, after: int, until: int, limit: int, *, is_raw: bool) -> list[LoggedEvent]:
    """Return a page of the log, up to the first damaged event."""
    events = store().events
    try:
        return events.read(game_id, after=after, until=until, limit=limit, is_raw=is_raw)
    except Damaged as error:
        store().watch.suspect(game_id)
        if error.seq is None or error.seq <= after + 1:
            raise
        return events.read(game_id, after=after, until=error.seq - 1, is_raw=is_raw)


def _superseded_events(game_id: str, version: int) -> list[SupersededRange]:
    try:
        return store().corrections.superseded_events(game_id, version)
    except Damaged:
        store().watch.suspect(game_id)
        return []


def _of_page(superseded: list[SupersededRange], events: Sequence[LoggedEvent]) -> list[SupersededRange]:
    """Return the superseded ranges that contain one of `events`, or whose correction is in `events`."""
    if not events:
        return []
    first, last = events[0].seq, events[-1].seq
    return [one for one in superseded if (one.first <= last and one.last >= first) or first <= one.by <= last]


def explain_refusal(drafts: Sequence[Draft], refused: Exception, game: Game) -> dict[str, Any]:
    """Return the problem document for the refusal of one of `drafts`; see `service.recording.Explain`."""
    if isinstance(refused, EngineError):
        # Errors that the caller did not cause are raised again, because they are our defects.
        with suppress(type(refused)):
            return document(_refusal_problem(refused, game, drafts[refused.index or 0]))
    return document(problem_of(refused))


def _refusal_problem(error: EngineError, game: Game, draft: Draft) -> Problem:
    """Return the problem for a refused draft. For a setup, include the next chance point."""
    problem = from_engine(error, game.ruleset)
    if draft.type == SET_UP and "chance" in problem.members:
        header = game.header
        options = game.ruleset.parse_options(header.options, len(header.seats))
        problem.members |= setup_document(game.ruleset, options, header.names, draft.outcomes)
        for outcome in problem.members["chance"]["outcomes"]:
            outcome["at"] = game.ruleset.space(outcome["value"])
    return problem


@blueprint.route("/events/<int:seq>")
class OneEvent(MethodView):
    @blueprint.operation("readEvent", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(Viewed, location="query", error_status_code=400)
    @blueprint.response(200, Event, headers=["ETag", "Driftlog-Damaged"])
    def get(self, query: dict[str, Any], game_id: str, seq: int) -> Response:
        """Read one event

        Returns the event as stored in the log; secrets that you may not see are masked.
        """
        seen = look_at_log(game_id, query)
        if not 0 < seq <= seen.game.version:
            raise not_found(say("event {event} in this game", event=seq))
        (event,) = store().events.read(game_id, after=seq - 1, limit=1, is_raw=seen.is_damaged)
        masked = seen.show(event)
        answered = versioned_response(masked, seq if masked == event else f"{seq}-masked")
        answered.headers.update(damage(seen))
        return answered


@blueprint.route("/stream")
class Stream(MethodView):
    @blueprint.operation("watchGame", needs=VIEWER, limits=SMALL, asks=["Last-Event-ID"], refuses=["too-many-streams"])
    @blueprint.arguments(Viewed, location="query", error_status_code=400)
    @blueprint.doc(
        responses={
            "200": {
                "description": (
                    "Server-Sent Events: `id` is the `seq`, `data` the event. Messages named `superseded` have no "
                    "`id`; their `data` is `{by, superseded: [[first, last]], version, head, turn}`. The ranges in "
                    "`superseded` are the events that event `by` superseded. The rest is the status of the game."
                ),
                "content": {"text/event-stream": TEXT},
            },
            "204": {"description": "No events will follow, because the game has ended for good or `until` is reached."},
        },
    )
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Watch a game

        Sends the events as Server-Sent Events, from the first event or from the one after `Last-Event-ID`. After a
        correction, an event named `superseded` lists the events that are no longer in effect, and the status of the
        game. The stream ends when a seeded game ends. An observed game may be reopened, so its stream continues. With
        `until`, the stream ends with that event.
        """
        header = request.headers.get("Last-Event-ID", "0")
        if not header.isascii() or not header.isdigit() or len(header) > 15:
            raise malformed_request("/Last-Event-ID", "Send the `seq` of an event.")
        after = int(header)
        seen = look(game_id, query)
        until = seen.game.version if "until" in query else None
        if (until is not None or live.is_over_for_good(seen.game)) and after >= seen.game.version:
            return Response(status=204)
        show = seen.show if until is not None else masking(store(), game_id, seen.game, seen.seat, is_live=True)
        own: dict[str, Any] = {"leave": leave(), "holders": holders()}
        listener = live.Listener(live.hub(), store(), game_id, seen.game, show, after=after, until=until, **own)
        return event_stream(listener, iter(listener))
