"""Whole physical games of every ruleset, recorded by taps alone on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from engine.registry import rulesets
from tests.browser.tables import opened
from tests.browser.tapping import Thumb, whole_game
from tests.cli.service import Service


@pytest.mark.parametrize("ruleset", [rules.id for rules in rulesets()])
def test_a_whole_game(ruleset: str, page: Page, service: Service) -> None:
    seats = next(rules.players[0] for rules in rulesets() if rules.id == ruleset)
    _, set_up, *events = whole_game(ruleset, seats)
    game = opened(service, ruleset, seats)
    service.ask("POST", f"/v1/games/{game}/events", {"type": "set_up", "outcomes": list(set_up.outcomes)})
    thumb = Thumb(page, service, game)
    thumb.open()
    for event in events[:-1]:
        thumb.record(event)
    expect(page.locator("#whose")).to_have_text("The game has ended")
    assert service.ask("GET", f"/v1/games/{game}")[1]["outcome"] == events[-1].params["outcome"]
