"""What is read of a game: what may be done now, the table at any event, its turns, its log as a file."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from flask import Response, request, stream_with_context
from flask.views import MethodView

from api.http import Blueprint, etag, position, store, versioned
from api.openapi import log_content
from api.problems import Problem, chance_document, malformed, not_found
from api.proofs import signed_head
from api.viewing import look
from engine import lifecycle
from engine.canonical import digest
from engine.events import Event
from engine.fold import Game
from engine.turns import Turn
from exports import FORMATS, Log, Rereadable, filename
from schemas.events import Viewed
from schemas.reading import ActionQuery, ExportQuery, LegalActions, State, StateQuery, TurnList

blueprint = Blueprint(
    "reading", __name__, url_prefix="/v1/games/<string:game_id>", description="The table, now and at any event."
)


@blueprint.route("/actions")
class Actions(MethodView):
    @blueprint.arguments(ActionQuery, location="query", error_status_code=400)
    @blueprint.response(200, LegalActions)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """All that may be appended now

        Complete and exact; where a full list would be too long, `ranges` says what else. Each entry, less `label`,
        `rule` and `chance`, is a body to append.
        """
        game = look(game_id, query).game
        actor = query.get("actor")
        if actor is not None and actor not in game.header.seat_ids:
            raise malformed("/actor", "not a seat of this game")
        is_set_up = game.state is not None
        document = {
            **position(game),
            "actions": _legal(game, actor) if is_set_up else _set_up(game, actor),
            "ranges": _ranges(game, actor) if is_set_up else [],
        }
        del document["outcome"]
        return versioned(document, game.version)


def _set_up(game: Game, actor: str | None) -> list[dict[str, Any]]:
    if actor is not None:
        return []
    point = game.ruleset.setup_point(
        game.ruleset.parse_options(game.header.options, len(game.header.seats)), len(game.header.seats)
    )
    return [
        {
            "type": lifecycle.SET_UP,
            "actor": None,
            "params": {},
            "label": "Set up the game",
            "rule": game.ruleset.sections[0],
            "chance": [] if point is None else [chance_document(point, game.ruleset)],
        }
    ]


def _legal(game: Game, actor: str | None) -> list[dict[str, Any]]:
    rules, names = game.ruleset, game.header.names
    found = []
    for legal in rules.legal_actions(game.state):
        if actor is not None and legal.actor != actor:
            continue
        point = rules.chance_point(game.state, legal)
        found.append(
            {
                "type": legal.action.type,
                "actor": legal.actor,
                "params": legal.action,
                "label": legal.action.label(game.state, names),
                "rule": legal.action.rule,
                "chance": [] if point is None else [chance_document(point, rules)],
            }
        )
    return found


def _ranges(game: Game, actor: str | None) -> list[dict[str, Any]]:
    return [
        {"type": legal.kind.type, "actor": legal.actor, "rule": legal.kind.rule, "params": legal.params}
        for legal in game.ruleset.legal_ranges(game.state)
        if actor is None or legal.actor == actor
    ]


@blueprint.route("/state")
class States(MethodView):
    @blueprint.arguments(StateQuery, location="query", error_status_code=400)
    @blueprint.response(200, State)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The table after an event

        The last one, the one that `at` names, or the last of `turn`.
        """
        if "at" in query and "turn" in query:
            raise malformed("/turn", "either `at` or `turn`")
        seen = look(game_id, query)
        game = seen.game
        at = query.get("at", game.version)
        if "turn" in query:
            at = _last_of_turn(game_id, game, query["turn"])
        if at > game.version:
            raise not_found(f"event {at} in this game: its last is {game.version}")
        if at < game.version:
            game = store().games.get(game_id, at=at)
        view = None if game.state is None else game.ruleset.view(game.state, seen.seat)
        whole = None if game.state is None else digest(game.ruleset.to_document(game.state))
        return versioned({**position(game), "state": view, "state_hash": whole}, game.version)


def _last_of_turn(game_id: str, game: Game, turn: int) -> int:
    for one in turns(game_id, game.version):
        if one.turn == turn:
            return one.last
    raise not_found(f"turn {turn} in this game")


@blueprint.route("/turns")
class Turns(MethodView):
    @blueprint.arguments(Viewed, location="query", error_status_code=400)
    @blueprint.response(200, TurnList)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The turns of a game

        Of the line that stands: what was undone has no part in it. What players hide is told as the table saw it.
        """
        version = look(game_id, query).game.version
        return versioned({"turns": turns(game_id, version), "version": version}, version)


def turns(game_id: str, version: int) -> list[Turn]:
    """The turn index at `version`: the worker's where it is that far, else made here."""
    return store().projections.turns(game_id, version)


@blueprint.route("/export")
class Export(MethodView):
    @blueprint.arguments(ExportQuery, location="query", error_status_code=400)
    @blueprint.doc(
        responses={
            "200": {
                "description": "The whole log, as a file.",
                "content": log_content(FORMATS.values()),
            }
        }
    )
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The whole log as a file

        Streamed; `json` and `ndjson` can be imported again.
        """
        format_ = FORMATS.get(query["format"])
        if format_ is None:
            raise malformed("/format", f"one of {', '.join(FORMATS)}")
        media_type = format_.media_type.split(";")[0]
        if request.accept_mimetypes and not request.accept_mimetypes.best_match([media_type]):
            raise Problem("not-acceptable", f"The format {format_.name} is {media_type}.")
        seen = look(game_id, query)
        game = seen.game
        tag = f"{game.version}-{format_.name}-{query['viewer'] or 'public'}"
        # Weak: the log is the same to the byte, and the head beside it is signed each time.
        headers = {"ETag": f"W/{etag(tag)}"}
        if request.if_none_match.contains_weak(tag):
            return Response(status=304, headers=headers)
        events = store().events
        proof = signed_head(game_id, game, game.version) if format_.name == "json" else None

        def read() -> Iterator[Event]:
            return itertools.chain.from_iterable(events.pages(game_id, until=game.version))

        log = Log(game_id=game_id, events=Rereadable(read), show=seen.show, proof=proof)
        return Response(
            stream_with_context(format_.write(log)),
            content_type=format_.media_type,
            headers={
                **headers,
                "Link": f'</v1/games/{game_id}/proof?at={game.version}>; rel="describedby"',
                "Content-Disposition": f'attachment; filename="{filename(game_id, format_)}"',
                "Driftlog-Head": game.head,
            },
        )
