"""The recap of a game: as data, and as a picture to share."""

from __future__ import annotations

from typing import Any

from flask import Response, request
from flask.views import MethodView

import drawing
from api.plumbing.access import VIEWER
from api.plumbing.http import Blueprint, etag, store, versioned_response
from api.plumbing.limits import SMALL
from schemas.recap import AsOf, Recap
from service import recap
from service.analyses import edition
from service.table import position
from service.viewing import look

blueprint = Blueprint("recap", __name__, url_prefix="/v1/games/<string:game_id>", description="A summary of a game.")

MEDIA_TYPE = "image/png"
_BINARY = {"schema": {"type": "string", "contentMediaType": MEDIA_TYPE}}


@blueprint.route("/recap")
class Recaps(MethodView):
    @blueprint.operation("recapGame", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(AsOf, location="query", error_status_code=400)
    @blueprint.response(200, Recap, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Get the recap of a game

        Returns the result, the duration, the value that the ruleset plots for each turn, each player's actions, and a
        sentence about luck. Undone events do not count, but the time to play them does. With `until`, the recap is as
        of that event.
        """
        game = look(store(), game_id, None, query.get("until")).game
        told = recap.recap(store(), game_id, game)
        document = {**position(game), **{name: getattr(told, name) for name in told.__struct_fields__}}
        # The entity tag includes the analysis, because a new one changes the recap, but not the version.
        return versioned_response(Recap().dump(document), f"{game.version}-{edition(store(), game_id)}")


@blueprint.route("/recap.png")
class Picture(MethodView):
    @blueprint.operation("drawRecap", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(AsOf, location="query", error_status_code=400)
    @blueprint.file("The recap as a picture.", {MEDIA_TYPE: _BINARY}, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Get the recap as a picture

        Returns a PNG picture, 1200 by 630 pixels, with the public table and the result. Links to an ended game have it
        as their preview.
        """
        game = look(store(), game_id, None, query.get("until")).game
        headers = {
            "ETag": etag(f"{game.version}-{game.ruleset.version}-{drawing.VERSION}"),
            "Cache-Control": "no-cache",
        }
        if request.if_none_match.contains_weak(headers["ETag"].strip('"')):
            return Response(status=304, headers=headers)
        return Response(recap.picture(store(), game_id, game), content_type=MEDIA_TYPE, headers=headers)
