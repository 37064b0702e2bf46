"""Texts and buttons on a small phone are large enough to read and touch."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from benchmarks.sizes import STATE
from tests.browser.examples import record
from tests.browser.tables import set_up
from tests.browser.tapping import Thumb
from tests.cli.service import Service

pytestmark = pytest.mark.long

TARGET, TEXT = 43.5, 12


def at(page: Page, service: Service, name: str, events: int) -> Thumb:
    """Record the first events of a scoresheet, and open its record page."""
    thumb = Thumb(page, service, record(service, name, events))
    thumb.open()
    return thumb


def touch(page: Page, selector: str, down: float = 0) -> None:
    """Touch a place on the board, `down` pixels below its middle."""
    place = page.locator(f"#board {selector}")
    box = place.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 + down)


@pytest.mark.parametrize(
    ("name", "events"),
    [
        ("forgotten-waters", 10),
        ("forgotten-waters", 41),
        ("forgotten-waters", 100),
        ("forever-island", 33),
        ("forbidden-desert", 7),
    ],
)
def test_nothing_is_too_small(page: Page, service: Service, name: str, events: int) -> None:
    """The cases: a page of eight actions, a map, a draw of treasures, a crowded shore, and a storm card."""
    at(page, service, name, events)
    expect(page.locator("#board > svg")).to_be_visible()
    if name == "forbidden-desert":
        expect(page.locator("#todo .faces")).to_be_visible()
    state = page.evaluate(STATE)
    assert state["target"] >= TARGET, state["smallest"]
    assert min(state["text"], *state["board"]) >= TEXT
    assert state["covered"] == 0


def whole(page: Page) -> bool:
    """Return True if the panel shows all its contents without scrolling."""
    return bool(page.locator(".panel").evaluate("(one) => one.scrollHeight <= one.clientHeight"))


@pytest.mark.parametrize("size", [(360, 740), (740, 360), (1024, 768)])
def test_the_compass_of_the_storm_is_whole(page: Page, service: Service, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    at(page, service, "forbidden-desert", 100)
    expect(page.locator("#todo .has-corners + .aside .tray")).to_be_visible()
    assert whole(page)
    # The cards are below the result, and the unknown card is in a corner. Neither covers a result.
    for one in page.locator("#todo :is(.faces button, .tray > .tray-cards > *)").all():
        one.tap(trial=True)
    page.locator("#todo .more-cards > summary").tap()
    expect(page.locator("#todo .more-cards .optional").first).to_be_visible()


def test_many_results_take_the_height_of_the_board(page: Page, service: Service) -> None:
    at(page, service, "forgotten-waters", 100)
    results = page.locator("#todo .outcome")
    expect(results).to_have_count(35)
    shown = results.evaluate_all("(all) => all.filter((one) => one.getBoundingClientRect().bottom < 680).length")
    assert shown > 24


def test_the_timer_leaves_the_cards_in_sight(page: Page, service: Service) -> None:
    thumb = Thumb(page, service, set_up(service, "forgotten-waters", seats=5, timer_seconds=60))
    thumb.open()
    expect(page.get_by_role("button", name="Start the timer")).to_be_visible()
    expect(page.locator("#todo .tray")).to_be_in_viewport(ratio=1)
    assert whole(page)


def test_a_page_keeps_its_size_beside_a_question_and_scrolls(page: Page, service: Service) -> None:
    at(page, service, "forgotten-waters", 28)
    expect(page.locator("#todo .outcome, #todo .face").first).to_be_visible()
    board = page.locator("#board")
    assert board.evaluate("(one) => one.scrollHeight > one.clientHeight")
    board.evaluate("(one) => { one.scrollTop = 1000; }")
    expect(page.locator('#board [data-place="number:7"]')).to_be_in_viewport()


def test_seven_actions_are_in_sight_while_the_table_plans(page: Page, service: Service) -> None:
    at(page, service, "forgotten-waters", 9)
    expect(page.get_by_role("button", name="Start the timer")).to_be_visible()
    expect(page.locator('#board [data-place="number:7"] .dl-face').first).to_be_in_viewport(ratio=1)
    touch(page, '[data-place="number:7"] > .dl-face')
    expect(page.locator("#last")).to_contain_text("chooses action 7")


def test_a_star_is_touched_in_its_constellation(page: Page, service: Service) -> None:
    at(page, service, "forgotten-waters", 46)
    stars = page.locator("#board .is-target[role=button]")
    expect(stars).to_have_count(3)
    state = page.evaluate(STATE)
    assert state["target"] >= TARGET
    assert min(state["board"]) >= TEXT
    touch(page, '[data-place="star:b1"] > .dl-face')
    expect(page.locator("#last")).to_contain_text("fills in star b1")


def test_a_touch_beside_a_small_place_means_it(page: Page, service: Service) -> None:
    thumb = at(page, service, "forever-island", 1)
    shores = page.locator("#board .is-target[data-kind=tile]")
    expect(shores.first).to_be_visible()
    small = shores.evaluate_all(
        "(all) => all.map((one) => one.querySelector('.dl-face').getBoundingClientRect().height)"
    )
    assert max(small) < 44
    place = shores.first.get_attribute("data-place")
    touch(page, f"[data-place={json.dumps(place)}].is-target .dl-face", down=17)
    thumb.recorded()


def test_a_touch_on_several_small_places_asks_which(page: Page, service: Service) -> None:
    thumb = at(page, service, "forever-island", 32)
    version = thumb.version
    touch(page, "[data-place=hog_1_a].is-target[data-kind=tile]")
    chosen = page.get_by_role("dialog").get_by_role("button")
    expect(chosen.first).to_be_visible()
    assert chosen.count() > 1
    assert thumb.version == version
    page.get_by_role("button", name="Carve a canoe on Hog Island 1, shore A").tap()
    thumb.recorded()


def test_a_touch_on_a_part_means_the_highlighted_tile_below(page: Page, service: Service) -> None:
    """Pawns and the propeller cover the tile to which Jonas moves."""
    thumb = at(page, service, "forbidden-desert", 116)
    expect(page.locator("#board > svg")).to_be_visible()
    touch(page, "[data-place=propeller]")
    # If several highlighted tiles are near the touch, the page asks. The button of the last event has the same name
    # while the move is being sent.
    meant = page.get_by_role("dialog").get_by_role("button", name="Move to row 4, column 2", exact=True)
    moved = page.locator("#last").get_by_text("Jonas moves to row 4, column 2.")
    expect(meant.or_(moved).first).to_be_visible()
    if meant.is_visible():
        meant.tap()
    thumb.recorded()
    expect(moved.first).to_be_visible()
