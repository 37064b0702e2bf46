"""Unknown results: an outcome stays open, possible actions are marked, and the result is filled in later."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.tables import goes_on, set_up
from tests.browser.tapping import Thumb
from tests.cli.service import Service

pytestmark = pytest.mark.long


@pytest.fixture
def thumb(page: Page, service: Service) -> Thumb:
    """A table of Forbidden Island at which a Treasure card can be drawn."""
    thumb = Thumb(page, service, set_up(service))
    thumb.open()
    return thumb


def test_nobody_saw_it(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    thumb.tap(page.get_by_role("button", name="Draw a Treasure deck card"))
    page.get_by_role("button", name="Unknown").tap()
    thumb.recorded()
    event = service.ask("GET", f"/v1/games/{thumb.game}/events/3")[1]
    assert event["outcomes"] == [None]
    axe(page)

    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Fill in an unknown card").tap()
    axe(page)
    page.locator("dialog [data-value='\"sandbags\"']").tap()
    thumb.recorded()
    event = service.ask("GET", f"/v1/games/{thumb.game}/events/4")[1]
    assert event["params"] == {"seq": 3, "value": "sandbags", "position": 0, "sound_only": True}
    page.get_by_role("button", name="More").tap()
    expect(page.get_by_role("button", name="Fill in an unknown card")).to_have_count(0)


def test_what_may_be_legal_is_marked__with_its_chance(page: Page, service: Service) -> None:
    game = set_up(service)
    draw = {"type": "draw_treasure_card", "actor": "p1", "outcomes": [None]}
    assert service.ask("POST", f"/v1/games/{game}/events", draw)[0] == 201
    possible = service.ask("GET", f"/v1/games/{game}/actions")[1]["possible"]
    thumb = Thumb(page, service, game)
    thumb.open()
    expect(page.locator("#todo .possible")).to_have_count(len(possible))
    assert possible
    expect(page.locator("#todo .possible").first).to_contain_text("perhaps")
    axe(page)


def test_one_of_several_is_said(page: Page, service: Service) -> None:
    game = set_up(service)
    draw = {"type": "draw_treasure_card", "actor": "p1", "outcomes": [None]}
    for _ in range(2):
        assert service.ask("POST", f"/v1/games/{game}/events", draw)[0] == 201
    thumb = Thumb(page, service, game)
    thumb.open()
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Fill in an unknown card").tap()
    page.locator("dialog .step button, dialog .stack .button.large").last.tap()
    page.locator("dialog [data-value='\"sandbags\"']").tap()
    thumb.recorded()
    assert service.ask("GET", f"/v1/games/{game}/events/5")[1]["params"]["seq"] == 4
    goes_on(service, game, 1)
