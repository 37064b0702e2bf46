"""What the contract names and this version does not have: 501, and in no list of what works."""

from __future__ import annotations

from typing import NoReturn

from flask import Blueprint

from api.problems import not_implemented

blueprint = Blueprint("planned", __name__, url_prefix="/v1")


@blueprint.post("/exports")
def exports() -> NoReturn:
    """Many games in one file."""
    raise not_implemented("Exporting many games at once")
