"""The pages that start a table: every option in plain words, and the way to the setup."""

from __future__ import annotations

import re

import pytest

from engine.play import registry
from tests.api.table import Table


def test_every_game_can_be_chosen(table: Table) -> None:
    page = table.client.get("/start").text
    for rules in registry.rulesets():
        assert rules.name in page
        assert f'href="/start/{rules.id}"' in page
        picture = table.client.get(f"/start/{rules.id}/picture.svg")
        assert (picture.status_code, picture.mimetype) == (200, "image/svg+xml")
        # The picture of `any-game` is that of one box.
        assert rules.name in picture.text or not rules.checks_rules
    for path in ("/start/chess", "/start/chess/picture.svg"):
        assert table.client.get(path).status_code == 404


@pytest.mark.parametrize("ruleset_id", [rules.id for rules in registry.rulesets()])
def test_every_option_is_asked_for_by_its_title(table: Table, ruleset_id: str) -> None:
    page = table.client.get(f"/start/{ruleset_id}").text
    for name in registry.ruleset(ruleset_id).options.__struct_fields__:
        assert f'name="{name}"' in page or f"<code>{name}</code>" in page
    # An option without a choice has its default, and exactly one value is chosen.
    for name in set(re.findall(r'type="radio" name="(\w+)"', page)):
        assert len(re.findall(rf'name="{name}"[^>]* checked', page)) == 1, name


def test_a_table_is_set_up_once(table: Table) -> None:
    table.open(chance="observed")
    path = table.game.removeprefix("/v1") + "/setup"
    page = table.client.get(path)
    assert page.status_code == 200
    assert "Set up Forbidden Island" in page.text
    table.set_up()
    assert table.client.get(path).headers["Location"] == path.replace("setup", "record")
    assert table.client.get("/games/nowhere/setup").status_code == 404
