"""Stray touches on the setup page and on the replay. Nothing is lost, and nothing unintended is recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.examples import record
from tests.browser.tables import PICTURED, opened
from tests.browser.touches import LONG_PRESS, Touches, middle
from tests.cli.service import Service

pytestmark = pytest.mark.long

PAUSE = 400
"""Milliseconds after a stray touch, in which the page could do something."""
ENTERED = "JSON.stringify({ ...localStorage })"
"""The values entered on a setup page, as stored in the browser."""


def start(page: Page, service: Service, ruleset: str, seats: int = 3) -> str:
    game = opened(service, ruleset, seats)
    page.goto(f"/games/{game}/setup")
    page.locator("#panel button, #board button").first.wait_for()
    return game


def version(service: Service, game: str) -> int:
    found: int = service.ask("GET", f"/v1/games/{game}")[1]["version"]
    return found


@pytest.mark.parametrize("ruleset", PICTURED)
def test_a_double_tap_in_a_setup_is_one_tap(page: Page, service: Service, ruleset: str) -> None:
    """The second tap would hit the element that has replaced the first: on the next screen, or 'Begin game'."""
    game = start(page, service, ruleset)
    touches = Touches(page)
    screens = json.loads(page.locator("#setup").get_attribute("data-page") or "")["steps"]
    for following in screens[1:]:
        touches.double(page.locator("#fill"))
        page.wait_for_timeout(PAUSE)
        assert page.locator("#title").inner_text() == following["title"]
    touches.double(page.locator("#fill"))
    page.wait_for_timeout(PAUSE)
    expect(page.locator("#begin")).to_be_visible()
    assert version(service, game) == 1
    touches.double(page.locator("#begin"))
    page.wait_for_url("**/record")
    assert version(service, game) == 2


def test_the_last_of_a_screen_tapped_twice_marks_nothing_on_the_next(page: Page, service: Service) -> None:
    start(page, service, "forbidden-island")
    touches = Touches(page)
    while (left := page.locator("#panel .pick:not(.laid)")).count() > 2:
        left.first.tap()
    touches.double(left.first)
    page.wait_for_timeout(PAUSE)
    expect(page.locator("#title")).to_have_text("Mark the flooded tiles")
    expect(page.locator("#count")).to_have_text("0 of 6")


@pytest.mark.parametrize("ruleset", ["forbidden-island", "forever-island"])
def test_swipes_in_a_setup_enter_nothing_and_one_undo_takes_a_press_back(
    page: Page, service: Service, ruleset: str
) -> None:
    game = start(page, service, ruleset)
    touches = Touches(page)
    page.locator("#fill").tap()
    page.wait_for_timeout(PAUSE)
    before = page.evaluate(ENTERED)
    for target in ("#fill", "#undo", "#board button", "#panel button", "#panel", "#board"):
        found = page.locator(target).locator("visible=true")
        if not found.count():
            continue
        at = middle(found.first)
        for by in ((-90, 0), (0, -120), (0, 120)):
            touches.together(at, by=by)
            page.wait_for_timeout(PAUSE)
            assert page.evaluate(ENTERED) == before, (target, by)
        touches.together(at, middle(page.locator("#fill")), rest=200)
        page.wait_for_timeout(PAUSE)
        assert page.evaluate(ENTERED) == before, target
        if target != "#undo":
            touches.together(at, rest=LONG_PRESS)
            page.wait_for_timeout(PAUSE)
            if page.evaluate(ENTERED) != before:
                page.locator("#undo").tap()
            assert page.evaluate(ENTERED) == before, target
    assert version(service, game) == 1
    while page.locator("#begin").is_hidden():
        page.locator("#fill").tap()
    page.locator("#begin").tap()
    page.wait_for_url("**/record")


def forks(service: Service, game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = service.ask("GET", f"/v1/games/{game}/forks")[1]["games"]
    return found


def test_stray_touches_on_the_replay_record_nothing(page: Page, service: Service) -> None:
    game = record(service, "forbidden-island", 40)
    before = version(service, game)
    page.goto(f"/games/{game}#20")
    page.locator("#replay[data-ready]").wait_for()
    touches = Touches(page)
    targets = ("#board", "#board [data-place]", "#sentence", "#scrubber", "#play", "#fork", "#add-note", "#story li")
    for target in targets:
        found = page.locator(target).locator("visible=true").first
        for by, rest in (((0, 0), LONG_PRESS), ((-90, 0), 0), ((0, -120), 0), ((90, 0), 0), ((0, 120), 0)):
            if not found.count():
                continue
            found.scroll_into_view_if_needed()
            touches.together(middle(found), by=by, rest=rest)
            page.wait_for_timeout(PAUSE)
            assert "/record" not in page.url
        if found.count():
            touches.double(found)
            page.wait_for_timeout(PAUSE)
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
    assert version(service, game) == before
    assert forks(service, game) == []
    page.get_by_role("button", name="Next event").tap()
    expect(page.locator("#where")).to_contain_text("event")


def test_a_note_and_a_branch_tapped_twice_are_one(page: Page, service: Service) -> None:
    game = record(service, "forbidden-island", 40)
    before = version(service, game)
    page.goto(f"/games/{game}#20")
    page.locator("#replay[data-ready]").wait_for()
    touches = Touches(page)
    page.locator("#add-note").tap()
    page.locator("#note-text").fill("what luck")
    # A stray touch outside the sheet closes it, but the text is kept.
    touches.together((180, 20))
    expect(page.locator("#note-sheet")).to_be_hidden()
    page.locator("#add-note").tap()
    expect(page.locator("#note-text")).to_have_value("what luck")
    touches.double(page.get_by_role("button", name="Save note"))
    expect(page.locator("#notes")).to_contain_text("what luck")
    page.wait_for_timeout(PAUSE)
    assert version(service, game) == before + 1
    page.locator("#fork").tap()
    touches.double(page.locator("#fork-sheet").get_by_role("button", name="Continue"))
    page.wait_for_url("**/record")
    page.wait_for_timeout(PAUSE)
    assert [fork["id"] for fork in forks(service, game)] == [page.url.split("/")[-2]]


def test_undo_tapped_twice_on_the_page_of_the_end_undoes_once(page: Page, service: Service) -> None:
    game = record(service, "forbidden-island")
    before = version(service, game)
    page.goto(f"/games/{game}/end")
    page.locator("#end[data-ready]").wait_for()
    Touches(page).double(page.locator("#undo"))
    page.wait_for_url("**/record")
    page.wait_for_timeout(PAUSE)
    assert version(service, game) == before + 1
