"""The page of logged plays: it imports a file, and shows a result for each play."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.exports.test_bgstats_reading import PLAYERS, of, play

pytestmark = pytest.mark.long


def test_a_file_is_taken_in_and_told_of(everywhere: Page, tmp_path: Path) -> None:
    page = everywhere
    page.goto("/")
    page.get_by_role("link", name="Logged plays").click()
    expect(page.get_by_role("heading", name="Logged plays", exact=True)).to_be_visible()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_have_text("Choose a file first.")
    file = tmp_path / "evenings.bgsplay"
    names = [{**PLAYERS[0], "name": f"Ann {uuid4().hex}"}, PLAYERS[1]]
    file.write_bytes(of(play(uuid=str(uuid4())), play(uuid="x"), play(gameRefId=3), players=names))
    page.get_by_label("A BG Stats file").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.locator("#counts")).to_contain_text("1 new")
    expect(page.locator("#counts")).to_contain_text("1 for games that Driftlog does not know")
    expect(page.locator("#broken")).to_contain_text("Logged play 2, Forbidden Island: Invalid UUID")
    axe(page)
    page.get_by_role("link", name="Show all logged plays").click()
    expect(page.get_by_text(f"{names[0]['name']} and Bob")).to_be_visible()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_is_no_such_file_is_told(page: Page, tmp_path: Path) -> None:
    page.goto("/plays")
    file = tmp_path / "other.json"
    file.write_text(json.dumps({"plays": 1}))
    page.get_by_label("A BG Stats file").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_contain_text("This is not a BG Stats file")
