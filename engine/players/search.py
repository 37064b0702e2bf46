"""Search: a player that compares another player's ideas by playouts, and takes the idea that wins most often.

Of ideas that lead to the same table, only the first is tried. All are tried with the same random numbers. After each
round the worse half of them is dropped, so the best ones get most of the playouts (sequential halving). If the other
player can estimate the reward, each round looks one turn further ahead, up to `TURNS`. The other player's own choice
stays in every round, and is taken unless another idea is clearly better. Playouts never use the seed of a game: they
draw from the piles as the players know them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.values import GameOutcome, State
from engine.kit.chance import RandomSource
from engine.kit.ruleset import AnyRuleset
from engine.players.protocol import AnyPlayer, Player, Proposal
from engine.players.value import Valuer

TURNS = 3
"""Maximum number of turns in a playout, if the computer player can estimate the reward after these turns.

Fewer turns miss much of what an action leads to. More turns add noise.
"""
EFFORT = 1500
"""Maximum number of actions to play for one decision, over all of its playouts.

Each playout counts as one more action.
"""
LEAST_GAIN = 0.025
"""Minimum gain for an idea to replace the computer player's first choice. Smaller gains are mostly noise."""
SEEDS = 1 << 62


class SearchPlayer(Player[Any]):
    """A computer player that chooses among the ideas of another computer player.

    Args:
        effort: the number of actions to play for one decision.
    """

    name = "Search"
    version = "3"

    def __init__(self, player: AnyPlayer, rules: AnyRuleset, effort: int = EFFORT) -> None:
        self.ruleset = rules.id
        self._player, self._rules, self._effort = player, rules, effort

    def features(self, state: State, seat: int) -> Mapping[str, float]:
        return self._player.features(state, seat)

    def reward(self, outcome: GameOutcome, seat: int) -> float:
        return self._player.reward(outcome, seat)

    def sides(self, state: State) -> Sequence[tuple[int, ...]]:
        return self._player.sides(state)

    def can_be_played(self, state: State) -> str | None:
        return self._player.can_be_played(state)

    def propose(self, state: State, rng: RandomSource) -> Sequence[Proposal]:
        ideas = list(self._player.ideas(state, rng))
        if len(ideas) < 2 or self._has_secrets(state):
            return ideas
        return self._rank(state, ideas, Valuer(self._player, self._rules, rng.randrange(SEEDS)))

    def _has_secrets(self, state: State) -> bool:
        """Return True if the seats know different things. Playouts could then use the secret of a seat."""
        rules = self._rules
        views = [rules.view(state, seat) for seat in range(rules.seats(state))] if rules.has_secrets else []
        return any(view != views[0] for view in views)

    def _rank(self, state: State, ideas: list[Proposal], valuer: Valuer) -> list[Proposal]:
        """Return the ideas, best first. Of several ideas that lead to the same table, keep only the first."""
        different: dict[tuple[State, Proposal | None], Proposal] = {}
        for idea in ideas:
            different.setdefault(valuer.settle(state, idea), idea)
        found = list(different.values())
        if len(found) < 2:
            return found
        return [found[at] for at in self._best_first(list(different), [seat for _, seat in found], valuer)]

    def _best_first(
        self, starts: Sequence[tuple[State, Proposal | None]], seats: Sequence[int], valuer: Valuer
    ) -> list[int]:
        """Return the indexes of `starts`, best first. The first start belongs to the choice of the computer player.

        Args:
            seats: for each start, the seat that has the idea.
        """
        totals, others, done = [0.0] * len(starts), list(range(1, len(starts))), 0
        rounds, playouts = len(others).bit_length(), 0
        for number in range(rounds):
            live = others[: -(-len(others) >> number)]
            turns = min(number + 1, TURNS) if self._player.outlook else None
            is_enough = False
            while not is_enough:
                for at in (0, *live):
                    table, first = starts[at]
                    (rewards,) = valuer.rewards([(1, table)], range(done, done + 1), first, (seats[at],), turns)
                    totals[at] += sum(rewards)
                done += 1
                playouts += 1 + len(live)
                is_enough = (valuer.played + playouts) * rounds >= self._effort * (number + 1)
            others[: len(live)] = sorted(live, key=lambda at: (-totals[at], at))
        best = others[0]
        return [best, 0, *others[1:]] if totals[best] - totals[0] >= LEAST_GAIN * done else [0, *others]
