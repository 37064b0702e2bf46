"""Games: open a record, find records, say what one is, fork it."""

from __future__ import annotations

import secrets
from typing import Any

from flask import Response
from flask.views import MethodView
from ulid import ULID

from api.http import (
    Blueprint,
    answer,
    etag,
    idempotency_key,
    next_page,
    now,
    position,
    store,
    versioned,
)
from api.problems import invalid
from api.recording import list_at_once
from api.viewing import look
from engine.errors import Malformed
from engine.events import Draft, Event, Seat
from engine.fold import Game
from engine.forks import fork
from engine.lifecycle import SET_UP
from engine.lines import NoPast
from engine.record import chance_for, open_game, record
from schemas.events import Viewed
from schemas.games import ForkGame, GameList, GameQuery, OpenGame, PageQuery
from schemas.games import Game as GameSchema
from store.errors import UnknownGame
from store.projections import Filter, Summary
from store.streams import IdempotencyKey

blueprint = Blueprint("games", __name__, url_prefix="/v1/games", description="Records of games.")


def describe(game_id: str, game: Game, opened_at: str) -> dict[str, Any]:
    """A game as the API tells of it."""
    here = f"/v1/games/{game_id}"
    header = game.header
    links = {
        name: f"{here}/{name}"
        for name in (
            "actions",
            "events",
            "stream",
            "state",
            "turns",
            "story",
            "notes",
            "audits",
            "export",
            "proof",
            "forks",
        )
    }
    if header.fork is not None:
        links["parent"] = f"/v1/games/{header.fork.game}"
    return {
        "id": game_id,
        "ruleset": header.ruleset,
        "ruleset_version": header.ruleset_version,
        "seats": header.seats,
        "options": header.options,
        "chance": header.chance,
        "mode": header.mode,
        "tags": header.tags,
        "seed_commitment": header.seed_commitment,
        "fork": header.fork,
        "status": game.status,
        "head": game.head,
        "opened_at": opened_at,
        "links": {"self": here, **links, "ruleset": f"/v1/rulesets/{header.ruleset}"},
        **position(game),
    }


def wanted(query: dict[str, Any]) -> Filter:
    """Which games `query`, as `GameFilter` loads it, asks for."""
    return Filter(
        ruleset=query.get("ruleset"),
        status=query.get("status"),
        result=query.get("result"),
        player=query.get("player"),
        tag=query.get("tag"),
        from_=query.get("from_"),
        to=query.get("to"),
        q=query.get("q"),
        parent=query.get("parent"),
    )


def open_record(game: Game, events: list[Event], seed: str | None, key: IdempotencyKey | None) -> Response:
    """Store a new game and tell of it; the same key opens the same game once."""
    game_id, is_replay = store().open(str(ULID()).lower(), game, events, seed=seed, key=key)
    if is_replay:
        # What the first answer told of: the game as it was opened.
        game = store().games.get(game_id, at=len(events))
    else:
        list_at_once(store(), game_id)
    headers = {"Location": f"/v1/games/{game_id}", "ETag": etag(game.version)}
    if is_replay:
        headers["Idempotent-Replayed"] = "true"
    return answer(describe(game_id, game, store().games.opened_at(game_id)), 201, headers)


@blueprint.route("")
class Games(MethodView):
    @blueprint.arguments(GameQuery, location="query", error_status_code=400)
    @blueprint.response(200, GameList)
    def get(self, query: dict[str, Any]) -> Response:
        """Find records

        Newest first. The list is a projection: it follows the logs within a moment.
        """
        return _page(wanted(query), query)

    @blueprint.arguments(OpenGame)
    @blueprint.response(201, GameSchema)
    def post(self, body: dict[str, Any]) -> Response:
        """Open a record

        A seeded game is set up at once; an observed one waits for its `set_up`. With a `position` the record begins in
        the middle of a game.
        """
        key = idempotency_key(body)
        is_seeded = body["chance"] == "seeded"
        if not is_seeded and "seed" in body:
            raise invalid("/seed", "an observed game has no seed")
        seed = (body.get("seed") or secrets.token_hex(32)) if is_seeded else None
        moment = now()
        game, opened = open_game(
            ruleset=body["ruleset"],
            seats=[Seat(**seat) for seat in body["seats"]],
            options=body["options"],
            seed=seed,
            recorded_at=moment,
            tags=body["tags"],
            mode=body["mode"],
        )
        events = [opened]
        if is_seeded or "position" in body:
            params = {"position": body["position"]} if "position" in body else {}
            chance = chance_for(game.header, seed)
            try:
                game, more = record(game, [Draft(type=SET_UP, params=params)], chance, NoPast(), recorded_at=moment)
            except Malformed as error:
                raise invalid(error.pointer.removeprefix("/params"), error.message) from error
            events += more
        return open_record(game, events, seed, key)


@blueprint.route("/<string:game_id>")
class OneGame(MethodView):
    @blueprint.arguments(Viewed, location="query", error_status_code=400)
    @blueprint.response(200, GameSchema)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """What a game is

        `ETag` is its version.
        """
        game = look(game_id, query).game
        return versioned(describe(game_id, game, store().games.opened_at(game_id)), game.version)


@blueprint.route("/<string:game_id>/forks")
class Forks(MethodView):
    @blueprint.arguments(PageQuery, location="query", error_status_code=400)
    @blueprint.response(200, GameList)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Find the forks of a game

        Newest first. `fork.at` says where each begins.
        """
        if not store().events.exists(game_id):
            raise UnknownGame(game_id)
        return _page(Filter(parent=game_id), query)

    @blueprint.arguments(ForkGame)
    @blueprint.response(201, GameSchema)
    def post(self, body: dict[str, Any], game_id: str) -> Response:
        """Fork a game

        A new game that has the same events up to `at`, and goes on from there: by the same kind of chance, or by the
        other. A seeded fork draws by a seed of its own, so that it tells nothing of its parent's draws.
        """
        key = idempotency_key(body)
        parent = store().games.latest(game_id)
        is_seeded = body.get("chance", parent.header.chance) == "seeded"
        if not is_seeded and "seed" in body:
            raise invalid("/seed", "an observed game has no seed")
        seed = (body.get("seed") or secrets.token_hex(32)) if is_seeded else None
        events = store().events.read(game_id, until=body["at"])
        game, copies = fork(events, body["at"], game=game_id, seed=seed, recorded_at=now(), tags=body.get("tags"))
        return open_record(game, copies, seed, key)


def _page(wanted: Filter, query: dict[str, Any]) -> Response:
    found, cursor = store().projections.find(wanted, cursor=query.get("cursor"), limit=query["limit"])
    headers = {} if cursor is None else next_page(cursor=cursor)
    return answer({"games": [_listed(summary) for summary in found], "next_cursor": cursor}, headers=headers)


def _listed(summary: Summary) -> dict[str, Any]:
    return {
        "id": summary.id,
        "ruleset": summary.ruleset,
        "ruleset_version": summary.ruleset_version,
        "seats": [{"name": name} for name in summary.seats],
        "status": summary.status,
        "version": summary.version,
        "turn": summary.turn,
        "outcome": summary.outcome,
        "chance": summary.chance,
        "mode": summary.mode,
        "tags": summary.tags,
        "fork": summary.fork,
        "opened_at": summary.opened_at,
        "updated_at": summary.updated_at,
        "head": summary.head,
        "link": f"/v1/games/{summary.id}",
    }
