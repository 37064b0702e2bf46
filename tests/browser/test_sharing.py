"""A share link is created, opened on another phone, and revoked."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.conftest import Open
from tests.browser.watching import Watch
from tests.cli.service import Service

pytestmark = pytest.mark.long


def test_a_link_is_made_opened_and_withdrawn(new_context: Open, service: Service, watches: list[Watch]) -> None:
    owner = new_context("desktop").new_page()
    guest_context = new_context("phone")
    guest = guest_context.new_page()
    owner.goto(f"/games/{service.open_game()}")
    owner.get_by_role("button", name="Share").click()
    owner.get_by_role("button", name="Create a link").click()
    link = owner.locator(".share-link")
    expect(link).to_be_visible()
    expect(owner.get_by_role("img", name="QR code of")).to_be_visible()
    axe(owner)

    address = link.get_attribute("href")
    assert address is not None
    guest.goto(address)
    expect(guest.get_by_role("heading", level=1)).to_be_visible()
    expect(guest.get_by_role("navigation", name="This game")).to_have_count(0)
    axe(guest)
    expect(guest.locator("#connection")).to_have_text("Live")

    watches[1].expect("status of 404")
    owner.get_by_role("button", name="Revoke").click()
    expect(link).to_have_count(0)
    # Pages that the link has opened lose access, too.
    expect(guest.locator("#connection")).to_have_text("You are signed out")
    answer = guest.context.request.get(address)
    assert answer.status == 404


def test_the_sheet_is_for_everyone(everywhere: Page, service: Service) -> None:
    everywhere.goto(f"/games/{service.open_game()}")
    menu = everywhere.get_by_role("button", name="This game")
    if menu.is_visible():
        menu.click()
    everywhere.get_by_role("button", name="Share").click()
    everywhere.get_by_role("button", name="Create a link").click()
    expect(everywhere.get_by_role("button", name="Copy the link")).to_be_focused()
    axe(everywhere)
    with everywhere.expect_download() as download:
        everywhere.get_by_role("link", name="Event by event (NDJSON)").click()
    assert download.value.suggested_filename.endswith(".ndjson")
    everywhere.keyboard.press("Escape")
    expect(everywhere.get_by_role("button", name="Share")).to_be_focused()
