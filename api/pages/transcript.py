"""The printable transcript: a page that prints well, and the same as PDF."""

from __future__ import annotations

import itertools
from base64 import b64encode
from collections.abc import Iterator

from flask import Blueprint, Response, render_template, stream_with_context, url_for

import drawing
from api.http import store
from api.pages import pdf
from api.pages.about import about
from engine import beliefs
from engine.fold import Game
from engine.ruleset import State
from exports.transcript import HOW_TO_VERIFY, Part, Transcript

blueprint = Blueprint("transcript", __name__)

CHUNK = 1 << 16


def _transcript(game_id: str) -> Transcript:
    game = store().games.latest(game_id)
    pages = store().events.pages(game_id, until=game.version)
    return Transcript(game, list(itertools.chain.from_iterable(pages)))


@blueprint.get("/games/<string:game_id>/print")
def print_(game_id: str) -> Response:
    """The transcript as a page."""
    transcript = _transcript(game_id)

    def picture(part: Part) -> str:
        if part.at is not None:
            return url_for("board.Board", game_id=game_id, at=part.at, plain="true")
        assert part.table is not None
        return "data:image/svg+xml;base64," + b64encode(drawn(transcript.game, part.table).encode()).decode()

    page = render_template(
        "print.html",
        about=about(game_id, transcript.game),
        game=transcript.game,
        transcript=transcript,
        picture=picture,
        how_to_verify=HOW_TO_VERIFY,
    )
    return Response(page)


@blueprint.get("/games/<string:game_id>/print.pdf")
def print_pdf(game_id: str) -> Response:
    """The transcript as PDF, A4; of each table what lies in the middle, for what lies around it would be too small."""
    transcript = _transcript(game_id)
    said = about(game_id, transcript.game)
    file = pdf.write(said, transcript, lambda table: drawn(transcript.game, table, "board"))

    def chunks() -> Iterator[bytes]:
        with file:
            while chunk := file.read(CHUNK):
                yield chunk

    return Response(
        stream_with_context(chunks()),
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{game_id}.pdf"'},
    )


def drawn(game: Game, table: State, layout: drawing.Layout = "wide") -> str:
    """The table as a picture for paper."""
    scene = beliefs.board(game.ruleset, table, game.header.names)
    return drawing.svg(scene, layout=layout, plain=True).decode()
