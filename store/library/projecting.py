"""What a log makes: the turn index, the games to keep as snapshots, and the game at its end. No Redis in here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from engine.core import lifecycle
from engine.core.events import Event
from engine.core.values import State
from engine.play.fold import history, steps
from engine.play.game import Game
from engine.play.past import Known
from engine.play.rules import Rules
from engine.review.playing_time import Clock
from engine.review.turns import Narrated, Turn, index, narrate_line, sentence
from store.log.codec import REWRITES
from store.log.snapshots import SNAPSHOT_EVERY

Deeds = dict[str, dict[str, int]]
Undos = list[tuple[int, int]]
"""The events of a log whose state does not come from the one before, in order: the `seq` of each, and the event that it
goes back to; `codec.REWRITES` where it writes the line anew."""


class Index(msgspec.Struct, frozen=True):
    """What is known of a game up to `version`."""

    version: int
    turns: list[Turn]
    undos: Undos
    clock: Clock = Clock()


NOTHING = Index(0, [], [])


class Projected(msgspec.Struct, frozen=True):
    """What a log makes at its end."""

    index: Index
    game: Game
    snapshots: list[Game]
    """The game after every `SNAPSHOT_EVERY` events of those that were narrated, and after what rewrote the line."""
    updated_at: str
    """When the last event was recorded."""


def undos_of(events: Sequence[Event]) -> Undos:
    """The undos among `events`, and what rewrites the line."""
    return [
        (event.seq, event.params["to"] if event.type == "undo" else REWRITES)
        for event in events
        if event.type in lifecycle.CORRECTING
    ]


def project(events: Sequence[Event]) -> Projected:
    """Tell a whole log.

    Raises:
        EngineError: it does not replay.
    """
    played = history(events)
    header = played.rules.header
    narrated = narrate_line(played.rules, header, events, played.mainline)
    return _projected(played.rules, NOTHING, narrated, events, dict(enumerate(played.states)))


def project_on(known: Index, game: Game, events: Sequence[Event]) -> Projected:
    """Tell the events that follow `known`, at which `game` stands; each of them follows from the one before.

    Raises:
        EngineError: they do not replay.
    """
    header = game.header
    rules, before = Rules(header), game.state
    states = {game.version: before}
    narrated = []
    for event, after, judgement in steps(rules, enumerate(events, game.version + 1), before, Known({})):
        states[event.seq] = after
        narrated.append(
            Narrated(event, before, after, sentence(rules, header, event, before, after, judgement=judgement))
        )
        before = after
    return _projected(rules, known, narrated, events, states)


def _projected(
    rules: Rules, known: Index, narrated: Sequence[Narrated], events: Sequence[Event], states: dict[int, State | None]
) -> Projected:
    def after(event: Event) -> Game:
        return Game(header=rules.header, version=event.seq, head=event.hash, state=states[event.seq])

    last = events[-1]
    return Projected(
        index=Index(
            last.seq,
            _joined(known.turns, index(narrated, rules.ruleset)),
            known.undos + undos_of(events),
            known.clock.after(events),
        ),
        game=after(last),
        snapshots=[after(event) for event in events if _is_kept(event)],
        updated_at=last.recorded_at,
    )


def _is_kept(event: Event) -> bool:
    """Whether the game after it is worth a snapshot: what rewrites the line is dear to play."""
    return event.seq % SNAPSHOT_EVERY == 0 or event.type in lifecycle.REWRITING


def _joined(turns: Sequence[Turn], more: Sequence[Turn]) -> list[Turn]:
    """The turns of a line and of what follows on it, where one turn may go on."""
    if not turns or not more or turns[-1].turn != more[0].turn:
        return [*turns, *more]
    begun, goes_on = turns[-1], more[0]
    whole = Turn(
        turn=begun.turn,
        seat=goes_on.seat,
        first=begun.first,
        last=goes_on.last,
        summary=f"{begun.summary} {goes_on.summary}",
        level=goes_on.level,
        deeds=_together(begun.deeds, goes_on.deeds),
    )
    return [*turns[:-1], whole, *more[1:]]


def _together(deeds: Deeds, more: Deeds) -> Deeds:
    """What was done in two parts of a turn."""
    seats = dict.fromkeys((*deeds, *more))
    return {seat: dict(Counter(deeds.get(seat, {})) + Counter(more.get(seat, {}))) for seat in seats}
