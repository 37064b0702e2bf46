"""The record page: a phone in the middle of the table."""

from __future__ import annotations

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from api.http import store
from api.pages.about import about, page

blueprint = Blueprint("record", __name__)


@blueprint.get("/games/<string:game_id>/record")
def record(game_id: str) -> Response:
    """What may be done now, to be tapped; all that it shows it asks of the API."""
    game = store().games.latest(game_id)
    if game.state is None:
        return redirect(url_for("pages.start.setup", game_id=game_id))
    ruleset = url_for("rulesets.OneRuleset", ruleset_id=game.header.ruleset)
    return page("record.html", about(game_id, game), ruleset=ruleset)
