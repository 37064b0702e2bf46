"""Games: open a record, find records, say what one is, fork it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.plumbing.access import ADMIN, OPENER, VIEWER, caller
from api.plumbing.filters import wanted
from api.plumbing.http import (
    Blueprint,
    accepted,
    answer,
    etag,
    idempotency_key,
    look,
    next_page,
    now,
    order_job,
    position,
    queue,
    store,
    versioned,
)
from api.plumbing.limits import ORDER, SMALL
from api.plumbing.metrics import EVENTS
from engine.core.events import Seat
from engine.play.game import Game
from schemas.events import Viewed
from schemas.games import ForkGame, GameList, GameQuery, OpenGame, PageQuery
from schemas.games import Game as GameSchema
from schemas.jobs import Job
from service import deals, opening, viewing
from service.corrections import USUAL
from service.opening import Opened
from store.errors import LacksRuleset, UnknownGame
from store.library.projections import Filter, Order, Summary
from workers.queue import QueueUnavailable, enqueue_project

MADE = ("Location", "ETag", "Idempotent-Replayed")
"""The headers of the answer that a game was made."""

blueprint = Blueprint("games", __name__, url_prefix="/v1/games", description="Records of games.")


def describe(game_id: str, game: Game, opened_at: str) -> dict[str, Any]:
    """A game as the API tells of it."""
    here = f"/v1/games/{game_id}"
    header = game.header
    more: dict[str, Any] = {}
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
        # Of another game a token that is for this one alone learns nothing, not even that it was.
        deleted = store().events.tombstone(header.fork.game) if caller().knows(header.fork.game) else None
        more = {} if deleted is None else {"parent_deleted_at": deleted.at}
    return {
        "id": game_id,
        "ruleset": header.ruleset,
        "ruleset_version": header.ruleset_version,
        "seats": header.seats,
        "options": header.options,
        "chance": header.chance,
        "mode": header.mode,
        "corrections": header.corrections or USUAL,
        "tags": header.tags,
        "seed_commitment": header.seed_commitment,
        "fork": header.fork,
        "status": game.status,
        "is_installed": True,
        "head": game.head,
        "opened_at": opened_at,
        "links": {"self": here, **links, "ruleset": f"/v1/rulesets/{header.ruleset}"},
        **position(game),
        **more,
    }


def _unplayed(game_id: str, game: Game, opened_at: str) -> dict[str, Any]:
    """A game whose rules are not installed: as its log begins, and how far it is as the list has it."""
    document = describe(game_id, game, opened_at)
    listed = store().projections.listed(game_id)
    if listed is not None and game.version >= listed.version:
        document |= {"status": listed.status, "turn": listed.turn, "outcome": listed.outcome}
    is_over = document["outcome"] is not None
    return {**document, "phase": "over" if is_over else "unknown", "is_installed": False}


def created(opened: Opened, **more: Any) -> Response:
    """201: a record was opened; `more` is told of it besides."""
    game = opened.game
    headers = {"Location": f"/v1/games/{opened.game_id}", "ETag": etag(game.version)}
    if opened.is_replay:
        headers["Idempotent-Replayed"] = "true"
    else:
        EVENTS.inc(game.version)
    described = describe(opened.game_id, game, store().games.opened_at(opened.game_id))
    return answer({**described, **more}, 201, headers)


@blueprint.route("")
class Games(MethodView):
    """All records."""

    @blueprint.operation("findGames", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(GameQuery, location="query", error_status_code=400)
    @blueprint.response(200, GameList, headers=["Link"])
    def get(self, query: dict[str, Any]) -> Response:
        """Find records

        Newest first, or as `sort` says. The list is a projection: it follows the logs within a moment.
        """
        return _page(wanted(query), query, query["sort"])

    @blueprint.operation(
        "openGame",
        needs=OPENER,
        limits=SMALL,
        asks=["Idempotency-Key"],
        refuses=["gone", "illegal-action", "quota-exceeded", "too-much-work", "not-replicated"],
    )
    @blueprint.arguments(OpenGame)
    @blueprint.response(201, GameSchema, headers=MADE)
    def post(self, body: dict[str, Any]) -> Response:
        """Open a record

        A seeded game is set up at once; an observed one waits for its `set_up`. With a `position` the record begins in
        the middle of a game.
        """
        key = idempotency_key(body)
        seats = [Seat(**seat) for seat in body["seats"]]
        deal = body.pop("deal", None)
        if deal is not None:
            body |= _dealt(deal, body)
        del body["seats"]
        made = opening.open_record(
            store(),
            **body,
            seats=seats,
            recorded_at=now(),
            recorded_by=caller().name,
            key=key,
            owner=caller().token,
        )
        return created(made)


@blueprint.route("/<string:game_id>")
class OneGame(MethodView):
    """One record."""

    @blueprint.operation("getGame", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(Viewed, location="query", error_status_code=400)
    @blueprint.response(200, GameSchema, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """What a game is

        `ETag` is its version.
        """
        opened_at = store().games.opened_at(game_id)
        try:
            game = look(game_id, query).game
        except LacksRuleset:
            game = viewing.as_stored(store(), game_id, query.get("until")).game
            return versioned(_unplayed(game_id, game, opened_at), game.version)
        return versioned(describe(game_id, game, opened_at), game.version)

    @blueprint.operation("deleteGame", needs=ADMIN, limits=SMALL, refuses=["not-replicated"])
    @blueprint.response(204)
    def delete(self, game_id: str) -> Response:
        """Delete a game

        For good: its log, and all that was made of it. What stays is that it was here, and its head: from now on every
        address of the game answers 410 `gone`. Forks of it live on; they have its events up to where they begin.
        """
        store().deletions.delete(game_id, at=now(), by=caller().name)
        with suppress(QueueUnavailable):
            # The dispatcher finds it, too, but later.
            enqueue_project(queue(), game_id)
        return Response(status=204)


@blueprint.route("/<string:game_id>/forks")
class Forks(MethodView):
    """The forks of a game."""

    @blueprint.operation("findForks", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(PageQuery, location="query", error_status_code=400)
    @blueprint.response(200, GameList, headers=["Link"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Find the forks of a game

        Newest first. `fork.at` says where each begins.
        """
        if not store().events.exists(game_id):
            raise UnknownGame(game_id)
        return _page(Filter(parent=game_id, game=caller().game), query)

    @blueprint.operation(
        "forkGame",
        needs=OPENER,
        limits=ORDER,
        asks=["Idempotency-Key"],
        refuses=["quota-exceeded", "too-many-jobs", "too-many-own-jobs", "not-replicated"],
    )
    @blueprint.arguments(ForkGame)
    @blueprint.response(201, GameSchema, headers=MADE)
    @blueprint.alt_response(202, schema=Job, headers=["Location"])
    def post(self, body: dict[str, Any], game_id: str) -> Response:
        """Fork a game

        A new game that has the same events up to `at`, and goes on from there: by the same kind of chance, or by the
        other. A seeded fork draws by a seed of its own, so that it tells nothing of its parent's draws. A long one is
        made by a worker (202), which `Location` follows: the job's `result.game` is its id.
        """
        key = idempotency_key(body)
        order = opening.fork_of(
            store(),
            game_id,
            at=body["at"],
            chance=body.get("chance"),
            seed=body.get("seed"),
            tags=body.get("tags"),
            recorded_by=caller().name,
        )
        if opening.is_long(store(), order) and not store().events.has_opened(key):
            return accepted(order_job("fork", msgspec.to_builtins(order), key=key))
        return created(opening.fork_record(store(), order, recorded_at=now(), key=key, owner=caller().token))


def _dealt(deal: str, body: dict[str, Any]) -> dict[str, Any]:
    """What is opened otherwise where it is opened from that game's deal."""
    found = deals.dealt(store(), deal, body=body, chance=body["chance"])
    tags = [tag for tag in body["tags"] if not tag.startswith(deals.TAG)]
    return {
        "options": found.options,
        "tags": [*tags, found.tag],
        "seed": found.seed,
        "set_up": found.outcomes,
    }


def _page(wanted: Filter, query: dict[str, Any], order: Order = "newest") -> Response:
    found, cursor = store().projections.find(wanted, query.get("cursor"), query["limit"], order)
    headers = {} if cursor is None else next_page(cursor=cursor)
    return answer({"games": [_entry(summary) for summary in found], "next_cursor": cursor}, headers=headers)


def _entry(summary: Summary) -> dict[str, Any]:
    return {
        "id": summary.id,
        "ruleset": summary.ruleset,
        "ruleset_version": summary.ruleset_version,
        "seats": [{"name": name} for name in summary.names],
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
        "seconds": summary.seconds,
        "head": summary.head,
        "is_installed": summary.is_installed,
        "link": f"/v1/games/{summary.id}",
    }
