"""Whatever is believed of a table that breaks the rules now and then, its game goes on to its end."""

from __future__ import annotations

import random

import pytest

from engine.core.errors import EngineError
from engine.kit.ruleset import AnyRuleset
from engine.play.registry import rulesets
from tests.conformance.careless import Careless
from tests.conformance.tables import Table

FEWER = 10
"""Games for each of these; many more are played with `--playouts`."""


@pytest.mark.parametrize("ruleset", rulesets(), ids=lambda rules: rules.id)
def test_what_a_careless_table_did_is_gone_on_from(ruleset: AnyRuleset, playouts: int) -> None:
    slips = 0
    for seed in range(max(1, playouts // FEWER)):
        table = Careless(Table(ruleset.id, random.Random(seed).randint(*ruleset.players), {}), seed)
        try:
            table.play()
        except EngineError as error:
            raise AssertionError(f"game {seed} breaks off after event {table.seq}") from error
        slips += table.slips
    assert slips
