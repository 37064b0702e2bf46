"""Good and bad players of a game of dice for tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

from engine.core.values import GameOutcome
from engine.kit.chance import RandomSource
from engine.players import registry
from engine.players.protocol import Player, Proposal
from tests.engine.toy import Dice, DiceState, Roll
from tests.installing import installed


class Roller(Player[DiceState]):
    """Always rolls as many dice as `dice`."""

    name, version, ruleset = "Roller", "1", "dice"

    def __init__(self, dice: int = 3) -> None:
        self.dice = dice

    def propose(self, state: DiceState, rng: RandomSource) -> Sequence[Proposal]:
        return [(Roll(self.dice), state.active)]


class Empty(Roller):
    def propose(self, state: DiceState, rng: RandomSource) -> Sequence[Proposal]:
        return []


class Cheat(Roller):
    def propose(self, state: DiceState, rng: RandomSource) -> Sequence[Proposal]:
        return [(Roll(3), 1 - state.active)]


class Forged(Roll, frozen=True):
    """An action that the game does not have."""


class Forger(Roller):
    def propose(self, state: DiceState, rng: RandomSource) -> Sequence[Proposal]:
        return [(Forged(3), state.active)]


class Stranger(Roller):
    def propose(self, state: DiceState, rng: RandomSource) -> Sequence[Proposal]:
        return [(Roll(3), -1)]


class Quitter(Roller):
    def propose(self, state: DiceState, rng: RandomSource) -> Sequence[Proposal]:
        raise SystemExit("enough")


class Greedy(Roller):
    def reward(self, outcome: GameOutcome, seat: int) -> float:
        return 7.0


def _never_return() -> NoReturn:
    while True:
        with suppress(Exception):
            sum(range(1000))


class Endless(Roller):
    def propose(self, state: DiceState, rng: RandomSource) -> Sequence[Proposal]:
        _never_return()


class Pondering(Roller):
    def can_be_played(self, state: DiceState) -> str | None:
        _never_return()


class Divided(Roller):
    def sides(self, state: DiceState) -> Sequence[tuple[int, ...]]:
        _never_return()


class Broken(Roller):
    def propose(self, state: DiceState, rng: RandomSource) -> Sequence[Proposal]:
        raise KeyError("lost")


class Picky(Roller):
    def can_be_played(self, state: DiceState) -> str | None:
        return "It plays to 1000 only."


class Moody(Roller):
    def can_be_played(self, state: DiceState) -> str | None:
        raise KeyError("lost")


class Torn(Roller):
    def sides(self, state: DiceState) -> Sequence[tuple[int, ...]]:
        return [(0,), (0, 1)]


class Rival(Roller):
    """Plays for one seat, against the others."""

    def sides(self, state: DiceState) -> Sequence[tuple[int, ...]]:
        return [(seat,) for seat in range(len(state.totals))]


class Undecided(Rival):
    """Rolls one die, and considers other numbers of dice."""

    def propose(self, state: DiceState, rng: RandomSource) -> Sequence[Proposal]:
        return [(Roll(1), state.active)]

    def ideas(self, state: DiceState, rng: RandomSource) -> Sequence[Proposal]:
        return [(Roll(dice), state.active) for dice in (1, 0, 2, 3)]

    def features(self, state: DiceState, seat: int) -> dict[str, float]:
        return {"always": 1.0, "lead": float(2 * state.totals[seat] - sum(state.totals))}


@contextmanager
def playing(player: Player[Any]) -> Iterator[None]:
    """Install the dice and their player until the end of the block."""
    with installed(Dice()):
        registry._BY_RULESET["dice"] = player
        try:
            yield
        finally:
            del registry._BY_RULESET["dice"]
