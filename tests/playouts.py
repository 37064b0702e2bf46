"""Records for tests: random games, and long records with many undos. The same arguments give the same record."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import msgspec

from driftlog.testing.play import SELDOM
from engine.core.events import ChanceKind, Draft, Event, Seat
from engine.kit.chance import Chance, Observed, Sampled, Seeded
from engine.play import registry
from engine.play.fold import History
from engine.play.past import KnownPast
from engine.play.record import open_game, record

NAMES = ("Ada", "Bo", "Cleo", "Dov", "Eli", "Fay", "Gus", "Hal")


def clock(seq: int) -> str:
    """Return the time of event `seq` in a test's record, a second after the event before."""
    minutes, seconds = divmod(seq, 60)
    hours, minutes = divmod(minutes, 60)
    return f"2026-11-20T{hours % 24:02}:{minutes:02}:{seconds:02}.{seq % 1000:03}Z"


def playout(
    ruleset_id: str = "forbidden-island",
    seed: int = 0,
    seats: int = 2,
    options: Mapping[str, Any] | None = None,
    *,
    chance: ChanceKind = "observed",
    limit: int | None = None,
) -> list[Event]:
    """Return the log of a random game, to its end or to its event `limit`.

    Args:
        seed: the seed of the players' choices and the draws.
        options: options that differ from the ruleset's defaults.
    """
    rng = random.Random(seed)
    text = f"seed-{seed}"
    source: Chance = Sampled(rng) if chance == "observed" else Seeded(text)
    game, first = open_game(
        ruleset=ruleset_id,
        seats=[Seat(name) for name in NAMES[:seats]],
        options=options or {},
        seed=None if chance == "observed" else text,
        recorded_at=clock(1),
    )
    rules = registry.ruleset(ruleset_id)
    events = [first]
    while game.outcome is None and (limit is None or len(events) < limit):
        if game.state is None:
            draft = Draft(type="set_up")
        else:
            every = list(rules.legal_actions(game.state))
            legal = rng.choice(every)
            # Otherwise a game that ends when the players like would often be too short to test anything.
            while legal.action.type in SELDOM and rng.random() < 0.9:
                legal = rng.choice(every)
            draft = Draft(type=legal.action.type, actor=legal.actor, params=msgspec.to_builtins(legal.action))
        game, added = record(game, [draft], source, KnownPast(), recorded_at=clock(game.version + 1))
        events += added
    return _as_read(events)


def long_record(length: int, seed: int = 0) -> list[Event]:
    """Return `length` events of an observed game of Forbidden Island that repeats undo, play again, and redo."""
    rng = random.Random(seed)
    short = playout("forbidden-island", seed)[:-2]
    line = [Draft(type=event.type, actor=event.actor, params=event.params, outcomes=event.outcomes) for event in short]
    game, _ = open_game(
        ruleset="forbidden-island",
        seats=[Seat(name) for name in NAMES[:2]],
        options={},
        seed=None,
        recorded_at=clock(1),
    )
    past = History(game.header)
    events = short[:1]
    places = [0, 1]
    """The number of events of `line` in effect after each event."""

    def append(draft: Draft, place: int) -> None:
        nonlocal game
        game, added = record(game, [draft], Observed(), past, recorded_at=clock(game.version + 1))
        events.extend(added)
        past.add(added[0], game.state, None)
        places.append(place)

    for place, draft in enumerate(line[1:], 2):
        append(draft, place)
    while len(events) < length:
        to = rng.randrange(2, len(events))
        place = places[to]
        append(Draft(type="undo", params={"to": to}), place)
        for draft in line[place : place + rng.randrange(40)]:
            place += 1
            append(draft, place)
    return _as_read(events[:length])


def _as_read(events: list[Event]) -> list[Event]:
    # Convert tuples to lists, as in events read from JSON.
    return msgspec.json.decode(msgspec.json.encode(events), type=list[Event])
