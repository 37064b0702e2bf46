"""The notes to a game: all that was said about its events, and where they are marked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER
from api.plumbing.http import Blueprint, look, store, unless_known
from api.plumbing.limits import SMALL
from exports.log import Log
from schemas.events import Viewed
from schemas.notes import NoteList
from service.logs import whole
from service.notes import notes

blueprint = Blueprint(
    "notes", __name__, url_prefix="/v1/games/<string:game_id>/notes", description="What was said about a game."
)


@blueprint.route("")
class Notes(MethodView):
    """The notes."""

    @blueprint.operation("listNotes", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(Viewed, location="query", error_status_code=400)
    @blueprint.response(200, NoteList, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Read what was said

        Every annotation, and every note that was recorded with an event, in the order in which they were written; each
        with the event that it is about. Marks and bookmarks are null where there is none.
        """
        game = look(game_id, query).game
        return unless_known(game.version, lambda: _document(whole(store(), game_id, game)))


def _document(log: Log) -> Iterator[bytes]:
    yield b'{"notes":['
    separator = b""
    for note in notes(log):
        yield separator + msgspec.json.encode(note)
        separator = b","
    yield b'],"version":%d}' % log.folded().version
