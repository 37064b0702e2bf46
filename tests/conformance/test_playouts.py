"""Whole random games: they end, as declared, and every state on the way is sound."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

from tests.conformance.play import LONGEST, Step, playouts_of
from tests.conformance.tables import Table


def test_random_games(table: Table, playouts: int) -> None:
    for seed, steps in playouts_of(table, playouts):
        with told_of_failure(table, seed):
            ends_as_declared(table, steps)
            for step in steps:
                conserves_its_components(table, step)
                awaits_who_can_act(table, step)
                is_tidy(table, step)


@contextmanager
def told_of_failure(table: Table, seed: int) -> Iterator[None]:
    """A failure says how to see that game again."""
    try:
        yield
    except AssertionError as error:
        error.add_note(f"list(playout({table!r}, {seed}))")
        raise


def ends_as_declared(table: Table, steps: list[Step]) -> None:
    rules = table.rules
    *going_on, (last, _) = steps
    assert all(state.outcome is None for state, _ in going_on)
    if len(steps) == LONGEST < rules.max_events:
        return
    assert last.outcome is not None
    assert last.outcome.reason in rules.endings
    assert last.outcome.rule in rules.sections
    # The opening, the set-up and the closing stand in the log besides.
    assert len(going_on) + 3 <= rules.max_events
    turns = [state.turn for state, _ in steps]
    assert turns[0] in {0, 1}
    assert all(after - before in {0, 1} for before, after in pairwise(turns))


def conserves_its_components(table: Table, step: Step) -> None:
    assert table.rules.check_invariants(step[0]) == []


def is_tidy(table: Table, step: Step) -> None:
    assert table.rules.tidy(step[0]) == step[0]


def awaits_who_can_act(table: Table, step: Step) -> None:
    state, legal = step
    if state.outcome is not None:
        assert not legal
        return
    awaited = table.rules.awaiting(state)
    assert awaited
    assert list(awaited) == sorted(set(awaited))
    assert set(awaited) <= {one.seat for one in legal}
