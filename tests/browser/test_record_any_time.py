"""Any-time cards on the record page: chosen from the tray or a hand, then placed on the board."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.play.registry import rulesets
from tests.browser.examples import flat, lines
from tests.browser.tables import happens, set_up
from tests.browser.tapping import Thumb
from tests.cli.service import Service

pytestmark = pytest.mark.long

WITH_CHANCE = {("forbidden-desert", "play_terrascope")}
"""Every any-time action that draws. Each needs a test that takes it from the tray."""


def test_every_any_time_action_that_draws_is_tested(service: Service) -> None:
    found = {
        (rules.id, kind["type"])
        for rules in rulesets()
        for kind in service.ask("GET", f"/v1/rulesets/{rules.id}")[1]["actions"]
        if kind["any_time"] and kind["asks_chance"]
    }
    assert found == WITH_CHANCE


def scoresheet(page: Page, service: Service, name: str, before: int) -> Thumb:
    """Record a scoresheet up to the event with the index `before`, and open its record page."""
    opening, bodies = lines(name)
    _, game = service.ask("POST", "/v1/games", opening)
    assert service.ask("POST", f"/v1/games/{game['id']}/events", flat(bodies)[:before])[0] == 201
    thumb = Thumb(page, service, game["id"])
    thumb.open()
    return thumb


def with_terrascope(page: Page, service: Service) -> Thumb:
    """Forbidden Desert, just before an event that plays a Terrascope."""
    return scoresheet(page, service, "forbidden-desert", 17)


def in_a_storm(page: Page, service: Service) -> Thumb:
    """The same table, when the page asks for the second storm card. The players can play a Terrascope first."""
    thumb = with_terrascope(page, service)
    actions = service.ask("GET", f"/v1/games/{thumb.game}/actions")[1]["actions"]
    draw = next(one for one in actions if one["type"] == "draw_storm_card")
    happens(service, thumb.game, {name: draw[name] for name in ("type", "actor")}, random.Random(1))
    thumb.settled()
    expect(page.locator("#ask")).to_have_text("Storm card 2 of 3.")
    return thumb


def lit(page: Page) -> Locator:
    return page.locator("#board [data-kind=tile].is-target")


def take(page: Page, title: str, owner: str = "") -> None:
    card = page.locator(".tray .optional > summary", has_text=f"{owner}: {title}" if owner else title)
    # If there are many cards, the last ones are folded.
    if not card.is_visible():
        page.locator(".more-cards > summary").tap()
    card.tap()
    expect(page.locator("#ask")).to_have_text(f"{title}: tap a highlighted tile, or choose below.")
    expect(lit(page).first).to_be_visible()


def last(service: Service, thumb: Thumb) -> dict[str, Any]:
    event = service.ask("GET", f"/v1/games/{thumb.game}/events/{thumb.version}")[1]
    return {name: event[name] for name in ("type", "actor", "params", "outcomes")}


@pytest.mark.parametrize("table", [with_terrascope, in_a_storm])
@pytest.mark.parametrize("is_listed", [False, True], ids=["board", "list"])
def test_a_terrascope_out_of_the_tray_is_recorded(table: Any, is_listed: bool, page: Page, service: Service) -> None:
    thumb = table(page, service)
    take(page, "Terrascope")
    if is_listed:
        thumb.press(thumb.action("play_terrascope", "p1", {"tile": "r1c2"}))
    else:
        page.locator("#board [data-place=r1c2]").first.tap()
    expect(page.get_by_role("heading", name="Which tile?")).to_be_attached()
    thumb.outcome("gear").tap()
    thumb.recorded()
    expected = {"type": "play_terrascope", "actor": "p1", "params": {"tile": "r1c2"}, "outcomes": ["gear"]}
    assert last(service, thumb) == expected
    expect(page.locator("#ask")).not_to_contain_text("Terrascope")


def test_back_from_what_a_terrascope_saw_leaves_it_out_of_the_tray(page: Page, service: Service) -> None:
    in_a_storm(page, service)
    take(page, "Terrascope")
    page.locator("#board [data-place=r1c2]").first.tap()
    page.get_by_role("button", name="Back").tap()
    expect(page.locator("#ask")).to_have_text("Terrascope: tap a highlighted tile, or choose below.")
    expect(lit(page).first).to_be_visible()
    page.locator(".tray .optional > summary", has_text="Terrascope").tap()
    expect(page.locator("#ask")).to_have_text("Storm card 2 of 3.")
    expect(lit(page)).to_have_count(0)


def test_a_terrascope_in_a_hand_lights_the_board(page: Page, service: Service) -> None:
    thumb = with_terrascope(page, service)
    page.locator("#hands [data-seat=p1]").tap()
    page.locator("#todo [data-card=terrascope]").tap()
    page.get_by_role("dialog").get_by_role("button", name="Play Terrascope").tap()
    expect(page.locator("#ask")).to_have_text("Terrascope: tap a highlighted tile, or choose below.")
    page.locator("#board [data-place=r1c2]").first.tap()
    thumb.outcome("gear").tap()
    thumb.recorded()
    assert last(service, thumb)["type"] == "play_terrascope"


DRAWS = {
    "p1": ["oceans_chalice", "statue_of_the_wind"],
    "p2": ["helicopter_lift", "sandbags"],
    "p3": ["helicopter_lift", "statue_of_the_wind"],
}
"""The Treasure cards of the first turn of each player."""


@pytest.fixture
def cards(page: Page, service: Service) -> Thumb:
    """Forbidden Island during Ann's turn. Bob and Cleo each hold a Helicopter Lift, Ann and Bob each hold Sandbags."""
    thumb = Thumb(page, service, set_up(service, seats=3, seed=2))
    rng = random.Random(1)
    left = {seat: list(cards) for seat, cards in DRAWS.items()}
    while True:
        actions = service.ask("GET", f"/v1/games/{thumb.game}/actions")[1]["actions"]
        draw = next(one for one in actions if one["type"].startswith("draw_"))
        event = {name: draw[name] for name in ("type", "actor", "params")}
        if draw["type"] == "draw_flood_card":
            happens(service, thumb.game, event, rng)
        elif left[draw["actor"]]:
            event["outcomes"] = [left[draw["actor"]].pop(0)]
            answer = service.ask("POST", f"/v1/games/{thumb.game}/events", event)
            assert answer[0] == 201, answer
        else:
            break
    thumb.open()
    return thumb


