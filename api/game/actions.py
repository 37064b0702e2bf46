"""The legal actions of a game, and its unknown results."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER, caller
from api.plumbing.http import Blueprint, look, position, store, versioned
from api.plumbing.limits import SMALL
from api.plumbing.problems import malformed
from engine.core.values import not_a_seat
from engine.play.game import Game
from schemas.events import Viewed
from schemas.reading import (
    ActionQuery,
    LegalActions,
    UnknownList,
)
from service import table

blueprint = Blueprint(
    "actions", __name__, url_prefix="/v1/games/<string:game_id>", description="What can be appended now."
)


@blueprint.route("/actions")
class Actions(MethodView):
    """What may be done now."""

    @blueprint.operation("listActions", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(ActionQuery, location="query", error_status_code=400)
    @blueprint.response(200, LegalActions, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """All that may be appended now

        Complete and exact; where a full list would be too long, `ranges` says what else. Each entry, less `label`,
        `warning`, `rule` and `chance`, is a body to append. Where somebody has to know what nobody saw, `possible` has
        what may be legal. `timer` says what the players have only so long for: the table holds the watch. A seat's
        token is told what that seat may do; `awaiting` says whom the table waits for.
        """
        game = look(game_id, query).game
        actor = query.get("actor")
        if actor is not None and actor not in game.header.seat_ids:
            raise malformed("/actor", not_a_seat(len(game.header.seats), actor))
        # What one browser has kept as one seat is not what it is told as another.
        seat = caller().seat
        return versioned(legal_actions(game, actor), game.version if seat is None else f"{game.version}-{seat}")


def legal_actions(game: Game, actor: str | None = None) -> dict[str, Any]:
    """All that the caller, or that seat, may append to the game, as it is told."""
    found = table.actions(game, caller(), actor)
    document = {
        **position(game),
        "actions": found.legal,
        "possible": found.possible,
        "ranges": found.ranges,
        "timer": table.timer(game),
    }
    del document["outcome"]
    return document


@blueprint.route("/unknowns")
class Unknowns(MethodView):
    """What nobody saw."""

    @blueprint.operation("listUnknowns", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(Viewed, location="query", error_status_code=400)
    @blueprint.response(200, UnknownList, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """What nobody saw

        Each outcome that was reported as null and has not been revealed since, with all that it may have been by what
        is known now. A `reveal` says what it was.
        """
        game = look(game_id, query).game
        return versioned({"unknowns": table.unknowns(store(), game_id, game), "version": game.version}, game.version)
