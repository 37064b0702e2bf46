"""The table as a picture, now and at any event."""

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
from engine.play.beliefs import belief
from engine.play.game import Game
from schemas.reading import PictureQuery
from service.viewing import Seen, after_event
from store.errors import UnknownEvent

blueprint = Blueprint("board", __name__, url_prefix="/v1/games/<string:game_id>", description="The table as a picture.")

MEDIA_TYPE = "image/svg+xml"
_SIZE = re.compile(rb'width="([0-9.]+)" height="([0-9.]+)"')
"""What a picture may load where it is opened by itself: nothing."""


@blueprint.route("/board.svg")
class Board(MethodView):
    """The table, drawn."""

    @blueprint.operation("drawBoard", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(PictureQuery, location="query", error_status_code=400)
    @blueprint.file("The table.", {MEDIA_TYPE: TEXT}, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The table as a picture

        SVG. Its elements carry `data-kind` and `data-id`; those that actions mean carry `data-place` (the value that
        stands in `params`; a number by its name, as in `die:2`), those of a player `data-seat`, those that differ from
        the event that `changes` names `data-changed`. Colours follow the reader's theme by CSS variables.
        """
        if request.accept_mimetypes and not request.accept_mimetypes.best_match([MEDIA_TYPE]):
            raise Problem("not-acceptable", f"A picture is {MEDIA_TYPE}.")
        seen = look(game_id, query)
        at = _known(seen.game.version, query.get("at", seen.game.version))
        compared = compared_with(query["changes"], at, seen.game.version)
        headers = {
            "ETag": etag(_tag(seen, query, at, compared)),
            # After a given event the table is as it was for ever; only the drawing may become better.
            "Cache-Control": "private, max-age=3600" if "at" in query else "no-cache",
            "Content-Security-Policy": drawing.POLICY,
            "Vary": "Accept-Language, Cookie",
        }
        if request.if_none_match.contains_weak(headers["ETag"].strip('"')):
            return Response(status=304, headers=headers)
        picture = drawn(game_id, seen, at, compared, layout=query["layout"], plain=query["plain"])
        return Response(picture, content_type=MEDIA_TYPE, headers=headers)


def drawn(
    game_id: str, seen: Seen, at: int, compared: int | None, *, layout: drawing.Layout, plain: bool = False
) -> bytes:
    """The picture of the table after event `at`, with what is not as it was after event `compared` marked."""
    scene = _scene(game_id, seen, at)
    before = None if compared is None else _scene(game_id, seen, compared)
    return drawing.svg(scene, before, layout=layout, plain=plain)


def compared_with(changes: str | None, at: int, version: int) -> int | None:
    """The event that `changes` names; None where nothing is marked.

    Raises:
        UnknownEvent: the game, at `version`, has none of that number.
    """
    if changes is None:
        return None
    return max(1, at - 1) if changes == "previous" else _known(version, int(changes))


def _known(version: int, at: int) -> int:
    if not 1 <= at <= version:
        raise UnknownEvent(at, version)
    return at


def _tag(seen: Seen, query: dict[str, Any], at: int, compared: int | None) -> str:
    """All that a picture is made of: the events it shows, who looks, and how it is drawn."""
    rules = seen.game.ruleset
    look_ = (query["viewer"] or "public", query["layout"], "plain" if query["plain"] else "styled")
    return "-".join(map(str, (at, compared or 0, *look_, rules.version, drawing.VERSION)))


def size(game: Game) -> tuple[float, float]:
    """How wide and how high the picture of a game's table is, in its own units."""
    found = _SIZE.search(drawing.svg(_table(game, None), plain=True))
    assert found is not None
    return float(found[1]), float(found[2])


def _scene(game_id: str, seen: Seen, at: int) -> Scene:
    return _table(after_event(store(), game_id, seen.game, at), seen.seat)


def _table(game: Game, seat: int | None) -> Scene:
    names = game.header.names
    if game.state is None:
        return game.ruleset.empty_board(names)
    return belief.board(game.ruleset, game.state, names, seat)
