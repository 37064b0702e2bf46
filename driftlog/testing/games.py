"""Laws for random games: each game ends as declared, and every state fulfils the invariants of the ruleset."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from driftlog.testing.law import Sample, law
from driftlog.testing.play import LONGEST, Step
from engine.core.values import State


@law("Random games are played to an ending that the ruleset declares.")
def end_as_declared(sample: Sample) -> None:
    rules = sample.rules

    def check(steps: list[Step]) -> None:
        *going_on, (last, legal) = steps
        assert all(state.outcome is None for state, _ in going_on), "an action was legal after the end."
        if last.outcome is None:
            assert legal, f"no action is legal in phase {last.phase!r}, and the game has not ended."
            assert len(steps) < rules.max_events or not sample.is_full, f"it has not ended after {len(steps)} events."
            assert not sample.is_full or len(steps) == LONGEST
            return
        reason, rule = last.outcome.reason, last.outcome.rule
        assert reason in rules.endings, f"its reason is {reason!r}, which is not in `endings`."
        assert rule in rules.sections, f"its rule is {rule!r}, which is not in `sections`."
        # The log also has the opening, the setup and the closing.
        assert len(going_on) + 3 <= rules.max_events, f"it has more events than `max_events`, {rules.max_events}."
        turns = [state.turn for state, _ in steps]
        assert turns[0] in {0, 1}, f"its first turn is {turns[0]}."
        assert all(after - before in {0, 1} for before, after in pairwise(turns)), f"its turns are {turns}."

    in_each_game(sample, check)


@law("Every state fulfils the invariants, is tidy, and is hashable.")
def are_sound(sample: Sample) -> None:
    def check(steps: list[Step]) -> None:
        for state, _ in steps:
            broken = sample.rules.check_invariants(state)
            assert broken == [], f"{'; '.join(broken)} (turn {state.turn}, phase {state.phase!r})."
            assert sample.rules.tidy(state) == state, f"`tidy` changes a state of turn {state.turn}."
            assert is_hashable(state), f"a state of turn {state.turn} is not hashable: it holds a list, set or dict."

    in_each_game(sample, check)


@law("The game waits for seats that can act.")
def await_who_can_act(sample: Sample) -> None:
    def check(steps: list[Step]) -> None:
        for state, legal in steps:
            awaited = sample.rules.awaiting(state)
            if state.outcome is not None:
                assert not legal, "an action is legal after the end."
                continue
            assert awaited, f"it waits for nobody in phase {state.phase!r}."
            assert list(awaited) == sorted(set(awaited)), f"it waits for {awaited}, which are not sorted."
            idle = set(awaited) - {one.seat for one in legal}
            assert not idle, f"it waits for seats {sorted(idle)} in phase {state.phase!r}, which have no legal action."

    in_each_game(sample, check)


def is_hashable(state: State) -> bool:
    """Return True if a state is immutable."""
    try:
        hash(state)
    except TypeError:
        return False
    return True


def in_each_game(sample: Sample, check: Callable[[list[Step]], Any]) -> None:
    """Check each game. If the check fails, the error has the game's seed."""
    for seed, steps in sample.games:
        try:
            check(steps)
        except AssertionError as error:
            error.add_note(f"Play it again: list(playout({sample.table!r}, {seed}))")
            raise
