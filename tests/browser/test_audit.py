"""The audit page: what was found, in words, with the rule beside it."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.examples import record
from tests.browser.watching import Watch
from tests.cli.service import Service

pytestmark = pytest.mark.long


def test_clean(page: Page, service: Service) -> None:
    game = record(service, "forbidden-island")
    page.goto(f"/games/{game}/audit")
    expect(page.locator("#verdict-title")).to_have_text("By the rules")
    head = service.ask("GET", f"/v1/games/{game}")[1]["head"]
    expect(page.locator("#report")).to_contain_text(head)
    page.get_by_role("button", name="Audit again").click()
    expect(page.locator("#verdict-title")).to_have_text("By the rules")


def test_findings__each_with_its_rule_and_its_event(page: Page, service: Service) -> None:
    game = service.open_game()
    report = {
        "id": "a",
        "game": game,
        "status": "done",
        "progress": 1,
        "error": None,
        "verdict": "findings",
        "head": "0" * 64,
        "events": 2,
        "message": "Two of two events did not go by the rules.",
        "notes": ["The record begins in the middle of a game."],
        "events_by_verdict": {"legal": 1, "illegal": 1, "unknowable": 0},
        "rules_applied": [{"rule": "Shore Up", "legal": 1, "illegal": 1, "unknowable": 0}],
        "corrections": [{"seq": 2, "turn": 1, "message": "Event 2 takes back event 1."}],
        "adjustments": [{"seq": 2, "turn": 1, "message": "A token was forgotten.", "stands": False}],
        "determinism": {"recorded": 1, "differences": [{"seq": 2, "turn": 1}], "message": "Another table."},
        "luck": None,
        "rules": {"message": "Judged as by version 1.", "differences": []},
        "findings": [
            {"seq": 2, "turn": 1, "kind": "illegal_action", "rule": "Shore Up", "message": "that tile is not flooded"},
            {"seq": 1, "turn": 0, "kind": "other_kind", "rule": "Keeping the record", "message": "Odd."},
        ],
    }
    page.route("**/audits", lambda route: route.fulfill(body=json.dumps(report), content_type="application/json"))
    page.goto(f"/games/{game}/audit")
    expect(page.locator("#verdict-title")).to_have_text("Findings")
    first = page.locator(".findings li").first
    expect(first).to_contain_text("That tile is not flooded.")
    expect(first.locator("q")).to_have_text("Shore Up")
    for said in ("in the middle of a game", "takes back", "superseded", "Another table", "by version 1"):
        expect(page.locator("#report")).to_contain_text(said)
    axe(page)
    first.get_by_role("link", name="Event 2, turn 1").click()
    expect(page).to_have_url(re.compile(f"/games/{game}#2$"))


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
    expect(page.locator("#verdict-title")).to_have_text("By the rules")


def test_accessible(everywhere: Page, service: Service) -> None:
    game = record(service, "forbidden-island")
    everywhere.goto(f"/games/{game}/audit")
    expect(everywhere.locator("#verdict-title")).to_have_text("By the rules")
    for summary in everywhere.locator("#report summary").all():
        summary.click()
    axe(everywhere)
    overflow = everywhere.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0
