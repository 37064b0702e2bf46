"""Deals: the same set-up for another table."""

from __future__ import annotations

from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER, caller
from api.plumbing.http import Blueprint, answer, store
from api.plumbing.limits import SMALL
from schemas.deals import Deal
from service import deals

blueprint = Blueprint(
    "deals", __name__, url_prefix="/v1/games/<string:game_id>/deal", description="The same set-up for another table."
)


@blueprint.route("")
class OneDeal(MethodView):
    """The deal of a game."""

    @blueprint.operation("getDeal", needs=VIEWER, limits=SMALL, refuses=["invalid"])
    @blueprint.response(200, Deal)
    def get(self, game_id: str) -> Response:
        """What a table was dealt

        Its set-up, and each deck from the top as far as the game has shown it: enough to lay the same table again.
        `POST /v1/games` with `deal` opens a game from it, and `games` are those to compare it with. Whoever is going to
        play should not read the decks.
        """
        header = store().games.latest(game_id).header
        found = deals.of_game(store(), game_id)
        document = {
            "game": game_id,
            "ruleset": header.ruleset,
            "options": header.options,
            "seats": len(header.seats),
            "set_up": found.places,
            "decks": found.decks,
            "chances": deals.chances(header, found),
            "games": deals.others(store(), game_id, header, caller().game),
        }
        return answer(document)
