"""Possible tables with their weights: equal tables are merged, and the tables that remain look alike."""

from __future__ import annotations

import itertools
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
from engine.play.beliefs.belief import Belief, World, merge_points, shared_members
from engine.play.beliefs.hands import scale_weights
from engine.play.beliefs.looks import Key, Looks, VisibleTable, cached_canonical, count_hidden

MOST_WORLDS = 1000
"""Maximum number of tables that a belief lists. Beyond it, a player must look up an unknown result."""


CERTAIN = Fraction(1)

Weight = Fraction | int
"""A weight. It is an integer until a drawn result multiplies it by a probability."""


def multiply_weight(weight: Weight, chance: Fraction) -> Weight:
    """Return a weight multiplied by a probability."""
    # Most events draw nothing, and multiplying fractions is expensive.
    if chance is CERTAIN:
        return weight
    return chance if weight == 1 else weight * chance


class Found(msgspec.Struct, eq=False):
    """A possible table after an event."""

    weight: Weight
    state: Any
    key: Key
    """The key that identifies the table."""
    before: Any
    """The state before the event. If several states lead to this table, this is one of them."""
    supposed: tuple[Value | None, ...] = ()
    is_several: bool = False
    """True if this table can also be reached with assumed results that differ from `supposed`."""

    @property
    def board(self) -> VisibleTable | None:
        """The visible part of the table; None before the setup."""
        return self.key[0]


class TooManyTables(IllegalAction):
    """More tables look alike than a belief can list."""

    def __init__(self) -> None:
        message = say("More than {most} tables are possible. Reveal some unknown cards first.", most=MOST_WORLDS)
        super().__init__(RULE, message)


class PossibleWorlds:
    """Collects possible tables with their weights, and merges equal ones.

    Args:
        most: maximum number of tables that look alike (default: the maximum of a belief).
    """

    def __init__(self, looks: Looks, most: int | None = None) -> None:
        self._most = MOST_WORLDS if most is None else most
        self.ruleset = looks.ruleset
        self._looks = looks
        self._found: dict[Key, Found] = {}
        """The tables, by key."""
        self.looks: Counter[VisibleTable] = Counter()
        """The number of tables with each visible part."""

    def all(self) -> list[Found]:
        """Return the tables, without duplicates."""
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
        """Add a table that was reached from `before`. If the table was added before, increase its weight.

        Raises:
            TooManyTables: too many tables look alike.
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
    """Group the possible tables by their look, and return the group whose look does not reveal the result.

    Args:
        unseen: for each table before the event, its weight and its first draw with a result that was reported as None.
        hidden: counts the hidden components of a table (default: `engine.play.beliefs.looks.count_hidden`).

    Raises:
        Undetermined: the looks differ although no result is unknown.
        OutcomeRequired: no look hides the result, or several looks do.
    """
    found = possible.all()
    if len(possible.looks) == 1:
        return found
    boards: dict[VisibleTable | None, list[Found]] = {}
    for one in found:
        boards.setdefault(one.board, []).append(one)
    if not unseen:
        raise Undetermined(RULE, differing(possible.looks))
    # Different assumed results lead to these tables.
    silent = [
        ones for ones in boards.values() if any(one.is_several or one.supposed != ones[0].supposed for one in ones)
    ]
    if not silent:
        # With any other look, the result would be known, because hidden components would have become visible.
        hidden = hidden or partial(count_hidden, possible.ruleset)
        left = (ones for ones in boards.values() if _stays_covered(hidden, ones[0]))
        silent = list(itertools.islice(left, 2))
    if len(silent) != 1:
        raise OutcomeRequired(merge_points(unseen), partial(differing, possible.looks))
    return silent[0]


def _stays_covered(hidden: Callable[[State], Counter[Any]], found: Found) -> bool:
    """Return True if the hidden components of a table are the same as before the event."""
    return found.before is not None and hidden(found.before) == hidden(found.state)


def differing(looks: Iterable[VisibleTable]) -> tuple[str, ...]:
    """Return the members of the document in which these looks differ."""
    first, *others = (look.document for look in looks)
    return tuple(sorted(key for key in first if any(other[key] != first[key] for other in others)))


def belief_of(found: Sequence[Found]) -> State:
    """Return a belief that lists these tables."""
    return listed_belief([(one.weight, one) for one in found])


def listed_belief(found: Sequence[tuple[Weight, Found]]) -> State:
    """Return a belief that lists these distinct tables with their weights. If there is only one, return its state."""
    if len(found) == 1:
        state: State = found[0][1].state
        return state
    weights = scale_weights({one: weight for weight, one in found})
    in_order = sorted(weights, key=lambda one: cached_canonical(one.key[1]))
    return Belief(**shared_members(found[0][1].state), worlds=tuple(World(weights[one], one.state) for one in in_order))


def agreeing(ruleset: AnyRuleset, found: Sequence[tuple[Weight, State]]) -> State:
    """Return a belief that lists these states with their weights. All must look the same to the players.

    Raises:
        Undetermined: they do not look the same.
    """
    possible = PossibleWorlds(Looks(ruleset))
    for weight, state in found:
        possible.add(weight, state, None)
    return belief_of(looking_alike(possible, ()))
