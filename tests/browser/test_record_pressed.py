"""A press of a mouse button counts when the button is released, even if the page was updated meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import ElementHandle, Locator, Page, Route, expect

from tests.browser.tables import goes_on, set_up
from tests.browser.tapping import APPENDS, Thumb
from tests.cli.service import Service
from tests.waiting import until

pytestmark = pytest.mark.long

MOVE = "#todo [data-action*='\"move\"']"
NOTE = {"type": "annotate", "params": {"text": "Tea?"}}
DRAWN_AGAIN = "window.dispatchEvent(new Event('offline'))"
"""The page shows the unchanged game."""


@pytest.fixture
def thumb(wide: Page, service: Service) -> Thumb:
    """A table after its setup, on a page that does not treat a press as a long press."""
    thumb = Thumb(wide, service, set_up(service, seed=4))
    thumb.stop_clock()
    return thumb


@contextmanager
def hold_pressed(target: Locator) -> Iterator[ElementHandle]:
    """Press an element, and release it at the end."""
    mouse, element = target.page.mouse, target.element_handle()
    target.hover()
    mouse.down()
    yield element
    mouse.up()


def is_there(element: ElementHandle) -> bool:
    return bool(element.evaluate("(element) => element.isConnected"))


def heard(thumb: Thumb, service: Service, element: ElementHandle) -> None:
    """Let another device record an event without effect, so that the page is updated."""
    assert service.ask("POST", f"/v1/games/{thumb.game}/events", NOTE)[0] == 201
    thumb.settled()
    until(lambda: not is_there(element))


def test_a_place_on_a_board_that_is_drawn_anew(thumb: Thumb, service: Service) -> None:
    tiles = thumb.page.locator("#board [data-kind=tile].is-target")
    tile = tiles.filter(has_not=thumb.page.locator(".dl-piece")).first
    with hold_pressed(tile) as element:
        heard(thumb, service, element)
    thumb.recorded()
    assert thumb.version == 4


def test_a_button_that_is_drawn_anew(thumb: Thumb, service: Service) -> None:
    draw = thumb.page.get_by_role("button", name="Draw a Treasure deck card")
    with hold_pressed(draw) as element:
        heard(thumb, service, element)
    expect(thumb.page.get_by_role("heading", name="Which treasure card?")).to_be_attached()
    assert thumb.version == 3


def test_another_button_in_its_place_is_not_meant(thumb: Thumb, service: Service) -> None:
    with hold_pressed(thumb.page.get_by_role("button", name="Draw a Treasure deck card")) as element:
        element.evaluate("(element) => element.replaceWith(Object.assign(element.cloneNode(true), {id: 'other'}))")
        thumb.page.locator("#other").evaluate("(other) => { other.dataset.action = '[\"move\"]'; }")
        assert not is_there(element)
    thumb.settled()
    expect(thumb.page.locator(".shield")).to_be_hidden()


def test_a_line_stays_while_it_is_the_same(thumb: Thumb) -> None:
    page = thumb.page
    with hold_pressed(page.get_by_role("button", name="Event 2:")) as element:
        page.evaluate(DRAWN_AGAIN)
        assert is_there(element)
    expect(page.get_by_role("dialog")).to_be_visible()


def test_what_was_taken_back_stays_unfolded(wide: Page, service: Service) -> None:
    game = set_up(service)
    goes_on(service, game, 1)
    undo = {"type": "undo", "params": {"to": 2}}
    assert service.ask("POST", f"/v1/games/{game}/events", undo)[0] == 201
    thumb = Thumb(wide, service, game)
    thumb.open()
    wide.locator("#feed .taken-back summary").click()
    assert service.ask("POST", f"/v1/games/{game}/events", NOTE)[0] == 201
    thumb.settled()
    expect(wide.locator("#feed")).to_contain_text("Tea?")
    expect(wide.locator("#feed .taken-back details")).to_have_attribute("open", "")


def test_an_answer_to_a_refusal(thumb: Thumb) -> None:
    page = thumb.page

    def refuse(route: Route) -> None:
        why = {"type": "/problems/illegal-action", "title": "Illegal", "status": 422, "message": "Not now."}
        route.fulfill(status=422, json=why, headers={"Content-Type": "application/problem+json"})

    page.route(APPENDS, refuse)
    thumb.unfold(page.locator(MOVE).first).press("Enter")
    with hold_pressed(page.get_by_role("button", name="Discard it")) as element:
        page.evaluate(DRAWN_AGAIN)
        assert is_there(element)
    expect(page.locator("#notices")).to_be_empty()
