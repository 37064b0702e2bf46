"""Stray touches on the record page: the log has exactly the events that the players meant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle

import pytest
from playwright.sync_api import Page

from tests.browser.tables import opened
from tests.browser.tapping import Thumb, whole_game
from tests.browser.touches import LONG_PRESS, Point, Touches, middle
from tests.cli.service import Service

pytestmark = pytest.mark.long

EVENTS = 32
EVERY = 5
"""Two stray touches come before every fifth event."""
PAUSE = 300
"""Milliseconds after a stray touch, in which the page could record something."""


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
