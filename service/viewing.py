"""Views of a game: the events and states that a viewer may see, as they were after an event.

A request with `until` gets the same response as when event `until` was the last one: the game, head, version and
revealed secrets of that time, and nothing later. So a test can compare the two responses.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import msgspec

from engine.core.errors import UnknownRuleset
from engine.core.events import Event
from engine.core.values import SEAT_INDEX
from engine.play.beliefs import belief
from engine.play.game import Game, parse_header
from engine.play.line import index_of
from engine.play.visibility import mask
from service.errors import UnknownTurn, UnknownViewer
from store import Store
from store.errors import UnknownEvent, replaying


class SeenGame(msgspec.Struct, frozen=True):
    """A game as a viewer sees it."""

    game: Game
    """The game after the requested event `until`, or the current game."""
    seat: int | None
    """The viewing seat; None for the public."""
    show: Callable[[Event], Event]
    """Masks an event of the game for that viewer."""
    is_damaged: bool = False
    """True if the log does not replay, so that events are shown as stored."""

    def state(self, game: Game | None = None) -> dict[str, Any] | None:
        """Return the state of `game` (default: the viewed game) as a document for the viewer; None before the setup."""
        game = game or self.game
        return None if game.state is None else belief.view(game.ruleset, game.state, self.seat)


def look(store: Store, game_id: str, viewer: str | None, until: int | None = None) -> SeenGame:
    """Return the game as `viewer` sees it after event `until` (default: the last).

    Args:
        viewer: a seat's id; None or `public` for everyone.

    Raises:
        UnknownGame, UnknownEvent: there is no such game or event.
        UnknownViewer: the game has no such seat.
        Damaged: the log does not replay.
        LacksRuleset: the game's rules are not installed.
    """
    game = store.games.latest(game_id)
    if until is not None and until > game.version:
        raise UnknownEvent(until, game.version)
    if until is not None:
        game = after_event(store, game_id, game, until)
    with replaying():
        return at(store, game_id, game, viewer)


def as_stored(store: Store, game_id: str, until: int | None = None) -> SeenGame:
    """Return the game as its log describes it, without replay or state, and each event as stored."""
    version, head = store.events.head(game_id)
    with replaying():
        header = parse_header(store.events.first(game_id))
    if until is not None and until != version:
        if until > version:
            raise UnknownEvent(until, version)
        version, head = until, store.events.hashes(game_id, until)[-1]
    return SeenGame(Game(header=header, version=version, head=head, state=None), None, lambda event: event)


def is_public(game: Game) -> bool:
    """Return True if the game's rules are installed and hide nothing."""
    try:
        return not game.ruleset.has_secrets
    except UnknownRuleset:
        return False


def at(store: Store, game_id: str, game: Game, viewer: str | None) -> SeenGame:
    """Return `game` as `viewer` sees it; raise `UnknownViewer` if the game has no such seat."""
    seat = _seat_of(viewer, game)
    return SeenGame(game, seat, masking(store, game_id, game, seat))


def masking(
    store: Store, game_id: str, game: Game, seat: int | None, *, is_live: bool = False
) -> Callable[[Event], Event]:
    """Return a function that masks events for `seat` (None: the public) at this version of the game.

    Args:
        is_live: True if events after this version may reveal secrets as well.
    """
    if not game.ruleset.has_secrets:
        return lambda event: event
    events, until = store.events, None if is_live else game.version
    return mask(game.ruleset, seat, lambda seq: itertools.chain.from_iterable(events.pages(game_id, seq, until)))


def after_event(store: Store, game_id: str, game: Game, at: int) -> Game:
    """Return the game after event `at`, without later amends; raise `UnknownEvent` if there is no such event."""
    if not 1 <= at <= game.version:
        raise UnknownEvent(at, game.version)
    return game if at == game.version else store.games.get(game_id, at=at)


def after_turn(store: Store, game_id: str, game: Game, turn: int) -> tuple[Game, bool]:
    """Return the game at the end of turn `turn`. The second value is True if the game depends on later amends.

    An unfinished turn ends at the last event. Raise `UnknownTurn` if no event in effect is in that turn.
    """
    at = next((one.last for one in store.projections.turns(game_id, game.version) if one.turn == turn), None)
    if at is None:
        raise UnknownTurn(turn)
    if store.corrections.is_rewritten(game_id, game.version):
        line = store.games.line(game_id, game.version)
        return msgspec.structs.replace(game, version=at, state=line[index_of(line, at)].after), True
    return after_event(store, game_id, game, at), False


def _seat_of(viewer: str | None, game: Game) -> int | None:
    if viewer in {None, "public"}:
        return None
    if viewer not in game.header.seat_ids:
        raise UnknownViewer(viewer, len(game.header.seats))
    return SEAT_INDEX[viewer]
