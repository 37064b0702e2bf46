"""The value of a table: the share of playouts from this table that a side wins.

Playout `i` of every table uses the same random numbers, keyed by card (`engine.kit.chance.Keyed`), so the difference
of two values has less noise than each of them. No playout knows a game's seed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import Protocol

import msgspec

from engine.core import effort
from engine.core.language import say
from engine.core.values import GameOutcome, State
from engine.kit.chance import Chance, Keyed, Stream, mix_bits
from engine.kit.ruleset import AnyRuleset
from engine.players.protocol import AnyPlayer, PlayerFailed, Proposal, ask

Z = 1.96
"""Standard errors on each side of a 95 % interval."""
RARELY = 0.05
"""While the game continues, a chance below this is not stated exactly."""
MOST_ODDS = 30.0
"""Maximum log odds; larger values could overflow `exp`."""

Tables = Sequence[tuple[int, State]]
"""Possible tables, each with its weight."""


class RewardStore(Protocol):
    """The rewards of playouts by key, which several workers may share."""

    def each(self, keys: Iterable[str]) -> Iterator[tuple[str, Sequence[float] | None]]:
        """Yield each key with its rewards, in any order.

        If the rewards are None, the caller must play the playouts and `put` their rewards now.
        """

    def put(self, key: str, rewards: Sequence[float]) -> None:
        """Store rewards."""


class Memory(dict[str, Sequence[float]]):
    """A store of rewards in the memory of this process."""

    put = dict.__setitem__

    def each(self, keys: Iterable[str]) -> Iterator[tuple[str, Sequence[float] | None]]:
        """Yield each key with its rewards; None if they are missing."""
        return ((key, self.get(key)) for key in keys)


class Value(msgspec.Struct, frozen=True):
    """An estimate of the chance to win."""

    p: float
    n: int
    """The number of playouts; 0 if the game is over, and `p` is exact."""
    low: float
    """The lower end of the 95 % interval (Wilson)."""
    high: float

    @classmethod
    def of(cls, total: float, n: int) -> Value:
        """Return the estimate from the total rewards of `n` playouts."""
        p = total / n
        middle, half = (p + Z * Z / (2 * n)), Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
        scale = 1 + Z * Z / n
        return cls(p, n, max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale))

    @classmethod
    def exact(cls, p: float) -> Value:
        """Return the exact value of a finished game."""
        return cls(p, 0, p, p)

    @property
    def words(self) -> str:
        """The chance in words: '55 %'; while the game continues, at least 'under 5 %' and at most 'over 95 %'."""
        if self.n and self.p < RARELY:
            return say("under 5 %")
        if self.n and self.p > 1 - RARELY:
            return say("over 95 %")
        return say("{percent} %", percent=percent(self.p))


def percent(share: float) -> int:
    """Return a share in percent; halves round up, as in the pages."""
    return math.floor(100 * share + 0.5)


def estimate(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    """Return the expected reward, from 0 to 1."""
    return logistic(sum(weight * features[name] for name, weight in weights.items()))


def logistic(total: float) -> float:
    """Return the chance with these log odds."""
    return 1 / (1 + math.exp(-max(-MOST_ODDS, min(MOST_ODDS, total))))


class Valuer:
    """Computes the values of a game's tables with the playouts of one computer player.

    Args:
        seed: the seed of the playouts, which is never a game's seed.
    """

    def __init__(self, player: AnyPlayer, rules: AnyRuleset, seed: int = 0) -> None:
        self.player, self.rules, self.seed = player, rules, seed
        self.played = 0
        """The number of actions played so far, in all games."""

    def rewards(
        self,
        tables: Tables,
        playouts: range,
        first: Proposal | None = None,
        seats: Sequence[int] = (0,),
        turns: int | None = None,
    ) -> list[list[float]]:
        """For each of `seats`, return the rewards of the playouts. Each playout starts from one of `tables`.

        Args:
            playouts: the numbers of the playouts.
            first: the action that begins each playout.
            turns: the turns to play, if the player can estimate the reward after them.

        Raises:
            PlayerFailed: the player raised an error, or broke its protocol.
        """
        totals = list(accumulate(weight for weight, _ in tables))
        found: list[list[float]] = [[] for _ in seats]
        for number in playouts:
            effort.spend()
            key = mix_bits(self.seed, number)
            at = Stream(mix_bits(key, 1)).randrange(totals[-1]) if len(tables) > 1 else 0
            state = next(state for total, (_, state) in zip(totals, tables, strict=True) if at < total)
            last = self.play(state, mix_bits(key, 2), Keyed(key), first, turns)
            for rewards, seat in zip(found, seats, strict=True):
                rewards.append(self._estimate(last, seat))
        return found

    def _estimate(self, state: State, seat: int) -> float:
        """Return the value of a game's outcome for `seat`; without an outcome, an estimate."""
        player, outcome = self.player, state.outcome
        if outcome is not None:
            return self.reward(outcome, seat)
        return estimate(player.outlook, ask(player, player.features, state, seat))

    def reward(self, outcome: GameOutcome, seat: int) -> float:
        """Return the value of a game's outcome for `seat`.

        Raises:
            PlayerFailed: the player raised an error, or its value is not between 0 and 1.
        """
        reward = ask(self.player, self.player.reward, outcome, seat)
        if not (isinstance(reward, float | int) and 0 <= reward <= 1):
            raise PlayerFailed(self.player, say("it gave a reward that is not between 0 and 1"))
        return reward

    def play(
        self, state: State, key: int, chance: Chance, first: Proposal | None = None, turns: int | None = None
    ) -> State:
        """Play from `state` to the end of the game, and return the last state.

        Args:
            key: the seed of the computer player's random choices.
            turns: the number of turns after which to stop; None: play to the end.

        Raises:
            PlayerFailed: as in `rewards`.
        """
        rng, rules = Stream(key), self.rules
        last_turn = math.inf if turns is None else state.turn + turns
        for seq in range(rules.max_events):
            if state.outcome is not None or state.turn >= last_turn:
                return state
            action, seat = first or self.proposals(state, rng)[0]
            first = None
            chance.begin(seq, ())
            state = action.apply(state, seat, chance)
            self.played += 1
        reason = say("its game has not ended after {count} actions", count=rules.max_events)
        raise PlayerFailed(self.player, reason)

    def settle(self, state: State, first: Proposal | None = None) -> tuple[State, Proposal | None]:
        """Skip forced actions: return a later table with its first action, whose playouts give the same rewards.

        The next action from that table needs random numbers. The first action is None if the computer player chooses
        it. Tables of one turn often lead to the same later table, which then shares its playouts.

        Raises:
            PlayerFailed: as in `rewards`.
        """
        chance = Keyed(0)
        for seq in range(self.rules.max_events):
            if state.outcome is not None:
                break
            rng = Stream(0)
            own = self.proposals(state, rng)[0]
            if rng.is_used and first is None:
                break
            action, seat = first or own
            chance.begin(seq, ())
            after = action.apply(state, seat, chance)
            if chance.has_drawn:
                return state, None if own == first and not rng.is_used else first
            state, first = after, None
        return state, first

    def sides(self, state: State) -> tuple[tuple[int, ...], ...]:
        """Return the seats of each side; empty if all win or lose together.

        Raises:
            PlayerFailed: the player raised an error, or it did not assign each seat to exactly one side.
        """
        sides = ask(self.player, lambda: tuple(map(tuple, self.player.sides(state))))
        if sides and (() in sides or sorted(chain.from_iterable(sides)) != list(range(self.rules.seats(state)))):
            raise PlayerFailed(self.player, say("it did not assign each seat to exactly one side"))
        return sides

    def proposals(self, state: State, rng: Stream) -> list[Proposal]:
        """Return the computer player's proposals; the first one is legal.

        Raises:
            PlayerFailed: the player raised an error, or its first proposal is not legal.
        """
        return ask(self.player, self._proposals, state, rng)

    def _proposals(self, state: State, rng: Stream) -> list[Proposal]:
        found = list(self.player.propose(state, rng))
        if not found:
            raise PlayerFailed(self.player, say("it proposed no action"))
        action, seat = found[0]
        if type(action) not in self.rules.actions or seat not in range(self.rules.seats(state)):
            raise PlayerFailed(self.player, say("it proposed an action that this game does not have"))
        refusal = action.refusal(state, seat)
        if refusal is not None:
            raise PlayerFailed(self.player, say(refusal.message))
        return found
