"""The library in a browser: search, filters, pages about players and rulesets, for everyone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import axe
from tests.browser.conftest import Open
from tests.browser.examples import record
from tests.cli.service import Service
from tests.waiting import until

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def games(service: Service) -> None:
    record(service, "forbidden-island")
    record(service, "forever-island", 12)


@pytest.mark.usefixtures("games")
def test_games_are_searched_and_filtered(page: Page) -> None:
    page.goto("/")
    page.get_by_role("searchbox", name="Search players, tags and games").fill("forev")
    page.keyboard.press("Enter")
    expect(page.get_by_role("listitem").filter(has_text="Forever Island")).not_to_have_count(0)
    expect(page.get_by_role("listitem").filter(has_text="Forbidden Island")).to_have_count(0)
    page.get_by_role("link", name=re.compile("Remove filter")).click()
    page.get_by_text("Filters").click()
    page.get_by_label("Game", exact=True).select_option("forbidden-island")
    page.get_by_label("Current state").select_option("won")
    page.get_by_role("button", name="Show").click()
    game = page.get_by_role("listitem").filter(has_text="won").first
    expect(game.locator("img")).to_have_js_property("complete", True)
    page.get_by_role("link", name="More about Forbidden Island").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Forbidden Island")
    expect(page.get_by_role("table").first).to_be_visible()


@pytest.mark.usefixtures("games")
def test_it_works_without_scripts(new_context: Open) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto("/?q=forbidden")
    expect(page.get_by_role("heading", level=2).first).to_be_visible()


@pytest.mark.usefixtures("games")
def test_hours_are_those_of_the_readers_clock(new_context: Open) -> None:
    page = new_context(timezone_id="Asia/Kolkata").new_page()
    page.goto("/?ruleset=forbidden-island&standing=won")
    name = page.get_by_role("heading", level=2).first.inner_text().split(" and ")[-1]
    page.goto(f"/players/{name}")
    hours = page.get_by_role("region", name="By time of day", exact=True)
    expect(hours.get_by_role("rowheader").first).to_have_text(re.compile(r"^\d\d:30$"))
    expect(page.get_by_role("heading", name="By time of day", exact=True)).to_be_visible()


def test_two_names_of_a_player_are_made_one_and_two_players_are_told_apart(page: Page, service: Service) -> None:
    # No other player of this service has this name.
    for name in ("Mirabelle", "Mirabelle K."):
        body = {"ruleset": "forbidden-island", "seats": [{"name": name}, {"name": "Ottokar"}], "chance": "seeded"}
        assert service.ask("POST", "/v1/games", body)[0] == 201

    def is_listed(name: str) -> bool:
        page.goto(f"/players/{name}")
        return page.get_by_role("heading", name="Names").count() == 1

    until(lambda: is_listed("Mirabelle") and is_listed("Mirabelle K."))
    games = page.get_by_role("region", name="Games").get_by_role("listitem")
    page.get_by_text("Another name of the same player").click()
    page.get_by_label("Other name").fill("Mirabelle")
    page.get_by_role("button", name="The same player").click()
    expect(page.get_by_text("Other names of this player: Mirabelle.")).to_be_visible()
    expect(games).to_have_count(2)

    page.get_by_text("Another player with this name").click()
    page.get_by_label("Actual player", exact=True).fill("Mirabelle (Berlin)")
    page.get_by_role("button", name="Separate players").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mirabelle (Berlin)")
    expect(games).to_have_count(1)
    axe(page)
    page.get_by_role("button", name=re.compile("^Undo")).click()
    expect(page.get_by_role("heading", name="No player with this name")).to_be_visible()

    # Both names lead to the player's page.
    page.goto("/players/Mirabelle")
    expect(page.get_by_role("heading", level=1)).to_have_text("Mirabelle K.")
    page.get_by_label("Other name").fill("mirabelle k.")
    page.get_by_role("button", name="The same player").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be an alias of")
    page.get_by_role("button", name="Mirabelle is another player").click()
    expect(page.get_by_text("Other names of this player: Mirabelle.")).to_have_count(0)
    expect(games).to_have_count(1)


@pytest.mark.usefixtures("games")
def test_the_library_is_for_everyone(everywhere: Page) -> None:
    everywhere.goto("/?ruleset=forbidden-island")
    name = everywhere.get_by_role("heading", level=2).first.inner_text().split(" and ")[-1]
    axe(everywhere)
    for path in ("/players", "/rulesets", f"/players/{name}", "/rulesets/forbidden-island"):
        everywhere.goto(path)
        expect(everywhere.locator("main :is(h1, h2)").first).to_be_visible()
        axe(everywhere)


def test_the_contract_is_for_everyone(everywhere: Page) -> None:
    everywhere.goto("/docs#/games/findGames")
    operation = everywhere.locator("#findGames")
    operation.get_by_label("limit").fill("1")
    operation.get_by_role("button", name="Send").click()
    expect(operation.get_by_role("status")).to_contain_text("200 OK")
    expect(operation.get_by_role("status")).to_contain_text('"games": [')
    operation.get_by_role("button", name="Copy as curl").click()
    expect(operation.get_by_role("status")).to_contain_text("curl -X GET")
    everywhere.get_by_label("Find").fill("append")
    expect(operation).to_be_hidden()
    expect(everywhere.locator("#appendEvents")).to_be_visible()
    expect(everywhere.get_by_role("heading", name="Schemas")).to_be_visible()
    axe(everywhere)
    overflow = everywhere.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0


def test_an_empty_library_plays_an_example(browser: Browser, tmp_path: Path) -> None:
    service = Service(tmp_path)
    page = browser.new_page(base_url=service.ready())
    page.goto("/")
    expect(page.get_by_role("heading", name="No games yet")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Watch an example").click()
    page.wait_for_url("**/games/*")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator("#where")).to_contain_text("of 21, ")
    page.close()
    assert service.stop() == 0
