"""What a log makes: the turn index, the games to keep as snapshots, and the game at its end. No Redis in here."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.chance import Recorded
from engine.events import Event, Header
from engine.fold import Game, Rules, opened
from engine.ruleset import State
from engine.turns import Told, Turn, index, sentence, standing
from store.snapshots import SNAPSHOT_EVERY

Undos = list[tuple[int, int]]
"""The undos of a log, in order: the `seq` of each, and the event that it goes back to."""


class Index(msgspec.Struct, frozen=True):
    """What is known of a game up to `version`."""

    version: int
    turns: list[Turn]
    undos: Undos


NOTHING = Index(0, [], [])


class Telling(msgspec.Struct, frozen=True):
    """What a log makes at its end."""

    index: Index
    game: Game
    snapshots: list[Game]
    """The game after every `SNAPSHOT_EVERY` events of those that were told."""
    updated_at: str
    """When the last event was recorded."""


def undos_of(events: Sequence[Event]) -> Undos:
    """The undos among `events`."""
    return [(event.seq, event.params["to"]) for event in events if event.type == "undo"]


def tell(events: Sequence[Event]) -> Telling:
    """Tell a whole log.

    Raises:
        EngineError: it does not replay.
    """
    header = opened(events[0])
    states: dict[int, State | None] = {0: None, 1: None}
    _fold(header, states, events[1:])
    line = standing(list(events))
    return _telling(header, NOTHING, states, events, line)


def tell_on(known: Index, game: Game, events: Sequence[Event]) -> Telling:
    """Tell the events that follow `known`, at which `game` stands; none of them is an undo.

    Raises:
        EngineError: they do not replay.
    """
    states = {game.version: game.state}
    _fold(game.header, states, events)
    return _telling(game.header, known, states, events, events)


def _fold(header: Header, states: dict[int, State | None], events: Sequence[Event]) -> None:
    rules, chance = Rules(header), Recorded()
    for event in events:
        before = states[event.seq - 1]
        states[event.seq], _ = rules.play(before, event, event.seq, chance, states.__getitem__)
        chance.finish()


def _telling(
    header: Header, known: Index, states: dict[int, State | None], events: Sequence[Event], line: Sequence[Event]
) -> Telling:
    rules = Rules(header)
    told = []
    for event in line:
        before, after = states[event.seq - 1], states[event.seq]
        told.append(Told(event, before, after, sentence(rules, header, event, before, after)))
    games = [
        Game(header=header, version=event.seq, head=event.hash, state=states[event.seq])
        for event in events
        if event.seq % SNAPSHOT_EVERY == 0 or event is events[-1]
    ]
    last = events[-1]
    return Telling(
        index=Index(last.seq, _joined(known.turns, index(told, rules.ruleset)), known.undos + undos_of(events)),
        game=games[-1],
        snapshots=[game for game in games if game.version % SNAPSHOT_EVERY == 0],
        updated_at=last.recorded_at,
    )


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
        account=f"{begun.account} {goes_on.account}",
    )
    return [*turns[:-1], whole, *more[1:]]
