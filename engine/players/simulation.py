"""Simulation: many games of a computer player, counted by the number of seats and by role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from engine.core.language import say
from engine.core.values import SEAT_IDS, GameOutcome
from engine.kit.chance import Keyed, mix_bits
from engine.kit.ruleset import AnyRuleset
from engine.players.protocol import NotPlayable, ask
from engine.players.value import Value, Valuer


class ResultRow(msgspec.Struct, frozen=True):
    """The results of all games with the same number of players, or of the games of one role."""

    players: int
    games: int
    won: int
    lost: int
    other: int
    """Games without a winner that are not lost either, such as draws."""
    win_rate: float
    low: float
    """The lower end of the 95 % interval of the win rate."""
    high: float
    role: str
    """The role, or the seat if sides play against one another; empty for all games."""


def simulate(valuer: Valuer, options: dict[str, Any], seats: int, games: int) -> Iterator[ResultRow | None]:
    """Play games from their setup.

    Yields:
        None after each game, and then the rows: first the row for all games.

    Raises:
        Malformed: the options do not fit the game.
        NotPlayable: the player cannot play with these options.
        PlayerFailed: the player raised an error, or broke its protocol.
    """
    rules: AnyRuleset = valuer.rules
    parsed = rules.parse_options(options, seats)
    counts: dict[str, Counter[str]] = {"": Counter()}
    for number in range(games):
        key = mix_bits(valuer.seed, seats, number)
        chance = Keyed(key)
        chance.begin(0, ())
        start = rules.setup(parsed, seats, chance)
        if reason := ask(valuer.player, valuer.player.can_be_played, start):
            raise NotPlayable(reason)
        outcome = valuer.play(start, mix_bits(key, 1), chance).outcome
        assert outcome is not None
        counts[""][outcome.result] += 1
        for seat in range(seats):
            roles = list(map(say, rules.role(start, seat).values()))
            for role in roles or ([SEAT_IDS[seat]] if valuer.sides(start) else []):
                counts.setdefault(role, Counter())[_result(outcome, seat)] += 1
        yield None
    for role in sorted(counts):
        yield _row(seats, role, counts[role])


def _result(outcome: GameOutcome, seat: int) -> str:
    return "lost" if outcome.result == "won" and SEAT_IDS[seat] not in outcome.winners else outcome.result


def _row(seats: int, role: str, counts: Counter[str]) -> ResultRow:
    won, lost, games = counts["won"], counts["lost"], counts.total()
    rate = Value.of(won, games)
    return ResultRow(seats, games, won, lost, games - won - lost, rate.p, rate.low, rate.high, role)
