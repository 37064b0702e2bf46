"""Play the missing playouts of an analysis, and collect their rewards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

import msgspec

from engine.core.canonical import digest
from engine.core.digests import state_digest
from engine.core.language import say
from engine.core.values import State
from engine.play.beliefs.belief import Pooled, worlds
from engine.players.protocol import AnyPlayer, NotPlayable, ask
from engine.players.value import RewardStore, Tables, Valuer
from engine.review.costs import ValuedTable

SLICE = 20
"""Playouts that one worker plays at a time."""


def tables_of(state: State) -> Tables:
    """Return the possible tables of a state with their weights.

    Raises:
        NotPlayable: they cannot be listed.
    """
    if isinstance(state, Pooled):
        raise NotPlayable(say("Too many cards of this game are unknown for an analysis. Reveal some first."))
    if state.unnoticed:
        raise NotPlayable(say("This game cannot be analysed, because it continued after an end that nobody noticed."))
    return [(world.weight, world.state) for world in worlds(state)]


def ask_for_reason(player: AnyPlayer, tables: Tables) -> None:
    """Check that the player can play from each of these tables.

    Raises:
        NotPlayable: the player cannot play; the message has the reason.
        PlayerFailed: the player raised an error.
    """
    for _, state in tables:
        if state.outcome is None and (reason := ask(player, player.can_be_played, state)):
            raise NotPlayable(reason)


class Playouts:
    """The rewards of playouts by table.

    Args:
        sides: the seats of each side.
        kept: the rewards of earlier playouts, including playouts of other workers; new ones are added.
        advance: called after each slice with the share of the work that is done.
    """

    def __init__(
        self, valuer: Valuer, sides: Sequence[tuple[int, ...]], kept: RewardStore, advance: Callable[[float], None]
    ) -> None:
        self._valuer, self._sides, self._kept = valuer, sides, kept
        self._advance, self._done = advance, 0.0
        self._known: dict[str, Sequence[float]] = {}
        self._later: dict[str, ValuedTable] = {}

    def play(self, needed: Iterable[tuple[ValuedTable, int]], until: float) -> None:
        """Play or fetch this number of playouts for each table, and report the progress up to `until`.

        Raises:
            NotPlayable: the player cannot play from one of the tables.
        """
        slices = {
            f"{self._key(table)}:{number}": (table, range(number, number + SLICE))
            for table, count in ((self._settle(table), count) for table, count in needed)
            if table.state.outcome is None
            for number in range(0, count, SLICE)
        }
        missing = [key for key in slices if key not in self._known]
        began, step = self._done, (until - self._done) / max(1, len(missing))
        for done, (key, kept) in enumerate(self._kept.each(missing), 1):
            self._known[key] = self._slice(key, *slices[key]) if kept is None else kept
            self._advance(began + done * step)
        self._done = until

    def _slice(self, key: str, table: ValuedTable, playouts: range) -> Sequence[float]:
        seats = [side[0] for side in self._sides]
        found = self._valuer.rewards(tables_of(table.state), playouts, table.first, seats)
        rewards = list(chain.from_iterable(found))
        self._kept.put(key, rewards)
        return rewards

    def _settle(self, table: ValuedTable) -> ValuedTable:
        """Return a table whose playouts give the same rewards, and that several tables may share."""
        if table.state.outcome is not None:
            return table
        key = self._key(table)
        if key not in self._later:
            tables = tables_of(table.state)
            ask_for_reason(self._valuer.player, tables)
            settled = ValuedTable(*self._valuer.settle(tables[0][1], table.first)) if len(tables) == 1 else table
            self._later[key] = settled
        return self._later[key]

    def _key(self, table: ValuedTable) -> str:
        """Return the key of a table's playouts. Games with the same sides and the same table share it."""
        first, rules = table.first, self._valuer.rules
        action = None if first is None else [first[0].type, msgspec.to_builtins(first[0]), first[1]]
        player = [self._valuer.player.name, self._valuer.player.version, self._valuer.seed, self._sides]
        return digest([rules.id, rules.version, *player, state_digest(table.state), action])

    def rewards(self, table: ValuedTable, count: int) -> list[list[float]]:
        """Return the rewards of each side in the playouts from a table. The playouts must exist already."""
        table = self._settle(table)
        if table.state.outcome is not None:
            return [[self._valuer.reward(table.state.outcome, side[0])] * count for side in self._sides]
        key = self._key(table)
        slices = [self._known[f"{key}:{number}"] for number in range(0, count, SLICE)]
        parts = range(0, SLICE * len(self._sides), SLICE)
        return [[reward for one in slices for reward in one[at : at + SLICE]] for at in parts]
