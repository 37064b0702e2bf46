"""Forever Island on the record page: eight actions keep their places, and a chosen action highlights its shores."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.examples import record
from tests.browser.tapping import Thumb
from tests.cli.service import Service

pytestmark = pytest.mark.long

MENU = ["Travel", "Harvest", "Carve", "Settle", "Erect", "Offer exchange", "Declare raid", "End turn"]


def at(page: Page, service: Service, events: int) -> Thumb:
    thumb = Thumb(page, service, record(service, "forever-island", events))
    thumb.open()
    return thumb


@pytest.mark.parametrize("events", [33, 60, 100])
def test_the_actions_keep_their_places(page: Page, service: Service, events: int) -> None:
    at(page, service, events)
    assert page.locator("#todo .menu button").all_inner_texts() == MENU
    boxes = [one.bounding_box() for one in page.locator("#todo .menu button").all()]
    assert all(box is not None and min(box["width"], box["height"]) >= 44 for box in boxes)


def test_a_chosen_action_lights_its_shores(page: Page, service: Service) -> None:
    thumb = at(page, service, 70)
    travel = page.get_by_role("button", name="Travel", exact=True)
    lit = page.locator("#board .is-target[data-kind=tile]")
    before = lit.count()
    travel.tap()
    expect(travel).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#ask")).to_have_text("Travel: tap a highlighted tile, or choose below.")
    assert 0 < lit.count() <= before
    travel.tap()
    expect(travel).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="End turn", exact=True).tap()
    thumb.recorded()


def test_an_action_that_is_not_legal_now_does_nothing(page: Page, service: Service) -> None:
    thumb = at(page, service, 33)
    carve = page.get_by_role("button", name="Carve", exact=True)
    expect(carve).to_have_attribute("aria-disabled", "true")
    carve.tap(force=True)
    page.get_by_role("button", name="End turn", exact=True).tap()
    thumb.recorded()
    assert service.ask("GET", f"/v1/games/{thumb.game}/story")[1]["story"][-1]["type"] == "end_turn"
