"""Share links: what one who has a link may see, and the link as a QR code."""

from __future__ import annotations

from flask import Blueprint, Response, g, request, url_for

from api.http import store
from api.pages import replay, watch
from api.problems import not_found
from api.sharing import qr
from store.sharing import Share

blueprint = Blueprint("shared", __name__)


@blueprint.get("/s/<token>")
def shared(token: str) -> Response:
    """The game of a link, to look at: live while it goes on, to be replayed once it has ended."""
    share = _share(token)
    g.shared = True
    game = store().games.latest(share.game)
    page = watch.watch(share.game) if game.outcome is None else replay.replay(share.game)
    page.headers["Cache-Control"] = "no-store"
    page.headers["X-Robots-Tag"] = "noindex"
    return page


@blueprint.get("/s/<token>/qr.svg")
def code(token: str) -> Response:
    """A link as a QR code."""
    share = _share(token)
    address = request.url_root.rstrip("/") + url_for("pages.shared.shared", token=share.token)
    return Response(qr(address), content_type="image/svg+xml", headers={"Cache-Control": "no-store"})


def _share(token: str) -> Share:
    share = store().sharing.find(token)
    if share is None:
        raise not_found("such link; it may have been withdrawn")
    return share
