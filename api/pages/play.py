"""The play of a game that has ended, to be taken into the app in which a player counts plays."""

from __future__ import annotations

from flask import Blueprint, Response
from markupsafe import Markup

from api.plumbing.about import about, page
from api.plumbing.access import VIEWER, needs
from api.plumbing.http import store
from api.plumbing.qr import qr
from engine.core.language import speaking
from exports import bgstats, plays
from service.logs import whole
from store.errors import replaying

blueprint = Blueprint("play", __name__)


@blueprint.get("/games/<string:game_id>/play")
@needs(VIEWER)
def play(game_id: str) -> Response:
    """A link that BG Stats opens, for this phone and, as a QR code, for others; and the same as a file."""
    game = store().games.latest(game_id)
    with replaying():
        log = whole(store(), game_id, game)
        found = plays.play(log)
        # What another program reads is in English.
        with speaking(None):
            address = bgstats.link(plays.play(log))
    # More than a phone reads from a screen: then the file has to do.
    code = Markup(qr(address, "l")) if len(address) <= bgstats.LONGEST_LINK else None  # noqa: S704  # our own
    return page("play.html", about(game_id, game), play=found, address=address, code=code)
