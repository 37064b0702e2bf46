"""A pictured setup: tiles from a palette, marks on the board, roles and hands, by touch, keys and chance."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.tables import PICTURED, opened
from tests.browser.tapping import APPENDS, pictured_place
from tests.browser.watching import Watch
from tests.cli.service import Service

pytestmark = pytest.mark.long

SIZES = ((360, 740), (360, 640), (740, 360), (1024, 768), (768, 1024), (1440, 900))
LEAST_TEXT, LEAST_TARGET = 12, 44
MOST_TAPS = 39
"""For three: 23 tiles, 6 floods, 3 roles, 6 cards, and Begin."""
MEASURED = """() => {
  const shown = (one) => one.checkVisibility() && !one.closest(".visually-hidden")
    && getComputedStyle(one).clipPath === "none";
  const all = [...document.querySelectorAll("#setup *")].filter(shown);
  const written = all.filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  const boxes = all.filter((one) => one.matches("button")).map((one) => one.getBoundingClientRect());
  const page = document.scrollingElement, panel = document.getElementById("panel");
  return {
    text: Math.min(...written.map((one) => parseFloat(getComputedStyle(one).fontSize))),
    target: Math.min(...boxes.flatMap(({ width, height }) => [width, height])),
    outside: boxes.filter(({ left, top, right, bottom }) =>
      left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5).length,
    scrolls: page.scrollHeight > innerHeight || panel.scrollHeight > panel.clientHeight + 1,
  };
}"""
ISLAND = [
    "temple_of_the_sun",
    "dunes_of_deception",
    "iron_gate",
    "whispering_garden",
    "temple_of_the_moon",
    "breakers_bridge",
    "silver_gate",
    "fools_landing",
    "cave_of_embers",
    "watchtower",
    "cliffs_of_abandon",
    "cave_of_shadows",
    "howling_garden",
    "observatory",
    "crimson_forest",
    "phantom_rock",
    "copper_gate",
    "misty_marsh",
    "coral_palace",
    "bronze_gate",
    "lost_lagoon",
    "tidal_palace",
    "twilight_hollow",
    "gold_gate",
]
FLOODS = ["iron_gate", "breakers_bridge", "observatory", "lost_lagoon", "misty_marsh", "cave_of_embers"]
DEALT = ["engineer", "explorer", "pilot"]
HANDS = ["earth_stone", "crystal_of_fire", "sandbags", "helicopter_lift", "sandbags", "statue_of_the_wind"]


def start(page: Page, service: Service, ruleset: str = "forbidden-island", seats: int = 3) -> str:
    game = opened(service, ruleset, seats)
    page.goto(f"/games/{game}/setup")
    expect(page.locator("#title")).not_to_be_empty()
    page.locator("#panel button, #board button").first.wait_for()
    return game


def tap(page: Page, value: str) -> None:
    pictured_place(page, value).tap()


def tile(page: Page, name: str) -> Any:
    return page.locator(".palette").get_by_role("button", name=re.compile(f"^{name}"))


def laid_outcomes(service: Service, game: str) -> list[Any]:
    outcomes: list[Any] = service.ask("GET", f"/v1/games/{game}/events?after=1")[1]["events"][0]["outcomes"]
    return outcomes


def test_an_island_for_three_takes_39_touches(page: Page, service: Service) -> None:
    """The setup needs no search, no scrolling, and no request before Begin. The taps are recorded."""
    game = start(page, service)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    taps = 0
    # The 24th tile has only one place left, so it is placed automatically.
    hands = [value for seat in range(3) for value in (DEALT[seat], *HANDS[2 * seat : 2 * seat + 2])]
    for value in (*ISLAND[:23], *FLOODS, *hands):
        expect(pictured_place(page, value)).to_be_in_viewport(ratio=1)
        tap(page, value)
        taps += 1
    expect(page.locator("#ask")).to_have_text("Ready. Ann begins.")
    assert asked == []
    page.get_by_role("button", name="Begin game").tap()
    assert taps + 1 <= MOST_TAPS
    page.wait_for_url(re.compile("/record$"))
    assert laid_outcomes(service, game) == [*ISLAND, *FLOODS, *DEALT, *HANDS]


@pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
@pytest.mark.parametrize("language", ["en-GB", "de"])
def test_everything_is_large_enough_and_on_the_screen(
    new_context: Any, service: Service, size: tuple[int, int], language: str
) -> None:
    page = new_context(viewport={"width": size[0], "height": size[1]}, locale=language).new_page()

    def fits() -> None:
        found = page.evaluate(MEASURED)
        assert found["text"] >= LEAST_TEXT, found
        assert found["target"] >= LEAST_TARGET - 0.1, found
        assert (found["outside"], found["scrolls"]) == (0, False), found

    start(page, service, seats=4)
    fits()
    for value in ISLAND[:20]:
        tap(page, value)
    fits()
    tap(page, ISLAND[14])
    fits()
    page.locator("#cancel").tap()
    for value in (*ISLAND[20:23], *FLOODS[:4]):
        tap(page, value)
    fits()
    for value in (*FLOODS[4:], "diver", "sandbags", "sandbags", "pilot", "earth_stone"):
        tap(page, value)
    fits()
    page.locator("#fill").tap()
    expect(page.locator("#begin")).to_be_visible()
    fits()
    for ruleset, seats in (("forbidden-desert", 4), ("forever-island", 6), ("forgotten-waters", 7)):
        start(page, service, ruleset, seats)
        fits()
        while page.locator("#begin").is_hidden():
            page.locator("#fill").tap()
            fits()


def test_a_space_is_changed_swapped_cleared_or_left(page: Page, service: Service) -> None:
    start(page, service)
    for value in ISLAND[:3]:
        tap(page, value)
    spaces = page.locator("#board")
    # A placed tile in the palette highlights its space. Choosing another placed tile swaps the two.
    tile(page, "Temple of the Sun").tap()
    expect(page.locator("#title")).to_have_text("Change space 1")
    expect(page.locator("#ask")).to_have_text("This place has Temple of the Sun. Tap the correct tile.")
    tile(page, "Iron Gate").tap()
    expect(spaces.get_by_role("button", name="space 1: Iron Gate")).to_be_visible()
    expect(spaces.get_by_role("button", name="space 3: Temple of the Sun")).to_be_visible()
    spaces.get_by_role("button", name="space 1: Iron Gate").tap()
    page.get_by_role("button", name="Cancel").tap()
    expect(page.locator("#count")).to_have_text("3 of 24")
    spaces.get_by_role("button", name="space 1: Iron Gate").tap()
    page.get_by_role("button", name="Clear").tap()
    expect(page.locator("#ask")).to_have_text("Tap the tile that is on space 1.")
    # An empty space becomes the space to fill next.
    spaces.get_by_role("button", name="space 9", exact=True).tap()
    expect(page.locator("#ask")).to_have_text("Tap the tile that is on space 9.")
    tile(page, "Watchtower").tap()
    expect(spaces.get_by_role("button", name="space 9: Watchtower")).to_be_visible()
    expect(page.locator("#ask")).to_have_text("Tap the tile that is on space 1.")


def test_the_last_tile_lies_by_itself_and_one_undo_takes_both_back(page: Page, service: Service) -> None:
    start(page, service)
    for value in ISLAND[:23]:
        tap(page, value)
    expect(page.locator("#title")).to_have_text("Mark the flooded tiles")
    expect(page.locator("#ask")).to_be_focused()
    expect(page.locator("#last")).to_have_text("23: Twilight Hollow, 24: Gold Gate")
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("#count")).to_have_text("22 of 24")


def test_chance_fills_what_is_empty_and_one_undo_takes_it_back(page: Page, service: Service) -> None:
    start(page, service)
    for value in ISLAND[:5]:
        tap(page, value)
    page.get_by_role("button", name="Randomize").tap()
    expect(page.locator("#ask")).to_have_text("Set up the table as shown. Tap flooded tile 1. Tap again to clear it.")
    for place, value in enumerate(ISLAND[:5]):
        expect(page.locator(f"[data-key='space.{place}']")).to_have_attribute("data-value", value)
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("#count")).to_have_text("5 of 24")


def test_a_mark_is_taken_back_and_the_slots_close_up(page: Page, service: Service) -> None:
    start(page, service)
    page.get_by_role("button", name="Randomize").tap()
    board = page.locator("#board button")
    for place in range(3):
        board.nth(place).tap()
    slots = page.locator(".six li.on span")
    names = slots.all_inner_texts()
    board.nth(0).tap()
    expect(slots).to_have_text(names[1:])
    # A trembling finger marks the tile only once.
    board.nth(9).dblclick()
    expect(slots).to_have_count(3)
    # Back leads to the tiles, and from there to the players; Next leads forward again.
    expect(page.get_by_role("link", name="Back to the players")).to_be_hidden()
    page.get_by_role("button", name="Back").tap()
    expect(page.get_by_role("link", name="Back to the players")).to_be_visible()
    expect(page.locator("#ask")).to_have_text("Tap a tile to change it.")
    page.get_by_role("button", name="Next").tap()
    expect(page.locator("#count")).to_have_text("3 of 6")


def test_players_are_asked_in_any_order_and_cleared(page: Page, service: Service) -> None:
    start(page, service)
    for _ in range(2):
        page.get_by_role("button", name="Randomize").tap()
    expect(page.locator("#ask")).to_contain_text("Tap Ann's role.")
    page.get_by_role("button", name="Cleo").tap()
    expect(page.locator("#ask")).to_have_text("Tap Cleo's role.")
    tap(page, "diver")
    expect(page.locator("#ask")).to_have_text("Tap Cleo's first card.")
    for _ in range(2):
        tap(page, "sandbags")
    expect(page.get_by_role("button", name="Cleo: Diver, Sandbags, Sandbags")).to_be_visible()
    expect(page.locator("#ask")).to_have_text("Tap Ann's role.")
    expect(page.get_by_role("button", name="Sandbags, 0 left")).to_be_disabled()
    expect(page.get_by_role("button", name="Diver", exact=True)).to_be_disabled()
    for _ in range(2):
        page.get_by_role("button", name="Cleo").tap()
    expect(page.get_by_role("button", name="Cleo: Tap a role")).to_be_visible()
    page.get_by_role("button", name="Undo").tap()
    expect(page.get_by_role("button", name="Cleo: Diver, Sandbags, Sandbags")).to_be_visible()


def test_the_desert_is_seven_taps_in_any_order(page: Page, service: Service) -> None:
    game = start(page, service, "forbidden-desert")
    tap(page, "explorer")
    for space in ("r1c1", "r2c2", "r5c5"):
        tap(page, space)
    tap(page, "r2c2")
    expect(page.locator("#ask")).to_have_text("Tap water tile 1. The sand is placed for you.")
    for value in ("r3c1", "r4c4", "navigator", "climber"):
        tap(page, value)
    expect(page.locator("#ask")).to_have_text("Ready. Ann begins.")
    page.get_by_role("button", name="Begin game").tap()
    page.wait_for_url(re.compile("/record$"))
    assert laid_outcomes(service, game) == ["r1c1", "r3c1", "r5c5", "r4c4", "explorer", "navigator", "climber"]


def test_hexagons_are_laid_one_beside_the_other_and_totems_found(page: Page, service: Service) -> None:
    """A tap on a place records a roll. The page adds the last face and the spears."""
    game = start(page, service, "forever-island", 2)
    for side in (1, 2, 2):
        tap(page, str(side))
    expect(page.locator("#board .now")).to_have_count(5)
    page.get_by_role("button", name="Tile 4: remove").tap()
    expect(page.locator("#ask")).to_contain_text("Tap where tile 4 is.")
    for side in (2, 3, 4, 4):
        tap(page, str(side))
    for face in ("hog", "volcano", "log", "hog"):
        tap(page, face)
    # The last face is placed automatically. The first of two equal faces can still be changed.
    page.locator("#board button[aria-label='tile 2: Volcano']").tap()
    tap(page, "frog")
    expect(page.locator("#board button[aria-label='tile 2: Frog Island']")).to_be_visible()
    for face in ("volcano", "log"):
        tap(page, face)
    for shore in ("hog_1_a", "hog_2_a", "log_1_b"):
        tap(page, shore)
    tap(page, "log_1_b")
    for shore in ("log_2_b", "frog_1_a", "frog_2_a"):
        tap(page, shore)
    expect(page.locator("#panel [data-value=log_1_b]")).to_be_disabled()
    tap(page, "p1")
    tap(page, "p2")
    page.get_by_role("button", name="Begin game").tap()
    page.wait_for_url(re.compile("/record$"))
    faces = ["hog", "frog", "log", "hog", "volcano", "log", "frog"]
    tokens = ["totem", "spear"] * 2 + ["spear"] * 3 + ["totem"] + ["totem", "spear"] * 2
    assert laid_outcomes(service, game) == [1, 2, 2, 3, 4, 4, *faces, *tokens, "p2"]


def test_sheets_are_dealt_and_players_ranked(page: Page, service: Service) -> None:
    game = start(page, service, "forgotten-waters")
    for sheet in ("cook", "ghost", "taxman"):
        tap(page, sheet)
    expect(page.locator("#ask")).to_have_text("Tap the player who is first from the top.")
    tap(page, "p3")
    tap(page, "p2")
    expect(page.get_by_role("button", name="Ann: third from the top")).to_be_visible()
    page.get_by_role("button", name="Begin game").tap()
    page.wait_for_url(re.compile("/record$"))
    assert laid_outcomes(service, game) == ["cook", "ghost", "taxman", "p3", "p2", "p1"]


def test_a_reload_and_a_lost_network_lose_nothing(page: Page, service: Service, watches: list[Watch]) -> None:
    watches[0].expect("ERR_INTERNET_DISCONNECTED")
    game = start(page, service)
    tap(page, "watchtower")
    page.reload()
    expect(page.get_by_role("button", name="space 1: Watchtower")).to_be_visible()
    page.context.set_offline(True)
    for _ in range(3):
        page.get_by_role("button", name="Randomize").tap()
    page.get_by_role("button", name="Begin game").tap()
    expect(page.locator("#ask")).to_have_text("The game starts when the service is reachable.")
    axe(page)
    page.context.set_offline(False)
    page.wait_for_url(re.compile("/record$"))
    assert laid_outcomes(service, game)[0] == "watchtower"


def test_two_phones_set_up_one_table(page: Page, wide: Page, service: Service) -> None:
    start(page, service)
    wide.goto(page.url)
    for phone in (page, wide):
        for _ in range(3):
            phone.get_by_role("button", name="Randomize").click()
    for phone in (page, wide):
        phone.get_by_role("button", name="Begin game").click()
        phone.wait_for_url(re.compile("/record$"))


def test_what_the_service_refuses_is_said(page: Page, service: Service, watches: list[Watch]) -> None:
    watches[0].expect("403")
    start(page, service)
    for _ in range(3):
        page.get_by_role("button", name="Randomize").tap()
    body = '{"type": "about:blank", "title": "No", "status": 403, "detail": "Not you."}'
    page.route(APPENDS, lambda route: route.fulfill(status=403, content_type="application/problem+json", body=body))
    page.get_by_role("button", name="Begin game").tap()
    expect(page.get_by_role("alert")).to_have_text("Not you.")
    page.unroute(APPENDS)
    page.get_by_role("button", name="Begin game").tap()
    page.wait_for_url(re.compile("/record$"))


def test_by_keyboard_alone(wide: Page, service: Service) -> None:
    start(wide, service)
    keys = wide.keyboard
    tile(wide, "Cave of Embers").focus()
    keys.press("Enter")
    expect(tile(wide, "Cave of Embers")).to_be_focused()
    keys.press("ArrowRight")
    expect(tile(wide, "Cave of Shadows")).to_be_focused()
    keys.press("ArrowDown")
    keys.press("Enter")
    expect(wide.locator("#count")).to_have_text("2 of 24")
    # The board has one tab stop, and so has the palette.
    assert wide.locator("#board button[tabindex='0']").count() == 1
    assert wide.locator(".palette button[tabindex='0']").count() == 1
    wide.locator("#board button[tabindex='0']").focus()
    keys.press("ArrowUp")
    keys.press("Enter")
    expect(wide.locator("#title")).to_have_text("Change space 1")


@pytest.mark.parametrize(
    "ruleset",
    PICTURED,
)
def test_the_set_up_is_for_everyone(everywhere: Page, service: Service, ruleset: str) -> None:
    start(everywhere, service, ruleset)
    axe(everywhere)
    while everywhere.locator("#begin").is_hidden():
        everywhere.locator("#fill").click()
        axe(everywhere)
