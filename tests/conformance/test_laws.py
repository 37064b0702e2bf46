"""Check the laws for all rulesets (see `driftlog.testing`) at every table, also with `--playouts`."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from driftlog.testing.law import Law, Sample
from driftlog.testing.laws import AT_EACH_TABLE, ONCE
from driftlog.testing.tables import TableSetup
from engine.core.values import State
from engine.kit.ruleset import AnyRuleset
from engine.play.registry import rulesets
from tests.recorded.games import games, read, replay


def recorded_states(table: TableSetup) -> Iterator[State]:
    """Yield some states of recorded games, because random players seldom reach a victory."""
    rng = random.Random(f"kept {table}")
    for path in games(table.ruleset) if not table.options else ():
        yield from (state for state in replay(*read(path)).states[2:-1] if state is not None and rng.random() < 0.15)


@pytest.fixture(scope="module")
def sample(table: TableSetup, playouts: int) -> Sample:
    return Sample(table, playouts, kept=recorded_states(table))


@pytest.fixture(scope="module", params=rulesets(), ids=lambda rules: rules.id)
def plain(request: pytest.FixtureRequest, playouts: int) -> Sample:
    rules: AnyRuleset = request.param
    return Sample(TableSetup(rules.id, rules.players[0], {}), playouts)


@pytest.mark.parametrize("law", AT_EACH_TABLE, ids=lambda law: law.check.__name__)
def test_at_each_table(law: Law, sample: Sample) -> None:
    law.check(sample)


@pytest.mark.parametrize("law", ONCE, ids=lambda law: law.check.__name__)
def test_once(law: Law, plain: Sample) -> None:
    law.check(plain)
