"""Events: append them, read the log, watch it grow."""

from __future__ import annotations

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
from api.problems import from_engine, malformed, not_found
from api.recording import append
from api.viewing import look, shown
from engine.errors import EngineError
from engine.lifecycle import REWRITING
from schemas.events import Appended, AppendQuery, Event, EventList, EventQuery, Viewed, parse_drafts

blueprint = Blueprint("events", __name__, url_prefix="/v1/games/<string:game_id>", description="The log of a game.")


@blueprint.route("/events")
class Events(MethodView):
    @blueprint.arguments(EventQuery, location="query", error_status_code=400)
    @blueprint.response(200, EventList)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Read the log

        In order, from the event after `after`.
        """
        seen = look(game_id, query)
        version = seen.game.version
        events = store().events.read(game_id, after=query["after"], until=version, limit=query["limit"])
        headers = next_page(after=events[-1].seq) if events and events[-1].seq < version else {}
        return answer({"events": list(map(seen.show, events)), "version": version}, headers=headers)

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
            raise _refusal(error, game_id) from error
        document: dict[str, Any] = {**position(recorded.game), "events": recorded.events}
        if any(draft.type in REWRITING for draft in drafts):
            document["impact"] = recorded.impact
        headers = {"ETag": etag(recorded.game.version)}
        if recorded.is_replay:
            headers["Idempotent-Replayed"] = "true"
        return answer(document, 200 if is_dry_run else 201, headers)


def _refusal(error: EngineError, game_id: str) -> Exception:
    """The problem to answer with. A place in a list is told only where a list was sent."""
    game = store().games.cached(game_id) or store().games.latest(game_id)
    if request.get_data().lstrip()[:1] != b"[":
        error.index = None
    return from_engine(error, game.ruleset)


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
                "description": "Server-Sent Events: `id` is the `seq`, `data` the event.",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            },
            "204": {"description": "The game has ended, and all of it was received: do not come back."},
        },
    )
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Watch the log grow

        Server-Sent Events from the first event, or from the one after `Last-Event-ID`. With `until` the stream ends
        with that event.
        """
        header = request.headers.get("Last-Event-ID", "0")
        if not header.isascii() or not header.isdigit() or len(header) > 15:
            raise malformed("/Last-Event-ID", "the `seq` of an event")
        after = int(header)
        seen = look(game_id, query)
        until = seen.game.version if "until" in query else None
        if (until is not None or seen.game.outcome is not None) and after >= seen.game.version:
            return Response(status=204)
        show = seen.show if until is not None else shown(game_id, seen.game, seen.seat, is_live=True)
        listener = live.hub().follow(store(), game_id, after, show, until=until)
        response = Response(
            iter(listener),
            content_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )
        response.call_on_close(listener.close)
        return response
