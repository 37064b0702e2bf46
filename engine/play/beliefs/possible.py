"""The worlds that there may be, each with its weight: equal ones are one, and all that are left look the same."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import msgspec

from engine.core.errors import IllegalAction, OutcomeRequired, Undetermined
from engine.core.language import say
from engine.core.lifecycle import RULE
from engine.core.values import ChancePoint, State, Value
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import Belief, World, mixed
from engine.play.beliefs.looks import Key, Look, Looks, covered, spelled

MOST_WORLDS = 1000
"""That a belief may have; what nobody saw beyond that has to be found out."""


CERTAIN = Fraction(1)

Weight = Fraction | int
"""Whole as long as chance is asked nothing."""


def weighed(weight: Weight, chance: Fraction) -> Weight:
    """So much of a weight as `chance` leaves of it."""
    # Where chance is asked nothing there are many of them, and a product of fractions is dear.
    if chance is CERTAIN:
        return weight
    return chance if weight == 1 else weight * chance


class Found(msgspec.Struct, eq=False):
    """A world that there may be afterwards."""

    weight: Weight
    state: Any
    key: Key
    """What tells it from all others."""
    before: Any
    """The state that it came of, or one of these."""
    supposed: tuple[Value | None, ...] = ()
    is_several: bool = False
    """Whether other outcomes than `supposed` led here, too."""

    @property
    def board(self) -> Look | None:
        """What everyone sees of it; None where the game is not set up yet."""
        return self.key[0]


class TooManyTables(IllegalAction):
    """More tables look alike than a belief may list."""

    def __init__(self) -> None:
        message = say("More than {most} tables are possible. Reveal some unknown cards first.", most=MOST_WORLDS)
        super().__init__(RULE, message)


class PossibleWorlds:
    """Worlds with their weights: equal ones are one.

    Args:
        most: how many may look alike (default: as many as a belief may have).
    """

    def __init__(self, looks: Looks, most: int | None = None) -> None:
        self._most = MOST_WORLDS if most is None else most
        self.ruleset = looks.ruleset
        self._looks = looks
        self._found: dict[Key, Found] = {}
        """By what tells them from each other."""
        self.looks: Counter[Look] = Counter()
        """What everyone sees of them, and how many of them look so."""

    def all(self) -> list[Found]:
        """Each of them once."""
        return list(self._found.values())

    def add(
        self,
        weight: Weight,
        state: State,
        before: State | None,
        supposed: tuple[Value | None, ...] = (),
        *,
        is_several: bool = False,
    ) -> Found:
        """One more way to a world, from `before`.

        Raises:
            TooManyTables: more look like this one than a belief may have.
        """
        look, key = self._looks.of(state)
        found = self._found.get(key)
        if found is not None:
            found.weight += weight
            found.is_several = found.is_several or is_several or found.supposed != supposed
            return found
        found = self._found[key] = Found(weight, state, key, before, supposed, is_several)
        self.looks[look] += 1
        if self.looks[look] > self._most:
            raise TooManyTables
        return found


def looking_alike(
    possible: PossibleWorlds,
    unseen: Sequence[tuple[Weight, ChancePoint]],
    hidden: Callable[[State], Counter[Any]] | None = None,
) -> list[Found]:
    """The worlds whose boards look the same: the one board on which it does not show what came up.

    Args:
        unseen: the questions to which the first None stands for an answer, each with its weight.
        hidden: returns what does not show on a table (default: as `engine.play.beliefs.looks.covered`).

    Raises:
        Undetermined: they look different, and nothing went unseen.
        OutcomeRequired: not one board alone hides what came up.
    """
    found = possible.all()
    if len(possible.looks) == 1:
        return found
    boards: dict[Look | None, list[Found]] = {}
    for one in found:
        boards.setdefault(one.board, []).append(one)
    if not unseen:
        raise Undetermined(RULE, differing(possible.looks))
    silent = [ones for ones in boards.values() if _are_several(ones)]
    if not silent:
        # What has to be there, where all else would have come into the open.
        hidden = hidden or partial(covered, possible.ruleset)
        left = (ones for ones in boards.values() if _stays_covered(hidden, ones[0]))
        silent = list(itertools.islice(left, 2))
    if len(silent) != 1:
        raise OutcomeRequired(mixed(unseen), partial(differing, possible.looks))
    return silent[0]


def _stays_covered(hidden: Callable[[State], Counter[Any]], found: Found) -> bool:
    """Whether all that does not show in a world is what did not show before."""
    return found.before is not None and hidden(found.before) == hidden(found.state)


def _are_several(found: list[Found]) -> bool:
    """Whether different outcomes lead to these worlds."""
    return any(one.is_several or one.supposed != found[0].supposed for one in found)


def differing(looks: Iterable[Look]) -> tuple[str, ...]:
    """Return the parts of the table in which these differ."""
    first, *others = (look.document for look in looks)
    return tuple(sorted(key for key in first if any(other[key] != first[key] for other in others)))


def belief_of(found: Sequence[Found]) -> State:
    """The belief that holds these worlds, each with its weight."""
    return believed([(one.weight, one) for one in found])


def believed(found: Sequence[tuple[Weight, Found]]) -> State:
    """The belief that holds these worlds with these weights, no two of them equal; a single one is simply the state."""
    if len(found) == 1:
        state: State = found[0][1].state
        return state
    scale = math.lcm(*(weight.denominator for weight, _ in found))
    whole = [(weight.numerator * (scale // weight.denominator), one) for weight, one in found]
    common = math.gcd(*(weight for weight, _ in whole))
    first = found[0][1].state
    return Belief(
        turn=first.turn,
        phase=first.phase,
        outcome=first.outcome,
        worlds=tuple(World(weight // common, one.state) for weight, one in sorted(whole, key=_spelled)),
    )


def _spelled(weighed: tuple[int, Found]) -> bytes:
    return spelled(weighed[1].key[1])


def agreeing(ruleset: AnyRuleset, found: Sequence[tuple[int, State]]) -> State:
    """The belief that holds these weighed states, whose boards have to look the same.

    Raises:
        Undetermined: they do not.
    """
    possible = PossibleWorlds(Looks(ruleset))
    for weight, state in found:
        possible.add(weight, state, None)
    return belief_of(looking_alike(possible, ()))
