"""Who looks: what a game's events and states show of what players hide."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from api.http import store
from api.problems import malformed
from engine.events import SEAT_INDEX, Event
from engine.fold import Game
from engine.secrets import mask


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


def shown(game_id: str, game: Game, viewer: str | None) -> Callable[[Event], Event]:
    """Shows an event of the game as `viewer` may see it.

    Raises:
        Problem: there is no such seat in the game.
    """
    seat = seat_of(viewer, game)
    if not game.ruleset.has_secrets:
        return lambda event: event
    events = store().events
    return mask(game.ruleset, seat, lambda seq: itertools.chain.from_iterable(events.pages(game_id, after=seq)))
