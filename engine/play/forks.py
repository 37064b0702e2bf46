"""Forks. A fork is a new game that starts from another game, after one of that game's events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from engine.core.errors import Malformed
from engine.core.events import GENESIS, ChanceKind, Event, Fork, event_hash
from engine.core.language import say
from engine.core.lifecycle import DETAILS_CHANGED
from engine.kit.chance import seed_commitment
from engine.play import registry
from engine.play.fold import history
from engine.play.game import Game, parse_header
from engine.play.visibility import check_open


def fork(
    events: Iterable[Event],
    at: int,
    *,
    game: str,
    seed: str | None,
    recorded_at: str,
    recorded_by: str | None = None,
    tags: Sequence[str] | None = None,
    seed_chosen: bool = False,
) -> tuple[Game, list[Event]]:
    """Return the log of a fork of `game`: a new event 1, and `events` 2 to `at`, chained to the new event.

    A fork has its own kind of chance: an observed game can continue as a seeded game, or the reverse. A seeded
    fork has its own seed, so that the fork does not reveal future draws of the parent game.

    Args:
        events: the parent's log, at least up to `at`.
        game: the parent's id.
        seed: the fork's seed; None if its chance is observed.
        tags: the fork's tags (default: the parent's).
        seed_chosen: True if the creator of the fork chose the seed.

    Raises:
        Malformed: there is no event `at`; or after event `at` the game is over, or a secret is not revealed yet.
    """
    parent = [event for event in events if event.seq <= at]
    if len(parent) < max(at, 1):
        raise Malformed("/at", say("there is no such event: the last event is {seq}", seq=len(parent)))
    origin = parse_header(parent[0])
    # A fork must not reveal anything that is still hidden in the parent.
    check_open(registry.of(origin), parent)
    chance: ChanceKind = "observed" if seed is None else "seeded"
    earlier = origin.fork
    header = msgspec.structs.replace(
        origin,
        chance=chance,
        seed_commitment=None if seed is None else seed_commitment(seed),
        seed_chosen=seed_chosen,
        seed_shares=(),
        tags=origin.tags if tags is None else tuple(tags),
        fork=Fork(
            game=game,
            at=at,
            hash=parent[-1].hash,
            chance=None if origin.chance == chance else origin.chance,
            fork=earlier if earlier is not None and (earlier.chance or earlier.fork) else None,
        ),
    )
    copies: list[Event] = []
    for event in parent:
        params = msgspec.to_builtins(header) if event.seq == 1 else event.params
        if tags is not None and event.type == DETAILS_CHANGED and "tags" in params:
            params = {**params, "tags": list(tags)}
        prev = copies[-1].hash if copies else GENESIS
        copy = msgspec.structs.replace(event, params=params, prev=prev)
        if event.seq == 1:
            copy = msgspec.structs.replace(copy, recorded_at=recorded_at, recorded_by=recorded_by)
        copies.append(msgspec.structs.replace(copy, hash=event_hash(copy)))
    state = history(copies).states[-1]
    if state is not None and state.outcome is not None:
        raise Malformed("/at", say("the game is over at that event: fork it at an earlier one"))
    return Game(header=header, version=at, head=copies[-1].hash, state=state), copies
