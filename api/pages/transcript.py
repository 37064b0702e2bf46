"""The printable transcript as a page; `api.pages.printing` has the transcript as PDF."""

from __future__ import annotations

from base64 import b64encode

from flask import Blueprint, Response, stream_template, url_for

from api.plumbing.about import about
from api.plumbing.access import VIEWER, needs
from api.plumbing.http import store, streamed_response
from engine.core.language import say
from exports import FORMATS
from exports.prose import HOW_TO_VERIFY
from exports.transcript import Transcript, TranscriptPart, draw_table
from service.analyses import turning_point
from service.logs import whole
from store.errors import replaying

blueprint = Blueprint("transcript", __name__)


def _transcript(game_id: str) -> Transcript:
    game = store().games.latest(game_id)
    with replaying():
        events = whole(store(), game_id, game).events
        return Transcript(game, events, turning_point=turning_point(store(), game_id, game))


@blueprint.get("/games/<string:game_id>/print")
@needs(VIEWER)
def print_(game_id: str) -> Response:
    """Show the transcript."""
    transcript = _transcript(game_id)

    def picture(part: TranscriptPart) -> str:
        if part.at is not None:
            return url_for("board.Board", game_id=game_id, at=part.at, plain="true", layout="board")
        assert part.table is not None
        return (
            "data:image/svg+xml;base64," + b64encode(draw_table(transcript.game, part.table, "board").encode()).decode()
        )

    page = stream_template(
        "print.html",
        about=about(game_id, transcript.game),
        game=transcript.game,
        transcript=transcript,
        picture=picture,
        how_to_verify=say(HOW_TO_VERIFY),
        has_pdf=FORMATS["pdf"].is_installed,
    )
    return streamed_response((piece.encode() for piece in page if piece), content_type="text/html; charset=utf-8")
