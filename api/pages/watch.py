"""Watch: a game as it is played, read-only, readable across a room."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, render_template, url_for

from api.http import store
from api.pages.about import about

blueprint = Blueprint("watch", __name__)


@blueprint.get("/games/<string:game_id>/watch")
def watch(game_id: str) -> Response:
    """A game, live."""
    game = store().games.latest(game_id)
    page = render_template(
        "watch.html",
        about=about(game_id, game),
        version=game.version,
        api=url_for("games.OneGame", game_id=game_id),
    )
    return make_response(page)
