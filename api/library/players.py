"""Players: statistics of a player over all games."""

from __future__ import annotations

from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER, caller
from api.plumbing.http import Blueprint, answer, store
from api.plumbing.limits import SMALL
from api.plumbing.problems import not_found
from engine.core.language import say
from schemas.players import PlayerFigures
from service.figures import of_player

blueprint = Blueprint("players", __name__, url_prefix="/v1/players", description="Statistics of players.")


@blueprint.route("/<path:name>")
class OnePlayer(MethodView):
    @blueprint.operation("getPlayer", needs=VIEWER, limits=SMALL)
    @blueprint.response(200, PlayerFigures)
    def get(self, name: str) -> Response:
        """Get a player's statistics

        `name` is the complete name; letter case is ignored. The statistics are a projection: they follow the logs
        within a moment. A hidden name has none.
        """
        found = of_player(store(), name, caller().game)
        if found is None:
            raise not_found(say("player {name}", name=repr(name)))
        return answer({field: getattr(found, field) for field in found.__struct_fields__})
