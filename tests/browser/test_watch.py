"""The live page follows the table, even after the device slept and after a correction."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.axe import axe
from tests.browser.conftest import Open
from tests.browser.examples import append, record
from tests.browser.tapping import time_stands
from tests.browser.watching import Watch
from tests.cli.service import Service
from tests.waiting import until

pytestmark = pytest.mark.long

DRAW = {"type": "draw_treasure_card", "actor": "p1"}


@pytest.fixture
def game(service: Service) -> str:
    """A game in progress."""
    return service.open_game()


def open_watch_page(page: Page, game: str) -> None:
    page.goto(f"/games/{game}/watch")
    expect(page.locator("#connection")).to_have_text("Live")
    expect(page.locator("#board svg")).to_be_visible()


def test_a_tap_is_seen_at_once_by_all(page: Page, new_context: Open, service: Service, game: str) -> None:
    others = [new_context("desktop").new_page() for _ in range(3)]
    for one in (page, *others):
        open_watch_page(one, game)
    expect(page.locator("#whose")).to_have_text("Ann")
    append(service, game, [DRAW])
    for one in (page, *others):
        expect(one.locator("#sentence")).to_contain_text("Ann draws")
        expect(one.locator("#board svg [data-changed]").first).to_be_attached()


HEARD = """const parse = JSON.parse;
window.heard = [];
JSON.parse = (text, ...more) => { heard.push(text); return parse(text, ...more); };"""


def test_several_taps_at_once_are_one_picture(page: Page, service: Service, game: str) -> None:
    # All events reach the page at once, however slow the machine is.
    time_stands(page)
    page.add_init_script(HEARD)
    open_watch_page(page, game)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    append(service, game, [DRAW, DRAW, *[{"type": "draw_flood_card", "actor": "p1"}] * 2])
    until(lambda: page.evaluate("heard.some((text) => text.includes('\"seq\":6'))"))
    page.clock.run_for(100)
    expect(page.locator("#whose")).to_have_text("Bob")
    expect(page.locator("#turn")).to_have_text("Turn 2")
    expect(page.locator("#ask")).to_contain_text("actions left")
    expect(page.locator("#hands .is-turn")).to_have_attribute("aria-label", re.compile("^Bob"))
    expect(page.locator("#before li")).to_have_count(5)
    pictures = [url for url in asked if "board.svg" in url]
    assert len(pictures) == 1, pictures


def test_a_correction_is_followed(page: Page, service: Service, game: str) -> None:
    append(service, game, [DRAW])
    open_watch_page(page, game)
    append(service, game, [{"type": "undo", "params": {"to": 2}}])
    expect(page.locator("#sentence")).to_contain_text("Back to the table")
    expect(page.locator("#before li").first).to_contain_text("undone")


def test_back_from_sleep(
    page: Page, context: BrowserContext, service: Service, game: str, watches: list[Watch]
) -> None:
    watches[0].expect("ERR_INTERNET_DISCONNECTED")
    open_watch_page(page, game)
    context.set_offline(True)
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    append(service, game, [DRAW])
    context.set_offline(False)
    expect(page.locator("#sentence")).to_contain_text("Ann draws")
    append(service, game, [DRAW])
    expect(page.locator("#before li").first).to_contain_text("Ann draws")


def test_the_end(page: Page, service: Service) -> None:
    game = record(service, "forbidden-island")
    page.goto(f"/games/{game}/watch")
    expect(page.locator("#connection")).to_have_text("The game has ended")
    expect(page.locator("#whose")).to_have_text("Won!")


def test_abandoned_and_being_set_up(page: Page, service: Service, game: str) -> None:
    open_watch_page(page, game)
    append(service, game, [{"type": "abandon", "params": {"reason": "Dinner."}}])
    expect(page.locator("#whose")).to_have_text("Abandoned")
    opening = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "observed"}
    waiting = service.ask("POST", "/v1/games", opening)[1]["id"]
    open_watch_page(page, waiting)
    expect(page.locator("#whose")).to_have_text("The table is being set up")


def test_accessible(everywhere: Page, service: Service) -> None:
    game = record(service, "forbidden-island", 30)
    open_watch_page(everywhere, game)
    axe(everywhere)
    overflow = everywhere.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0
