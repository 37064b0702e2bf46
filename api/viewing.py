"""Who looks, and as of when: what a game's events and states show of what players hide, and of what came later.

What `until` bounds is answered as it was when that event was the last: the game, its head and its version are those of
that moment, and so is what was revealed. So nothing of what came later is in the answer, and a test can hold it to the
one that was given then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from api.http import store
from api.problems import malformed, not_found
from engine.events import SEAT_INDEX, Event
from engine.fold import Game
from workers.logs import shown


class Seen(msgspec.Struct, frozen=True):
    """A game as somebody sees it."""

    game: Game
    """As it stood after the event `until` that was asked for; else as it stands."""
    seat: int | None
    """The seat that looks; None for the public."""
    show: Callable[[Event], Event]
    """Shows an event of the game as that seat may see it."""


def look(game_id: str, query: dict[str, Any]) -> Seen:
    """The game as `query` (its `viewer` and its `until`) asks to see it.

    Raises:
        UnknownGame: there is no such game.
        Problem: there is no such seat or event in it.
    """
    game = store().games.latest(game_id)
    until = query.get("until", game.version)
    if until > game.version:
        raise not_found(f"event {until} in this game: its last is {game.version}")
    seat = seat_of(query["viewer"], game)
    if until < game.version:
        game = store().games.get(game_id, at=until)
    return Seen(game, seat, shown(store(), game_id, game, seat))


def seat_of(viewer: str | None, game: Game) -> int | None:
    """The seat that looks; None for the public.

    Raises:
        Problem: there is no such seat in the game.
    """
    if viewer in {None, "public"}:
        return None
    if viewer not in game.header.seat_ids:
        raise malformed("/viewer", "not a seat of this game")
    return SEAT_INDEX[viewer]
