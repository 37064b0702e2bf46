"""The page about the end of a game, designed to look good in a screenshot."""

from __future__ import annotations

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from api.pages.record import sprite
from api.plumbing.about import about, page
from api.plumbing.access import VIEWER, caller, needs
from api.plumbing.http import store
from drawing.palette import PAWNS
from service.access import Role
from service.recap import last_minutes, recap

blueprint = Blueprint("end", __name__)

CURVE = (340, 72)
"""Width and height of the curve, in its own units."""


@blueprint.get("/games/<string:game_id>/end")
@needs(VIEWER)
def end(game_id: str) -> Response:
    """Show the result and its reason, the last turns and the players' actions.

    For an unfinished game, redirect to the live page.
    """
    game = store().games.latest(game_id)
    if game.outcome is None:
        return redirect(url_for("pages.watch.watch", game_id=game_id))
    told = recap(store(), game_id, game)
    curve = [] if told.curve is None else told.curve.path(*CURVE)
    who = caller()
    return page(
        "end.html",
        about(game_id, game),
        recap=told,
        curve=curve,
        curve_size=CURVE,
        last=last_minutes(store(), game_id, game),
        pawns=PAWNS,
        may_undo=who.role.includes(Role.RECORDER),
        may_open=who.role.includes(Role.RECORDER) and who.game is None,
        **sprite(),
    )
