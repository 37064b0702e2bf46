"""What the contract names and this version does not have: 501, and in no list of what works."""

from __future__ import annotations

from typing import NoReturn

from flask import Blueprint

from api.http import store
from api.problems import not_implemented

blueprint = Blueprint("planned", __name__, url_prefix="/v1")


@blueprint.get("/games/<string:game_id>/board.svg")
def board(game_id: str) -> NoReturn:
    """The table as a picture."""
    store().events.head(game_id)
    raise not_implemented("The table as a picture")


@blueprint.post("/exports")
def exports() -> NoReturn:
    """Many games in one file."""
    raise not_implemented("Exporting many games at once")
