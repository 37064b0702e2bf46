"""The turn index of a game."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER
from api.plumbing.http import Blueprint, look, store, versioned_response
from api.plumbing.limits import SMALL
from api.plumbing.paging import by_key, next_page
from schemas.reading import ListQuery, TurnList
from service.story import turns

blueprint = Blueprint("turns", __name__, url_prefix="/v1/games/<string:game_id>", description="The turns of a game.")


@blueprint.route("/turns")
class Turns(MethodView):
    @blueprint.operation("listTurns", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(ListQuery, location="query", error_status_code=400)
    @blueprint.response(200, TurnList, headers=["ETag", "Link"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """List the turns of a game

        Lists the turns in effect, without undone events. Hidden cards appear only as far as every player could see
        them.
        """
        game = look(game_id, query).game
        found, cursor = by_key(turns(store(), game_id, game), query, lambda turn: turn.turn)
        document = {"turns": found, "next_cursor": cursor, "version": game.version}
        return versioned_response(document, game.version, next_page(cursor))
