"""The turn index of a game."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER
from api.plumbing.http import Blueprint, look, store, versioned
from api.plumbing.limits import SMALL
from schemas.events import Viewed
from schemas.reading import (
    TurnList,
)
from service.story import turns

blueprint = Blueprint("turns", __name__, url_prefix="/v1/games/<string:game_id>", description="The turns of a game.")


@blueprint.route("/turns")
class Turns(MethodView):
    """The turn index."""

    @blueprint.operation("listTurns", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(Viewed, location="query", error_status_code=400)
    @blueprint.response(200, TurnList, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The turns of a game

        Of the line that stands: what was undone has no part in it. What players hide is told as the table saw it.
        """
        game = look(game_id, query).game
        return versioned({"turns": turns(store(), game_id, game), "version": game.version}, game.version)
