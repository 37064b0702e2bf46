"""What rulesets declare as columns of a data set: named alike, typed as they say, and there in every state."""

from __future__ import annotations

import re

import pytest

from engine.kit.columns import RESERVED
from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from engine.play.fold import history
from exports.fields import TABLES, fields
from tests.playouts import playout

RULESETS = registry.rulesets()


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)
def test_columns_are_declared_and_hold_what_they_say(ruleset: AnyRuleset) -> None:
    assert len(ruleset.columns) >= 5
    assert len(ruleset.seat_columns) >= 3
    for declared, table in ((ruleset.columns, "states"), (ruleset.seat_columns, "seat_states")):
        names = [column.name for column in declared]
        assert len(set(names)) == len(names)
        assert not set(names) & {field.name for field in TABLES[table]}
        for column in declared:
            assert re.fullmatch(r"[a-z]+(_[a-z0-9]+)*", column.name), column.name
            assert re.fullmatch(r"\S.*\S\.", column.description), column.name
    for seats in ruleset.players:
        for state in history(playout(ruleset.id, 2, seats)).states[2:]:
            cells = [(column, column.value(state)) for column in ruleset.columns]
            cells += [(column, column.value(state, seat)) for column in ruleset.seat_columns for seat in range(seats)]
            assert all(cell is None or type(cell) is column.kind for column, cell in cells)


def test_what_every_game_has_is_reserved() -> None:
    assert {field.name for table in ("states", "seat_states") for field in TABLES[table]} == RESERVED


def test_what_has_a_name_in_several_games_means_the_same() -> None:
    for ruleset in RULESETS:
        for declared, table in ((ruleset.columns, "states"), (ruleset.seat_columns, "seat_states")):
            known = {field.name: field for field in fields()[table]}
            for column in declared:
                assert known[column.name].kind is column.kind, (ruleset.id, column.name)
