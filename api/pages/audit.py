"""The audit as a page: what a worker found, in words that a player understands."""

from __future__ import annotations

from flask import Blueprint, Response

from api.plumbing.about import about, page
from api.plumbing.access import VIEWER, needs
from api.plumbing.http import store

blueprint = Blueprint("audit", __name__)


@blueprint.get("/games/<string:game_id>/audit")
@needs(VIEWER)
def audit(game_id: str) -> Response:
    """An audit of a game: started when the page is opened, and followed to its report."""
    game = store().games.latest(game_id)
    return page("audit.html", about(game_id, game), version=game.version)
