"""The audit page: slips, the rules beside the table, and consequences. Also the proof page."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.core.events import Draft
from tests.browser.axe import axe
from tests.browser.examples import record
from tests.browser.watching import Watch
from tests.cli.service import Service
from tests.engine.play.explaining import BO_MOVES, flood, report
from tests.engine.play.explanations.test_missed import begin_game
from tests.engine.recording import DEAL
from tests.exports.logs import export

pytestmark = pytest.mark.long

IDS = re.compile(r"\bp[1-8]\b|[a-z]+_[a-z]+|\"|/[a-z_]+/|\bpatch\b|\bEvent \d", re.IGNORECASE)
"""Patterns that no reader should see: ids, pointers, JSON, numbers of events."""


def messy(service: Service) -> str:
    """A game in which Ada takes one card too many and her Flood cards are skipped. An adjustment corrects the water."""
    opening = {"ruleset": "forbidden-island", "seats": [{"name": "Ada"}, {"name": "Bo"}], "chance": "observed"}
    game: str = service.ask("POST", "/v1/games", opening)[1]["id"]

    def post(type_: str, actor: str | None = None, outcomes: Any = (), **params: Any) -> None:
        body = {"type": type_, "actor": actor, "outcomes": list(outcomes), "params": params}
        status, answer = service.ask("POST", f"/v1/games/{game}/events?if_illegal=accept", body)
        assert status == 201, answer

    post("set_up", None, DEAL)
    for card in ("earth_stone", "earth_stone", "crystal_of_fire"):
        post("draw_treasure_card", "p1", [card])
    post("move", "p2", to="cliffs_of_abandon")
    post("adjust", facts=[{"fact": "water_level", "level": 4}], reason="We moved the marker twice.")
    return game


def test_clean(page: Page, service: Service) -> None:
    game = record(service, "forbidden-island")
    page.goto(f"/games/{game}/audit")
    expect(page.locator("#verdict-title")).to_have_text("Won by the rules.")
    expect(page.locator("#levels")).to_have_text("All 21 turns by the rules")
    expect(page.locator("#report")).to_contain_text("Nobody changed the table by hand.")
    page.get_by_role("link", name="Show proof").click()
    expect(page.locator("#verdict-title")).to_have_text("Signed just now.")
    page.get_by_role("button", name="Check again").click()
    expect(page.locator("#verdict-title")).to_contain_text("Unchanged since")
    axe(page)


def test_each_slip_says_who_and_when_and_what_followed(page: Page, service: Service) -> None:
    game = messy(service)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/games/{game}/audit")
    expect(page.locator("#verdict-title")).to_have_text("Game not finished. Two slips, one change by hand.")
    cards = page.locator("article")
    expect(cards).to_have_count(3)
    third, skipped, by_hand = cards.nth(0), cards.nth(1), cards.nth(2)
    expect(page.locator(".period > h2")).to_have_text(["Turn 1", "Turn 2"])
    for text in (
        "Ada",
        "one Treasure deck card too many (Crystal of Fire)",
        "Ada drew 3 Treasure deck cards. The last one: “Ada draws Crystal of Fire.”",
        "Ada had to draw 2 Treasure deck cards, in turn 1.",
    ):
        expect(third).to_contain_text(text)
    for text in (
        "neither of the 2 Flood cards",
        "Next came, in turn 2: “Bo moves to Cliffs",
        "Ada had to draw 2 Flood cards. Only then could the game go on.",
    ):
        expect(skipped).to_contain_text(text)
    for text in ("Changed by hand", "We moved the marker twice.", "The water is at 1.", "The water is at 4."):
        expect(by_hand).to_contain_text(text)
    expect(page.locator("#levels")).to_have_text("")
    expect(page.locator("#ribbon .scale")).to_have_text("Turn 1Turn 2")
    assert IDS.findall(page.locator("#report").inner_text()) == []
    axe(page)
    third.get_by_role("link", name="Watch turn 1").click()
    expect(page).to_have_url(re.compile(f"/games/{game}#5$"))


def test_an_unnoticed_end_a_house_rule_and_a_note(page: Page, service: Service) -> None:
    recording = begin_game(phase="draw_flood", flooded=["fools_landing"], flood_draws_left=2)
    rule = {"text": "Anyone may jump.", "allows": [{"type": "move"}]}
    report(recording, Draft(type="house_rule", params=rule), Draft(type="move", actor="p1", params={"to": "gold_gate"}))
    report(recording, Draft(type="annotate", params={"text": "A long jump."}), *flood("fools_landing"))
    for draft in (*flood("bronze_gate"), BO_MOVES):
        report(recording, draft, if_illegal="accept")
    log = json.loads(export("json", recording.events))
    game = service.ask("POST", "/v1/imports", log)[1]["id"]
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"/games/{game}/audit")
    expect(page.locator("#verdict-title")).to_have_text("Ended in turn 1, but play continued. One slip.")
    expect(page.locator("#levels")).not_to_contain_text("without a slip")
    expect(page.locator("#turn-list")).to_contain_text("after the end")
    expect(page.locator("article")).to_contain_text(
        "The last move was made in turn 2: “Bo moves to Cliffs of Abandon.”"
    )
    for text in ("“Anyone may jump.” (turn 1)", "Turn 1: “Ada moves to Gold Gate.”", "Turn 1: “A long jump.”"):
        expect(page.locator("#report")).to_contain_text(text)
    axe(page)


def test_five_findings_at_first_and_a_broken_log(page: Page, service: Service) -> None:
    game = messy(service)
    finding = {
        "kind": "chain",
        "rule": "The hash chain",
        "message": "the hash does not match the contents of the event",
    }
    report = {
        "id": "a",
        "game": game,
        "status": "done",
        "progress": 1,
        "error": None,
        "verdict": "broken",
        "head": "0" * 64,
        "events": 7,
        "message": "The record does not hold.",
        "notes": [],
        "corrections": [],
        "adjustments": [],
        "luck": None,
        "findings": [finding | {"seq": seq, "turn": 1} for seq in range(2, 9)],
    }
    page.route("**/audits", lambda route: route.fulfill(body=json.dumps(report), content_type="application/json"))
    page.goto(f"/games/{game}/audit")
    expect(page.locator("#verdict-title")).to_have_text("Cannot be checked after turn 1.")
    expect(page.locator("article")).to_have_count(5)
    page.get_by_role("button", name="Show 2 more").click()
    expect(page.locator("article")).to_have_count(7)


def test_an_audit_that_cannot_be_made(page: Page, service: Service, watches: list[Watch]) -> None:
    watches[0].expect("503")
    game = service.open_game()
    problem = {"type": "/problems/store-unavailable", "title": "Later", "status": 503, "detail": "Try again later."}
    page.route(
        "**/audits",
        lambda route: route.fulfill(status=503, body=json.dumps(problem), content_type="application/problem+json"),
    )
    page.goto(f"/games/{game}/audit")
    expect(page.locator("#verdict")).to_contain_text("Try again later.")
    page.unroute("**/audits")
    page.get_by_role("button", name="Audit again").click()
    expect(page.locator("#verdict-title")).to_have_text("Game not finished, by the rules.")


def test_it_prints_on_one_page(page: Page, service: Service) -> None:
    game = messy(service)
    page.goto(f"/games/{game}/audit")
    expect(page.locator("article")).to_have_count(3)
    page.emulate_media(media="print")
    for hidden in (".reading-bar", ".reading-top", "article .button"):
        expect(page.locator(hidden).first).to_be_hidden()
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 1


def test_accessible(everywhere: Page, service: Service) -> None:
    game = messy(service)
    everywhere.goto(f"/games/{game}/audit")
    expect(everywhere.locator("article")).to_have_count(3)
    for summary in everywhere.locator("#report summary").all():
        summary.click()
    axe(everywhere)
    overflow = everywhere.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0
