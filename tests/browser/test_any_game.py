"""The record page with games from boxes: ten events by taps, with buttons, dice and face-down cards."""

from __future__ import annotations

import statistics
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from benchmarks.sizes import LEAST_TARGET, LEAST_TEXT, STATE
from tests.browser.axe import axe
from tests.browser.test_record_queue import hold_answers
from tests.cli.service import Service

PLAYERS = ("Ann", "Bob", "Cleo", "Dov")
FROM = ".mat-row:has(> [data-place={}]) .thing"
BUTTON = '#todo button:text-is("{}")'
MAT_TEXT = """() => Math.min(...[...document.querySelectorAll(".dl-panel text")].map(
  (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""
"""Pixels of the smallest text on the players' mats."""


def open_box_game(service: Service, page: Page, box: str) -> str:
    """Open a game and its record page, which records the setup without questions."""
    seats = [{"name": name} for name in PLAYERS]
    body = {"ruleset": "any-game", "seats": seats, "chance": "observed", "options": {"box": box}}
    status, game = service.ask("POST", "/v1/games", body)
    assert status == 201, game
    page.goto(f"/games/{game['id']}/record")
    expect(page).to_have_url(f"{page.url.split('/games/')[0]}/games/{game['id']}/record")
    expect(page.locator("#todo")).to_have_attribute("aria-busy", "false")
    return str(game["id"])


def log(service: Service, game: str) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = service.ask("GET", f"/v1/games/{game}/events")[1]["events"]
    return events


def tap_action(page: Page, service: Service, game: str, label: str) -> None:
    """Tap the button of an action. Wait until the event is recorded."""
    before = len(log(service, game))
    page.locator("#todo").get_by_role("button", name=label, exact=True).first.click()
    expect(page.locator("#todo")).to_have_attribute("aria-busy", "false")
    for _ in range(50):
        if len(log(service, game)) > before:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{label} was not recorded")


def test_just_scores(page: Page, service: Service) -> None:
    game = open_box_game(service, page, "just-scores")
    for label in ("+5", "+1", "+10", "+1", "−1", "+5", "+5", "+10", "+1", "Next round"):
        tap_action(page, service, game, label)
    state = service.ask("GET", f"/v1/games/{game}/state")[1]
    assert len(log(service, game)) == 12
    assert state["state"]["meters"] == [[37, 0, 0, 0]]


@pytest.mark.long
def test_five_dice(page: Page, service: Service) -> None:
    game = open_box_game(service, page, "five-dice")
    for turn in range(5):
        page.locator("#todo").get_by_role("button", name="Roll 5d6", exact=True).first.click()
        for face, asked in zip("62361", ("Which die", "Second", "Third", "Fourth", "Fifth"), strict=True):
            expect(page.get_by_text(asked).first).to_be_visible()
            page.locator(f'#todo [data-value="{face}"]').first.click()
        expect(page.get_by_text("rolls 6, 2, 3, 6, 1.").nth(turn)).to_be_attached()
        tap_action(page, service, game, f"Next turn: {PLAYERS[(turn + 1) % 4]}")
    assert [event["type"] for event in log(service, game)[2:]] == ["roll", "next_turn"] * 5


@pytest.mark.long
def test_equal_dice_can_be_kept(page: Page, service: Service) -> None:
    game = open_box_game(service, page, "five-dice")
    page.locator(BUTTON.format("Roll 5d6")).tap()
    for face in "33351":
        page.locator(f'#todo [data-value="{face}"]').first.tap()
    expect(page.get_by_text("rolls 3, 3, 3, 5, 1.").first).to_be_attached()
    page.locator(BUTTON.format("Roll dice …")).tap()
    sheet = page.get_by_role("dialog")
    for die in (0, 2):
        sheet.get_by_text("3", exact=True).nth(die).tap()
    sheet.get_by_role("button", name="Roll dice").tap()
    for face in "246":
        page.locator(f'#todo [data-value="{face}"]').first.tap()
    expect(page.get_by_text("keeping 3, 3").first).to_be_attached()
    assert log(service, game)[-1]["params"]["keep"] == [3, 3]


@pytest.mark.long
@pytest.mark.parametrize("box", ["five-dice", "workers"])
def test_the_end_can_be_read(box: str, page: Page, service: Service) -> None:
    game = open_box_game(service, page, box)
    assert service.ask("POST", f"/v1/games/{game}/events", {"type": "end_game", "actor": "p1"})[0] == 201
    for path in ("/record", ""):
        page.goto(f"/games/{game}{path}")
        panels = page.locator("#board .dl-panel, .table .dl-panel").first
        expect(panels).to_be_visible()
        assert round(page.evaluate(MAT_TEXT), 1) >= LEAST_TEXT


@pytest.mark.long
def test_quick_taps_on_dice_are_one_roll(page: Page, service: Service) -> None:
    """Dice that are tapped before any answer are results of the same roll. A sixth die does not begin a second roll."""
    game = open_box_game(service, page, "five-dice")
    page.locator(BUTTON.format("Roll 5d6")).tap()
    with hold_answers(page):
        for face in "623615":
            page.locator(f'#todo [data-value="{face}"]').first.tap()
    expect(page.get_by_text("rolls 6, 2, 3, 6, 1.").first).to_be_attached()
    expect(page.get_by_text("the last tap was not recorded")).to_be_visible()
    expect(page.locator("#todo")).to_have_attribute("aria-busy", "false")
    assert [event["outcomes"] for event in log(service, game)[2:]] == [[6, 2, 3, 6, 1]]


