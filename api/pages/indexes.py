"""Indexes of the players and of the rulesets."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, make_response, render_template, request

from api.pages import statistics
from api.pages.asking import parameters
from api.pages.dates import day
from api.plumbing.access import VIEWER, caller, needs
from api.plumbing.http import store
from engine.kit.rules import AnyRules
from engine.play import registry
from service.figures import summed_results
from store.library.players import ListedPlayer
from store.library.projections import Filter

blueprint = Blueprint("indexes", __name__)

PAGE = 50


class PlayerRow(msgspec.Struct, frozen=True):
    """A player in the index."""

    name: str
    games: int
    won: int
    ended: int
    last: str
    """Time of the latest game, RFC 3339."""
    day: str
    """The day of the time in `last`, such as '20 Nov 2026'."""


class ShelfEntry(msgspec.Struct, frozen=True):
    """A ruleset and its games."""

    rules: AnyRules
    games: int
    whole: statistics.StatisticsRow


@blueprint.get("/players")
@needs(VIEWER)
def players() -> Response:
    """Show all players, by name."""
    beginning = parameters(["q"])["q"]
    after = request.args.get("after")
    found, more = store().projections.players(beginning, after, PAGE, caller().game)
    page = render_template(
        "players.html", players=list(map(_line, found)), beginning=beginning, more=more, is_first=after is None
    )
    return make_response(page)


@blueprint.get("/rulesets")
@needs(VIEWER)
def rulesets() -> Response:
    """Show all installed rulesets, with the results of their games."""
    game = caller().game
    told = store().projections.standings(Filter(game=game)).counts
    shelf = []
    for rules in sorted(registry.rulesets(), key=lambda one: one.name):
        games = sum(count for (ruleset, *_), count in told.items() if ruleset == rules.id)
        groups = statistics.groups(store().projections.tally("ruleset", rules.id, game))
        shelf.append(ShelfEntry(rules, games, statistics.whole(groups)))
    return make_response(render_template("rulesets.html", shelf=shelf))


def _line(player: ListedPlayer) -> PlayerRow:
    total = summed_results(player.tally)
    return PlayerRow(player.name, player.games, total.won, total.games, player.last, day(player.last))
