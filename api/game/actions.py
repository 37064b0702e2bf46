"""The legal actions of a game, and its unknown results."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER, caller
from api.plumbing.http import Blueprint, look, store, versioned_response
from api.plumbing.limits import SMALL
from api.plumbing.paging import by_place, next_page
from api.plumbing.problems import malformed_request
from engine.core.values import not_a_seat
from schemas.reading import ActionQuery, LegalActions, ListQuery, UnknownList
from service import table

blueprint = Blueprint("actions", __name__, url_prefix="/v1/games/<string:game_id>", description="Legal actions.")


@blueprint.route("/actions")
class Actions(MethodView):
    @blueprint.operation("listActions", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(ActionQuery, location="query", error_status_code=400)
    @blueprint.response(200, LegalActions, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """List legal actions

        The list is complete and exact. To append an action, send its entry without `label`, `warning`, `rule` and
        `chance`. `ranges` describes sets of actions that are too large to list. If legality depends on an unknown
        result, `possible` has the actions that may be legal. `timer` is the current time limit, which the players
        measure themselves. If the game has ended and the players may not have noticed, append the event `play_on` to
        continue the game. A seat's token gets the actions of that seat; `awaiting` names the seats that must act.
        """
        game = look(game_id, query).game
        actor = query.get("actor")
        if actor is not None and actor not in game.header.seat_ids:
            raise malformed_request("/actor", not_a_seat(len(game.header.seats), actor))
        # A browser may change its seat, and must not reuse a cached response for another seat.
        seat = caller().seat
        return versioned_response(
            table.legal_actions(game, caller(), actor), game.version if seat is None else f"{game.version}-{seat}"
        )


@blueprint.route("/unknowns")
class Unknowns(MethodView):
    @blueprint.operation("listUnknowns", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(ListQuery, location="query", error_status_code=400)
    @blueprint.response(200, UnknownList, headers=["ETag", "Link"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """List unknown results

        Lists each outcome that was reported as null and has not been revealed since, with all values that are still
        possible. To fill it in, append a `reveal`.
        """
        game = look(game_id, query).game
        found, cursor = by_place(table.unknowns(store(), game_id, game), query)
        document = {"unknowns": found, "next_cursor": cursor, "version": game.version}
        return versioned_response(document, game.version, next_page(cursor))
