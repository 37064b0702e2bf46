"""The record page: a phone in the middle of the table."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from api.plumbing.about import about, page
from api.plumbing.access import RECORDER, needs
from api.plumbing.http import store
from drawing.symbols import SYMBOLS, outline
from engine.kit.scene.looks import FORMS

blueprint = Blueprint("record", __name__)

PAWN = 15.0
"""How large the form of a pawn is on a badge."""


@blueprint.get("/games/<string:game_id>/record")
@needs(RECORDER)
def record(game_id: str) -> Response:
    """What may be done now, to be tapped; all that it shows it asks of the API."""
    game = store().games.latest(game_id)
    if game.state is None:
        return redirect(url_for("pages.start.setup", game_id=game_id))
    ruleset = url_for("rulesets.OneRuleset", ruleset_id=game.header.ruleset)
    return page("record.html", about(game_id, game), ruleset=ruleset, **sprite())


def sprite() -> dict[str, Any]:
    """What `_symbols.html` draws."""
    return {"symbols": SYMBOLS, "forms": {form: outline(form, 0, 0, PAWN) for form in FORMS.values()}}
