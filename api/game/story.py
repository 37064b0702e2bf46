"""The story of a game: its events as sentences, with their status."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER
from api.plumbing.http import Blueprint, answer, look, store
from api.plumbing.limits import SMALL
from api.plumbing.paging import after_of, cursor_to, next_page
from engine.play.game import Game
from schemas.reading import Story, StoryQuery
from service import story
from service.table import position

blueprint = Blueprint(
    "story", __name__, url_prefix="/v1/games/<string:game_id>/story", description="The events of a game as sentences."
)


@blueprint.route("")
class Stories(MethodView):
    @blueprint.operation("readStory", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(StoryQuery, location="query", error_status_code=400)
    @blueprint.response(200, Story, headers=["Link"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Read the story

        Returns every event as a sentence, in order, from the one after `after`. Secrets appear only as far as everyone
        at the table saw them. With `until`, the story is as of that event, and includes nothing later.
        """
        game = look(game_id, query).game
        after = after_of(query)
        told = story_document(game_id, game, after, min(after + query["limit"], game.version))
        return answer(told, headers=next_page(told["next_cursor"]))


def story_document(game_id: str, game: Game, after: int, until: int) -> dict[str, Any]:
    """Return the story of the events after `after` up to `until`, as of the game's version."""
    lines = story.part_json(store(), game_id, game, after, until)
    cursor = cursor_to(until) if after < until < game.version else None
    return {**position(game), "story": msgspec.Raw(lines), "next_cursor": cursor}
