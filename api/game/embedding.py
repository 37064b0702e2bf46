"""oEmbed (oembed.com): other sites can show the picture of the table for a link to a game."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from flask import Response, current_app, g
from flask.views import MethodView

from api.game.board import size
from api.plumbing import access
from api.plumbing.about import about
from api.plumbing.access import ANYONE, guest
from api.plumbing.hosts import public_url
from api.plumbing.http import Blueprint, answer, store
from api.plumbing.limits import SMALL
from api.plumbing.problems import not_found
from schemas.embedding import Embedded, EmbedQuery

blueprint = Blueprint(
    "embedding", __name__, url_prefix="/oembed", description="Previews of links to games, for other sites."
)

_ADDRESS = re.compile(r"(/s/[^/]+)?(?:/games/([0-9a-z]{1,32}))?(?:/(?:watch|overlay))?/?")
_FAULTS = ("damaged-record", "ruleset-not-installed", "store-unavailable", "too-much-work")
CACHE_SECONDS = 300


@blueprint.route("")
class Embed(MethodView):
    @blueprint.operation(
        "embedGame",
        needs=ANYONE,
        limits=SMALL,
        refuses=["unauthenticated", "not-found", "gone", *_FAULTS],
    )
    @blueprint.arguments(EmbedQuery, location="query", error_status_code=400)
    @blueprint.response(200, Embedded)
    def get(self, query: dict[str, Any]) -> Response:
        """Get the preview of a link for another site

        Returns oEmbed 1.0 of the type `photo`. Anyone can get the preview of a share link; the preview of a game's page
        needs an open service.
        """
        game_id, api = _parse_link(query["url"])
        game = store().games.latest(game_id)
        said = about(game_id, game)
        width, height = size(game)
        scale = min(1.0, query.get("maxwidth", width) / width, query.get("maxheight", height) / height)
        home = public_url(current_app.config["SETTINGS"])
        told = {
            "version": "1.0",
            "type": "photo",
            "title": f"{said.title}: {said.players} ({said.standing})",
            "author_name": said.players,
            "provider_name": "Driftlog",
            "provider_url": f"{home}/",
            "cache_age": CACHE_SECONDS,
            "url": f"{home}{api}/board.svg?layout=wide&plain=true",
            "width": _pixels(width * scale),
            "height": _pixels(height * scale),
        }
        return answer(told)


def _pixels(length: float) -> int:
    """Round a length down to whole pixels. A float just below a whole number counts as that number."""
    return max(1, int(length + 0.001))


def _parse_link(url: str) -> tuple[str, str]:
    """Return the id of the game that a link to this service shows, and the address of the API for that link."""
    try:
        there = urlsplit(url)
    except ValueError:
        raise not_found("such page of this game") from None
    home = urlsplit(public_url(current_app.config["SETTINGS"]))
    match = _ADDRESS.fullmatch(there.path.removeprefix(home.path.rstrip("/")))
    if there.netloc.lower() != home.netloc.lower() or match is None or match[0] in {"", "/"}:
        raise not_found("such page of this game")
    link, named = match[1], match[2]
    if link is not None:
        found = guest(link.removeprefix("/s/"))
        assert found.game is not None
        if named not in {None, found.game}:
            raise not_found("such page of this game")
        return found.game, f"{link}/v1/games/{found.game}"
    if named is None:
        raise not_found("such page of this game")
    if g.caller is None:
        # The other site has no token. So if the service requires tokens, only share links can be embedded.
        raise access.unknown()
    return named, f"/v1/games/{named}"
