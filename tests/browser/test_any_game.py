"""The record page with games from boxes: ten events by taps, with buttons, dice and face-down cards."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.cli.service import Service

PLAYERS = ("Ann", "Bob", "Cleo", "Dov")


def opened(service: Service, page: Page, box: str) -> str:
    """Open a game and its record page; the setup, which asks nothing, is recorded by the page itself."""
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


def tapped(page: Page, service: Service, game: str, label: str) -> None:
    """Tap the button of an action, and wait until the event is recorded."""
    before = len(log(service, game))
    page.locator("#todo").get_by_role("button", name=label, exact=True).first.click()
    expect(page.locator("#todo")).to_have_attribute("aria-busy", "false")
    for _ in range(50):
        if len(log(service, game)) > before:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{label} was not recorded")


def test_just_scores(page: Page, service: Service) -> None:
    game = opened(service, page, "just-scores")
    for label in ("+5", "+1", "+10", "+1", "−1", "+5", "+5", "+10", "+1", "Next round"):
        tapped(page, service, game, label)
    state = service.ask("GET", f"/v1/games/{game}/state")[1]
    assert len(log(service, game)) == 12
    assert state["state"]["meters"] == [[37, 0, 0, 0]]


def test_five_dice(page: Page, service: Service) -> None:
    game = opened(service, page, "five-dice")
    for turn in range(5):
        page.locator("#todo").get_by_role("button", name="Roll 5d6", exact=True).first.click()
        for face, asked in zip("62361", ("Which die", "Second", "Third", "Fourth", "Fifth"), strict=True):
            expect(page.get_by_text(asked).first).to_be_visible()
            page.locator(f'#todo [data-value="{face}"]').first.click()
        expect(page.get_by_text("rolls 6, 2, 3, 6, 1.").nth(turn)).to_be_attached()
        tapped(page, service, game, f"{PLAYERS[(turn + 1) % 4]} goes on")
    assert [event["type"] for event in log(service, game)[2:]] == ["roll", "next_turn"] * 5


def test_tricks(page: Page, service: Service) -> None:
    game = opened(service, page, "tricks")
    page.locator("#todo").get_by_role("button", name="Deal …", exact=True).click()
    page.get_by_label("Count").fill("13")
    page.get_by_role("dialog").get_by_role("button", name="Deal", exact=True).click()
    expect(page.get_by_text("Ann deals 13 to each player from Deck.").first).to_be_attached()
    for number, card in enumerate(("spades_a", "spades_3", "spades_k", "hearts_2")):
        name = PLAYERS[number]
        label = f"Move a face-down one from Hand of {name} to Trick"
        page.locator("#todo").get_by_role("button", name=label).first.click()
        page.locator(f"#todo [data-value='\"{card}\"']").first.click()
        expect(page.get_by_text(f"{name} moves").first).to_be_attached()
        tapped(page, service, game, f"{PLAYERS[(number + 1) % 4]} goes on")
    tapped(page, service, game, "Trick won")
    state = service.ask("GET", f"/v1/games/{game}/state")[1]["state"]
    assert len(log(service, game)) == 12
    assert dict(state["things"])["trick"] == [["hearts_2", 1], ["spades_3", 1], ["spades_a", 1], ["spades_k", 1]]


def test_a_box_is_chosen_by_its_name(page: Page, service: Service) -> None:
    page.goto("/start/any-game")
    expect(page.get_by_text("Driftlog deals")).to_be_hidden()
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Box", exact=True).select_option(label="Five dice")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/record")
    game = page.url.split("/")[-2]
    assert service.ask("GET", f"/v1/games/{game}")[1]["options"]["box"]["id"] == "five-dice"
