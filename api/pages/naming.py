"""The names on a player's page: aliases, and games by other people with the same name."""

from __future__ import annotations

import msgspec

from api.pages.dates import day
from api.plumbing.access import caller
from api.plumbing.http import store
from engine.core.language import say
from engine.core.text import search_key
from engine.core.values import SEAT_IDS
from engine.review.words import join_words
from service.access import Role
from store.library.ordering import title
from store.library.projections import Summary


class NamedSeat(msgspec.Struct, frozen=True):
    """A seat of a game, and the player assigned to it."""

    game: str
    seat: str
    written: str
    """The recorded name."""
    said: str
    """The game in words, such as '20 Nov 2026, Forbidden Island, Ann and Mia'."""

    @property
    def address(self) -> str:
        """The API address of the seat's player."""
        return f"/v1/games/{self.game}/seats/{self.seat}/player"


class Naming(msgspec.Struct, frozen=True):
    """The names of a player."""

    others: list[str]
    places: list[NamedSeat]
    """The newest games with one of these names."""
    placed: list[NamedSeat]
    """The games in which someone assigned a seat to this player. The recorded name can differ."""
    is_open: bool
    """True if the caller may change the names."""


def naming(name: str, games: list[Summary]) -> Naming | None:
    """Return the names of a player, and the games with those names.

    Return None if the player has no games, or if the caller may see only one game.

    Args:
        games: the player's newest games that the caller may see.
    """
    if not games or caller().game is not None:
        return None
    people, wanted = store().aliases.people(), search_key(name)
    own: list[NamedSeat] = []
    placed: list[NamedSeat] = []
    for game in games:
        for seat, (written, person) in zip(SEAT_IDS, zip(game.seats, game.names, strict=True), strict=False):
            if search_key(person) == wanted:
                where = own if search_key(people.person_of(written)) == wanted else placed
                said = f"{day(game.played_at)}, {say(title(game.ruleset))}, {join_words(game.names)}"
                where.append(NamedSeat(game.id, seat, written, said))
    others = [alias.name for alias in people.names_of(name)]
    return Naming(others, own, placed, is_open=caller().role.includes(Role.ARBITER))
