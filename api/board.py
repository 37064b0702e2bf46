"""The table as a picture, now and at any event."""

from __future__ import annotations

from typing import Any

from flask import Response, request
from flask.views import MethodView

import drawing
from api.http import Blueprint, etag, store
from api.problems import Problem, not_found
from api.viewing import Seen, look
from engine import beliefs
from engine.board import Scene
from engine.fold import Game
from schemas.reading import PictureQuery

blueprint = Blueprint("board", __name__, url_prefix="/v1/games/<string:game_id>")

MEDIA_TYPE = "image/svg+xml"
POLICY = f"default-src 'none'; style-src {drawing.STYLE_SOURCE}"
"""What a picture may load where it is opened by itself: nothing."""


@blueprint.route("/board.svg")
class Board(MethodView):
    @blueprint.arguments(PictureQuery, location="query", error_status_code=400)
    @blueprint.doc(
        responses={"200": {"description": "The table.", "content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}}
    )
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The table as a picture

        SVG. Its elements carry `data-kind` and `data-id`; those that actions mean carry `data-place` (the value that
        stands in `params`; a number by its name, as in `die:2`), those of a player `data-seat`, those that differ from
        the event that `changes` names `data-changed`. Colours follow the reader's theme by CSS variables.
        """
        if request.accept_mimetypes and not request.accept_mimetypes.best_match([MEDIA_TYPE]):
            raise Problem("not-acceptable", f"A picture is {MEDIA_TYPE}.")
        seen = look(game_id, query)
        at = _known(seen.game, query.get("at", seen.game.version))
        compared = query["changes"]
        if compared is not None:
            compared = max(1, at - 1) if compared == "previous" else _known(seen.game, int(compared))
        headers = {
            "ETag": etag(_tag(seen, query, at, compared)),
            # After a given event the table is as it was for ever; only the drawing may become better.
            "Cache-Control": "private, max-age=3600" if "at" in query else "no-cache",
            "Content-Security-Policy": POLICY,
        }
        if request.if_none_match.contains_weak(headers["ETag"].strip('"')):
            return Response(status=304, headers=headers)
        scene = _scene(game_id, seen, at)
        before = None if compared is None else _scene(game_id, seen, compared)
        picture = drawing.svg(scene, before, layout=query["layout"], plain=query["plain"])
        return Response(picture, content_type=MEDIA_TYPE, headers=headers)


def _known(game: Game, at: int) -> int:
    if not 1 <= at <= game.version:
        raise not_found(f"event {at} in this game: its last is {game.version}")
    return at


def _tag(seen: Seen, query: dict[str, Any], at: int, compared: int | None) -> str:
    """All that a picture is made of: the events it shows, who looks, and how it is drawn."""
    rules = seen.game.ruleset
    look_ = (query["viewer"] or "public", query["layout"], "plain" if query["plain"] else "styled")
    return "-".join(map(str, (at, compared or 0, *look_, rules.version, drawing.VERSION)))


def _scene(game_id: str, seen: Seen, at: int) -> Scene:
    game = seen.game if at == seen.game.version else store().games.get(game_id, at=at)
    names = game.header.names
    if game.state is None:
        return game.ruleset.empty_board(names)
    return beliefs.board(game.ruleset, game.state, names, seen.seat)
