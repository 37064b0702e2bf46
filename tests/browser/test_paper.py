"""A game that was written on paper is typed in, read line by line, corrected, and recorded."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.cli.service import Service
from tests.exports.test_template import ROWS, as_xlsx

pytestmark = pytest.mark.long

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
(EVENING,) = re.findall(r"^```notation-by-hand\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def write(page: Page, text: str) -> None:
    page.get_by_label("The game").fill(text)
    page.get_by_role("button", name="Check text").click()
    expect(page.get_by_role("heading", name="Check result")).to_be_visible()


def test_an_evening_on_paper_becomes_a_record(everywhere: Page, service: Service) -> None:
    page = everywhere
    page.goto("/start")
    page.get_by_role("link", name="Enter a game from paper").click()
    page.wait_for_url("**/start/paper")
    axe(page)
    make = page.get_by_role("button", name="Create record")
    expect(make).to_be_disabled()
    write(page, EVENING.replace("Lost Lagoon anyway", "Loost Lagon"))
    expect(page.locator("#items")).to_contain_text("Ana gives Statue of the Wind to Ben.")
    wrong = page.locator("#items li.wrong")
    expect(page.locator("#asked")).to_contain_text("Loost Lagon")
    expect(make).to_be_disabled()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    wrong.get_by_role("button", name="Go to line").click()
    chosen = page.evaluate(
        "getSelection().toString() || document.activeElement.value.slice("
        "document.activeElement.selectionStart, document.activeElement.selectionEnd)"
    )
    assert "Loost Lagon" in chosen
    page.get_by_role("button", name="Use answers").click()
    expect(make).to_be_enabled()
    expect(page.locator("#questions")).to_be_hidden()
    write(page, EVENING)
    expect(page.locator("#summary")).to_contain_text("1 with unknown results")
    expect(make).to_be_enabled()
    make.click()
    page.wait_for_url(re.compile(r"/games/\w+$"))
    status, game = service.ask("GET", f"/v1/games/{page.url.rpartition('/')[2]}")
    assert (status, game["status"], len(game["seats"])) == (200, "abandoned", 3)


def test_what_is_typed_is_kept_and_a_form_begins_it(page: Page) -> None:
    page.goto("/start/paper")
    page.get_by_label("Insert a template for").select_option("Forbidden Desert")
    page.get_by_role("button", name="Insert").click()
    field = page.get_by_label("The game")
    expect(field).to_have_value(re.compile(r"^Game: Forbidden Desert\nPlayers: \n"))
    page.reload()
    expect(field).to_have_value(re.compile("The desert: "))
    page.get_by_role("button", name="Check text").click()
    expect(page.locator("#items li.wrong")).to_contain_text("The names are missing")
    field.fill("")
    page.get_by_role("button", name="Check text").click()
    expect(page.get_by_role("alert")).to_contain_text("The text is empty")


def test_a_sheet_that_was_filled_in_becomes_a_record(page: Page) -> None:
    page.goto("/start/paper")
    expect(page.get_by_role("link", name="Forever Island")).to_have_attribute(
        "href", "/v1/rulesets/forever-island/template.xlsx"
    )
    page.get_by_label("Or choose a file").set_input_files({"name": "b.xlsx", "mimeType": "", "buffer": as_xlsx(ROWS)})
    expect(page.locator("#items")).to_contain_text("Bob flies to Gold Gate.")
    page.get_by_role("button", name="Create record").click()
    page.wait_for_url(re.compile(r"/games/\w+/record$"))