@pytest.mark.long
def test_tricks(page: Page, service: Service) -> None:
    game = open_box_game(service, page, "tricks")
    page.locator("#todo").get_by_role("button", name="Deal …", exact=True).click()
    page.get_by_label("Count").fill("13")
    page.get_by_role("dialog").get_by_role("button", name="Deal", exact=True).click()
    expect(page.get_by_text("Ann deals 13 to each player from Deck.").first).to_be_attached()
    for number, card in enumerate(("spades_a", "spades_3", "spades_k", "hearts_2")):
        name = PLAYERS[number]
        page.locator(FROM.format(f"p{number + 1}_hand")).tap()
        page.locator("[data-place=trick]").tap()
        page.locator(f"#todo [data-value='\"{card}\"']").first.click()
        expect(page.get_by_text(f"{name} moves").first).to_be_attached()
        tap_action(page, service, game, f"Next turn: {PLAYERS[(number + 1) % 4]}")
    tap_action(page, service, game, "Trick won")
    state = service.ask("GET", f"/v1/games/{game}/state")[1]["state"]
    assert len(log(service, game)) == 12
    assert dict(state["things"])["trick"] == [["hearts_2", 1], ["spades_3", 1], ["spades_a", 1], ["spades_k", 1]]


@pytest.mark.long
def test_every_player_has_the_forms(page: Page, service: Service) -> None:
    """The second player has the forms, too. An action that the places above can record has no button there."""
    game = open_box_game(service, page, "tricks")
    tap_action(page, service, game, "Next turn: Bob")
    expect(page.locator("#todo").get_by_role("button", name="Deal …")).to_be_visible()
    expect(page.locator("#todo").get_by_role("button", name="Score and meters …")).to_have_count(0)
    points = page.locator(".thing[data-meter=points][data-of=p1]")
    points.tap()
    page.get_by_role("button", name="More …").tap()
    page.get_by_role("dialog").get_by_label("Value", exact=True).fill("137")
    page.get_by_role("dialog").get_by_role("button", name="Score and meters").tap()
    expect(points).to_have_text("Points 137")
    assert log(service, game)[-1]["params"] == {"meter": "points", "value": 137, "by": None, "seat": "p1"}
    tap_action(page, service, game, "End the game")
    expect(page.locator("#board svg").first).to_be_visible()
    page.goto(f"/games/{game}/audit")
    expect(page.locator("#verdict-title")).to_have_text("Won by Ann. No rules were checked.")
    expect(page.locator("#report")).to_contain_text("All 6 events are possible with the components of this game.")


@pytest.mark.long
def test_a_box_is_chosen_by_its_name(page: Page, service: Service) -> None:
    page.goto("/start/any-game")
    expect(page.get_by_text("Driftlog deals")).to_be_hidden()
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Box", exact=True).select_option(label="Five dice")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/record")
    game = page.url.split("/")[-2]
    assert service.ask("GET", f"/v1/games/{game}")[1]["options"]["box"]["id"] == "five-dice"


ENTRIES: dict[str, list[list[str]]] = {
    "just-scores": [
        [BUTTON.format("+5")],
        [".thing[data-meter=points][data-of=p2]", '.carrying [data-value="+7"]'],
        [BUTTON.format("+1")],
        [BUTTON.format("Next round")],
    ],
    "five-dice": [
        [BUTTON.format("Roll 5d6"), *(f'#todo [data-value="{face}"]' for face in (1, 2, 3, 4, 5))],
        [".thing[data-meter=sixes][data-of=p1]", '.carrying [data-value="24"]'],
        [BUTTON.format("Next turn: Bob")],
    ],
    "tricks": [
        [FROM.format("deck"), "[data-place=p1_hand]"],
        [FROM.format("deck"), "[data-goal=p1_hand]"],
        [FROM.format("deck"), "[data-place=trick]", '#todo [data-value=\'"hearts_2"\']'],
        ["[data-thing=hearts_2]", "[data-place=p1_won]"],
        [".thing[data-meter=trumps]", '.carrying [data-value="hearts"]'],
        [BUTTON.format("Trick won")],
    ],
    "deck-builder": [
        [BUTTON.format("Draw five")],
        ["[data-thing=moat]", "[data-place=p1_discards]"],
        ["[data-thing=mine]", "[data-thing=mine]"],
        [".thing[data-meter=coins][data-of=p1]", '.carrying [data-value="+3"]'],
        [BUTTON.format("Take a Gold coin")],
    ],
    "workers": [
        ["[data-thing=p1_worker]", "[data-place=board_lake]"],
        [FROM.format("stock"), "[data-place=p1_farm]"],
        [FROM.format("stock"), "[data-goal=p1_farm]"],
        [BUTTON.format("To the forest")],
    ],
    "hexes": [
        ["[data-thing=p1_ranger]", "#board [data-kind=tile][data-place=map_d3]"],
        ["#board [data-kind=piece][data-place=map_d3]", "#board [data-kind=tile][data-place=map_e4]"],
        ["#board [data-kind=piece][data-place=map_e4]", "#board [data-kind=tile][data-place=map_e5]"],
        [BUTTON.format("Income")],
    ],
}  # fmt: skip
"""Elements to tap for some entries on each box."""


@pytest.mark.long
@pytest.mark.parametrize("box", ENTRIES)
def test_an_entry_takes_two_taps(box: str, page: Page, service: Service) -> None:
    game = open_box_game(service, page, box)
    for taps in ENTRIES[box]:
        before = len(log(service, game))
        for selector in taps:
            page.locator(selector).first.tap()
        expect(page.locator("#record")).to_have_attribute("data-version", str(before + 1))
    assert statistics.median(map(len, ENTRIES[box])) <= 2
    sizes = page.evaluate(STATE)
    assert min([sizes["text"], *sizes["board"]]) >= LEAST_TEXT
    assert sizes["target"] >= LEAST_TARGET
    axe(page)
