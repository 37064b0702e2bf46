"""A table that sometimes breaks the rules can play its game to the end."""

from __future__ import annotations

import random

import pytest

from driftlog.testing.tables import TableSetup
from engine.core.errors import EngineError
from engine.kit.ruleset import AnyRuleset
from engine.play.registry import rulesets
from tests.conformance.careless import Careless

FEWER = 10
"""Number of games per table without `--playouts`."""


@pytest.mark.rules
@pytest.mark.parametrize("ruleset", rulesets(), ids=lambda rules: rules.id)
def test_what_a_careless_table_did_is_gone_on_from(ruleset: AnyRuleset, playouts: int) -> None:
    slips = 0
    for seed in range(max(1, playouts // FEWER)):
        table = Careless(TableSetup(ruleset.id, random.Random(seed).randint(*ruleset.players), {}), seed)
        try:
            table.play()
        except EngineError as error:
            raise AssertionError(f"game {seed} breaks off after event {table.seq}") from error
        slips += table.slips
    assert slips
