"""Complete games for benchmarks, about as long as games of people. The same arguments give the same games."""

from __future__ import annotations

import random
from collections import defaultdict
from functools import cache
from typing import Any

import msgspec

from engine.core.events import Draft, Event, Seat
from engine.kit.chance import Seeded
from engine.kit.kernel import LegalAction
from engine.play import registry
from engine.play.past import KnownPast
from engine.play.record import open_game, record
from tests.playouts import NAMES, clock

_KEEN = (
    "lift_off",
    "capture_treasure",
    "save_artifact",
    "swim",
    "shore_up",
    "play_sandbags",
    "give_card",
    "discard",
    "fly",
    "navigate",
    "move",
)
"""Preferred actions of the computer player in Forbidden Island. A random player would lose within fifty events."""
_CARE = 0.85
"""Probability that the computer player chooses a preferred action, if one is legal."""
_PATIENCE = 4
"""Number of games that are simulated for each wanted game, because few games are long."""


class RecordedGame(msgspec.Struct, frozen=True):
    """A complete seeded game."""

    seed: str
    events: list[Event]

    def drafts(self) -> list[bytes]:
        """Return the request body for each event. Omit events that the service appends itself."""
        return [
            msgspec.json.encode({"type": event.type, "actor": event.actor, "params": event.params})
            for event in self.events[2:-1]
        ]


@cache
def keen_games(ruleset_id: str, count: int) -> tuple[RecordedGame, ...]:
    """Return `count` seeded games, with at least 100 events if possible. The numbers of players alternate."""
    fewest, most = registry.ruleset(ruleset_id).players
    found: list[RecordedGame] = []
    short: list[RecordedGame] = []
    for number in range(_PATIENCE * count):
        game = _play(ruleset_id, number, fewest + number % (most - fewest + 1))
        (found if len(game.events) >= 100 else short).append(game)
        if len(found) == count:
            break
    short.sort(key=lambda game: len(game.events), reverse=True)
    return tuple([*found, *short][:count])


def _play(ruleset_id: str, number: int, seats: int) -> RecordedGame:
    rng, seed = random.Random(number), f"game {number}"
    chance = Seeded(seed)
    game, first = open_game(
        ruleset=ruleset_id, seats=[Seat(name) for name in NAMES[:seats]], options={}, seed=seed, recorded_at=clock(1)
    )
    rules = registry.ruleset(ruleset_id)
    events = [first]
    while game.outcome is None:
        draft = Draft(type="set_up")
        if game.state is not None:
            legal = _choose_action(rng, list(rules.legal_actions(game.state)))
            draft = Draft(type=legal.action.type, actor=legal.actor, params=msgspec.to_builtins(legal.action))
        game, added = record(game, [draft], chance, KnownPast(), recorded_at=clock(game.version + 1))
        events += added
    return RecordedGame(seed, msgspec.json.decode(msgspec.json.encode(events), type=list[Event]))


def _choose_action(rng: random.Random, legal: list[LegalAction[Any]]) -> LegalAction[Any]:
    by_type: defaultdict[str, list[LegalAction[Any]]] = defaultdict(list)
    for one in legal:
        by_type[one.action.type].append(one)
    keen = next((kind for kind in _KEEN if kind in by_type), None)
    return rng.choice(by_type[keen] if keen is not None and rng.random() < _CARE else legal)
