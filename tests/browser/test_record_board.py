"""The board of the record page. It highlights the targets of actions, and users can tap them."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Open
from tests.browser.examples import flat, lines, record
from tests.browser.tables import goes_on, set_up
from tests.browser.tapping import Thumb
from tests.browser.touches import middle
from tests.cli.service import Service

pytestmark = pytest.mark.long


@pytest.fixture
def thumb(page: Page, service: Service) -> Thumb:
    """A table after its setup, with a loaded picture."""
    thumb = Thumb(page, service, set_up(service, seed=4))
    thumb.open()
    expect(page.locator("#board svg")).to_be_visible()
    return thumb


def place(thumb: Thumb, name: str) -> Locator:
    return thumb.page.locator(f"#board [data-place={name}]").first


def free(thumb: Thumb, kind: str) -> Locator:
    """Return the first tile of a kind without a pawn."""
    for tile in thumb.page.locator(f"#board [data-kind=tile]{kind}").all():
        title = (tile.locator("title").first.text_content() or "").split(",")[0]
        if not any(title in str(pawn.text_content()) for pawn in thumb.page.locator("#board .dl-piece title").all()):
            return tile
    raise AssertionError("somebody stands on each of them")


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
    thumb.recorded()
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
    thumb.recorded()
    expect(page.locator("#last")).to_contain_text("Ann shores up")


def test_a_place_where_nothing_is_to_be_done_says_so(thumb: Thumb) -> None:
    free(thumb, ":not(.is-target)").tap()
    expect(thumb.page.locator("dialog")).to_contain_text("None of these is legal here")
    assert thumb.version == 2


def test_a_pawn_is_chosen__and_what_it_may_do_is_lit(thumb: Thumb) -> None:
    page, pawn = thumb.page, place(thumb, "p1")
    pawn.tap()
    expect(pawn).to_have_class("dl-piece is-chosen")
    expect(page.get_by_role("heading", name="Actions for Ann")).to_be_visible()
    page.get_by_role("button", name="Show everyone’s").tap()
    expect(page.locator("#board .is-chosen")).to_have_count(0)
    pawn.tap()
    expect(pawn).to_have_class("dl-piece is-chosen")
    pawn.tap()
    expect(page.locator("#board .is-chosen")).to_have_count(0)


def test_what_came_up_is_tapped_on_the_board(thumb: Thumb, service: Service) -> None:
    for card in ("sandbags", "helicopter_lift"):
        draw = {"type": "draw_treasure_card", "actor": "p1", "outcomes": [card]}
        assert service.ask("POST", f"/v1/games/{thumb.game}/events", draw)[0] == 201
    thumb.settled()
    page = thumb.page
    if page.locator("#todo [data-action*=draw_flood_card]").count():
        thumb.press(page.locator("#todo [data-action*=draw_flood_card]"))
    lit = page.locator("#board [data-kind=tile].is-target")
    expect(lit).to_have_count(18)
    title = lit.first.locator("title").first.text_content() or ""
    # A pawn can cover most of a tile, but the tile is still the target.
    lit.first.tap(force=True)
    thumb.recorded()
    expect(page.locator("#last")).to_contain_text(title.split(",")[0])


def test_hands_and_piles_whole_are_below(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    expect(page.locator("#rest svg")).to_have_count(0)
    page.locator("#rest summary").tap()
    expect(page.locator("#rest svg [data-seat=p2]").first).to_be_visible()
    goes_on(service, thumb.game, 1)
    thumb.settled()
    expect(page.locator("#rest svg")).to_have_count(1)


@pytest.mark.parametrize(
    ("width", "height"), [(360, 740), (740, 360), (768, 1024), (1024, 768), (1440, 900)], ids="{}".format
)
def test_the_board_is_the_page__and_nothing_scrolls_while_it_asks(
    wide: Page, service: Service, width: int, height: int
) -> None:
    wide.set_viewport_size({"width": width, "height": height})
    thumb = Thumb(wide, service, set_up(service, seats=4))
    thumb.open()
    for place in ("#strip", "#board", "#todo", "#undo"):
        box = wide.locator(place).bounding_box()
        assert box is not None
        assert box["y"] >= 0, place
        assert box["y"] + box["height"] <= height + 1, place
    board = wide.locator("#board").bounding_box()
    assert board is not None
    assert board["width"] * board["height"] >= width * height * 0.4
    assert wide.evaluate("document.documentElement.scrollWidth") <= width
    sizes = wide.evaluate(TEXT_SIZES)
    assert min(sizes) >= 11.5
    assert sorted(sizes)[len(sizes) // 2] >= (16 if min(width, height) >= 740 else 12)


TEXT_SIZES = """() => [...document.querySelectorAll('#board svg text')].map((text) => {
  const box = text.getBoundingClientRect();
  return parseFloat(text.getAttribute('font-size')) * Math.abs(text.getScreenCTM().a);
})"""
"""Return the size of each text on the board, in pixels on the screen."""


def test_a_tile_that_rests_under_a_finger_says_its_name(thumb: Thumb) -> None:
    page, tile = thumb.page, free(thumb, ".is-target")
    tile.dispatch_event("pointerdown", {"bubbles": True})
    expect(page.locator(".name-plate")).to_have_text(tile.locator("title").first.text_content() or "")
    tile.dispatch_event("pointerup", {"bubbles": True})
    expect(page.locator(".name-plate")).to_have_count(0)
    tile.dispatch_event("click", {"bubbles": True})
    thumb.settled()
    assert thumb.version == 2


def test_a_tap_that_a_busy_page_hears_of_late_is_a_tap(thumb: Thumb) -> None:
    """The page uses the times of touch events, not the time at which it handles them. So a late tap is still a tap."""
    page, tile = thumb.page, free(thumb, ".is-target")
    tile.evaluate(
        """(tile) => {
          window.down = new PointerEvent("pointerdown", { bubbles: true });
          tile.dispatchEvent(window.down);
        }"""
    )
    expect(page.locator(".name-plate")).to_be_visible()
    tile.evaluate(
        """(tile) => {
          const up = new PointerEvent("pointerup", { bubbles: true });
          Object.defineProperty(up, "timeStamp", { value: window.down.timeStamp + 50 });
          tile.dispatchEvent(up);
          tile.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        }"""
    )
    expect(page.locator(".name-plate")).to_have_count(0)
    thumb.recorded()
    assert thumb.version == 3


def test_a_lit_tile_is_a_button_that_says_what_it_does(wide: Page, service: Service) -> None:
    thumb = Thumb(wide, service, set_up(service, seed=4))
    thumb.open()
    lit = wide.locator("#board [data-kind=tile].is-target")
    for tile in lit.all():
        title = tile.locator("title").first.text_content()
        name = tile.get_attribute("aria-label") or ""
        assert name.startswith(f"{title}: ")
        expect(tile).to_have_role("button")
        assert tile.locator(".lit-sign").count() == name.count(" or ") + 1
    wide.locator("#board [tabindex='0']").focus()
    wide.keyboard.press("ArrowDown")
    wide.keyboard.press("ArrowUp")
    wide.keyboard.press("Enter")
    thumb.recorded()
    expect(wide.locator("#last")).to_contain_text("Ann")


def test_a_card_for_any_time_lights_the_board_only_when_it_is_taken_out(thumb: Thumb, service: Service) -> None:
    draw = {"type": "draw_treasure_card", "actor": "p1", "outcomes": ["sandbags"]}
    page = thumb.page
    before = page.locator("#board .is-target[data-kind=tile]").count()
    assert service.ask("POST", f"/v1/games/{thumb.game}/events", draw)[0] == 201
    thumb.settled()
    # The page asks for the second card at once, although the players could play a card first.
    expect(page.locator("#ask")).to_have_text("Treasure deck card 2 of 2.")
    expect(page.locator("#board .is-target[data-kind=tile]")).to_have_count(0)
    page.locator(".tray .optional > summary", has_text="Sandbags").tap()
    expect(page.locator("#board .is-target[data-kind=tile]").first).to_be_visible()
    page.locator(".tray .optional > summary", has_text="Sandbags").tap()
    expect(page.locator("#board .is-target[data-kind=tile]")).to_have_count(0)
    assert before > 0


def test_a_name_that_means_two_things_lights_the_right_one(page: Page, service: Service) -> None:
    game = set_up(service, "forgotten-waters", seats=4)
    for _ in range(200):
        types = {one["type"] for one in service.ask("GET", f"/v1/games/{game}/actions")[1]["actions"]}
        if "fill_star" in types and not types & {"move_ship", "scout_space"}:
            break
        goes_on(service, game, 1, seed=len(types))
    thumb = Thumb(page, service, game)
    thumb.open()
    expect(page.locator("#board [data-place^='star:'].is-target").first).to_be_visible()
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
    thumb.recorded()
    expect(page.locator("#last")).to_contain_text(f"action {numbers[0]}")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_water_swells_unless_the_user_prefers_calm(new_context: Open, service: Service, motion: str) -> None:
    page = new_context("phone", reduced_motion=motion).new_page()
    thumb = Thumb(page, service, set_up(service, seed=4))
    thumb.open()
    expect(page.locator("#board svg")).to_be_visible()
    page.evaluate(
        """() => {
          window.moved = [];
          const note = (one) => one instanceof Element && moved.push(one.getAttribute("class"));
          new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach(note)))
            .observe(document.getElementById("board"), { childList: true, subtree: true });
        }"""
    )
    rise = {"type": "draw_treasure_card", "actor": "p1", "outcomes": ["waters_rise"]}
    assert service.ask("POST", f"/v1/games/{thumb.game}/events", rise)[0] == 201
    drawn = ["swell"] if motion == "no-preference" else ["dl-board"]
    # The page does not wait for the picture.
    page.wait_for_function("(drawn) => drawn.every((one) => moved.some((name) => name?.includes(one)))", arg=drawn)
    assert ("swell" in page.evaluate("moved")) == (motion == "no-preference")


def test_a_touched_hut_keeps_its_actions_beside_those_of_its_shore(page: Page, service: Service) -> None:
    """Travel has a button in a fixed place, and the shore is within reach of the finger. Dock and mobilize do not."""
    events = flat(lines("forever-island")[1])
    dock = events.index({"type": "dock", "actor": "p2", "params": {"hut": "p2_hut_2"}})
    thumb = Thumb(page, service, record(service, "forever-island", dock))
    thumb.open()
    page.touchscreen.tap(*middle(page.locator("#board [data-place=p2_hut_2].is-target")))
    offered = page.locator("dialog[open] button:not([data-close])")
    expect(offered.filter(has_text="Dock in Juan's hut 2")).to_have_count(1)
    expect(offered.filter(has_text="Mobilize")).to_have_count(1)
    expect(offered.filter(has_text="Send a canoe")).to_have_count(2)
