"""Three phones mix a seed on the pages. Nobody can choose the seed, and each phone checks the start of the game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.conftest import Open

pytestmark = pytest.mark.long


def mixing(page: Page, phones: int) -> str:
    """Fill in a seeded table, and begin a seed for this many phones. Return the address of the seed's page."""
    page.goto("/start/forbidden-island")
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Player 2", exact=True).fill("Bob")
    page.get_by_label("Driftlog deals").check()
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Phones").fill(str(phones))
    page.get_by_role("button", name="Mix a seed").click()
    expect(page.locator("#mix-progress")).to_have_text(f"1 of {phones} phones have added a secret number.")
    address = page.locator("#mix-link").get_attribute("href")
    assert address is not None
    return address


def test_three_phones_mix_the_seed_of_a_game(page: Page, new_context: Open) -> None:
    address = mixing(page, 3)
    expect(page.locator("#mix-code")).to_have_js_property("complete", True)
    assert page.locator("#mix-code").evaluate("image => image.naturalWidth") > 0
    axe(page)
    others = [new_context().new_page() for _ in range(2)]
    for other in others:
        other.goto(address)
        other.get_by_role("button", name="Add my number").tap()
        expect(other.get_by_role("button", name="Add my number")).to_be_hidden()
        axe(other)
        # The phone's share stays on the phone until it is revealed.
        other.reload()
        expect(other.get_by_role("button", name="Add my number")).to_be_hidden()
    for one in (*others, page):
        expect(one.locator("#progress, #mix-progress")).to_have_text("The seed is mixed. The game can start.")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile("/record$"))
    for other in others:
        expect(other.locator("#progress")).to_have_text(
            "The game has started. Its seed is mixed from the secret numbers of all these phones, including yours."
        )
        other.get_by_role("link", name="Watch the game").tap()
        other.wait_for_url(re.compile(r"/games/\w+"))


def test_a_phone_too_many_is_told(page: Page, new_context: Open) -> None:
    address = mixing(page, 2)
    late, quick = (new_context().new_page() for _ in range(2))
    for other in (late, quick):
        other.goto(address)
        expect(other.get_by_role("button", name="Add my number")).to_be_visible()
    quick.get_by_role("button", name="Add my number").tap()
    late.evaluate("document.querySelector('#contribute').hidden = false")
    expect(quick.locator("#progress")).to_have_text("The seed is mixed. The game can start.")
    late.evaluate("document.querySelector('#contribute').click()")
    expect(late.get_by_role("alert")).to_have_text("All 2 shares of this seed are already committed. Start a new seed.")
