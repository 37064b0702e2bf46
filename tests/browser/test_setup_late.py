"""A game that is already under way: its table is entered on the phone, with few taps besides what players see."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from engine.core.events import Event
from engine.kit.setup_page import SetupPart
from engine.play.registry import ruleset
from engine.review.audit import audit
from tests.browser.axe import axe
from tests.browser.tables import NAMES, goes_on, opened
from tests.browser.tapping import pictured_place
from tests.browser.test_setup_pictures import ISLAND, LEAST_TARGET, LEAST_TEXT, MEASURED, SIZES
from tests.cli.service import Service
from tests.late import Given, answers, begun, facts_of

pytestmark = pytest.mark.long

MOST_TAPS = 10
"""Besides those for a tile, a role, a pawn, a card, a treasure or the water level."""
FLOODED, SUNK, DISCARDED = ["iron_gate", "lost_lagoon"], ["observatory"], ["iron_gate"]
THROWN = ["waters_rise", "helicopter_lift"]
"""Discarded cards of the Treasure deck."""


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
    taps.see(*THROWN)
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
    assert sorted(state["treasure_discard"]) == sorted(THROWN)
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
    for _ in range(4):
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
    for _ in range(4):
        fits()
        page.locator("#forward").tap()
    fits()
    axe(page)


class Entering(Taps):
    """Enters any table on a late page, and counts the taps of each kind."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.seen = 0

    def answer(self, number: int, part: SetupPart, values: Given) -> None:
        """Tap the values of a part of the page; `number` is its position among all parts."""
        things = [choice.value for family in part.families for choice in family.choices]
        states = [choice.value for choice in part.choices]
        for place, value in enumerate(values):
            if value is None:
                continue
            host, shown = f"{part.kind}.{number}", value
            if part.kind in {"deal", "stand"}:
                self._choose(place // part.each)
            if part.kind == "lay" and not self.page.locator(".palette").count():
                # The page places the last tiles itself.
                return
            if part.kind in {"state", "list"}:
                shown = things[place]
            at = self.page.locator(f"#panel [data-key='{host.replace('stand', 'deal')}.{shown}']")
            on_board = self.page.locator(f"#board [data-value='{shown}']")
            of_palette = self.page.locator(f"#panel .pick[data-value='{shown}']")
            for _ in range(states.index(value) + 1 if part.kind in {"state", "list"} else 1):
                at.or_(of_palette if part.kind == "lay" else on_board).last.tap()
                self.seen += 1

    def _choose(self, owner: int) -> None:
        row = self.page.locator(f"#panel [data-key='seat.{owner}']")
        if row.get_attribute("aria-current") != "step":
            row.tap()
            self.others += 1

    def leave(self, title: str) -> None:
        """Go to the next screen, unless the page has done so."""
        if self.page.locator("#forward").is_visible() and self.page.locator("#title").inner_text() == title:
            self.tap("Next")


@pytest.mark.parametrize("ruleset_id", ["forbidden-island-archaens", "forbidden-desert", "forever-island"])
def test_any_table_is_entered_and_its_record_is_by_the_rules(page: Page, service: Service, ruleset_id: str) -> None:
    rules, table = ruleset(ruleset_id), begun(ruleset_id, 2, 7)
    game = opened(service, ruleset_id, mode="as_played")
    page.goto(f"/games/{game}/setup?mid-game")
    shown = rules.late_page(rules.parse_options({}, 2), NAMES[:2])
    assert shown is not None
    facts = facts_of(ruleset_id, table)
    given = iter(answers(shown, facts))
    taps, number = Entering(page), 0
    for step in shown.steps:
        expect(page.locator("#title")).to_have_text(step.title)
        for part in step.parts:
            taps.answer(number, part, next(given))
            number += 1
        taps.leave(step.title)
    taps.tap("Begin game")
    page.wait_for_url(re.compile("/record$"))
    assert taps.others <= MOST_TAPS, (taps.others, taps.seen)
    goes_on(service, game, 3)
    events = msgspec.convert(service.ask("GET", f"/v1/games/{game}/events")[1]["events"], list[Event])
    report = audit(events)
    assert report.level is not None
    assert (report.level.begun_mid_game, report.level.by_the_rules) == (True, True)
    assert (report.level.slips, report.level.adjusted, report.findings) == (0, 0, ())
    assert len(events) == 5
