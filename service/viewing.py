"""Who looks, and as of when: what a game's events and states show of what players hide, and of what came later.

What `until` bounds is answered as it was when that event was the last: the game, its head and its version are those of
that moment, and so is what was revealed. So nothing of what came later is in the answer, and a test can hold it to the
one that was given then.
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
from engine.play.game import Game, opened
from engine.play.line import index_of
from engine.play.secrets import mask
from service.errors import UnknownTurn, UnknownViewer
from store import Store
from store.errors import UnknownEvent, replaying


class Seen(msgspec.Struct, frozen=True):
    """A game as somebody sees it."""

    game: Game
    """As it stood after the event `until` that was asked for; else as it stands."""
    seat: int | None
    """The seat that looks; None for the public."""
    show: Callable[[Event], Event]
    """Shows an event of the game as that seat may see it."""
    is_damaged: bool = False
    """Whether it does not replay, and is shown as it is stored."""

    def state(self, game: Game | None = None) -> dict[str, Any] | None:
        """The document of the state of `game` (default: as it is seen) as that seat may see it; None before set-up."""
        game = game or self.game
        return None if game.state is None else belief.view(game.ruleset, game.state, self.seat)


def look(store: Store, game_id: str, viewer: str | None, until: int | None = None) -> Seen:
    """The game as `viewer` (a seat's id; None or `public` for everyone) sees it, as it was after event `until`.

    Raises:
        UnknownGame, UnknownEvent: there is none.
        UnknownViewer: there is no such seat in it.
        Damaged: it does not replay.
        LacksRuleset: its rules are not installed.
    """
    game = store.games.latest(game_id)
    if until is not None and until > game.version:
        raise UnknownEvent(until, game.version)
    if until is not None:
        game = after_event(store, game_id, game, until)
    with replaying():
        return at(store, game_id, game, viewer)


def as_stored(store: Store, game_id: str, until: int | None = None) -> Seen:
    """The game as its log alone describes it: it is not played, has no table, and every event is shown as it is.

    Raises:
        UnknownGame, UnknownEvent: there is none.
        Damaged: its beginning cannot be read.
    """
    version, head = store.events.head(game_id)
    with replaying():
        header = opened(store.events.first(game_id))
    if until is not None and until != version:
        if until > version:
            raise UnknownEvent(until, version)
        version, head = until, store.events.hashes(game_id, until)[-1]
    return Seen(Game(header=header, version=version, head=head, state=None), None, lambda event: event)


def is_public(game: Game) -> bool:
    """Return True if the rules are known to hide nothing."""
    try:
        return not game.ruleset.has_secrets
    except UnknownRuleset:
        return False


def at(store: Store, game_id: str, game: Game, viewer: str | None) -> Seen:
    """The game as it stands in `game`, as `viewer` sees it.

    Raises:
        UnknownViewer: there is no such seat in it.
    """
    seat = _seat_of(viewer, game)
    return Seen(game, seat, shown(store, game_id, game, seat))


def shown(
    store: Store, game_id: str, game: Game, seat: int | None, *, is_live: bool = False
) -> Callable[[Event], Event]:
    """Shows an event of the game as `seat` (None: the public) may see it when the game stands where it does.

    Args:
        is_live: whether what is appended later may reveal it, too.
    """
    if not game.ruleset.has_secrets:
        return lambda event: event
    events, until = store.events, None if is_live else game.version
    return mask(game.ruleset, seat, lambda seq: itertools.chain.from_iterable(events.pages(game_id, seq, until)))


def after_event(store: Store, game_id: str, game: Game, at: int) -> Game:
    """The game as it was after its event `at`, whatever was amended since.

    Raises:
        UnknownEvent: `game` has not come so far.
    """
    if not 1 <= at <= game.version:
        raise UnknownEvent(at, game.version)
    return game if at == game.version else store.games.get(game_id, at=at)


def after_turn(store: Store, game_id: str, game: Game, turn: int) -> tuple[Game, bool]:
    """The game at the end of `turn`, or as far as that is, on the line that stands when it has come to `game`; and
    whether that rests on what was amended later.

    Raises:
        UnknownTurn: no such turn stands.
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
