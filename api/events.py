"""Events: append them, read the log, watch it grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response, request
from flask.views import MethodView

from api import live
from api.http import (
    Blueprint,
    answer,
    etag,
    idempotency_key,
    if_match,
    next_page,
    now,
    position,
    require_media_type,
    store,
    versioned,
)
from api.problems import Problem, from_engine, malformed, not_found
from api.recording import append
from api.viewing import look
from engine import lifecycle
from engine.errors import EngineError
from engine.events import Draft
from engine.events import Event as LoggedEvent
from engine.superseded import Superseded
from schemas.events import Appended, AppendQuery, Event, EventList, EventQuery, Viewed, parse_drafts
from workers.logs import shown

blueprint = Blueprint("events", __name__, url_prefix="/v1/games/<string:game_id>", description="The log of a game.")


@blueprint.route("/events")
class Events(MethodView):
    @blueprint.arguments(EventQuery, location="query", error_status_code=400)
    @blueprint.response(200, EventList)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Read the log

        In order, from the event after `after`. `superseded` says which of them were taken back or written anew.
        """
        seen = look(game_id, query)
        version = seen.game.version
        events = store().events.read(game_id, after=query["after"], until=version, limit=query["limit"])
        headers = next_page(after=events[-1].seq) if events and events[-1].seq < version else {}
        document = {
            "events": list(map(seen.show, events)),
            "superseded": _of_page(store().corrections.superseded(game_id, version), events),
            "version": version,
        }
        return answer(document, headers=headers)

    # An instance: of a class flask-smorest makes one for each request, which takes as long as the rules.
    @blueprint.arguments(AppendQuery(), location="query", error_status_code=400)
    @blueprint.response(201, Appended)
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

        One event, or a list that is appended whole or not at all. A 201 is a promise: the events are on disk.
        """
        require_media_type(request, "application/json")
        drafts = parse_drafts(request.get_data())
        is_dry_run = query["dry_run"]
        key = None if is_dry_run else idempotency_key(drafts)
        try:
            recorded = append(
                store(),
                game_id,
                drafts,
                recorded_at=now(),
                key=key,
                versions=if_match(),
                is_dry_run=is_dry_run,
            )
        except EngineError as error:
            raise _refusal(error, game_id, drafts) from error
        document: dict[str, Any] = {**position(recorded.game), "events": recorded.events}
        if recorded.impact is not None:
            document["impact"] = recorded.impact
        headers = {"ETag": etag(recorded.game.version)}
        if recorded.is_replay:
            headers["Idempotent-Replayed"] = "true"
        return answer(document, 200 if is_dry_run else 201, headers)


def _of_page(superseded: list[Superseded], events: Sequence[LoggedEvent]) -> list[Superseded]:
    """Those of which an event stands among `events`, or what took them off the line."""
    if not events:
        return []
    first, last = events[0].seq, events[-1].seq
    return [one for one in superseded if (one.first <= last and one.last >= first) or first <= one.by <= last]


def _refusal(error: EngineError, game_id: str, drafts: Sequence[Draft]) -> Problem:
    """The problem to answer with. A place in a list is told only where a list was sent."""
    game = store().games.cached(game_id) or store().games.latest(game_id)
    draft = drafts[error.index or 0]
    if request.get_data().lstrip()[:1] != b"[":
        error.index = None
    problem = from_engine(error, game.ruleset)
    if draft.type == lifecycle.SET_UP and "chance" in problem.members:
        header = game.header
        options = game.ruleset.parse_options(header.options, len(header.seats))
        problem.members["places"] = game.ruleset.places(options, header.names, draft.outcomes or ())
        for outcome in problem.members["chance"]["outcomes"]:
            outcome["at"] = game.ruleset.space(outcome["value"])
    return problem


@blueprint.route("/events/<int:seq>")
class OneEvent(MethodView):
    @blueprint.arguments(Viewed, location="query", error_status_code=400)
    @blueprint.response(200, Event)
    def get(self, query: dict[str, Any], game_id: str, seq: int) -> Response:
        """Read one event"""
        seen = look(game_id, query)
        if not 0 < seq <= seen.game.version:
            raise not_found(f"event {seq} in this game")
        (event,) = store().events.read(game_id, after=seq - 1, limit=1)
        masked = seen.show(event)
        return versioned(masked, seq if masked == event else f"{seq}-masked")


@blueprint.route("/stream")
class Stream(MethodView):
    @blueprint.arguments(Viewed, location="query", error_status_code=400)
    @blueprint.doc(
        parameters=[
            {
                "in": "header",
                "name": "Last-Event-ID",
                "description": "The `seq` of the last event received: the stream goes on after it.",
                "schema": {"type": "string", "examples": ["41"]},
            }
        ],
        responses={
            "200": {
                "description": (
                    "Server-Sent Events: `id` is the `seq`, `data` the event. Those named `superseded` have no `id`; "
                    "their `data` is `{by, superseded: [[first, last]], version, head, turn}`: all events that do not "
                    "stand since event `by`."
                ),
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            },
            "204": {"description": "The game has ended for good (or `until` is reached), and all of it was received."},
        },
    )
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Watch the log grow

        Server-Sent Events from the first event, or from the one after `Last-Event-ID`. After one that takes others back
        or writes one anew, an event named `superseded` says which of them do not stand any more, and where the game is
        now. The stream ends with a seeded game; an observed one may be opened again, so its stream goes on. With
        `until` it ends with that event.
        """
        header = request.headers.get("Last-Event-ID", "0")
        if not header.isascii() or not header.isdigit() or len(header) > 15:
            raise malformed("/Last-Event-ID", "the `seq` of an event")
        after = int(header)
        seen = look(game_id, query)
        until = seen.game.version if "until" in query else None
        if (until is not None or live.is_over_for_good(seen.game)) and after >= seen.game.version:
            return Response(status=204)
        show = seen.show if until is not None else shown(store(), game_id, seen.game, seen.seat, is_live=True)
        listener = live.hub().follow(store(), game_id, seen.game, show, after=after, until=until)
        response = Response(
            iter(listener),
            content_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )
        response.call_on_close(listener.close)
        return response
