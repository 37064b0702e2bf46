"""The page of a finished game, and the actions on it."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.examples import record
from tests.cli.service import Service

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def island(service: Service) -> str:
    """A whole game of Forbidden Island."""
    return record(service, "forbidden-island")


def test_it_says_how_it_went(page: Page, island: str) -> None:
    page.goto(f"/games/{island}/end")
    expect(page.get_by_role("heading", level=1)).to_have_text("Won in turn 21")
    expect(page.locator(".how")).to_contain_text("The team lifts off Fools' Landing")
    expect(page.get_by_role("img", name="Tiles above water: 24 at the start, 1 at the end")).to_be_visible()
    expect(page.get_by_role("heading", name="Last moves")).to_be_visible()
    expect(page.locator("#board svg")).to_be_visible()


def test_the_story_in_three_lines(page: Page, service: Service, island: str) -> None:
    page.goto(f"/games/{island}/end")
    story = page.get_by_role("list", name="The story").get_by_role("listitem")
    expect(story).to_have_text(
        [
            "Turn 15 Twilight Hollow sinks. Watchtower sinks.",
            "Turn 19 Coral Palace sinks. For the Ocean's Chalice, only Tidal Palace is left. Cave of Shadows sinks.",
            "Turn 21 Ana plays Helicopter Lift, and the team lifts off Fools' Landing.",
        ]
    )
    expect(page.locator(".curve figcaption")).to_contain_text("Turning point: 14 to 11")
    story.first.get_by_role("link").click()
    page.locator("#replay[data-ready]").wait_for()
    expect(page.locator("#sentence")).to_have_text("Twilight Hollow sinks.")


def test_the_film_lasts_twenty_seconds(page: Page, service: Service, island: str) -> None:
    page.goto(f"/games/{island}/end")
    address = str(page.get_by_role("link", name="Watch as a film").get_attribute("href"))
    delay, hold = (int(parse_qs(urlsplit(address).query)[name][0]) for name in ("delay", "hold"))
    turns = service.ask("GET", f"/v1/games/{island}/recap")[1]["turns"]
    assert round((turns * delay + hold) / 1000) in range(19, 22)
    assert page.request.get(address, headers={"Accept": "text/html"}).ok


def test_the_picture_is_downloaded_where_nothing_shares_it(wide: Page, island: str, tmp_path: Path) -> None:
    wide.goto(f"/games/{island}/end")
    wide.locator("#end[data-ready]").wait_for()
    with wide.expect_download() as download:
        wide.get_by_role("link", name="Share the picture").click()
    path = tmp_path / "picture.png"
    download.value.save_as(path)
    with Image.open(BytesIO(path.read_bytes())) as picture:
        assert picture.size == (1200, 630)


def test_the_picture_is_shared_by_what_the_phone_has(page: Page, island: str) -> None:
    page.add_init_script(
        """navigator.canShare = ({ files }) => files.length === 1;
        navigator.share = async ({ files, title }) => { document.title = `${files[0].type} ${title}`; };"""
    )
    page.goto(f"/games/{island}/end")
    page.locator("#end[data-ready]").wait_for()
    page.get_by_role("link", name="Share the picture").click()
    expect(page).to_have_title("image/png Forbidden Island: Ana, Ben and Chloe")


def test_a_rematch_is_one_tap(page: Page, service: Service, island: str) -> None:
    page.goto(f"/games/{island}/end")
    page.get_by_role("button", name="Play again", exact=True).click()
    page.wait_for_url("**/setup")
    game = page.url.split("/")[-2]
    names = [seat["name"] for seat in service.ask("GET", f"/v1/games/{game}")[1]["seats"]]
    assert names == ["Ana", "Ben", "Chloe"]


def test_the_ending_is_taken_back(page: Page, service: Service) -> None:
    game = record(service, "forever-island")
    page.goto(f"/games/{game}/record")
    page.get_by_role("link", name="Show results").click()
    page.locator("#end[data-ready]").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url("**/record")
    expect(page.locator("#board svg")).to_be_visible()
    assert service.ask("GET", f"/v1/games/{game}")[1]["status"] == "in_progress"


def test_it_is_for_everyone(everywhere: Page, island: str) -> None:
    everywhere.goto(f"/games/{island}/end")
    everywhere.locator("#end[data-ready]").wait_for()
    axe(everywhere)
    assert everywhere.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
