"""Opening: how a record begins. As a new game, as the fork of another one, or as a log that comes from elsewhere."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from ulid import ULID

from engine.core.errors import Malformed
from engine.core.events import ChanceKind, Corrections, Draft, Event, Mode, Seat
from engine.core.language import say
from engine.core.lifecycle import REWRITING, SET_UP
from engine.core.values import Value
from engine.play.forks import fork
from engine.play.game import Game
from engine.play.past import Known
from engine.play.record import chance_for, open_game, record
from engine.review.audit import verify
from service.viewing import as_stored
from store import Store
from store.errors import StoreError
from store.log.idempotency import IdempotencyKey
from store.log.streams import RECORDED, Imported

FORKED_AT_ONCE = 1000
"""A fork of so many events is made while the caller waits, a longer one by a worker."""
_SLOW = REWRITING | {"adjust"}


class Opened(msgspec.Struct, frozen=True):
    """A record that was opened."""

    game_id: str
    game: Game
    """As it was opened."""
    is_replay: bool
    """Whether it was opened before, by the same request."""


class Fork(msgspec.Struct, frozen=True):
    """What is to be forked, and how."""

    parent: str
    at: int
    """The last event that the fork shares with its parent."""
    seed: str | None
    """None where its chance is to be observed."""
    tags: list[str] | None
    """None: its parent's."""
    recorded_by: str | None = None


def open_record(
    store: Store,
    *,
    ruleset: str,
    seats: Sequence[Seat],
    options: Mapping[str, Any],
    chance: ChanceKind,
    mode: Mode,
    tags: Sequence[str],
    recorded_at: str,
    recorded_by: str | None = None,
    corrections: Corrections | None = None,
    seed: str | None = None,
    position: dict[str, Any] | None = None,
    set_up: Sequence[Value] | None = None,
    key: IdempotencyKey | None = None,
    owner: str | None = None,
) -> Opened:
    """Open a record: a seeded game is set up at once, an observed one waits for its `set_up`.

    Args:
        corrections: who may correct it, where that is not as usual.
        seed: of a seeded game (default: 32 random bytes).
        position: a state's document, with which the record begins in the middle of a game.
        set_up: what came up in the set-up of an observed game, where it is known already.
        owner: the token that opens it, as in the other ways to open one.

    Raises:
        UnknownRuleset, Malformed, StoreError: it is not opened.
    """
    seed = _seed(chance, seed)
    game, event = open_game(
        ruleset=ruleset,
        seats=seats,
        options=options,
        seed=seed,
        recorded_at=recorded_at,
        tags=tags,
        mode=mode,
        corrections=corrections,
        recorded_by=recorded_by,
    )
    events = [event]
    if seed is not None or position is not None or set_up is not None:
        params = {} if position is None else {"position": position}
        draft = Draft(type=SET_UP, params=params, outcomes=tuple(set_up or ()))
        try:
            game, more = record(
                game, [draft], chance_for(game.header, seed), Known(), recorded_at=recorded_at, recorded_by=recorded_by
            )
        except Malformed as error:
            # Of what was asked for, which knows no event.
            raise Malformed(error.pointer.removeprefix("/params"), error.message) from error
        events += more
    return _begun(store, game, events, seed, key=key, owner=owner)


def fork_of(
    store: Store,
    parent: str,
    *,
    at: int,
    chance: ChanceKind | None,
    seed: str | None,
    tags: list[str] | None,
    recorded_by: str | None = None,
) -> Fork:
    """The order to fork `parent` after its event `at`.

    Args:
        chance: who draws from there on (default: as in the parent).
        seed: of a seeded fork (default: 32 random bytes).

    Raises:
        UnknownGame: there is no such parent.
        Malformed: it cannot be forked so.
    """
    # Not played: a record can be forked before the event at which it is damaged.
    game = as_stored(store, parent).game
    seed = _seed(chance or game.header.chance, seed)
    if at > game.version:
        raise Malformed("/at", say("the last event is {seq}", seq=game.version))
    return Fork(parent, at, seed, tags, recorded_by)


def is_long(store: Store, order: Fork) -> bool:
    """Whether it takes too long to make that fork while the caller waits."""
    return order.at > FORKED_AT_ONCE or store.corrections.is_rewritten(order.parent, order.at)


def forked(store: Store, order: Fork, *, recorded_at: str) -> tuple[Game, list[Event]]:
    """The game that the fork is, and its log; it is not stored yet.

    Raises:
        Malformed: it cannot be forked there.
        Damaged: what it would begin with is not what was recorded.
    """
    events = list(store.events.verified(order.parent, order.at))
    return fork(
        events,
        order.at,
        game=order.parent,
        seed=order.seed,
        recorded_at=recorded_at,
        recorded_by=order.recorded_by,
        tags=order.tags,
    )


def fork_record(
    store: Store, order: Fork, *, recorded_at: str, key: IdempotencyKey | None = None, owner: str | None = None
) -> Opened:
    """Open a fork.

    Raises:
        Malformed, StoreError: it is not opened.
    """
    game, events = forked(store, order, recorded_at=recorded_at)
    imported = imported_before(store, order)
    return _begun(store, game, events, order.seed, key=key, owner=owner, imported=imported)


def imported_before(store: Store, order: Fork) -> Imported:
    """Return the events of a fork that come from elsewhere: those of its parent, as far as it shares them."""
    return Imported(min(order.at, store.events.imported(order.parent)))


def import_record(
    store: Store,
    events: Sequence[Event],
    *,
    signed_by: str | None = None,
    key: IdempotencyKey | None = None,
    owner: str | None = None,
) -> Opened:
    """Verify a log and open it as a new game.

    Args:
        signed_by: the id of the key that signed it.

    Raises:
        LogDoesNotVerify, StoreError: it is not opened.
    """
    imported = imported_log(events, signed_by)
    return _begun(store, verify(events), events, None, key=key, owner=owner, imported=imported)


def imported_log(events: Sequence[Event], signed_by: str | None) -> Imported:
    """Return what is kept of where a whole log comes from."""
    return Imported(len(events), events[-1].hash, signed_by)


def is_quick(event: Event) -> bool:
    """Whether to judge an event takes one play: what plays others again, or in many tables, may take thousands."""
    return event.type not in _SLOW and None not in event.outcomes


def list_at_once(store: Store, game_id: str) -> None:
    """Put a game into the list without waiting for a worker: when it is opened, set up, or over.

    The events are on disk already: where this fails, a worker does it.
    """
    with suppress(StoreError):
        store.projections.project(game_id)


def _seed(chance: ChanceKind, seed: str | None) -> str | None:
    if chance == "seeded":
        return seed or secrets.token_hex(32)
    if seed is not None:
        raise Malformed("/seed", say("an observed game has no seed"))
    return None


def _begun(
    store: Store,
    game: Game,
    events: Sequence[Event],
    seed: str | None,
    *,
    key: IdempotencyKey | None,
    owner: str | None,
    imported: Imported = RECORDED,
) -> Opened:
    """Store a new game; the same key opens the same game once."""
    new = str(ULID()).lower()
    game_id, is_replay = store.open(new, game, events, seed=seed, key=key, owner=owner, imported=imported)
    if is_replay:
        # What the first answer told of: the game as it was opened.
        game = store.games.get(game_id, at=len(events))
    else:
        list_at_once(store, game_id)
        with suppress(StoreError):
            store.openings.settle(game_id, owner)
    return Opened(game_id, game, is_replay)
