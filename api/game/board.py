"""The table as a picture, as of any event."""

from __future__ import annotations

import re
from typing import Any

from flask import Response, request
from flask.views import MethodView

import drawing
from api.plumbing.access import VIEWER
from api.plumbing.http import TEXT, Blueprint, etag, look, store
from api.plumbing.limits import SMALL
from api.plumbing.problems import Problem
from engine.kit.scene import Scene
from engine.play.game import Game
from schemas.reading import PictureQuery
from service import table
from service.viewing import SeenGame, after_event
from store.errors import UnknownEvent

blueprint = Blueprint("board", __name__, url_prefix="/v1/games/<string:game_id>", description="The table as a picture.")

MEDIA_TYPE = "image/svg+xml"
_SIZE = re.compile(rb'width="([0-9.]+)" height="([0-9.]+)"')
"""Matches the size in the first tag of a picture."""


@blueprint.route("/board.svg")
class Board(MethodView):
    @blueprint.operation("drawBoard", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(PictureQuery, location="query", error_status_code=400)
    @blueprint.file("The picture of the table.", {MEDIA_TYPE: TEXT}, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Draw the table

        Returns an SVG picture. Its elements have `data-kind` and `data-id`. Elements that you can choose in an action
        have `data-place`: the value for `params`. If that value is a number, the param's name precedes it, as in
        `die:2`. Elements of a player have `data-seat`. Elements that have changed since the event in `changes` have
        `data-changed`. CSS variables make colours follow the reader's theme.
        """
        if request.accept_mimetypes and not request.accept_mimetypes.best_match([MEDIA_TYPE]):
            raise Problem("not-acceptable", f"This address only returns {MEDIA_TYPE}. Change `Accept`.")
        seen = look(game_id, query)
        at = _check_version(seen.game.version, query.get("at", seen.game.version))
        compared = compared_version(query["changes"], at, seen.game.version)
        headers = {
            "ETag": etag(_tag(seen, query, at, compared)),
            # The table after a given event never changes, but a later version may draw it differently.
            "Cache-Control": "private, max-age=3600" if "at" in query else "no-cache",
            "Content-Security-Policy": drawing.POLICY,
            "Vary": "Accept-Language, Cookie",
        }
        if request.if_none_match.contains_weak(headers["ETag"].strip('"')):
            return Response(status=304, headers=headers)
        picture = draw(game_id, seen, at, compared, layout=query["layout"], plain=query["plain"])
        return Response(picture, content_type=MEDIA_TYPE, headers=headers)


def draw(
    game_id: str, seen: SeenGame, at: int, compared: int | None, *, layout: drawing.Layout, plain: bool = False
) -> bytes:
    """Return the picture of the table after event `at`, with the changes since event `compared` marked."""
    scene = _scene(game_id, seen, at)
    before = None if compared is None else _scene(game_id, seen, compared)
    return drawing.svg(scene, before, layout=layout, plain=plain)


def compared_version(changes: str | None, at: int, version: int) -> int | None:
    """Return the event that `changes` names, for marking later changes; None to mark none.

    Raise `UnknownEvent` if the event does not exist.
    """
    if changes is None:
        return None
    return max(1, at - 1) if changes == "previous" else _check_version(version, int(changes))


def _check_version(version: int, at: int) -> int:
    if not 1 <= at <= version:
        raise UnknownEvent(at, version)
    return at


def _tag(seen: SeenGame, query: dict[str, Any], at: int, compared: int | None) -> str:
    """Return an entity tag that covers all inputs of a picture: the events, the viewer, and the drawing options."""
    rules = seen.game.ruleset
    look_ = (query["viewer"] or "public", query["layout"], "plain" if query["plain"] else "styled")
    return "-".join(map(str, (at, compared or 0, *look_, rules.version, drawing.VERSION)))


def size(game: Game) -> tuple[float, float]:
    """Return the width and height of the picture of a game's table, in the picture's own units."""
    found = _SIZE.search(drawing.svg(table.scene(game, None), plain=True))
    assert found is not None
    return float(found[1]), float(found[2])


def _scene(game_id: str, seen: SeenGame, at: int) -> Scene:
    return table.scene(after_event(store(), game_id, seen.game, at), seen.seat)
