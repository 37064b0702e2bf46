"""Pages to replay a game event by event, and to compare two branches."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal

import msgspec
from flask import Blueprint, Response, request

from api.pages.record import sprite
from api.pages.words import capitalize_first
from api.plumbing.about import About, about, page
from api.plumbing.access import VIEWER, needs
from api.plumbing.http import store
from drawing.palette import PAWNS
from engine.core.language import marked, say
from engine.play.beliefs import belief
from engine.play.game import Game
from engine.players.protocol import NotPlayable
from engine.review import swings
from service.analyses import JOB
from service.errors import DifferentRulesets
from service.recap import players
from service.story import part

blueprint = Blueprint("replay", __name__)

MARKS = {
    "!": marked("good"),
    "?": marked("a mistake"),
    "!!": marked("brilliant"),
    "??": marked("a blunder"),
    "!?": marked("interesting"),
    "?!": marked("doubtful"),
}


@blueprint.get("/games/<string:game_id>")
@needs(VIEWER)
def replay(game_id: str) -> Response:
    """Show the replay of a game from event `at`; `spoiler_free` hides the later events."""
    game = store().games.latest(game_id)
    said = about(game_id, game)
    at = request.args.get("at", type=int)
    if at is not None and not 1 <= at <= game.version:
        at = None
    spoiler_free = request.args.get("spoiler_free", request.cookies.get("spoiler_free")) == "1"
    return page(
        "replay.html",
        said,
        at=at,
        spoiler_free=spoiler_free,
        analysis=_analysis(game_id, game),
        description=_description(game_id, game, said, at, spoiler_free=spoiler_free),
        marks=MARKS,
        players=players(game),
        pawns=PAWNS,
        **sprite(),
    )


def _analysis(game_id: str, game: Game) -> Literal["ordered", "possible"] | None:
    """Return `ordered` if an analysis was requested, `possible` if it can be requested; otherwise None."""
    if store().analyses.get(game_id, JOB) is not None:
        return "ordered"
    with suppress(NotPlayable):
        swings.check(game.header, game.version, game.state)
        return "possible"
    return None


@blueprint.get("/games/<string:game_id>/compare/<string:other_id>")
@needs(VIEWER)
def compare(game_id: str, other_id: str) -> Response:
    """Show two games side by side, such as a fork and its parent."""
    one, other = store().games.latest(game_id), store().games.latest(other_id)
    if one.header.ruleset != other.header.ruleset:
        raise DifferentRulesets
    return page("compare.html", about(game_id, one), other=about(other_id, other), tables=_tables(one, other))


class DifferenceRow(msgspec.Struct, frozen=True):
    """A difference between two tables, in words."""

    label: str
    one: str
    other: str

    @property
    def differs(self) -> bool:
        """True if the two tables differ here."""
        return self.one != self.other


def _tables(one: Game, other: Game) -> list[DifferenceRow]:
    first, second = (
        {} if game.state is None else belief.overview(game.ruleset, game.state, game.names) for game in (one, other)
    )
    return [DifferenceRow(label, first.get(label, "–"), second.get(label, "–")) for label in {**first, **second}]


def _description(game_id: str, game: Game, said: About, at: int | None, *, spoiler_free: bool) -> str:
    """Return the text of a link preview: the linked event, or the status of the game."""
    if at is not None:
        (line,) = part(store(), game_id, game, at - 1, at)
        return say("Turn {turn}, event {event}: {sentence}", turn=line.turn, event=at, sentence=line.sentence)
    if spoiler_free:
        return say(
            "{players} played {game} on {day}. Step through it, event by event.",
            players=said.players,
            game=said.title,
            day=said.day,
        )
    return f"{capitalize_first(said.standing)}. {said.ending or say('The game continues.')}"
