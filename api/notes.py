"""The notes to a game: all that was said about its events, and where they are marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from flask import Response
from flask.views import MethodView

from api.http import Blueprint, versioned
from api.story import Line, story
from api.viewing import look
from schemas.events import Viewed
from schemas.notes import NoteList

blueprint = Blueprint(
    "notes", __name__, url_prefix="/v1/games/<string:game_id>/notes", description="What was said about a game."
)


@blueprint.route("")
class Notes(MethodView):
    @blueprint.arguments(Viewed, location="query", error_status_code=400)
    @blueprint.response(200, NoteList)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Read what was said

        Every annotation, and every note that was recorded with an event, in the order in which they were written; each
        with the event that it is about. Marks and bookmarks are null where there is none.
        """
        game = look(game_id, query).game
        return versioned({"notes": list(_notes(story(game_id, game))), "version": game.version}, game.version)


def _notes(lines: Sequence[Line]) -> Iterator[dict[str, Any]]:
    for line in lines:
        if line.about is not None:
            yield _note(line, lines[line.about - 1], line.text, line.mark, line.bookmark)
        if line.note is not None:
            yield _note(line, line, line.note)


def _note(
    line: Line, about: Line, text: str | None, mark: str | None = None, bookmark: str | None = None
) -> dict[str, Any]:
    return {
        "seq": line.seq,
        "about": about.seq,
        "turn": about.turn,
        "sentence": about.sentence,
        "text": text,
        "mark": mark,
        "bookmark": bookmark,
        "recorded_at": line.recorded_at,
        "occurred_at": line.occurred_at,
        "recorded_by": line.recorded_by,
        "superseded_by": line.superseded_by,
    }
