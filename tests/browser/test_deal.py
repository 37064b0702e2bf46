"""The deal of a game: a sheet for another table, with folded decks; and a new game from the deal."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.tables import set_up
from tests.cli.service import Service

pytestmark = pytest.mark.long


def draw(service: Service, game: str) -> None:
    for _ in range(2):
        actions = service.ask("GET", f"/v1/games/{game}/actions")[1]["actions"]
        body = next(one for one in actions if one["type"] == "draw_treasure_card")
        status, answer = service.ask(
            "POST", f"/v1/games/{game}/events", {name: body[name] for name in ("type", "actor", "params")}
        )
        assert status == 201, answer


def test_the_same_set_up_is_opened_for_another_table(everywhere: Page, service: Service) -> None:
    page = everywhere
    game = set_up(service, chance="seeded", seed="neap tide")
    draw(service, game)
    page.goto(f"/games/{game}/print")
    page.get_by_role("link", name="Reuse this setup").click()
    expect(page.get_by_role("heading", name="The island")).to_be_visible()
    card = page.locator(".strip li").first
    expect(card).to_be_hidden()
    page.get_by_text("Show spoilers").click()
    expect(card).to_be_visible()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Open game").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Player 1").fill("Dee")
    page.get_by_label("Player 2").fill("Eli")
    page.get_by_role("button", name="Open game").click()
    page.wait_for_url("**/record")
    opened = page.url.split("/")[-2]
    told = [service.ask("GET", f"/v1/games/{one}/events/2")[1]["outcomes"] for one in (game, opened)]
    assert told[0] == told[1]
    page.goto(f"/games/{opened}/deal")
    page.get_by_role("link", name="Ann and Bob").click()
    expect(page.get_by_role("heading", name="Side by side")).to_be_visible()


def test_on_paper_the_decks_are_on_a_page_of_their_own(page: Page, service: Service) -> None:
    game = set_up(service, chance="seeded", seed="neap tide")
    draw(service, game)
    page.goto(f"/games/{game}/deal")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".strip li").first).to_be_visible()
    expect(page.get_by_role("button", name="Open game")).to_be_hidden()
    assert page.locator(".decks").evaluate("one => getComputedStyle(one).breakBefore") == "page"
