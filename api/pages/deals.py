"""The page of a game's deal: print it for another table, or open a game with the same deal."""

from __future__ import annotations

import itertools

import msgspec
from flask import Blueprint, Response

from api.plumbing.about import about, page
from api.plumbing.access import VIEWER, caller, needs
from api.plumbing.http import store
from service import deals
from service.access import Role

blueprint = Blueprint("deals", __name__)


class Other(msgspec.Struct, frozen=True):
    """Another game from the same deal."""

    id: str
    players: str
    day: str
    standing: str


@blueprint.get("/games/<string:game_id>/deal")
@needs(VIEWER)
def deal(game_id: str) -> Response:
    """Show the setup, and each deck on a separate strip, for a dealer who does not play."""
    game = store().games.latest(game_id)
    found = deals.of_game(store(), game_id)
    others = deals.others(store(), game_id, game.header, caller().game)
    who = caller()
    return page(
        "deal.html",
        about(game_id, game),
        groups=[(group, list(places)) for group, places in itertools.groupby(found.places, lambda place: place.group)],
        at=found.at,
        decks=found.decks,
        seats=len(game.header.seats),
        ruleset=game.header.ruleset,
        chances=deals.chances(game.header, found),
        others=[_other(id_) for id_ in others],
        may_open=who.game is None and who.role.includes(Role.RECORDER),
    )


def _other(game_id: str) -> Other:
    said = about(game_id, store().games.latest(game_id))
    return Other(said.id, said.players, said.date, said.standing)
