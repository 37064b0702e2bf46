"""Two games side by side: their common events, and the first difference."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.examples import append, record
from tests.cli.service import Service

pytestmark = pytest.mark.long

READY = "#compare[data-ready]"


@pytest.fixture(scope="module")
def branches(service: Service) -> tuple[str, str]:
    """A game and its fork."""
    game = record(service, "forbidden-island")
    fork = service.ask("POST", f"/v1/games/{game}/forks", {"at": 30, "chance": "seeded"})[1]["id"]
    turn = service.ask("GET", f"/v1/games/{fork}/actions")[1]["actions"]
    body = {name: turn[0][name] for name in ("type", "actor", "params")}
    append(service, fork, [body])
    return game, fork


def test_on_a_phone_both_boards_are_in_sight(page: Page, branches: tuple[str, str]) -> None:
    game, fork = branches
    page.goto(f"/games/{game}/compare/{fork}")
    page.locator(READY).wait_for()
    boards = [page.locator(f"{side} .board svg") for side in ("#game", "#other")]
    # Wait for both boards before measuring, because the size of one depends on the other.
    for board in boards:
        board.wait_for()
    one, other = (board.bounding_box() for board in boards)
    assert one is not None
    assert other is not None
    assert one["y"] == other["y"]
    assert one["x"] + one["width"] <= other["x"]
    assert other["x"] + other["width"] <= 360


def test_a_branch_says_so(page: Page, branches: tuple[str, str]) -> None:
    game, fork = branches
    page.goto(f"/games/{fork}")
    expect(page).to_have_title(re.compile("^Branch from event 30: Forbidden Island"))
    page.get_by_role("button", name="This game").click()
    expect(page.get_by_role("link", name="a branch from event 30")).to_have_attribute("href", f"/games/{game}#30")
    page.goto(f"/games/{game}")
    expect(page).to_have_title(re.compile("^Forbidden Island"))


def test_both_lines_from_where_they_part(wide: Page, branches: tuple[str, str]) -> None:
    game, fork = branches
    wide.goto(f"/games/{game}/compare/{fork}")
    wide.locator(READY).wait_for()
    expect(wide.locator("#common-title")).to_contain_text("events are the same in both")
    wide.locator("#common-title").click()
    expect(wide.locator("#common-events li").first).to_contain_text("start a game of")
    expect(wide.locator("#game .board svg")).to_be_visible()
    expect(wide.locator("#other .board svg")).to_be_visible()

    expect(wide.locator("#game [data-current]")).to_have_attribute("data-seq", "31")
    wide.get_by_role("button", name="Next").click()
    expect(wide.locator("#game [data-current]")).to_have_attribute("data-seq", "32")
    expect(wide.locator("#other [data-current]")).to_have_count(1)
    wide.get_by_role("slider").press("Home")
    expect(wide.locator("#game .sentence")).to_have_text("The games differ from here.")
    expect(wide.get_by_role("row").filter(has_text="Water level")).to_have_count(1)


def test_a_game_beside_itself(page: Page, branches: tuple[str, str]) -> None:
    game, _ = branches
    page.goto(f"/games/{game}/compare/{game}")
    page.locator(READY).wait_for()
    expect(page.get_by_text("No differences.")).to_be_visible()
    expect(page.get_by_text("Nothing else was recorded.").first).to_be_visible()


def test_a_game_of_another_ruleset(page: Page, service: Service, branches: tuple[str, str]) -> None:
    desert = record(service, "forbidden-desert", 0)
    answer = page.request.get(f"/games/{branches[0]}/compare/{desert}")
    assert answer.status == 422
    assert "a different ruleset" in answer.text()


def test_accessible(everywhere: Page, branches: tuple[str, str]) -> None:
    game, fork = branches
    everywhere.goto(f"/games/{game}/compare/{fork}")
    everywhere.locator(READY).wait_for()
    axe(everywhere)
    overflow = everywhere.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0
