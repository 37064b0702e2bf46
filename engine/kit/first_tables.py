"""Two different tables after a setup. Comparing them shows what the setup leaves to chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.core.values import State
from engine.kit.chance import Chance, Chosen
from engine.kit.facts import AnyFact

Start = Callable[[Chance], State]
"""Function that sets up a game."""


def first_table(start: Start, *, is_last: bool = False) -> State:
    """Return the table after a setup in which every draw has its first possible result (`is_last`: its last)."""
    chance = Chosen(is_last=is_last)
    chance.begin(0, ())
    return start(chance)


def left_to_chance(kinds: Iterable[type[AnyFact]], first: State, last: State) -> list[type[AnyFact]]:
    """Return the kinds of facts that cannot be absent, and whose values depend on the draws of the setup."""
    needed = (kind for kind in kinds if kind.none is None and not kind.is_derived)
    return [kind for kind in needed if set(kind.all(first)) != set(kind.all(last))]
