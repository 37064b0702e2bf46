"""Columns of a data set in every ruleset: common names, declared types, and present in every state."""

from __future__ import annotations

import pytest

from engine.kit.columns import RESERVED
from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from exports.fields import TABLES, fields

RULESETS = registry.rulesets()


@pytest.mark.rules
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)
def test_columns_are_declared(ruleset: AnyRuleset) -> None:
    assert len(ruleset.columns) >= 5
    assert len(ruleset.seat_columns) >= 3
    for declared, table in ((ruleset.columns, "states"), (ruleset.seat_columns, "seat_states")):
        assert not {column.name for column in declared} & {field.name for field in TABLES[table]}


def test_what_every_game_has_is_reserved() -> None:
    assert {field.name for table in ("states", "seat_states") for field in TABLES[table]} == RESERVED


def test_what_has_a_name_in_several_games_means_the_same() -> None:
    for ruleset in RULESETS:
        for declared, table in ((ruleset.columns, "states"), (ruleset.seat_columns, "seat_states")):
            known = {field.name: field for field in fields()[table]}
            for column in declared:
                assert known[column.name].kind is column.kind, (ruleset.id, column.name)
