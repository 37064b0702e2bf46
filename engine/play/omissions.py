"""Steps that a table left out: what the game is like without them, and which of them would make an action legal."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from engine.core import effort
from engine.core.errors import Undetermined
from engine.core.values import State
from engine.kit.ruleset import AnyRuleset
from engine.kit.steps import Skip
from engine.play.beliefs.belief import likeliest, worlds
from engine.play.beliefs.telling import agreeing

MOST_STEPS = 6
"""No table forgets more than so many in a row; that they were is no guess of the service's."""
MOST_TRIED = 40
"""Tables that are looked at to find which."""

Way = tuple[Skip[Any], ...]


def skips(ruleset: AnyRuleset, state: State) -> Iterator[Skip[Any]]:
    """The ways in which a game that is not over goes on from `state` without a step: each leads to a sound table.

    Where something was not seen, the step is due in every world.
    """
    tables = worlds(state)
    for one in ruleset.skips(likeliest(state)):
        found = [
            (world.weight, other.state)
            for world in tables
            for other in ruleset.skips(world.state)
            if (other.step, other.seat) == (one.step, one.seat) and ruleset.is_sound(other.state)
        ]
        effort.spend(len(tables))
        if len(found) == len(tables):
            try:
                yield msgspec.structs.replace(one, state=agreeing(ruleset, state, found))
            except Undetermined:
                continue


def explaining(ruleset: AnyRuleset, state: State, is_legal: Callable[[State], bool]) -> Way:
    """The fewest steps without which the table is one where `is_legal`; none where there are no such.

    The turn that is being played may have been left unfinished, and the next one begun otherwise than the rules have
    it. That a whole turn was passed over after it is no guess of the service's: then more than one thing went wrong.
    """
    last, tried = state.turn + 1, 0
    ways: deque[tuple[Way, State]] = deque([((), state)])
    while ways and tried < MOST_TRIED:
        way, table = ways.popleft()
        for skip in skips(ruleset, table):
            tried += 1
            longer, after = (*way, skip), skip.state
            if after.outcome is not None or after.turn > last:
                continue
            if is_legal(after):
                return longer
            if len(longer) < MOST_STEPS:
                ways.append((longer, after))
    return ()
