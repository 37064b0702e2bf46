"""Games: create, find, read and fork records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.game.including import requested_members
from api.plumbing.access import ADMIN, OPENER, RECORDER, VIEWER, caller
from api.plumbing.error_handling import problem_of
from api.plumbing.filters import parse_filter
from api.plumbing.http import (
    Blueprint,
    answer,
    earlier_job,
    etag,
    if_match,
    look,
    queue,
    store,
    submit_job,
    versioned_response,
    writers,
)
from api.plumbing.idempotency import REPLAYED, idempotency_key
from api.plumbing.limits import OPENING, ORDER, SMALL
from api.plumbing.metrics import APPENDS, EVENTS
from api.plumbing.paging import next_page
from api.plumbing.problems import document, from_engine
from engine.core.details import HouseRuleInEffect
from engine.core.errors import EngineError, Malformed
from engine.core.events import Seat
from engine.play.game import Game
from schemas.games import (
    ChangeGame,
    ChangeQuery,
    ForkGame,
    GameList,
    GameQuery,
    GameWith,
    ListedGame,
    OneGameQuery,
    OpenGame,
    PageQuery,
)
from schemas.games import Game as GameSchema
from schemas.jobs import Job
from schemas.times import now, utc
from service import deals, mixing, opening, viewing
from service.corrections import USUAL
from service.details import change
from service.opening import OpenedGame
from service.table import position
from store.errors import LacksRuleset
from store.library.projections import Filter, Order, Summary
from workers.queue import QueueUnavailable, enqueue_project

MADE = ("Location", "ETag", "Idempotent-Replayed")
"""Headers of the response to a request that created a game."""

blueprint = Blueprint("games", __name__, url_prefix="/v1/games", description="Records of games.")


def describe(game_id: str, game: Game, opened_at: str) -> dict[str, Any]:
    """Convert a game to its API document."""
    here = f"/v1/games/{game_id}"
    details = game.details
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
            "analyses",
            "export",
            "proof",
            "forks",
        )
    }
    if header.fork is not None:
        links["parent"] = f"/v1/games/{header.fork.game}"
        # A token for one game must not reveal anything about other games, not even that they existed.
        deleted = store().events.tombstone(header.fork.game) if caller().knows(header.fork.game) else None
        more = {} if deleted is None else {"parent_deleted_at": deleted.at}
    return {
        "id": game_id,
        "ruleset": header.ruleset,
        "ruleset_version": header.ruleset_version,
        "title": details.title,
        "played_at": details.played_at
        or (opened_at if game.state is None else store().games.began_at(game_id, game.version)),
        "place": details.place,
        "if_illegal": game.if_illegal,
        "house_rules": list(map(_house_rule, details.house_rules)),
        "seats": list(_seats(game)),
        "options": game.options,
        "chance": header.chance,
        "mode": header.mode,
        "corrections": header.corrections or USUAL,
        "tags": game.tags,
        "seed_commitment": header.seed_commitment,
        "seed_chosen": header.seed_chosen,
        "fork": header.fork,
        "status": game.status,
        "is_installed": True,
        "head": game.head,
        "opened_at": opened_at,
        "links": {"self": here, **links, "ruleset": f"/v1/rulesets/{header.ruleset}"},
        **position(game),
        **more,
    }


def _seats(game: Game) -> Iterator[dict[str, Any]]:
    for seat, name in enumerate(game.names):
        earlier = game.details.people[seat][:-1] if game.details.people else ()
        has_left = {"has_left": True} if seat in game.details.left else {}
        yield {"name": name, **({"earlier": earlier} if earlier else {}), **has_left}


def _house_rule(rule: HouseRuleInEffect) -> dict[str, Any]:
    allows = [
        {"type": one.type, "params": one.members or None, "phase": one.phase, "own_turn": one.own_turn}
        for one in rule.allows
    ]
    given = [{name: value for name, value in one.items() if value is not None} for one in allows]
    return {"text": rule.text, "allows": given}


def _uninstalled_document(game_id: str, game: Game, opened_at: str) -> dict[str, Any]:
    """Return the document of a game whose rules are not installed, from event 1 and the list entry."""
    document = describe(game_id, game, opened_at)
    listed = store().projections.summary(game_id)
    if listed is not None and game.version >= listed.version:
        document |= {"status": listed.status, "turn": listed.turn, "outcome": listed.outcome}
    is_over = document["outcome"] is not None
    return {**document, "phase": "over" if is_over else "unknown", "is_installed": False}


def created_response(opened: OpenedGame, **more: Any) -> Response:
    """Return the response 201 for a new record. `more` has additional members."""
    game = opened.game
    headers = {"Location": f"/v1/games/{opened.game_id}", "ETag": etag(game.version)}
    if opened.is_replay:
        headers |= REPLAYED
    else:
        EVENTS.inc(game.version)
    described = describe(opened.game_id, game, store().games.opened_at(opened.game_id))
    return answer({**described, **more}, 201, headers)


@blueprint.route("")
class Games(MethodView):
    @blueprint.operation("findGames", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(GameQuery, location="query", error_status_code=400)
    @blueprint.response(200, GameList, headers=["Link"])
    def get(self, query: dict[str, Any]) -> Response:
        """Find records

        The games are sorted newest first, or in the order of `sort`. The list is a projection: it follows the logs
        within a moment.
        """
        return _page(parse_filter(query), query, query["sort"])

    @blueprint.operation(
        "openGame",
        needs=OPENER,
        limits=OPENING,
        asks=["Idempotency-Key"],
        refuses=["gone", "illegal-action", "quota-exceeded", "too-much-work", "not-replicated"],
    )
    @blueprint.arguments(OpenGame)
    @blueprint.response(201, GameSchema, headers=MADE)
    def post(self, body: dict[str, Any]) -> Response:
        """Open a record

        Opens a new record. A seeded game is set up at once; an observed game waits for its `set_up` event. With a
        `position`, the record begins in the middle of a game.
        """
        key = idempotency_key(body)
        seats = [Seat(**seat) for seat in body["seats"]]
        deal = body.pop("deal", None)
        if deal is not None:
            body |= _params_of_deal(deal, body)
        del body["seats"]
        mix = body.pop("seed_mix", None)
        open_record = opening.open_record if mix is None else partial(mixing.open_mixed, mix_id=mix)
        made = open_record(
            store(),
            **body,
            seats=seats,
            recorded_at=now(),
            recorded_by=caller().name,
            key=key,
            owner=caller().token,
        )
        return created_response(made)


@blueprint.route("/<string:game_id>")
class OneGame(MethodView):
    @blueprint.operation("getGame", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(OneGameQuery, location="query", error_status_code=400)
    @blueprint.response(200, GameWith, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Get a game

        The `ETag` is the version of the game.
        """
        opened_at = store().games.opened_at(game_id)
        try:
            game = look(game_id, query).game
        except LacksRuleset:
            game = viewing.as_stored(store(), game_id, query.get("until")).game
            return versioned_response(_uninstalled_document(game_id, game, opened_at), game.version)
        described = describe(game_id, game, opened_at)
        if "include" in query:
            # The legal actions depend on the caller, so a version is not enough to cache this response.
            return answer(described | requested_members(game_id, query, game, 0), headers={"ETag": etag(game.version)})
        return versioned_response(described, game.version)

    @blueprint.operation(
        "changeGame",
        needs=RECORDER,
        limits=SMALL,
        asks=["If-Match", "Idempotency-Key"],
        refuses=["illegal-action", "too-much-work", "quota-exceeded", "too-busy", "not-replicated"],
    )
    @blueprint.arguments(ChangeQuery, location="query", error_status_code=400)
    @blueprint.arguments(ChangeGame)
    @blueprint.response(200, GameSchema, headers=["ETag", "Idempotent-Replayed"])
    def patch(self, query: dict[str, Any], body: dict[str, Any], game_id: str) -> Response:
        """Change details of a game

        An event `details_changed` records the changes, which apply from then on, even in an ended game. If nothing
        differs, nothing is appended. An undo to an earlier event restores the earlier details.
        """
        played_at = body.get("played_at")
        given = body if played_at is None else {**body, "played_at": utc(played_at)}
        key = None if query["dry_run"] else idempotency_key(body)
        try:
            recorded = change(
                store(),
                game_id,
                given,
                explain=lambda refused, _: document(problem_of(refused)),
                recorded_at=now(),
                caller=caller(),
                key=key,
                versions=if_match(),
                is_dry_run=query["dry_run"],
                writers=writers(),
                meter=APPENDS,
            )
        except EngineError as error:
            error.index = None
            if isinstance(error, Malformed):
                error = Malformed(error.pointer.removeprefix("/params"), error.message)
            raise from_engine(error, store().games.latest(game_id).ruleset) from error
        described = describe(game_id, recorded.game, store().games.opened_at(game_id))
        headers = {"ETag": etag(recorded.game.version)}
        if recorded.is_replay:
            headers |= REPLAYED
        return answer(described, headers=headers)

    @blueprint.operation("deleteGame", needs=ADMIN, limits=SMALL, refuses=["not-replicated"])
    @blueprint.response(204)
    def delete(self, game_id: str) -> Response:
        """Delete a game

        Permanently deletes the game's log and all derived data. The service keeps only the fact that the game existed,
        and its head: from now on every address of the game responds 410 `gone`. The forks of the game continue to
        exist, with the events that they share with it.
        """
        store().deletions.delete(game_id, at=now(), by=caller().name)
        with suppress(QueueUnavailable):
            # The dispatcher would queue this job, too, but later.
            enqueue_project(queue(), game_id)
        return Response(status=204)