@pytest.mark.parametrize("seat", ["p1", "p2"])
def test_a_pawn_lights_nothing_that_spends_a_card(cards: Thumb, service: Service, seat: str) -> None:
    page = cards.page
    page.locator(f"#board [data-place={seat}]").first.dispatch_event("click")
    expect(page.locator("#board .is-chosen")).to_have_count(1)
    actions = service.ask("GET", f"/v1/games/{cards.game}/actions")[1]["actions"]
    plain = [one for one in actions if not one["type"].startswith("play_")]
    about = [one for one in plain if seat in {one["actor"], *map(str, one["params"].values())}]
    tiles = {one["params"].get("to") for one in about} | {
        tile for one in about for tile in one["params"].get("tiles", [])
    }
    assert {tile.get_attribute("data-place") for tile in lit(page).all()} <= tiles
    for tile in lit(page).all():
        name = tile.get_attribute("aria-label") or ""
        assert not re.search("helicopter|sandbag", name, re.IGNORECASE), name


def test_a_card_in_the_tray_says_whose_it_is_and_is_spent_by_its_owner(cards: Thumb, service: Service) -> None:
    page = cards.page
    titles = page.locator(".tray .optional .what").all_text_contents()
    assert sorted(titles) == ["Ann: Sandbags", "Bob: Helicopter Lift", "Bob: Sandbags", "Cleo: Helicopter Lift"]
    page.locator(".tray .optional > summary", has_text="Cleo: Helicopter Lift").tap()
    page.locator(".tray .optional > summary", has_text="Bob: Sandbags").tap()
    expect(page.locator(".tray .optional[open]")).to_have_count(1)
    expect(lit(page).first).to_have_attribute("aria-label", re.compile("sandbags", re.IGNORECASE))
    lit(page).first.dispatch_event("click")
    cards.recorded()
    assert (last(service, cards)["type"], last(service, cards)["actor"]) == ("play_sandbags", "p2")


def test_a_card_in_a_hand_is_played_by_who_holds_it(cards: Thumb, service: Service) -> None:
    page = cards.page
    page.locator("#hands [data-seat=p3]").tap()
    page.locator("#todo [data-card=helicopter_lift]").tap()
    expect(page.locator("#ask")).to_have_text("Helicopter Lift: tap a highlighted tile, or choose below.")
    lit(page).first.dispatch_event("click")
    page.locator("dialog button:not([data-close])").first.tap()
    cards.recorded()
    assert (last(service, cards)["type"], last(service, cards)["actor"]) == ("play_helicopter_lift", "p3")


def test_what_another_phone_notes_leaves_a_card_out_of_the_tray(cards: Thumb, service: Service) -> None:
    page = cards.page
    take(page, "Sandbags", "Bob")
    note = {"type": "annotate", "params": {"text": "Tea?"}}
    assert service.ask("POST", f"/v1/games/{cards.game}/events", note)[0] == 201
    cards.settled()
    expect(page.locator("#ask")).to_have_text("Sandbags: tap a highlighted tile, or choose below.")
    expect(lit(page).first).to_be_visible()
