"""Whole physical games of every ruleset, set up and recorded with taps on a phone."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from engine.core.values import Value
from engine.play.registry import ruleset, rulesets
from tests.browser.examples import record
from tests.browser.tapping import Thumb, picture_taps, pictured_place, whole_game
from tests.cli.service import Service
from tests.playouts import NAMES

pytestmark = pytest.mark.long


def start(page: Page, id_: str, seats: int) -> str:
    """Start a table, and return the id of its game."""
    page.goto("/start")
    page.get_by_role("link", name=re.compile(f"^{re.escape(ruleset(id_).name)} \\d")).tap()
    for number, name in enumerate(NAMES[:seats], 1):
        page.get_by_label(f"Player {number}", exact=True).fill(name)
    page.get_by_role("button", name="Start", exact=True).tap()
    page.wait_for_url(re.compile(r"/games/\w+/setup$"))
    return page.url.split("/")[-2]


def set_up(page: Page, outcomes: tuple[Value, ...]) -> None:
    """Tap in the setup, in pictures or place by place. The page does not ask about results that are certain."""
    if page.locator("#panel").is_visible():
        for value in picture_taps(page, outcomes):
            pictured_place(page, str(value)).tap()
        page.get_by_role("button", name="Begin game").tap()
        page.wait_for_url(re.compile(r"/record$"))
        return
    # The number of repeated draws becomes clear only during the setup.
    count = page.locator("#count")
    expect(count).to_have_text(re.compile("^0 of "))
    for number, value in enumerate(outcomes):
        if int(count.inner_text().split()[0]) == number:
            page.locator(f"#choices [data-value={json.dumps(str(value))}]").tap()
            expect(count).not_to_have_text(re.compile(rf"^{number} of "))
    page.get_by_role("button", name="Start game").tap()
    page.wait_for_url(re.compile(r"/record$"))


@pytest.mark.parametrize("id_", [rules.id for rules in rulesets() if rules.checks_rules])
def test_a_whole_game(id_: str, page: Page, service: Service) -> None:
    seats = ruleset(id_).players[0]
    _, dealt, *events = whole_game(id_, seats)
    game = start(page, id_, seats)
    set_up(page, dealt.outcomes)
    thumb = Thumb(page, service, game)
    thumb.settled()
    for event in events[:-1]:
        thumb.record(event)
    expect(page.locator("#whose")).to_have_text("The game has ended")
    assert service.ask("GET", f"/v1/games/{game}")[1]["outcome"] == events[-1].params["outcome"]


def test_the_page_asks_for_each_document_once(page: Page, service: Service) -> None:
    game = record(service, "forbidden-island", 20)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_response("**/record/later.js"):
        page.goto(f"/games/{game}/record")
        expect(page.locator("#board svg")).to_be_visible()
        expect(page.locator('#todo[aria-busy="false"]')).to_be_attached()
    documents = [url for url in asked if "/v1/" in url and not url.endswith("/stream")]
    assert len(documents) == len(set(documents)) == 2
    assert len([url for url in asked if url.endswith((".js", ".css"))]) == 3
