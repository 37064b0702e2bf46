"""The record page, for a phone at the table."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from api.pages.offline import addresses
from api.plumbing.about import about, page
from api.plumbing.access import RECORDER, needs
from api.plumbing.http import store
from drawing.symbols import SYMBOLS, outline
from engine.kit.scene.looks import FORMS
from engine.play import registry
from service.table import looks

blueprint = Blueprint("record", __name__)

PAWN = 15.0
"""Size of a pawn on a badge, in its own units."""


@blueprint.get("/games/<string:game_id>/record")
@needs(RECORDER)
def record(game_id: str) -> Response:
    """Show the record page. Its script gets the legal actions from the API."""
    game = store().games.latest(game_id)
    if game.state is None:
        return redirect(url_for("pages.start.setup", game_id=game_id))
    ruleset = url_for("rulesets.OneRuleset", ruleset_id=game.header.ruleset)
    if game.ruleset is not registry.ruleset(game.header.ruleset, game.header.ruleset_version):
        # The ruleset's words depend on the game's options.
        ruleset = url_for("game_ruleset.GameRuleset", game_id=game_id)
    # Right after the setup, mark no changes, because everything is new.
    changes = {"changes": "previous"} if game.version > 2 else {}
    query = urlencode({"include": "actions,story,board", "layout": "board"} | changes)
    told = {"ruleset": ruleset, "looks": looks(game.ruleset), "query": query, "runtime": addresses()}
    return page("record.html", about(game_id, game), **told, **sprite())


def sprite() -> dict[str, Any]:
    """Return the data that the template `_symbols.html` needs."""
    return {"symbols": SYMBOLS, "forms": {form: outline(form, 0, 0, PAWN) for form in FORMS.values()}}
