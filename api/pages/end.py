"""The page about the end of a game, laid out for screenshots."""

from __future__ import annotations

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from api.pages.record import sprite
from api.plumbing.about import about, page
from api.plumbing.access import VIEWER, caller, needs
from api.plumbing.http import store
from drawing.palette import PAWNS
from exports import FORMATS
from service.access import Role
from service.analyses import win_chance
from service.recap import RecapMoment, last_minutes, moments, recap

blueprint = Blueprint("end", __name__)

CURVE = (340, 72)
"""Width and height of the curve, in its own units."""
_FILM, _HOLD = 20_000, 4_000
"""Length of the animation, and of its last frame, in milliseconds."""
_SHORTEST, _LONGEST = 20, 2_000
"""Limits of the time per frame, in milliseconds."""


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
    course = win_chance(store(), game_id, game) or told.curve
    last = last_minutes(store(), game_id, game)
    story = moments(store(), game_id, game, course)
    if last:
        turn, (line, *_) = last[0]
        story.append(RecapMoment(turn, line.seq, line.sentence))
    # One frame per turn.
    delay = min(max((_FILM - _HOLD) // (told.turns + 1), _SHORTEST), _LONGEST)
    who = caller()
    return page(
        "end.html",
        about(game_id, game),
        recap=told,
        course=course,
        curve=[] if course is None else course.path(*CURVE),
        curve_size=CURVE,
        story=story,
        last=last,
        film={"format": "gif", "delay": delay, "hold": _HOLD} if "gif" in FORMATS else None,
        pawns=PAWNS,
        may_undo=who.role.includes(Role.RECORDER),
        may_open=who.role.includes(Role.RECORDER) and who.game is None,
        **sprite(),
    )
