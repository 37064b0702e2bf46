"""The notes of a game: texts about its events, with marks and bookmarks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER
from api.plumbing.http import Blueprint, look, store, unless_known
from api.plumbing.limits import SMALL
from api.plumbing.paging import by_place, next_page
from schemas.notes import NoteList
from schemas.reading import ListQuery
from service.logs import whole
from service.notes import notes

blueprint = Blueprint(
    "notes", __name__, url_prefix="/v1/games/<string:game_id>/notes", description="The notes on a game."
)


@blueprint.route("")
class Notes(MethodView):
    @blueprint.operation("listNotes", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(ListQuery, location="query", error_status_code=400)
    @blueprint.response(200, NoteList, headers=["ETag", "Link"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Read the notes of a game

        Returns every annotation, and every note that was recorded with an event, in the order of recording. `mark` and
        `bookmark` are null if there are none.
        """
        game = look(game_id, query).game
        link: dict[str, str] = {}

        def note_pages() -> Iterator[bytes]:
            found, cursor = by_place(notes(whole(store(), game_id, game)), query)
            link.update(next_page(cursor))
            yield msgspec.json.encode({"notes": found, "next_cursor": cursor, "version": game.version})

        response = unless_known(game.version, note_pages)
        response.headers.update(link)
        return response
