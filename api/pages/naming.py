"""A player's names, as the player's page tells them: other names of the same person, and games of somebody else."""

from __future__ import annotations

import msgspec

from api.pages.dates import day
from api.plumbing.access import caller
from api.plumbing.http import store
from engine.core.language import say
from engine.core.text import search_key
from engine.core.values import SEAT_IDS
from engine.review.words import listed
from service.access import Role
from store.library.ordering import title
from store.library.projections import Summary


class Place(msgspec.Struct, frozen=True):
    """A seat in which somebody sat."""

    game: str
    seat: str
    written: str
    """The name in the log."""
    said: str
    """'20 Nov 2026, Forbidden Island, Ann and Mia'."""

    @property
    def address(self) -> str:
        """Where it is said who sat there."""
        return f"/v1/games/{self.game}/seats/{self.seat}/player"


class Naming(msgspec.Struct, frozen=True):
    """What is said of a player's names."""

    others: list[str]
    places: list[Place]
    """Of the newest games, those in which one of the names is written."""
    placed: list[Place]
    """Those in which it is said that the player sat there, whatever is written."""
    is_open: bool
    """Whether the caller may say otherwise."""


def naming(name: str, games: list[Summary]) -> Naming | None:
    """The names of a player, and where they are written; None of one who has not played, and for whoever knows of
    one game alone.

    Args:
        games: the newest, as the caller finds them.
    """
    if not games or caller().game is not None:
        return None
    people, wanted = store().aliases.people(), search_key(name)
    own: list[Place] = []
    placed: list[Place] = []
    for game in games:
        for seat, (written, person) in zip(SEAT_IDS, zip(game.seats, game.names, strict=True), strict=False):
            if search_key(person) == wanted:
                where = own if search_key(people.who(written)) == wanted else placed
                said = f"{day(game.played_at)}, {say(title(game.ruleset))}, {listed(game.names)}"
                where.append(Place(game.id, seat, written, said))
    others = [alias.name for alias in people.names_of(name)]
    return Naming(others, own, placed, is_open=caller().role.includes(Role.ARBITER))
