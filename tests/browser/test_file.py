"""The export `html` as a file: it works without a network, and sends no requests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.browser.axe import axe
from tests.browser.conftest import DEVICES, PATIENCE
from tests.exports.logs import LOGS, export_log

pytestmark = pytest.mark.long

Show = Callable[..., Page]


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Show]:
    """Return a function that opens the page of a log.

    Any request for something other than the file fails the test, and so does any error in the page.
    """
    complaints: list[str] = []
    contexts = []

    def show(kind: str, device: str = "desktop", **options: Any) -> Page:
        file = tmp_path / "game.html"
        file.write_bytes(export_log("html", kind))
        context = browser.new_context(**DEVICES[device] | {"offline": True} | options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()

        def note_request(request: Request) -> None:
            if request.url.partition("#")[0] != file.as_uri():
                complaints.append(f"asked for {request.url}")

        page.on("request", note_request)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(file.as_uri())
        return page

    yield show
    for context in contexts:
        context.close()
    assert not complaints


def at(page: Page, seq: int) -> None:
    """Wait until the page shows the table after an event."""
    expect(page.locator("#where")).to_contain_text(f"event {seq} of")
    expect(page.locator("li[aria-current]")).to_have_attribute("value", str(seq))


def board(page: Page) -> str:
    return page.locator("#stage figure").inner_html()


def test_it_is_stepped_through_by_keys_by_the_slider_and_by_the_story(show: Show) -> None:
    page = show("forbidden-island of 2, observed")
    last = len(LOGS["forbidden-island of 2, observed"]())
    at(page, last)
    ended = board(page)
    for key, seq in (("ArrowLeft", last - 1), ("Home", 1), ("ArrowRight", 2), ("ArrowRight", 3), ("]", None)):
        page.keyboard.press(key)
        if seq is not None:
            at(page, seq)
    expect(page.locator("#where")).to_contain_text("Turn 2")
    page.keyboard.press("[")
    expect(page.locator("#where")).to_contain_text("Turn 1")
    assert board(page) != ended
    page.locator("#scrubber").fill("5")
    at(page, 5)
    expect(page.locator("#sentence")).to_have_text(page.locator('li[value="5"] > span').first.inner_text())
    page.get_by_role("button", name="Event 7", exact=True).click()
    at(page, 7)
    assert page.url.endswith("#7")
    page.keyboard.press("End")
    at(page, last)
    assert board(page) == ended


def test_it_plays_to_its_end(show: Show) -> None:
    page = show("set up")
    at(page, 2)
    page.clock.install()
    page.get_by_role("button", name="Play").click()
    at(page, 1)
    page.clock.run_for(2400)
    at(page, 2)
    page.clock.run_for(2400)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_a_game_of_several_parts_shows_every_table(show: Show) -> None:
    page = show("back and forth")
    for seq in (1, 100, 101, 299):
        page.locator("#scrubber").fill(str(seq))
        at(page, seq)


def test_what_does_not_stand_and_what_was_noted_is_in_the_story(show: Show) -> None:
    page = show("corrected")
    expect(page.locator("#story")).to_contain_text("corrected by event")
    expect(page.locator("#story blockquote").first).to_contain_text("The *turn*")
    expect(page.get_by_role("heading", name="Audit")).to_be_visible()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(show: Show, device: str, scheme: str) -> None:
    page = show("forever-island of 2, observed", device, color_scheme=scheme)
    at(page, len(LOGS["forever-island of 2, observed"]()))
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_scripts_and_on_paper_it_has_the_board_and_the_story(show: Show) -> None:
    page = show("annotated", java_script_enabled=False)
    expect(page.locator("#board svg")).to_be_visible()
    expect(page.locator("#player")).to_be_hidden()
    expect(page.locator("#story li")).to_have_count(len(LOGS["annotated"]()))
    printed = show("annotated")
    at(printed, len(LOGS["annotated"]()))
    printed.emulate_media(media="print")
    expect(printed.locator("#player")).to_be_hidden()
    expect(printed.locator("#board svg")).to_be_visible()
