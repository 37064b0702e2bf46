"""Share links: the pages that anyone with such a link can see, and the link as a QR code."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, g, url_for

from api.pages import replay, watch
from api.plumbing.access import ANYONE, guest, needs
from api.plumbing.hosts import public_url
from api.plumbing.http import store
from api.plumbing.qr import qr

blueprint = Blueprint("shared", __name__)


@blueprint.get("/s/<token>")
@needs(ANYONE)
def show_game(token: str) -> Response:
    """Show the game of a share link: live during the game, as a replay afterwards."""
    game_id = _game(token)
    g.shared = url_for("pages.shared.show_game", token=token)
    game = store().games.latest(game_id)
    page = watch.watch(game_id) if game.outcome is None else replay.replay(game_id)
    return _private(page)


@blueprint.get("/s/<token>/overlay")
@needs(ANYONE)
def overlay(token: str) -> Response:
    """Show the game of a share link as a camera overlay."""
    game_id = _game(token)
    g.shared = url_for("pages.shared.show_game", token=token)
    return _private(watch.overlay(game_id))


@blueprint.get("/s/<token>/qr.svg")
@needs(ANYONE)
def code(token: str) -> Response:
    """Return a link as a QR code."""
    _game(token)
    address = public_url(current_app.config["SETTINGS"]) + url_for("pages.shared.show_game", token=token)
    return Response(qr(address), content_type="image/svg+xml", headers={"Cache-Control": "no-store"})


def _private(page: Response) -> Response:
    page.headers["Cache-Control"] = "no-store"
    page.headers["X-Robots-Tag"] = "noindex"
    return page


def _game(text: str) -> str:
    # The caller is the link itself, because the page shows the same to anyone with the link.
    g.caller = found = guest(text)
    assert found.game is not None
    return found.game
