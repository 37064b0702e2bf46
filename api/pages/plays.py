"""Pages of logged plays, and the page for the export of a recorded game to BG Stats."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response, make_response, render_template, request, url_for
from markupsafe import Markup

from api.pages.dates import day
from api.plumbing.about import about, page
from api.plumbing.access import READER, VIEWER, caller, needs
from api.plumbing.http import store
from api.plumbing.qr import qr
from engine.core.errors import UnknownRuleset
from engine.core.language import say, speaking
from engine.core.plays import PastPlay
from engine.play import registry
from engine.review.words import describe_duration, join_words
from exports import FORMATS, bgstats, plays
from exports.prose import describe_result
from service.access import Role
from service.logs import whole
from store.errors import replaying
from store.library.plays import WantedPlays

blueprint = Blueprint("plays", __name__)

PAGE = 50
_LONGEST = 200


class PlayRow(msgspec.Struct, frozen=True):
    """A logged play in the list."""

    title: str
    players: str
    standing: str
    has_won: bool
    at: str
    """Time of play, RFC 3339."""
    day: str
    """The day of the time in `at`, such as '20 Nov 2026'."""
    details: list[str]
    comments: str


@blueprint.get("/plays")
@needs(READER)
def index() -> Response:
    """Show all logged plays, newest first, with a form to import more."""
    asked = {name: request.args.get(name, "").strip()[:_LONGEST] for name in ("ruleset", "player")}
    given: dict[str, Any] = {name: value for name, value in asked.items() if value}
    found, more = store().plays.page(WantedPlays(**given), after=request.args.get("after"), limit=PAGE)
    return make_response(
        render_template(
            "plays.html",
            plays=list(map(_line, found)),
            given={name: _title(value) if name == "ruleset" else value for name, value in given.items()},
            more=more and url_for("pages.plays.index", after=more, **given),
            first=url_for("pages.plays.index", **given),
            is_first="after" not in request.args,
            may_take_in=caller().role.includes(Role.RECORDER),
            extension=bgstats.EXTENSION,
            media_type=FORMATS["bgstats"].media_type,
        )
    )


@blueprint.get("/games/<string:game_id>/play")
@needs(VIEWER)
def play(game_id: str) -> Response:
    """Show the link that opens a play in BG Stats, its QR code for other phones, and the file."""
    game = store().games.latest(game_id)
    with replaying():
        log = whole(store(), game_id, game)
        found = plays.play(log)
        # Keep the texts in English, because another program reads them.
        with speaking(None):
            address = bgstats.link(plays.play(log))
    # A phone cannot scan so much data, so only the file is offered.
    code = Markup(qr(address, "l")) if len(address) <= bgstats.LONGEST_LINK else None  # noqa: S704  # our own
    return page("play.html", about(game_id, game), play=found, address=address, code=code)


def _line(play: PastPlay) -> PlayRow:
    people = store().aliases.people()
    names = tuple(people.person_of(part.name) for part in play.parts)
    roles = [f"{name}: {part.role}" for name, part in zip(names, play.parts, strict=True) if part.role]
    length = [] if play.minutes is None else [describe_duration(play.minutes * 60)]
    return PlayRow(
        title=_title(play.ruleset),
        players=join_words(names),
        standing=describe_result(play.outcome, names),
        has_won=play.result == "won",
        at=play.played_at,
        day=day(play.played_at),
        details=[*length, *filter(None, (play.place, play.variant)), *roles],
        comments=play.comments,
    )


def _title(ruleset_id: str) -> str:
    try:
        return say(registry.ruleset(ruleset_id).name)
    except UnknownRuleset:
        return ruleset_id
