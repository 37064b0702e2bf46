"""Stray touches on the record page: the log has exactly the events that the players meant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.tables import opened
from tests.browser.tapping import Thumb, whole_game
from tests.cli.service import Service

pytestmark = pytest.mark.long

Point = tuple[float, float]
EVENTS = 32
EVERY = 5
"""Two stray touches come before every fifth event."""
LONG_PRESS = 900
"""Milliseconds that are a long press for the browser and for the page."""
PAUSE = 300
"""Milliseconds after a stray touch, in which the page could record something."""


class Touches:
    """Real touches on a page, with any number of fingers."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)

    def send(self, kind: str, *points: Point) -> None:
        where = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    def together(self, *starts: Point, by: Point = (0, 0), rest: int = 0, end: str = "touchEnd") -> None:
        """Put down fingers, move the first one by `by` and the others by the opposite, and lift them."""
        self.send("touchStart", *starts)
        self._page.wait_for_timeout(rest)
        for part in (0.25, 0.5, 0.75, 1) if by != (0, 0) else ():
            moved = [(by[0] * part * sign, by[1] * part * sign) for sign in (1, *[-1] * (len(starts) - 1))]
            self.send("touchMove", *((x + dx, y + dy) for (x, y), (dx, dy) in zip(starts, moved, strict=True)))
        self.send(end)


def middle(target: Locator) -> Point:
    box = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def strays(page: Page, touches: Touches) -> Iterator[Callable[[], None]]:
    """Yield stray touches forever. Each begins on a button or a place that records something if it is tapped."""

    def button() -> Point:
        target = page.locator("#todo button[data-action]:visible, #todo button[data-value]:visible").first
        target.scroll_into_view_if_needed()
        return middle(target)

    def place(which: str = ".is-target") -> Point:
        found = page.locator(f"#board [data-place]{which}")
        return middle(found.first if found.count() else page.locator("#board [data-place]").first)

    def pawn() -> Point:
        return place("[data-seat]")

    every: list[Callable[[], None]] = [
        lambda: touches.together(place(), rest=LONG_PRESS),
        lambda: touches.together(button(), rest=LONG_PRESS),
        lambda: touches.together(button(), place()),
        lambda: touches.together(place(), place("[data-seat]"), rest=200),
        lambda: touches.together(*((x * 60 + 30, y * 150 + 200) for x in range(3) for y in range(2)), rest=300),
        lambda: touches.together(button(), by=(0, -120)),
        lambda: touches.together(place(), by=(90, 60)),
        lambda: touches.together(pawn(), (300, 600), by=(70, 0)),
        lambda: touches.together(pawn(), (300, 600), by=(0, 70), rest=200),
        lambda: touches.together(button(), end="touchCancel"),
        lambda: touches.together(place(), by=(60, 0), end="touchCancel"),
        lambda: touches.together(pawn(), by=(60, 0), end="touchCancel"),
    ]
    return cycle(every)


def test_stray_touches_record_nothing(page: Page, service: Service) -> None:
    _, dealt, *meant = whole_game("forbidden-island", 2, EVENTS)[:EVENTS]
    thumb = Thumb(page, service, opened(service))
    set_up = {"type": "set_up", "outcomes": list(dealt.outcomes)}
    assert service.ask("POST", f"/v1/games/{thumb.game}/events", set_up)[0] == 201
    thumb.open()
    some = strays(page, Touches(page))
    for number, event in enumerate(meant):
        if number % EVERY == 0:
            for _ in range(2):
                before = thumb.version
                next(some)()
                page.wait_for_timeout(PAUSE)
                assert thumb.version == before, f"a stray touch was recorded before event {before + 1}"
        thumb.record(event)
    recorded = service.ask("GET", f"/v1/games/{thumb.game}/events?limit=1000")[1]["events"][2:]
    assert [(one["type"], one["actor"], one["outcomes"]) for one in recorded] == [
        (one.type, one.actor, list(one.outcomes)) for one in meant
    ]
