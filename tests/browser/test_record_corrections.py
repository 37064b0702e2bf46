"""Putting the record right from the record page: amend with its impact, what happened anyway, adjust."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.tables import set_up
from tests.browser.tapping import Thumb
from tests.cli.service import Service

CARDS = ("sandbags", "helicopter_lift")


@pytest.fixture
def thumb(page: Page, service: Service) -> Thumb:
    """Ann has drawn two cards."""
    thumb = Thumb(page, service, set_up(service, seed=4))
    for card in CARDS:
        service.ask(
            "POST",
            f"/v1/games/{thumb.game}/events",
            {"type": "draw_treasure_card", "actor": "p1", "outcomes": [card]},
        )
    assert thumb.version == 4
    thumb.open()
    return thumb


def open_event(thumb: Thumb, seq: int, way: str) -> None:
    thumb.page.get_by_role("button", name=f"Event {seq}:").tap()
    thumb.page.get_by_role("button", name=way).tap()


def hand(service: Service, game: str) -> list[str]:
    """What Ann holds."""
    state = service.ask("GET", f"/v1/games/{game}/state")[1]["state"]
    cards: list[str] = state["hands"][0]
    return cards


def test_a_card_that_was_another_is_changed(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    open_event(thumb, 3, "Change it")
    axe(page)
    page.locator("dialog [data-action*='draw_treasure_card']").tap()
    expect(page.get_by_role("heading", name="Which treasure card?")).to_be_focused()
    page.locator("dialog [data-value='\"earth_stone\"']").tap()
    expect(page.get_by_role("heading", name="What becomes of the rest")).to_be_focused()
    axe(page)
    page.get_by_role("button", name="Change it").tap()
    thumb.settled()
    assert "earth_stone" in hand(service, thumb.game)
    expect(page.locator("#feed [data-seq='3']")).to_contain_text("corrected by event 5")
    page.locator("#undo").tap()
    thumb.settled()
    expect(page.locator("#feed [data-seq='3']")).not_to_contain_text("corrected")
    assert "earth_stone" not in hand(service, thumb.game)


def test_what_would_not_be_legal_any_more_is_told_first(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    flooded = service.ask("GET", f"/v1/games/{thumb.game}/actions")[1]["actions"]
    sandbags = next(one for one in flooded if one["type"] == "play_sandbags")
    body = {name: sandbags[name] for name in ("type", "actor", "params")}
    assert service.ask("POST", f"/v1/games/{thumb.game}/events", body)[0] == 201
    thumb.settled()
    open_event(thumb, 3, "Change it")
    page.locator("dialog [data-action*='draw_treasure_card']").tap()
    page.locator("dialog [data-value='\"earth_stone\"']").tap()
    impact = page.locator("dialog .impact")
    expect(impact).to_contain_text("would be against the rules")
    expect(impact).to_contain_text("Sandbags")
    axe(page)
    page.get_by_role("button", name="Change it all the same").tap()
    thumb.settled()
    assert "earth_stone" in hand(service, thumb.game)


def test_what_was_forgotten_is_put_in(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    open_event(thumb, 3, "Put something in before it")
    button = page.locator("dialog [data-action*='\"move\"']").first
    label = button.get_attribute("aria-label") or ""
    button.tap()
    page.get_by_role("button", name="Put it in").tap()
    thumb.settled()
    place = label.removeprefix("Move to ")
    turns = service.ask("GET", f"/v1/games/{thumb.game}/turns")[1]["turns"]
    assert turns[-1]["account"].startswith(f"Ann moves to {place}.")


def test_what_never_happened_is_taken_out(thumb: Thumb) -> None:
    page = thumb.page
    open_event(thumb, 4, "Take it out")
    expect(page.locator("dialog .notice.good")).to_have_text("Nothing follows it.")
    page.get_by_role("button", name="Take it out").tap()
    thumb.settled()
    expect(page.locator("#feed [data-seq='4']")).to_contain_text("corrected by event 5")


def test_something_else_is_judged_before_it_is_recorded(thumb: Thumb) -> None:
    page = thumb.page
    open_event(thumb, 4, "Change it")
    page.locator("dialog summary", has_text="Something else").tap()
    page.get_by_role("combobox", name="What").select_option("lift_off")
    page.get_by_role("button", name="Go on").tap()
    expect(page.locator("dialog .notice.bad")).to_be_visible()
    page.get_by_role("button", name="Back").tap()
    expect(page.get_by_role("heading", name="What was it, really?")).to_be_focused()
    assert thumb.version == 4


@pytest.fixture
def lenient(page: Page, service: Service) -> Thumb:
    """At a table that records what was played, whatever the rules say."""
    thumb = Thumb(page, service, set_up(service, mode="as_played"))
    thumb.open()
    return thumb


def test_it_happened_anyway(lenient: Thumb, service: Service) -> None:
    page = lenient.page
    state = service.ask("GET", f"/v1/games/{lenient.game}/state")[1]["state"]
    legal = {one["params"].get("to") for one in service.ask("GET", f"/v1/games/{lenient.game}/actions")[1]["actions"]}
    there = next(tile for tile in ("gold_gate", "watchtower", "coral_palace") if tile not in legal)
    assert state
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="It happened anyway").tap()
    axe(page)
    page.get_by_role("combobox", name="What").select_option("move")
    page.get_by_role("combobox", name="To").select_option(label=there.replace("_", " ").capitalize())
    page.get_by_role("button", name="Record it").tap()
    lenient.settled()
    expect(page.locator("#feed .event").first).to_contain_text("against the rules")


def test_what_nobody_can_carry_out_is_entered_by_hand(lenient: Thumb, service: Service) -> None:
    page = lenient.page
    held = service.ask("GET", f"/v1/games/{lenient.game}/state")[1]["state"]["hands"]
    seat = next(number for number, cards in enumerate(held) if "sandbags" not in cards)
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="It happened anyway").tap()
    page.get_by_role("combobox", name="Who").select_option(f"p{seat + 1}")
    page.get_by_role("combobox", name="What").select_option("play_sandbags")
    page.get_by_role("button", name="Record it").tap()
    expect(page.locator("#notices")).to_contain_text("There is no Sandbags in that hand.")
    axe(page)
    page.locator("#notices").get_by_role("button", name="Put the table right").tap()
    expect(page.get_by_label("Why")).to_have_value(re.compile(r"^Play sandbags .*There is no Sandbags in that hand\.$"))
    expect(page.locator("#notices")).to_be_empty()
    assert lenient.version == 2


def test_the_table_is_put_right(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Put the table right").tap()
    page.get_by_label("Find a value").fill("actions left")
    page.get_by_label("Actions left").fill("1")
    page.get_by_role("button", name="Change the table").tap()
    expect(page.locator("dialog .error")).to_have_text("Why, please.")
    axe(page)
    page.get_by_label("Why").fill("We counted again.")
    page.get_by_role("button", name="Change the table").tap()
    thumb.settled()
    event = service.ask("GET", f"/v1/games/{thumb.game}/events/5")[1]
    assert event["type"] == "adjust"
    assert event["params"]["agreed"] == ["p1", "p2"]
    expect(page.locator("#last")).to_contain_text("We counted again.")
