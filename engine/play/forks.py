"""Forks: a new game that starts from another one, after one of its events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from engine.core.errors import Malformed
from engine.core.events import GENESIS, ChanceKind, Draft, Event, Fork, seal
from engine.core.language import say
from engine.kit.chance import seed_commitment
from engine.play import registry
from engine.play.fold import history
from engine.play.game import Game, opened
from engine.play.secrets import check_open


def fork(
    events: Iterable[Event],
    at: int,
    *,
    game: str,
    seed: str | None,
    recorded_at: str,
    recorded_by: str | None = None,
    tags: Sequence[str] | None = None,
) -> tuple[Game, list[Event]]:
    """The log of a fork of `game`: an opening of its own, and `events` 2 to `at` chained to it.

    From there on a fork has the kind of chance that it is asked for: what a table recorded goes on by a seed, or the
    other way round. A seeded fork has a seed of its own, so that it tells nothing of the draws that its parent still
    has before it.

    Args:
        events: the parent's log, at least up to `at`.
        game: the parent's id.
        seed: the fork's, where it is to be seeded; None where its chance is to be observed.
        tags: the fork's (default: its parent's).

    Raises:
        Malformed: there is no event `at`, the game is over there, or something is hidden there.
    """
    parent = [event for event in events if event.seq <= at]
    if len(parent) < max(at, 1):
        raise Malformed("/at", say("the last event is {seq}", seq=len(parent)))
    origin = opened(parent[0])
    # A fork plays on from here: nothing that is still hidden in the parent may come to light in it.
    check_open(registry.ruleset(origin.ruleset, origin.ruleset_version), parent)
    chance: ChanceKind = "observed" if seed is None else "seeded"
    earlier = origin.fork
    header = msgspec.structs.replace(
        origin,
        chance=chance,
        seed_commitment=None if seed is None else seed_commitment(seed),
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
        copies.append(
            seal(
                Draft(
                    type=event.type,
                    actor=event.actor,
                    occurred_at=event.occurred_at,
                    note=event.note,
                    explanation=event.explanation or msgspec.UNSET,
                ),
                seq=event.seq,
                turn=event.turn,
                params=params,
                outcomes=event.outcomes,
                recorded_at=recorded_at if event.seq == 1 else event.recorded_at,
                recorded_by=recorded_by if event.seq == 1 else event.recorded_by,
                prev=copies[-1].hash if copies else GENESIS,
                verdict=event.verdict,
                rule=event.rule,
                reason=event.reason,
                state_hash=event.state_hash,
                keeps_turn=event.keeps_turn,
            )
        )
    state = history(copies).states[-1]
    if state is not None and state.outcome is not None:
        raise Malformed("/at", say("the game is over there: fork it at an earlier event"))
    return Game(header=header, version=at, head=copies[-1].hash, state=state), copies
