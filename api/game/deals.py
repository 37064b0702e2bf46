"""Deals: the setup of a game, which other groups can play, too."""

from __future__ import annotations

from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER, caller
from api.plumbing.http import Blueprint, answer, store
from api.plumbing.limits import SMALL
from schemas.deals import Deal
from service import deals

blueprint = Blueprint(
    "deals",
    __name__,
    url_prefix="/v1/games/<string:game_id>/deal",
    description="The setup of a game, for another game with the same one.",
)


@blueprint.route("")
class OneDeal(MethodView):
    @blueprint.operation("getDeal", needs=VIEWER, limits=SMALL, refuses=["invalid"])
    @blueprint.response(200, Deal)
    def get(self, game_id: str) -> Response:
        """Get the deal of a game

        Returns the setup, and the cards of each deck from the top down to the last revealed card. With them, you can
        set up the same table again. To open a game with this setup, send `deal` with `POST /v1/games`; `games` lists
        the other games of this deal. If you plan to play this deal, do not read the decks.
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
