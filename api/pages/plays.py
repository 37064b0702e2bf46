"""Past plays: games that were played, and of which there is no log."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response, make_response, render_template, request, url_for

from api.pages.dates import day
from api.plumbing.access import READER, caller, needs
from api.plumbing.http import store
from engine.core.errors import UnknownRuleset
from engine.core.language import say
from engine.core.plays import PastPlay
from engine.play import registry
from engine.review.words import lasted, listed
from exports import FORMATS
from exports.bgstats import EXTENSION
from exports.prose import ended
from service.access import Role
from store.library.plays import WantedPlays

blueprint = Blueprint("plays", __name__)

PAGE = 50
_LONGEST = 200


class Line(msgspec.Struct, frozen=True):
    """A past play, as the page tells."""

    title: str
    players: str
    standing: str
    has_won: bool
    at: str
    """RFC 3339."""
    day: str
    """'20 Nov 2026'."""
    details: list[str]
    comments: str


@blueprint.get("/plays")
@needs(READER)
def index() -> Response:
    """All past plays, newest first, and a form that takes in a file of them."""
    asked = {name: request.args.get(name, "").strip()[:_LONGEST] for name in ("ruleset", "player")}
    given: dict[str, Any] = {name: value for name, value in asked.items() if value}
    found, more = store().plays.page(WantedPlays(**given), after=request.args.get("after"), limit=PAGE)
    page = render_template(
        "plays.html",
        plays=list(map(_line, found)),
        given={name: _title(value) if name == "ruleset" else value for name, value in given.items()},
        more=more and url_for("pages.plays.index", after=more, **given),
        first=url_for("pages.plays.index", **given),
        is_first="after" not in request.args,
        may_take_in=caller().role.includes(Role.RECORDER),
        extension=EXTENSION,
        media_type=FORMATS["bgstats"].media_type,
    )
    return make_response(page)


def _line(play: PastPlay) -> Line:
    people = store().aliases.people()
    names = tuple(people.who(part.name) for part in play.parts)
    roles = [f"{name}: {part.role}" for name, part in zip(names, play.parts, strict=True) if part.role]
    length = [] if play.minutes is None else [lasted(play.minutes * 60)]
    return Line(
        title=_title(play.ruleset),
        players=listed(names),
        standing=ended(play.outcome, names),
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