@blueprint.route("/<string:game_id>/forks")
class Forks(MethodView):
    @blueprint.operation("findForks", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(PageQuery, location="query", error_status_code=400)
    @blueprint.response(200, GameList, headers=["Link"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Find the forks of a game

        The forks are sorted newest first. In each fork, `fork.at` is the last event copied from this game.
        """
        if not store().events.exists(game_id):
            raise store().events.absent(game_id)
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

        Opens a new game with the events of this game up to `at`. By default, the fork is observed or seeded like this
        game, but you can choose the other kind. A seeded fork has its own seed, so the fork reveals nothing about later
        draws in this game. A worker creates a long fork (202): poll `Location`; `result.game` of the job is the fork's
        id.
        """
        key = idempotency_key(body)
        earlier = earlier_job(key)
        if earlier is not None:
            return earlier
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
            return submit_job("fork", msgspec.to_builtins(order), key=key)
        return created_response(opening.fork_record(store(), order, recorded_at=now(), key=key, owner=caller().token))


def _params_of_deal(deal: str, body: dict[str, Any]) -> dict[str, Any]:
    found = deals.beginning(store(), deal, body=body, chance=body["chance"])
    tags = [tag for tag in body["tags"] if not tag.startswith(deals.TAG)]
    return {
        "options": found.options,
        "tags": [*tags, found.tag],
        "seed": found.seed,
        "set_up": found.outcomes,
    }


def _page(wanted: Filter, query: dict[str, Any], order: Order = "newest") -> Response:
    found, cursor = store().projections.find(wanted, query.get("cursor"), query["limit"], order)
    return answer({"games": list(map(_entry, found)), "next_cursor": cursor}, headers=next_page(cursor))


_LISTED = tuple(ListedGame().fields)


def _entry(summary: Summary) -> dict[str, Any]:
    own = {"seats": [{"name": name} for name in summary.names], "link": f"/v1/games/{summary.id}"}
    return {name: own[name] if name in own else getattr(summary, name) for name in _LISTED}
