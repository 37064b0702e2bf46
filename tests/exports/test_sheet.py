"""The state sheet: the table as it stands."""

from __future__ import annotations

import pytest

from engine.play import registry
from engine.play.fold import fold
from exports import FORMATS, Log
from tests.exports.logs import export
from tests.playouts import playout


@pytest.mark.parametrize("ruleset", [rules.id for rules in registry.rulesets()])
def test_it_has_every_row_of_the_tableau(ruleset: str) -> None:
    events = playout(ruleset, 3, registry.ruleset(ruleset).players[1], limit=60)
    game = fold(events)
    rows = game.ruleset.overview(game.state, game.header.names)
    text = export("sheet", events).decode()

    assert text.startswith(f"# {game.ruleset.name}: state sheet\n")
    assert f"after event {len(events)}" in text
    for label, row in rows.items():
        assert f"- **{label}:** {row}\n" in text


def test_before_the_set_up() -> None:
    assert export("sheet", playout(limit=1)).decode().endswith("The game is not set up yet.\n")


def test_what_users_typed_is_escaped() -> None:
    event = playout(limit=1)[0]
    text = b"".join(FORMATS["sheet"].write(Log("*a*", [event]))).decode()

    assert r"\*a\*" in text
