"""Texts on every page about a recorded game of each ruleset: no ids, and no two punctuation marks in a row."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from engine.play import registry
from tests.browser.examples import append
from tests.browser.tables import goes_on, set_up
from tests.cli.service import Service

pytestmark = pytest.mark.long

RULESETS = [rules.id for rules in registry.rulesets() if "seeded" in rules.sources]
WRONG = re.compile(
    r"\b[a-z0-9]+_[a-z0-9_]+\b|(?<![.…])\.\.(?!\.)|,,|;;|: ?:|\?\?|[!?]\.(?:\s|$)| [,;.](?:\s|$)|\bundefined\b"
)
"""An id in snake case, two marks in a row, a mark after a space, or a word that a script has not found."""
GOING_ON = {
    "/games/{game}/record": '#todo[aria-busy="false"]',
    "/games/{game}/watch": "#board svg",
}
"""Pages of a game in progress, with an element that each has when it is complete."""
ENDED = {
    "/games/{game}": "#replay[data-ready] .board svg",
    "/games/{game}/record": '#todo[aria-busy="false"]',
    "/games/{game}/audit": "#report section",
    "/games/{game}/print": ".paper img",
    "/games/{game}/end": "#end[data-ready]",
    "/games/{game}/deal": ".places",
    "/games/{game}/play": ".choices-made",
    "/": ".games li",
    "/rulesets/{ruleset}": "main",
}
"""Pages of a finished game, and pages that list it."""
SHEETS = ("It happened anyway", "Adjust the table")
"""Forms that 'More' opens."""
TEXT = """() => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  const named = [...document.querySelectorAll("body [aria-label], body [title], body [placeholder]")]
    .flatMap((one) => ["aria-label", "title", "placeholder"].map((name) => one.getAttribute(name)));
  const drawn = [...document.querySelectorAll("svg :is(text, title, desc)")].map((one) => one.textContent);
  return [...document.body.innerText.split("\\n"), ...named, ...drawn].filter(Boolean);
}"""
"""Return all texts that are read or heard, including folded ones, names of elements and words in pictures."""


def wrong(page: Page) -> list[str]:
    """Return the texts of a page that have an id or doubled punctuation."""
    return sorted({text for text in page.evaluate(TEXT) if WRONG.search(text)})


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_page_about_a_game_shows_an_id(wide: Page, service: Service, ruleset: str) -> None:
    game = set_up(service, ruleset, registry.ruleset(ruleset).players[0], mode="as_played")
    goes_on(service, game, 40)
    version = service.ask("GET", f"/v1/games/{game}")[1]["version"]
    append(service, game, [{"type": "undo", "params": {"to": version - 2}}])
    found: dict[str, list[str]] = {}

    def walk(pages: dict[str, str]) -> None:
        for path, drawn in pages.items():
            wide.goto(path.format(game=game, ruleset=ruleset))
            wide.locator(drawn).first.wait_for()
            found[path] = wrong(wide)

    walk(GOING_ON)
    for sheet in SHEETS:
        wide.goto(f"/games/{game}/record")
        wide.locator(GOING_ON["/games/{game}/record"]).wait_for()
        wide.get_by_role("button", name="More", exact=True).click()
        found["more"] = wrong(wide)
        wide.get_by_role("dialog").get_by_role("button", name=sheet).click()
        wide.get_by_role("heading", name=sheet).wait_for()
        found[sheet] = wrong(wide)
        kinds = wide.get_by_label("What", exact=True).locator("option").count() if sheet == SHEETS[0] else 0
        for kind in range(kinds):
            wide.get_by_label("What", exact=True).select_option(index=kind)
            found[sheet] += wrong(wide)
    append(service, game, [{"type": "abandon", "params": {"reason": "It got late"}}])
    walk(ENDED)
    assert not {path: texts for path, texts in found.items() if texts}
