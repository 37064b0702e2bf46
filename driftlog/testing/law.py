"""A law: a property that holds at every table of every ruleset."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Literal, NamedTuple

from driftlog.testing.play import LONGEST, Players, Step, playouts_of, policy
from driftlog.testing.tables import TableSetup
from engine.core.values import State

NAMES = ("Ada", "Bo", "Cleo", "Dov", "Eli", "Fay", "Gus", "Hal")

Profile = Literal["full", "free"]
"""`full`: the rules lead each game to its end. `free`: only the components limit the actions, so random games seldom
end."""


class Sample:
    """Random games at a table, played once for all laws.

    Args:
        count: the number of games. Fewer are played if these already have `most` states.
        most: the maximum number of states (default: the number in `count` typical games).
        kept: additional states from recorded games.
    """

    def __init__(
        self,
        table: TableSetup,
        count: int,
        *,
        profile: Profile = "full",
        players: Players = policy,
        longest: int = LONGEST,
        most: int | None = None,
        kept: Iterable[State] = (),
    ) -> None:
        self.table, self.rules, self.profile = table, table.rules, profile
        self.names = NAMES[: table.seats]
        self.players = players
        self._count, self._longest, self._most, self._kept = count, longest, most, kept

    @cached_property
    def games(self) -> list[tuple[int, list[Step]]]:
        """The games, each with its seed."""
        return list(playouts_of(self.table, self._count, self.players, self._longest, self._most))

    @cached_property
    def steps(self) -> list[Step]:
        """Some states of a quarter of the games and of recorded games, each with its legal actions."""
        rng, found = self.rng("samples"), []
        for _, steps in self.games[: -(-self._count // 4)]:
            for number, step in enumerate(steps, 1):
                if number & (number - 1) == 0 or rng.random() < 0.08:
                    found.append(step)
        return found + [(state, list(self.rules.legal_actions(state))) for state in self._kept]

    def rng(self, purpose: str) -> random.Random:
        """Return a random generator that is the same in each run."""
        return random.Random(f"{purpose} {self.table}")  # noqa: S311  # it plays

    @property
    def is_full(self) -> bool:
        """True if the rules lead each game to its end."""
        return self.profile == "full"


class Law(NamedTuple):
    """A law with its check."""

    name: str
    """The law as a sentence."""
    check: Callable[[Sample], None]
    """Raises AssertionError with an explanation if the law is broken."""


def law(name: str) -> Callable[[Callable[[Sample], None]], Law]:
    """Decorate a check to make it a law."""
    return lambda check: Law(name, check)
