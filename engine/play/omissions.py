"""Skipped steps: the table after each step that can be skipped, and the skips that would make an action legal."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from engine.core import effort
from engine.core.errors import IllegalAction
from engine.core.values import State
from engine.kit.ruleset import AnyRuleset
from engine.kit.steps import Skip
from engine.play.beliefs.belief import likeliest, worlds
from engine.play.beliefs.telling import agreeing

MOST_STEPS = 6
"""Maximum number of successive skipped steps in a suggestion."""
MOST_TRIED = 40
"""Maximum number of skips to try in a search."""

Way = tuple[Skip[Any], ...]


def skips(ruleset: AnyRuleset, state: State) -> Iterator[Skip[Any]]:
    """Yield the steps that can be skipped in `state`, each with the (valid) table after the skip.

    If results are unknown, the step must be due on every possible table.
    """
    return _without(ruleset, state, ruleset.skips)


def overlooks(ruleset: AnyRuleset, state: State) -> Iterator[Skip[Any]]:
    """Yield the automatic effects that the players may have missed (see `Rules.overlooks`), in the form of `skips`."""
    return _without(ruleset, state, ruleset.overlooks)


def _without(ruleset: AnyRuleset, state: State, ways: Callable[[Any], Iterable[Skip[Any]]]) -> Iterator[Skip[Any]]:
    tables = worlds(state)
    for one in ways(likeliest(state)):
        effort.spend(len(tables))
        found: list[tuple[int, State]] = []
        for world in tables:
            same = (
                other.state for other in ways(world.state) if (other.step.id, other.seat) == (one.step.id, one.seat)
            )
            after = next((other for other in same if ruleset.is_sound(other)), None)
            if after is None:
                break
            found.append((world.weight, after))
        else:
            try:
                yield msgspec.structs.replace(one, state=agreeing(ruleset, state, found))
            except IllegalAction:
                # The skip depends on unknown cards.
                continue


def explaining(ruleset: AnyRuleset, state: State, is_legal: Callable[[State], bool]) -> Way:
    """Return the shortest sequence of skips after which `is_legal` returns True; empty if none is found.

    Skips can lead into the next turn, but no further: skipping a whole turn, too, would be more than one mistake.
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
