"""Compute the projections of one log: the turn index, the snapshots, and the game at its end.

This module does not use Redis.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.core import lifecycle
from engine.core.events import Event
from engine.core.values import State
from engine.play.fold import history, steps
from engine.play.game import Game
from engine.play.past import KnownPast
from engine.play.rules import Rules
from engine.review.playing_time import Clock
from engine.review.turns import NarratedEvent, Turn, index, narrate_line, sentence
from store.log.codec import REWRITES
from store.log.snapshots import SNAPSHOT_EVERY

Undos = list[tuple[int, int]]
"""Events that do not continue from the previous event, in order.

Each item is the `seq` of such an event, and either the `seq` of the event that it goes back to, or `codec.REWRITES` if
it rewrites an earlier event.
"""


class Index(msgspec.Struct, frozen=True):
    """The turns, undos and playing time of a game up to `version`."""

    version: int
    turns: list[Turn]
    undos: Undos
    clock: Clock = Clock()


NOTHING = Index(0, [], [])


class ProjectedLog(msgspec.Struct, frozen=True):
    """The projections of a log after its last event."""

    index: Index
    game: Game
    snapshots: list[Game]
    """The game after each narrated event for which `_is_kept` returns True."""
    updated_at: str
    """Time of the last event."""


def undos_of(events: Sequence[Event]) -> Undos:
    """Return the undos and rewrites among `events`."""
    return [
        (event.seq, event.params["to"] if event.type == "undo" else REWRITES)
        for event in events
        if event.type in lifecycle.CORRECTING
    ]


def project(events: Sequence[Event]) -> ProjectedLog:
    """Narrate a complete log, and return its projections."""
    played = history(events)
    header = played.rules.header
    narrated = narrate_line(played.rules, header, events, played.mainline)
    known = msgspec.structs.replace(NOTHING, clock=Clock.of(events))
    return _build(played.rules, known, narrated, events, dict(enumerate(played.states)))


def project_on(known: Index, game: Game, events: Sequence[Event]) -> ProjectedLog:
    """Narrate the events after `known`, and return the projections after the last of these events.

    Args:
        game: the game at the version of `known`.
        events: the events after that version; each follows from the previous event.
    """
    header = game.header
    rules, before = Rules(header), game.state
    states = {game.version: before}
    narrated = []
    for event, after, judgement in steps(rules, enumerate(events, game.version + 1), before, KnownPast({})):
        states[event.seq] = after
        narrated.append(
            NarratedEvent(event, before, after, sentence(rules, header, event, before, after, judgement=judgement))
        )
        before = after
    known = msgspec.structs.replace(known, clock=known.clock.after(events))
    return _build(rules, known, narrated, events, states)


def _build(
    rules: Rules,
    known: Index,
    narrated: Sequence[NarratedEvent],
    events: Sequence[Event],
    states: dict[int, State | None],
) -> ProjectedLog:
    def after(event: Event) -> Game:
        return Game(header=rules.header, version=event.seq, head=event.hash, state=states[event.seq])

    last = events[-1]
    return ProjectedLog(
        index=Index(
            last.seq,
            index(narrated, rules.ruleset, known.turns),
            known.undos + undos_of(events),
            known.clock,
        ),
        game=after(last),
        snapshots=[after(event) for event in events if _is_kept(event)],
        updated_at=last.recorded_at,
    )


def _is_kept(event: Event) -> bool:
    """Return True if the game gets a snapshot after this event: at intervals, and after events that replay slowly.

    Slow events are those that rewrite an earlier one, and those with an unknown result.
    """
    return event.seq % SNAPSHOT_EVERY == 0 or event.type in lifecycle.REWRITING or None in event.outcomes
