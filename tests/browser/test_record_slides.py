"""Slides on the board: one gesture instead of two taps."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.examples import flat, lines
from tests.browser.tapping import Thumb
from tests.cli.service import Service

pytestmark = pytest.mark.long


def at(page: Page, service: Service, name: str, kind: str) -> Thumb:
    """Record a scoresheet up to its first event of a type, and open its record page."""
    opening, bodies = lines(name)
    events = flat(bodies)
    _, game = service.ask("POST", "/v1/games", opening)
    before = next(index for index, event in enumerate(events) if event["type"] == kind)
    assert service.ask("POST", f"/v1/games/{game['id']}/events", events[:before])[0] == 201
    thumb = Thumb(page, service, game["id"])
    thumb.open()
    return thumb


def middle(target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def last(thumb: Thumb, service: Service) -> dict[str, object]:
    event = service.ask("GET", f"/v1/games/{thumb.game}/events/{thumb.version}")[1]
    return {"type": event["type"], **event["params"]}


def test_what_a_place_means_is_slid_to(wide: Page, service: Service) -> None:
    thumb = at(wide, service, "forbidden-island", "shore_up")
    wide.mouse.move(*middle(wide.locator("#board [data-place=dunes_of_deception]").first))
    wide.mouse.down()
    meant = wide.locator("dialog.bubble").get_by_role("button", name="Shore up")
    expect(meant).to_be_visible()
    wide.mouse.move(*middle(meant), steps=4)
    wide.mouse.up()
    thumb.recorded()
    assert last(thumb, service) == {"type": "shore_up", "tiles": ["dunes_of_deception"]}
    expect(wide.locator("dialog.bubble")).to_have_count(0)


def test_a_place_that_is_slid_away_from_means_nothing(wide: Page, service: Service) -> None:
    thumb = at(wide, service, "forbidden-island", "shore_up")
    version, board = thumb.version, wide.locator("#board").bounding_box()
    assert board is not None
    wide.mouse.move(*middle(wide.locator("#board [data-place=dunes_of_deception]").first))
    wide.mouse.down()
    expect(wide.locator("dialog.bubble")).to_be_visible()
    wide.mouse.move(board["x"] + 2, board["y"] + 2, steps=4)
    wide.mouse.up()
    expect(wide.locator("dialog.bubble")).to_have_count(0)
    thumb.settled()
    assert thumb.version == version


def test_a_pawn_slides_to_where_it_is_taken_along(wide: Page, service: Service) -> None:
    thumb = at(wide, service, "forbidden-desert", "move")
    pawn, tile = wide.locator("#board [data-place=p2]").first, wide.locator("#board [data-place=r1c5]").first
    wide.mouse.move(*middle(pawn))
    wide.mouse.down()
    wide.mouse.move(*middle(tile), steps=4)
    wide.mouse.up()
    thumb.recorded()
    assert last(thumb, service) == {"type": "move", "to": "r1c5", "passenger": "p2"}


def test_a_pawn_that_slides_back_goes_nowhere(wide: Page, service: Service) -> None:
    thumb = at(wide, service, "forbidden-desert", "move")
    version = thumb.version
    pawn, tile = wide.locator("#board [data-place=p2]").first, wide.locator("#board [data-place=r1c5]").first
    start = middle(pawn)
    wide.mouse.move(*start)
    wide.mouse.down()
    wide.mouse.move(*middle(tile), steps=4)
    expect(pawn).to_have_class(re.compile("is-chosen"))
    wide.mouse.move(*start, steps=4)
    wide.mouse.up()
    expect(pawn).not_to_have_class(re.compile("is-chosen"))
    thumb.settled()
    assert thumb.version == version


def test_a_finger_slides_to_what_a_place_means(page: Page, service: Service) -> None:
    """Real touches are used for the slide, because the browser could treat them as scrolling."""
    thumb = at(page, service, "forbidden-island", "shore_up")
    touches = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": x, "y": y} for x, y in points]
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    start = middle(page.locator("#board [data-place=dunes_of_deception]").first)
    touch("touchStart", start)
    meant = page.locator("dialog.bubble").get_by_role("button", name="Shore up Dunes of Deception")
    expect(meant).to_be_visible()
    end = middle(meant)
    for part in (0.3, 0.6, 1):
        touch("touchMove", (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part))
    touch("touchEnd")
    thumb.recorded()
    assert last(thumb, service) == {"type": "shore_up", "tiles": ["dunes_of_deception"]}
