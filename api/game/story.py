"""The story of a game: its events in the sentences that a player would say, with what became of each."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER
from api.plumbing.http import Blueprint, answer, look, next_page, position, store
from api.plumbing.limits import SMALL
from engine.play.game import Game
from schemas.reading import Story, StoryQuery
from service import story

blueprint = Blueprint(
    "story", __name__, url_prefix="/v1/games/<string:game_id>/story", description="What happened, in sentences."
)


@blueprint.route("")
class Stories(MethodView):
    """The story."""

    @blueprint.operation("readStory", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(StoryQuery, location="query", error_status_code=400)
    @blueprint.response(200, Story, headers=["Link"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Read what happened

        Every event in a sentence, in order, from the one after `after`; what players hide is told as the table saw it.
        With `until`, all is told as it stood after that event: what came later is nowhere in the answer.
        """
        game = look(game_id, query).game
        after = query["after"]
        until = min(after + query["limit"], game.version)
        headers = next_page(after=until) if after < until < game.version else {}
        return answer(narrated(game_id, game, after, until), headers=headers)


def narrated(game_id: str, game: Game, after: int, until: int) -> dict[str, Any]:
    """The story of the events after `after` up to `until`, at the game's version."""
    lines = story.written(store(), game_id, game, after, until)
    return {**position(game), "story": msgspec.Raw(lines)}
