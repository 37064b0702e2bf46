"""The library: all games, found by what they are."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, render_template

blueprint = Blueprint("library", __name__)


@blueprint.get("/")
def index() -> Response:
    """All games."""
    return make_response(render_template("library.html"))
