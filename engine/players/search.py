"""Search: a player that compares another player's ideas by playouts, and takes the one that wins most often.

All ideas are tried with the same random numbers. After each round the worse half of them is dropped, so the best ones
get most of the playouts (sequential halving). Playouts never use the seed of a game: they draw from the piles as the
table knows them.
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
"""Turns to play, if the other player can estimate the reward of what follows."""
EFFORT = 1500
"""Actions to play for one decision, in all its playouts."""
SEEDS = 1 << 62


class SearchPlayer(Player[Any]):
    """Plays a game with the ideas of another player.

    Args:
        effort: the number of actions to play for one decision.
    """

    name = "Search"
    version = "1"

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
        return self._ranked(state, ideas, Valuer(self._player, self._rules, rng.randrange(SEEDS)))

    def _has_secrets(self, state: State) -> bool:
        """Return True if not all players know the same, so that playouts could use a player's secret."""
        rules = self._rules
        views = [rules.view(state, seat) for seat in range(rules.seats(state))] if rules.has_secrets else []
        return any(view != views[0] for view in views)

    def _ranked(self, state: State, ideas: list[Proposal], valuer: Valuer) -> list[Proposal]:
        """Return the ideas, best first; if two win equally often, the player's order counts."""
        turns = TURNS if self._player.outlook else None
        totals, order, done = [0.0] * len(ideas), list(range(len(ideas))), 0
        rounds = (len(ideas) - 1).bit_length()
        for number in range(rounds):
            live = order[: -(-len(ideas) >> number)]
            while valuer.played * rounds < self._effort * (number + 1):
                for at in live:
                    (rewards,) = valuer.rewards([(1, state)], range(done, done + 1), ideas[at], (ideas[at][1],), turns)
                    totals[at] += sum(rewards)
                done += 1
            order[: len(live)] = sorted(live, key=lambda at: (-totals[at], at))
        return [ideas[at] for at in order]
