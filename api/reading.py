"""What is read of a game: what may be done now, the table at any event, its turns, its log as a file."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, request, stream_with_context
from flask.views import MethodView

from api.http import Blueprint, etag, position, store, versioned
from api.openapi import log_content
from api.problems import Problem, chance_document, malformed, not_found
from api.viewing import look
from engine import beliefs, lifecycle, unseen, worlds
from engine.canonical import digest
from engine.fold import Game, Rules
from engine.lines import index_of
from engine.ruleset import LegalAction
from engine.ruleset import State as AnyState
from engine.turns import Turn
from exports import FORMATS, filename
from schemas.events import Viewed
from schemas.reading import ActionQuery, ExportQuery, LegalActions, State, StateQuery, TurnList, UnknownList
from store.cache import Cache
from workers.logs import log

blueprint = Blueprint(
    "reading", __name__, url_prefix="/v1/games/<string:game_id>", description="The table, now and at any event."
)

_Offered = tuple[list[dict[str, Any]], list[dict[str, Any]]]
"""Each action that is legal whatever nobody saw, and each that may be, with the probability that it is."""

_UNKNOWNS: Cache[str, list[dict[str, Any]]] = Cache(256)
"""What nobody saw, by the hash of the last event."""
_OFFERED: Cache[tuple[str, str | None], _Offered] = Cache(64)
"""What may be done where something was not seen, by the hash of the last event and the seat that asks."""


@blueprint.route("/actions")
class Actions(MethodView):
    @blueprint.arguments(ActionQuery, location="query", error_status_code=400)
    @blueprint.response(200, LegalActions)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """All that may be appended now

        Complete and exact; where a full list would be too long, `ranges` says what else. Each entry, less `label`,
        `rule` and `chance`, is a body to append. Where somebody has to know what nobody saw, `possible` has what may be
        legal.
        """
        game = look(game_id, query).game
        actor = query.get("actor")
        if actor is not None and actor not in game.header.seat_ids:
            raise malformed("/actor", "not a seat of this game")
        is_set_up = game.state is not None
        actions, possible = _legal(game, actor) if is_set_up else (_set_up(game, actor), [])
        document = {
            **position(game),
            "actions": actions,
            "possible": possible,
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


def _legal(game: Game, actor: str | None) -> _Offered:
    state = game.state
    assert state is not None
    if not isinstance(state, beliefs.Belief):
        legal = [_action(game, state, one) for one in game.ruleset.legal_actions(state) if actor in {None, one.actor}]
        return legal, []

    def offered() -> _Offered:
        offers = [one for one in worlds.offers(game.ruleset, state) if actor in {None, one.legal.actor}]
        sure = [_action(game, state, one.legal) for one in offers if one.probability == 1]
        unsure = [one for one in offers if one.probability < 1]
        return sure, [{**_action(game, state, one.legal), "p": float(one.probability)} for one in unsure]

    # Dear where many tables are possible, and all phones at the table ask the same.
    return _OFFERED.once((game.head, actor), offered)


def _action(game: Game, state: AnyState, legal: LegalAction[Any]) -> dict[str, Any]:
    rules = game.ruleset
    chance = []
    point = worlds.point(rules, state, legal)
    if point is not None:
        chance.append(chance_document(point, rules))
        if game.header.chance == "observed":
            chance[0]["may_be_unknown"] = worlds.may_be_unseen(rules, state, legal)
    return {
        "type": legal.action.type,
        "actor": legal.actor,
        "params": legal.action,
        "label": legal.action.label(beliefs.likeliest(state), game.header.names),
        "rule": legal.action.rule,
        "chance": chance,
    }


def _ranges(game: Game, actor: str | None) -> list[dict[str, Any]]:
    return [
        {"type": legal.kind.type, "actor": legal.actor, "rule": legal.kind.rule, "params": legal.params}
        for legal in game.ruleset.legal_ranges(beliefs.likeliest(game.state))
        if actor is None or legal.actor == actor
    ]


@blueprint.route("/unknowns")
class Unknowns(MethodView):
    @blueprint.response(200, UnknownList)
    def get(self, game_id: str) -> Response:
        """What nobody saw

        Each outcome that was reported as null and has not been revealed since, with all that it may have been by what
        is known now. A `reveal` says what it was.
        """
        game = store().games.latest(game_id)
        return versioned({"unknowns": _unknowns(game_id, game), "version": game.version}, game.version)


def _unknowns(game_id: str, game: Game) -> list[dict[str, Any]]:

    def found() -> list[dict[str, Any]]:
        unknowns = unseen.unknowns(Rules(game.header), store().games.line(game_id, game.version))
        return [{"seq": one.seq, **chance_document(one.point, game.ruleset)} for one in unknowns]

    # What a long record may have been takes seconds, and all who watch it ask the same.
    return _UNKNOWNS.once(game.head, found)


@blueprint.route("/state")
class States(MethodView):
    @blueprint.arguments(StateQuery, location="query", error_status_code=400)
    @blueprint.response(200, State)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The table after an event

        The last one, the one that `at` names, or the last of `turn` on the line that stands. After event `at` the table
        is as it was then, whatever was amended since.
        """
        if "at" in query and "turn" in query:
            raise malformed("/turn", "either `at` or `turn`")
        seen = look(game_id, query)
        game = seen.game
        at = query.get("at", game.version)
        tag: int | str = at
        if "turn" in query:
            at = tag = _last_of_turn(game_id, game, query["turn"])
        if at > game.version:
            raise not_found(f"event {at} in this game: its last is {game.version}")
        if "turn" in query and store().corrections.is_rewritten(game_id, game.version):
            line = store().games.line(game_id, game.version)
            tag = f"{at}-{game.version}"
            game = msgspec.structs.replace(game, version=at, state=line[index_of(line, at)].after)
        elif at < game.version:
            game = store().games.get(game_id, at=at)
        view = None if game.state is None else beliefs.view(game.ruleset, game.state, seen.seat)
        whole = None if game.state is None else digest(game.state)
        return versioned({**position(game), "state": view, "state_hash": whole}, tag)


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
        return Response(
            stream_with_context(format_.write(log(store(), game_id, game, format_, seen.show))),
            content_type=format_.media_type,
            headers={
                **headers,
                "Link": f'</v1/games/{game_id}/proof?at={game.version}>; rel="describedby"',
                "Content-Disposition": f'attachment; filename="{filename(game_id, format_)}"',
                "Driftlog-Head": game.head,
            },
        )
