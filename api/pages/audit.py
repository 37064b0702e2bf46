"""The audit page and the proof page. For an audit, a worker replays the record, and the page shows the report."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response

from api.pages.record import sprite
from api.plumbing.about import about, page
from api.plumbing.access import VIEWER, needs
from api.plumbing.http import store
from drawing.palette import PAWNS
from engine.core.language import say
from engine.play.game import Game
from exports.prose import describe_result
from service.recap import players
from store.errors import StoreError

blueprint = Blueprint("audit", __name__)


@blueprint.get("/games/<string:game_id>/audit")
@needs(VIEWER)
def audit(game_id: str) -> Response:
    """Show the audit of a game. Opening the page starts the audit; when it is done, the page shows the report."""
    game = store().games.latest(game_id)
    return page("audit.html", about(game_id, game), **_common_facts(game_id, game))


@blueprint.get("/games/<string:game_id>/proof")
@needs(VIEWER)
def proof(game_id: str) -> Response:
    """Show the origin of the record, and since when the record is unchanged."""
    game = store().games.latest(game_id)
    return page("proof.html", about(game_id, game), **_common_facts(game_id, game))


def _common_facts(game_id: str, game: Game) -> dict[str, Any]:
    try:
        clock = store().projections.index(game_id, game.version).clock
    except StoreError:
        # The audit will report the damage of the record.
        clock = None
    outcome = game.outcome
    # The page itself shows if adjustments decided the result.
    result = "" if outcome is None else describe_result(msgspec.structs.replace(outcome, by_hand=False), game.names)
    return {
        "clock": clock,
        "result": result or say("Game not finished"),
        "is_over": outcome is not None,
        "by_hand": game.by_hand,
        "players": players(game),
        "pawns": PAWNS,
        **sprite(),
    }
