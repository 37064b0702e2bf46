"""Forms on the record page, for actions without a button. They need no JSON."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import axe
from tests.browser.tables import opened, set_up
from tests.browser.tapping import APPENDS, Thumb
from tests.cli.service import Service

pytestmark = pytest.mark.long


@pytest.fixture
def book(page: Page, service: Service) -> Thumb:
    """A table of four pirates that plays with its own book, which is closed."""
    game = opened(service, "forgotten-waters", 4, scenario="table", pirates=[{"sheet": one} for one in SHEETS])
    append(service, game, {"type": "set_up", "outcomes": ["p1", "p2", "p3", "p4"]})
    thumb = Thumb(page, service, game)
    thumb.open()
    return thumb


SHEETS = ("alchemist", "seasick", "orphan", "assassin")


def append(service: Service, game: str, *events: dict[str, Any]) -> None:
    status, answer = service.ask("POST", f"/v1/games/{game}/events", list(events))
    assert status == 201, answer


def reading(thumb: Thumb, kind: str) -> Locator:
    """Open the form of an action."""
    thumb.page.locator(f"#todo [data-range={kind}]").first.tap()
    form = thumb.page.get_by_role("dialog")
    expect(form).to_be_visible()
    return form


def last(thumb: Thumb, service: Service) -> dict[str, Any]:
    thumb.recorded()
    answer = service.ask("GET", f"/v1/games/{thumb.game}/events/{thumb.version}")[1]
    return {name: answer[name] for name in ("type", "actor", "params")}


def test_a_page_is_opened_by_a_form(book: Thumb, service: Service) -> None:
    form = reading(book, "read_out")
    expect(form.get_by_role("group", name="Effect 1").locator("select").first).to_be_visible()
    form.get_by_label("Page").fill("12")
    for kind in ("unlimited", "required", "limited", "limited"):
        form.get_by_role("button", name="Add: Action").tap()
        if kind == "unlimited":
            # This is the default, because most are of this kind.
            continue
        form.get_by_label("Kind").last.select_option(label=kind.capitalize())
    expect(form.locator("textarea")).to_have_count(0)
    assert form.evaluate("form => form.scrollWidth <= form.clientWidth")
    axe(book.page)
    form.get_by_role("button", name="Read out").tap()
    assert last(book, service)["params"]["effects"] == [
        {
            "do": "turn_page",
            "page": "12",
            "actions": [{}, {"kind": "required"}, {"kind": "limited"}, {"kind": "limited"}],
        }
    ]
    expect(book.page.locator("#last")).to_contain_text("turn to page 12")


def test_an_entry_with_several_effects_is_one_event(book: Thumb, service: Service) -> None:
    page = {"do": "turn_page", "page": "4", "actions": [{}]}
    choices = [{"type": "choose_action", "actor": f"p{seat}", "params": {"number": 1}} for seat in range(1, 5)]
    append(service, book.game, {"type": "read_out", "actor": "p1", "params": {"effects": [page]}}, *choices)
    book.open()
    form = reading(book, "resolve_action")
    for effect in ("Draw treasures", "Add or remove threat"):
        form.get_by_role("button", name="Add: Effect").tap()
        form.get_by_role("combobox", name="Which").last.select_option(label=effect)
    first = form.get_by_role("group", name="Effect 1")
    first.get_by_role("button", name="Add: Name").tap()
    first.get_by_role("textbox", name="Name").fill("Golden Compass")
    form.get_by_role("group", name="Effect 2").get_by_label("How many").fill("2")
    form.get_by_label("Entry").fill("Entry 63")
    form.get_by_role("button", name="Resolve action").tap()
    assert last(book, service) == {
        "type": "resolve_action",
        "actor": "p1",
        "params": {
            "effects": [{"do": "gain_treasure", "names": ["Golden Compass"]}, {"do": "threat", "n": 2}],
            "entry": "entry_63",
        },
    }
    expect(book.page.locator("#last")).to_contain_text("Ann gains the treasure Golden Compass.")
    expect(book.page.locator("#whose")).to_have_text("Ann and Bob")


def test_what_is_missing_is_said(book: Thumb) -> None:
    form = reading(book, "read_out")
    # An immediate second tap at the same place would count as a double tap.
    form.get_by_role("button", name="Remove Effect 1").press("Enter")
    form.get_by_role("button", name="Read out").tap()
    expect(form.get_by_role("alert")).to_have_text("Effects: enter at least 1.")
    form.get_by_role("button", name="Add: Effect").tap()
    form.get_by_role("button", name="Read out").tap()
    expect(form.get_by_role("alert")).to_have_text("Page: enter a value.")
    assert book.version == 2


def test_what_may_come_several_times_is_counted(page: Page, service: Service) -> None:
    thumb = Thumb(page, service, set_up(service, "forever-island", mode="as_played"))
    thumb.open()
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="It happened anyway").tap()
    form = page.get_by_role("dialog", name="It happened anyway")
    for kind in ("Settle", "Mobilize", "Eject", "Choose losses", "Offer exchange"):
        form.get_by_label("What").select_option(label=kind)
        assert not re.search(r"p\d", form.text_content() or "", re.IGNORECASE), "a seat is called by who sits there"
    form.get_by_label("What").select_option(label="Tax several")
    form.get_by_role("button", name="Record it").tap()
    expect(form.get_by_role("alert")).to_have_text("Islands: choose 2 to 6 in total.")
    form.get_by_label("Hog Island 1", exact=True).fill("2")
    form.get_by_label("Log Island 2", exact=True).fill("1")
    with page.expect_request(APPENDS) as sent:
        form.get_by_role("button", name="Record it").tap()
    assert sent.value.post_data_json["params"]["islands"] == ["hog_1", "hog_1", "log_2"]
