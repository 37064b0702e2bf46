"""The live page: a read-only view of a game, readable from across the room."""

from __future__ import annotations

from flask import Blueprint, Response

from api.pages.record import sprite
from api.plumbing.about import about, page
from api.plumbing.access import VIEWER, needs
from api.plumbing.http import store

blueprint = Blueprint("watch", __name__)


@blueprint.get("/games/<string:game_id>/watch")
@needs(VIEWER)
def watch(game_id: str) -> Response:
    """Show a live game."""
    game = store().games.latest(game_id)
    return page("watch.html", about(game_id, game), version=game.version, **sprite())


@blueprint.get("/games/<string:game_id>/overlay")
@needs(VIEWER)
def overlay(game_id: str) -> Response:
    """Show a live game as a camera overlay: transparent, large and without controls."""
    game = store().games.latest(game_id)
    return page("overlay.html", about(game_id, game), version=game.version, **sprite())
