"""Open a record: as a new game, as a fork, or from an imported log."""

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
from engine.play.past import KnownPast
from engine.play.record import chance_for, open_game, record
from engine.review.audit import verify
from service.viewing import as_stored
from store import Store
from store.errors import StoreError
from store.log.idempotency import IdempotencyKey
from store.log.reader import RECORDED, ImportOrigin

FORKED_AT_ONCE = 1000
"""Maximum number of events of a fork that is created within the request. A worker creates longer forks."""
_SLOW = REWRITING | {"adjust"}


class OpenedGame(msgspec.Struct, frozen=True):
    """The result of opening a record."""

    game_id: str
    game: Game
    """The opened game."""
    is_replay: bool
    """True if the game was opened by an earlier attempt of the same request."""


class ForkRequest(msgspec.Struct, frozen=True):
    """Parameters of a fork."""

    parent: str
    at: int
    """The last event that the fork copies from its parent."""
    seed: str | None
    """The fork's seed; None if its chance is observed."""
    tags: list[str] | None
    """The fork's tags; None: the tags of its parent."""
    recorded_by: str | None = None
    seed_chosen: bool = False
    """True if the creator of the fork chose the seed."""


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
    seed_shares: Sequence[str] = (),
    position: dict[str, Any] | None = None,
    set_up: Sequence[Value] | None = None,
    key: IdempotencyKey | None = None,
    owner: str | None = None,
    game_id: str | None = None,
) -> OpenedGame:
    """Open a record. A seeded game is set up at once; an observed game waits for its `set_up` event.

    Args:
        corrections: the users who may correct the record (default: `service.corrections.USUAL`).
        seed: the seed of a seeded game (default: 32 random bytes).
        seed_shares: the SHA-256 of each share, if the seed is mixed.
        position: the document of a state, if the record begins in the middle of a game.
        set_up: the results of an observed game's setup, if they are already known.
        owner: the id of the token that opens the record.
        game_id: the game's id (default: a new one).

    Raises:
        UnknownRuleset, Malformed, StoreError: the record was not opened.
    """
    is_chosen = seed is not None and not seed_shares
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
        seed_chosen=is_chosen,
        seed_shares=seed_shares,
    )
    events = [event]
    if seed is not None or position is not None or set_up is not None:
        params = {} if position is None else {"position": position}
        draft = Draft(type=SET_UP, params=params, outcomes=tuple(set_up or ()))
        try:
            game, more = record(
                game,
                [draft],
                chance_for(game.header, seed),
                KnownPast(),
                recorded_at=recorded_at,
                recorded_by=recorded_by,
            )
        except Malformed as error:
            # Name the field of the request, because the caller knows of no event yet.
            raise Malformed(error.pointer.removeprefix("/params"), error.message) from error
        events += more
    return _store_new(store, game, events, seed, key=key, owner=owner, game_id=game_id)


def fork_of(
    store: Store,
    parent: str,
    *,
    at: int,
    chance: ChanceKind | None,
    seed: str | None,
    tags: list[str] | None,
    recorded_by: str | None = None,
) -> ForkRequest:
    """Return the parameters for a fork of `parent` after event `at`.

    Args:
        chance: the kind of chance after event `at` (default: the parent's).
        seed: the seed of a seeded fork (default: 32 random bytes).

    Raises:
        Malformed: the parent cannot be forked with these parameters.
    """
    # Do not replay the log: a game can be forked at an event before the damaged one.
    game = as_stored(store, parent).game
    is_chosen = seed is not None
    seed = _seed(chance or game.header.chance, seed)
    if at > game.version:
        raise Malformed("/at", say("there is no such event: the last event is {seq}", seq=game.version))
    return ForkRequest(parent, at, seed, tags, recorded_by, is_chosen)


def is_long(store: Store, order: ForkRequest) -> bool:
    """Return True if creating the fork takes too long for a request."""
    return order.at > FORKED_AT_ONCE or store.corrections.is_rewritten(order.parent, order.at)


def fork_log(store: Store, order: ForkRequest, *, recorded_at: str) -> tuple[Game, list[Event]]:
    """Return the forked game and its log, which is not stored yet. The copied events must equal the original ones."""
    events = list(store.events.read_verified(order.parent, order.at))
    return fork(
        events,
        order.at,
        game=order.parent,
        seed=order.seed,
        recorded_at=recorded_at,
        recorded_by=order.recorded_by,
        tags=order.tags,
        seed_chosen=order.seed_chosen,
    )


def fork_record(
    store: Store, order: ForkRequest, *, recorded_at: str, key: IdempotencyKey | None = None, owner: str | None = None
) -> OpenedGame:
    """Open a fork."""
    game, events = fork_log(store, order, recorded_at=recorded_at)
    imported = parent_origin(store, order)
    return _store_new(store, game, events, order.seed, key=key, owner=owner, imported=imported)


def parent_origin(store: Store, order: ForkRequest) -> ImportOrigin:
    """Return the origin of those copied events that the parent itself had imported."""
    source = store.events.import_origin(order.parent)
    return msgspec.structs.replace(source, events=min(order.at, source.events))


def import_record(
    store: Store,
    events: Sequence[Event],
    *,
    signed_by: str | None = None,
    key: IdempotencyKey | None = None,
    owner: str | None = None,
) -> OpenedGame:
    """Verify a log and open it as a new game.

    Args:
        signed_by: the id of the key that signed the log.

    Raises:
        LogDoesNotVerify: an event does not follow from the events before it.
    """
    imported = log_origin(events, signed_by)
    return _store_new(store, verify(events), events, None, key=key, owner=owner, imported=imported)


def log_origin(events: Sequence[Event], signed_by: str | None) -> ImportOrigin:
    """Return the origin to store for a game whose whole log was imported."""
    return ImportOrigin(len(events), events[-1].hash, signed_by)


def is_quick(event: Event) -> bool:
    """Return True if one replay is enough to judge an event.

    A correction or an unknown result may need thousands of replays.
    """
    return event.type not in _SLOW and None not in event.outcomes


def new_id() -> str:
    """Return the id of a new game."""
    return str(ULID()).lower()


def list_at_once(store: Store, game_id: str) -> None:
    """Update a game's list entry without waiting for a worker, when the game is opened, set up or ended.

    If this fails, a worker does it later: the events are already on disk.
    """
    with suppress(StoreError):
        store.projections.project(game_id)


def _seed(chance: ChanceKind, seed: str | None) -> str | None:
    if chance == "seeded":
        return seed or secrets.token_hex(32)
    if seed is not None:
        raise Malformed("/seed", say("an observed game has no seed: omit it"))
    return None


def _store_new(
    store: Store,
    game: Game,
    events: Sequence[Event],
    seed: str | None,
    *,
    key: IdempotencyKey | None,
    owner: str | None,
    imported: ImportOrigin = RECORDED,
    game_id: str | None = None,
) -> OpenedGame:
    new = game_id or new_id()
    game_id, is_replay = store.open(new, game, events, seed=seed, key=key, owner=owner, imported=imported)
    if is_replay:
        # Return the first response again, with the game as it was when opened.
        game = store.games.get(game_id, at=len(events))
    else:
        list_at_once(store, game_id)
        with suppress(StoreError):
            store.openings.settle(game_id, owner)
    return OpenedGame(game_id, game, is_replay)
