"""svg: the table as it stands, as a picture."""

from __future__ import annotations

import pytest

from engine import registry
from tests.drawing.pictures import read, tagged
from tests.exports.logs import export
from tests.playouts import playout


@pytest.mark.parametrize("rules", [rules.id for rules in registry.rulesets()])
def test_the_table_after_the_last_event(rules: str) -> None:
    root = read(export("svg", playout(rules, 3, registry.ruleset(rules).players[1], limit=60)))

    assert "player.p1" in tagged(root, "data-id")
    assert not tagged(root, "data-changed")


def test_before_the_set_up() -> None:
    assert "The game is not set up yet." in export("svg", playout(limit=1)).decode()
