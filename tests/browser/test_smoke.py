"""Open every page once, on a phone, for `make test`. Each shows its content, fits the screen, and has no errors."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.tables import goes_on, opened, set_up
from tests.browser.tapping import Thumb
from tests.cli.service import Service
from tests.waiting import until

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def ended(service: Service) -> str:
    """A game that has ended."""
    game = opened(service, chance="seeded", seed="calm")
    goes_on(service, game, 400)
    assert service.ask("GET", f"/v1/games/{game}")[1]["outcome"] is not None
    return game


@pytest.mark.parametrize(
    ("path", "shows"),
    [
        ("/", ".games li"),
        ("/start", ".game-card"),
        ("/start/forbidden-island", "#seats input"),
        ("/boxes", ".versions"),
        ("/boxes/new", "#seats input"),
        ("/players", "h1"),
        ("/plays", "#take-in"),
        ("/rulesets", ".game-card"),
        ("/rulesets/forbidden-island", ".deeds-list"),
        ("/enter", "#enter"),
        ("/problems/version-conflict", "h1"),
        ("/docs", "h2"),
        ("/games/{ended}", "#board svg"),
        ("/games/{ended}/watch", "#board svg"),
        ("/games/{ended}/print", ".paper img"),
        ("/games/{ended}/end", ".facts"),
        ("/games/{ended}/audit", "#report section"),
        ("/games/{ended}/play", ".choices-made"),
        ("/games/{ended}/deal", ".places"),
        ("/games/{ended}/compare/{ended}", "svg"),
    ],
)
def test_a_page_shows_what_it_is_for(page: Page, ended: str, path: str, shows: str) -> None:
    page.goto(path.format(ended=ended))
    expect(page.locator(shows).first).to_be_visible()
    assert page.evaluate(OVERFLOW) == 0


def test_the_player_hides_no_row_of_the_board(page: Page, ended: str) -> None:
    page.goto(f"/games/{ended}")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "")
    board, player = (page.locator(one).bounding_box() for one in ("#board svg", ".player"))
    assert board is not None
    assert player is not None
    assert board["y"] + board["height"] <= player["y"] + 8  # the lower edge is only water


def test_a_table_is_started_and_recorded(page: Page) -> None:
    page.goto("/start/forbidden-island")
    for number, name in enumerate(("Mia", "Oma"), 1):
        page.get_by_label(f"Player {number}", exact=True).fill(name)
    page.get_by_text("Driftlog deals").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page).to_have_url(re.compile("/record$"))
    expect(page.locator("#link")).to_have_text("Live")
    page.locator("#todo [data-action]").first.click()
    expect(page.locator("#feed .event:not(.is-waiting)")).to_have_count(3)
    axe(page)


def test_what_is_tapped_is_undone(page: Page, service: Service) -> None:
    thumb = Thumb(page, service, set_up(service))
    thumb.open()
    before = thumb.version
    thumb.press(page.locator("#todo [data-action*=move]").first)
    thumb.recorded()
    # The whole line can be tapped, not only its text.
    line = page.locator(".last-told").bounding_box()
    assert line is not None
    assert line["height"] >= 44
    touched = "([x, y]) => document.elementFromPoint(x, y).id"
    for y in (line["y"] + 2, line["y"] + line["height"] - 2):
        assert page.evaluate(touched, [line["x"] + line["width"] / 2, y]) == "last"
    page.locator("#undo").tap()
    thumb.recorded()
    expect(page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    assert thumb.version == before + 2


def test_the_transcript_is_a_pdf(page: Page, service: Service, ended: str) -> None:
    path = f"/games/{ended}/print.pdf"
    ordered = page.request.get(path)
    assert ordered.status == 202
    until(lambda: service.ask("GET", ordered.headers["location"])[1]["status"] == "done", seconds=120)
    assert page.request.get(path).body().startswith(b"%PDF-")
