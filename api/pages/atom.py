"""Ended games as an Atom feed (RFC 4287), for feed readers and simple programs."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

from flask import Response, current_app, request, url_for
from flask.views import MethodView
from ulid import ULID

from api.pages.library import GameEntry, entry
from api.plumbing.access import VIEWER
from api.plumbing.filters import parse_filter
from api.plumbing.hosts import public_url
from api.plumbing.http import TEXT, Blueprint, store, unless_known
from api.plumbing.limits import SMALL
from engine.core.language import say
from engine.core.text import visible
from schemas.games import EndedFilter
from store.library.projections import Summary

blueprint = Blueprint("atom", __name__, url_prefix="/v1", description="A feed of games that have ended.")

MEDIA_TYPE = "application/atom+xml"
PAGE = 50
_NAMESPACE = "http://www.w3.org/2005/Atom"


@blueprint.route("/games.atom")
class EndedGames(MethodView):
    @blueprint.operation("readFeed", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(EndedFilter, location="query", error_status_code=400)
    @blueprint.file("The feed.", {MEDIA_TYPE: TEXT}, headers=["ETag"])
    def get(self, query: dict[str, Any]) -> Response:
        """Get ended games as a feed

        Returns an Atom feed of the 50 games that ended last, latest first. It has only games that were played to their
        end.
        """
        query["status"] = "finished"
        found, _ = store().projections.find(parse_filter(query), limit=PAGE)
        feed = _feed(sorted(found, key=lambda game: game.updated_at, reverse=True))
        return unless_known(hashlib.sha256(feed).hexdigest()[:16], lambda: [feed], f"{MEDIA_TYPE};charset=utf-8")


def _feed(games: list[Summary]) -> bytes:
    """Return the feed in UTF-8, the default encoding of XML."""
    home = public_url(current_app.config["SETTINGS"])
    feed = ET.Element("feed", xmlns=_NAMESPACE)
    here = f"{home}{request.script_root}{request.path}"
    filters = urlencode(sorted(request.args.items(multi=True)))
    own = f"{here}?{filters}" if filters else here
    _text(feed, "id", own)
    _text(feed, "title", "Driftlog: games that have ended")
    _text(feed, "updated", games[0].updated_at if games else datetime.fromtimestamp(0, UTC).isoformat())
    ET.SubElement(feed, "link", rel="self", type=MEDIA_TYPE, href=own)
    ET.SubElement(feed, "link", rel="alternate", type="text/html", href=f"{home}/")
    ET.SubElement(ET.SubElement(feed, "author"), "name").text = "Driftlog"
    for game in games:
        _entry(feed, game, entry(game), home)
    return ET.tostring(feed, encoding="unicode").encode()


def _entry(feed: ET.Element, game: Summary, said: GameEntry, home: str) -> None:
    element = ET.SubElement(feed, "entry")
    # A game's id is a ULID with as many bits as a UUID, so the UUID does not depend on the service's address.
    _text(element, "id", f"urn:uuid:{ULID.from_str(game.id.upper()).to_uuid()}")
    _text(element, "title", f"{said.title}: {said.players}, {said.standing}")
    _text(element, "published", game.opened_at)
    _text(element, "updated", game.updated_at)
    _text(
        element,
        "summary",
        " ".join(
            filter(None, [said.ending, say("{turns} turns, {events} events.", turns=game.turn, events=game.version)])
        ),
    )
    page = url_for("pages.replay.replay", game_id=game.id)
    ET.SubElement(element, "link", rel="alternate", type="text/html", href=f"{home}{page}")
    for term in (game.ruleset, *game.tags):
        ET.SubElement(element, "category", term=visible(term))


def _text(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = visible(text)
