"""The board of the record page can be tapped: what an action is about lights up."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.tables import goes_on, set_up
from tests.browser.tapping import Thumb
from tests.cli.service import Service


@pytest.fixture
def thumb(page: Page, service: Service) -> Thumb:
    """At a table that has just been set up; the picture is there."""
    thumb = Thumb(page, service, set_up(service, seed=4))
    thumb.open()
    expect(page.locator("#board svg")).to_be_visible()
    return thumb


def place(thumb: Thumb, name: str) -> Locator:
    return thumb.page.locator(f"#board [data-place={name}]").first


def actions(service: Service, thumb: Thumb) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = service.ask("GET", f"/v1/games/{thumb.game}/actions")[1]["actions"]
    return found


def test_what_the_actions_are_about_is_lit(thumb: Thumb, service: Service) -> None:
    lit = {element.get_attribute("data-place") for element in thumb.page.locator("#board .is-target").all()}
    tiles = {one["params"]["to"] for one in actions(service, thumb) if one["type"] == "move"}
    assert tiles < lit | {"p2"}
    dry = {element.get_attribute("data-place") for element in thumb.page.locator("#board [data-kind=tile]").all()}
    assert dry - lit


def test_a_place_with_one_action_is_one_tap(thumb: Thumb, service: Service) -> None:
    by_place: dict[str, list[dict[str, Any]]] = {}
    for one in actions(service, thumb):
        for tile in one["params"].get("tiles", [one["params"].get("to")]):
            if one["actor"] == "p1" and tile and tile != "p2":
                by_place.setdefault(tile, []).append(one)
    tile = next(tile for tile, entries in by_place.items() if len(entries) == 1)
    place(thumb, tile).tap()
    thumb.settled()
    expect(thumb.page.locator("#last")).to_contain_text("Ann")
    assert thumb.version == 3


def test_a_place_with_several_actions_asks_which(page: Page, service: Service) -> None:
    for seed in range(1, 30):
        game = set_up(service, seed=seed)
        found = service.ask("GET", f"/v1/games/{game}/actions")[1]["actions"]
        shored = {tile for one in found if one["type"] == "shore_up" for tile in one["params"]["tiles"]}
        both = [one["params"]["to"] for one in found if one["type"] == "move" and one["params"]["to"] in shored]
        if both:
            break
    thumb = Thumb(page, service, game)
    thumb.open()
    place(thumb, both[0]).tap()
    page.locator("dialog").get_by_role("button", name="Shore up").first.tap()
    thumb.settled()
    expect(page.locator("#last")).to_contain_text("Ann shores up")


def test_a_place_where_nothing_is_to_be_done_says_so(thumb: Thumb) -> None:
    tile = thumb.page.locator("#board [data-kind=tile]:not(.is-target)").first
    tile.tap()
    expect(thumb.page.locator("#toasts")).to_contain_text("Nothing to be done there")
    assert thumb.version == 2


def test_a_pawn_is_chosen__and_what_it_may_do_is_lit(thumb: Thumb) -> None:
    page, pawn = thumb.page, place(thumb, "p1")
    pawn.tap()
    expect(pawn).to_have_class("dl-piece is-chosen")
    expect(page.get_by_role("heading", name="Ann may")).to_be_visible()
    page.get_by_role("button", name="Show everybody’s").tap()
    expect(page.locator("#board .is-chosen")).to_have_count(0)
    pawn.tap()
    pawn.tap()
    expect(page.locator("#board .is-chosen")).to_have_count(0)


def test_what_came_up_is_tapped_on_the_board(thumb: Thumb, service: Service) -> None:
    for card in ("sandbags", "helicopter_lift"):
        draw = {"type": "draw_treasure_card", "actor": "p1", "outcomes": [card]}
        assert service.ask("POST", f"/v1/games/{thumb.game}/events", draw)[0] == 201
    thumb.settled()
    page = thumb.page
    if page.locator("#todo [data-action*=draw_flood_card]").count():
        page.locator("#todo [data-action*=draw_flood_card]").tap()
    lit = page.locator("#board [data-kind=tile].is-target")
    expect(lit).to_have_count(18)
    title = lit.first.locator("title").first.text_content() or ""
    lit.first.tap()
    thumb.settled()
    expect(page.locator("#last")).to_contain_text(title.split(",")[0])


def test_hands_and_piles_are_below_on_a_phone(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    expect(page.locator("#rest svg")).to_have_count(0)
    page.locator("#rest summary").tap()
    expect(page.locator("#rest svg [data-seat=p2]").first).to_be_visible()
    goes_on(service, thumb.game, 1)
    thumb.settled()
    expect(page.locator("#rest svg")).to_have_count(1)


def test_beside_the_buttons_on_a_wide_screen(wide: Page, service: Service) -> None:
    thumb = Thumb(wide, service, set_up(service))
    thumb.open()
    expect(wide.locator("#board svg [data-kind=player]").first).to_be_visible()
    expect(wide.locator("#rest")).to_be_hidden()
    wide.set_viewport_size({"width": 700, "height": 900})
    expect(wide.locator("#board svg [data-kind=player]")).to_have_count(0)


def test_a_name_that_means_two_things_lights_the_right_one(page: Page, service: Service) -> None:
    game = set_up(service, "forgotten-waters", seats=4)
    for _ in range(200):
        types = {one["type"] for one in service.ask("GET", f"/v1/games/{game}/actions")[1]["actions"]}
        if "fill_star" in types and not types & {"move_ship", "scout_space"}:
            break
        goes_on(service, game, 1, seed=len(types))
    thumb = Thumb(page, service, game)
    thumb.open()
    page.locator("#rest summary").tap()
    expect(page.locator("#rest [data-place^='star:'].is-target").first).to_be_visible()
    expect(page.locator("#board [data-kind=tile][data-place^='to,space:'].is-target")).to_have_count(0)


def test_a_number_is_meant_by_its_param(page: Page, service: Service) -> None:
    game = set_up(service, "forgotten-waters", seats=4)
    for _ in range(200):
        found = service.ask("GET", f"/v1/games/{game}/actions")[1]["actions"]
        numbers = [one["params"]["number"] for one in found if one["type"] == "choose_action"]
        if numbers:
            break
        goes_on(service, game, 1)
    thumb = Thumb(page, service, game)
    thumb.open()
    page.locator(f"#board [data-place='number:{numbers[0]}'].is-target").tap()
    thumb.settled()
    expect(page.locator("#last")).to_contain_text(f"action {numbers[0]}")
