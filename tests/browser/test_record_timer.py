"""The timer on the record page: a tap starts it. When the time is up, a tap records this."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.tables import happens, set_up
from tests.browser.tapping import Thumb, time_stands
from tests.cli.service import Service

pytestmark = pytest.mark.long


@pytest.fixture
def thumb(page: Page, service: Service) -> Thumb:
    """A table that plans its first round within a minute, on a page with a stopped clock."""
    time_stands(page)
    thumb = Thumb(page, service, set_up(service, "forgotten-waters", seats=5, timer_seconds=60))
    thumb.open()
    return thumb


def watch(thumb: Thumb) -> Locator:
    return thumb.page.get_by_role("region", name="Timer")


def start(thumb: Thumb) -> None:
    watch(thumb).get_by_role("button", name="Start the timer").tap()
    # The browser turns a tap into a click with some delay, so the clock must stop until then.
    expect(watch(thumb).get_by_role("button", name="Stop the timer")).to_be_visible()


def test_it_counts_down_and_signals(thumb: Thumb) -> None:
    expect(watch(thumb)).to_contain_text("Planning 1:00")
    start(thumb)
    thumb.page.clock.fast_forward("00:30")
    expect(watch(thumb).get_by_role("timer")).to_have_text("0:30")
    thumb.page.clock.fast_forward("00:31")
    expect(watch(thumb)).to_contain_text("Time is up")
    expect(thumb.page.locator("#said")).to_have_text("Planning: time is up.")


def test_what_is_recorded_then_is_a_tap_away(thumb: Thumb) -> None:
    start(thumb)
    thumb.page.clock.fast_forward("01:01")
    watch(thumb).get_by_role("button", name="The timer runs out").tap()
    thumb.recorded()
    expect(thumb.page.locator("#last")).to_contain_text("Bob calls time. Discontent 3 → 4.")
    expect(watch(thumb)).to_be_hidden()


def test_it_runs_on_where_the_page_is_loaded_anew(thumb: Thumb) -> None:
    start(thumb)
    thumb.page.clock.fast_forward("00:30")
    thumb.open()
    expect(watch(thumb).get_by_role("timer")).to_have_text("0:30")


def test_it_can_be_stopped(thumb: Thumb) -> None:
    start(thumb)
    # An immediate second tap would count as a double tap.
    thumb.page.clock.run_for(1000)
    watch(thumb).get_by_role("button", name="Stop the timer").tap()
    expect(watch(thumb)).to_contain_text("Planning 1:00")
    expect(watch(thumb).get_by_role("button", name="Start the timer")).to_be_focused()


def test_it_goes_with_the_planning_phase(thumb: Thumb, service: Service) -> None:
    start(thumb)
    while True:
        now = service.ask("GET", f"/v1/games/{thumb.game}/actions")[1]
        if now["phase"] != "planning":
            break
        # The active seat chooses, or resolves a card with special rules.
        chosen = next(one for one in now["actions"] if one["actor"] in now["awaiting"])
        happens(service, thumb.game, {name: chosen[name] for name in ("type", "actor", "params")}, random.Random(1))
    thumb.settled()
    expect(watch(thumb)).to_be_hidden()
    assert now["timer"] is None


def test_there_is_none_where_the_table_may_take_its_time(page: Page, service: Service) -> None:
    for game in (set_up(service, "forgotten-waters", seats=5, timer_seconds=0), set_up(service)):
        thumb = Thumb(page, service, game)
        thumb.open()
        expect(watch(thumb)).to_be_hidden()
