"""A game, looked back on: in figures, and as a picture to be shown around."""

from __future__ import annotations

from typing import Any

from flask import Response, request
from flask.views import MethodView

import drawing
from api.plumbing.access import VIEWER
from api.plumbing.http import Blueprint, etag, position, store, versioned
from api.plumbing.limits import SMALL
from schemas.recap import AsOf, Recap
from service import recap
from service.viewing import look

blueprint = Blueprint("recap", __name__, url_prefix="/v1/games/<string:game_id>", description="A game, looked back on.")

MEDIA_TYPE = "image/png"
_BINARY = {"schema": {"type": "string", "contentMediaType": MEDIA_TYPE}}


@blueprint.route("/recap")
class Recaps(MethodView):
    """What there is to say of a game when it is over."""

    @blueprint.operation("recapGame", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(AsOf, location="query", error_status_code=400)
    @blueprint.response(200, Recap, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Look back on a game

        How it ended, how long it took, how it went from turn to turn, who did what, and luck in a line. What was taken
        back has no part in it, but for the time that it took. With `until` it is the game as it was after that event.
        """
        game = look(store(), game_id, None, query.get("until")).game
        told = recap.recap(store(), game_id, game)
        document = {**position(game), **{name: getattr(told, name) for name in told.__struct_fields__}}
        return versioned(Recap().dump(document), game.version)


@blueprint.route("/recap.png")
class Picture(MethodView):
    """The same as a picture."""

    @blueprint.operation("drawRecap", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(AsOf, location="query", error_status_code=400)
    @blueprint.file("The picture.", {MEDIA_TYPE: _BINARY}, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The same as a picture

        PNG, 1200 by 630: the table as everybody sees it, and beside it how the game ended. A link to a game that has
        ended is shown by it.
        """
        game = look(store(), game_id, None, query.get("until")).game
        headers = {
            "ETag": etag(f"{game.version}-{game.ruleset.version}-{drawing.VERSION}"),
            "Cache-Control": "no-cache",
        }
        if request.if_none_match.contains_weak(headers["ETag"].strip('"')):
            return Response(status=304, headers=headers)
        return Response(recap.picture(store(), game_id, game), content_type=MEDIA_TYPE, headers=headers)
