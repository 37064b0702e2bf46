"""A game that is already under way: its table is entered on the phone, with few taps besides what players see."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.tables import opened
from tests.browser.tapping import pictured_place
from tests.browser.test_setup_pictures import ISLAND, LEAST_TARGET, LEAST_TEXT, MEASURED, SIZES
from tests.cli.service import Service

pytestmark = pytest.mark.long

MOST_TAPS = 10
"""Besides those for a tile, a role, a pawn, a card, a treasure or the water level."""
FLOODED, SUNK, DISCARDED = ["iron_gate", "lost_lagoon"], ["observatory"], ["iron_gate"]


class Taps:
    """Counts the taps on a page, apart from those that enter what the players see."""

    def __init__(self, page: Page) -> None:
        self.page, self.others = page, 0

    def see(self, *values: str) -> None:
        for value in values:
            pictured_place(self.page, value).tap()

    def tap(self, name: str) -> None:
        self.others += 1
        self.page.get_by_role("button", name=name).tap()


def enter(taps: Taps) -> None:
    """Enter a game of Ann and Bob, until everything is entered."""
    page = taps.page
    taps.see(*ISLAND[:23], "pilot", "diver", "gold_gate", "iron_gate")
    expect(page.locator("#title")).to_have_text("Flooded and sunk tiles")
    taps.see(*FLOODED, *SUNK, *SUNK)
    taps.tap("Next")
    taps.see(*DISCARDED)
    taps.tap("Next")
    taps.see("earth_stone", "earth_stone", "unknown")
    taps.tap("Bob: Diver")
    taps.see("sandbags")
    taps.tap("Next")
    taps.see("4", "crystal_of_fire")
    taps.others += 1
    taps.see("p2")
    expect(page.locator("#ask")).to_have_text("Ready. The record begins here.")


def test_a_game_that_is_under_way_takes_ten_more_taps(page: Page, service: Service) -> None:
    page.goto("/start/forbidden-island")
    names = page.locator("#seats input")
    names.nth(0).fill("Ann")
    names.nth(1).fill("Bob")
    taps = Taps(page)
    taps.tap("Start mid-game")
    page.wait_for_url(re.compile("mid-game"))
    game = page.url.split("/")[-2]
    enter(taps)
    taps.tap("Begin game")
    page.wait_for_url(re.compile("/record$"))
    assert taps.others <= MOST_TAPS
    state: dict[str, Any] = service.ask("GET", f"/v1/games/{game}/state")[1]["state"]
    assert state["layout"] == ISLAND
    assert (state["pawns"], state["roles"]) == (["gold_gate", "iron_gate"], ["pilot", "diver"])
    assert (state["flooded"], state["sunk"], state["flood_discard"]) == (FLOODED, SUNK, DISCARDED)
    assert state["hands"][0][:2] == ["earth_stone", "earth_stone"]
    assert len(state["hands"][0]) == 3
    assert (state["hands"][1], state["captured"]) == (["sandbags"], ["crystal_of_fire"])
    assert (state["water_level"], state["active"], state["actions_left"]) == (4, 1, 3)
    story = service.ask("GET", f"/v1/games/{game}/story")[1]["story"]
    assert story[1]["sentence"].startswith("The record begins in the middle of a game, in turn 1 (Bob).")


@pytest.mark.parametrize("ruleset", ["forbidden-island", "forbidden-island-archaens"])
def test_taps_are_kept_and_undone(page: Page, service: Service, ruleset: str) -> None:
    game = opened(service, ruleset)
    page.goto(f"/games/{game}/setup?mid-game")
    taps = Taps(page)
    taps.see(*ISLAND[:23], "pilot", "diver", "gold_gate", "iron_gate", *FLOODED)
    page.reload()
    expect(page.locator("#panel")).to_contain_text("Flooded: 2")
    taps.tap("Undo")
    expect(page.locator("#panel")).to_contain_text("Flooded: 1")
    taps.see(FLOODED[0])
    expect(page.locator("#panel")).to_contain_text("Sunk: 1")
    taps.see(FLOODED[0])
    expect(page.locator("#panel")).to_contain_text("Sunk: 0")
    for _ in range(3):
        taps.tap("Next")
    taps.see("2", "p1")
    taps.tap("Begin game")
    page.wait_for_url(re.compile("/record$"))


@pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
@pytest.mark.parametrize("language", ["en-GB", "de"])
def test_everything_is_large_enough_and_on_the_screen(
    new_context: Any, service: Service, size: tuple[int, int], language: str
) -> None:
    page = new_context(viewport={"width": size[0], "height": size[1]}, locale=language).new_page()
    page.goto(f"/games/{opened(service, seats=4)}/setup?mid-game")
    taps = Taps(page)

    def fits() -> None:
        found = page.evaluate(MEASURED)
        assert found["text"] >= LEAST_TEXT, found
        assert found["target"] >= LEAST_TARGET - 0.1, found
        assert (found["outside"], found["scrolls"]) == (0, False), found

    taps.see(*ISLAND[:23])
    fits()
    taps.see("pilot", "diver", "engineer", "explorer")
    fits()
    taps.see("gold_gate", "iron_gate", "iron_gate", "lost_lagoon")
    for _ in range(3):
        fits()
        page.locator("#forward").tap()
    fits()
    axe(page)
