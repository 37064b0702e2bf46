"""The pages in German: no English, no clipped text. The choice of a language applies to all pages."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.conftest import Open
from tests.browser.tables import PICTURED, goes_on, opened, set_up
from tests.cli.service import Service

pytestmark = pytest.mark.long

ENGLISH = re.compile(r"\b(?:the|and|of|is|are|with|this|that|what|your|by|from|not)\b", re.IGNORECASE)
"""Words that almost every English sentence has, and no German one."""
SAID = """() => {
  const named = ["aria-label", "placeholder", "title", "alt"];
  const labels = [...document.querySelectorAll(named.map((name) => `[${name}]`).join())].flatMap((element) =>
    named.map((name) => element.getAttribute(name) ?? ""));
  return [document.title, document.body.innerText, ...labels].join("\\n").split("\\n");
}"""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
LINKS = {"en": "English", "de": "Deutsch"}


@pytest.fixture
def german(new_context: Open) -> Page:
    """A page on a small phone of a German reader."""
    return new_context(locale="de-DE", viewport={"width": 360, "height": 740}).new_page()


@pytest.fixture(scope="module")
def island(service: Service) -> str:
    """A whole game without notes."""
    game = opened(service, chance="seeded", seed="calm")
    goes_on(service, game, 400)
    assert service.ask("GET", f"/v1/games/{game}")[1]["outcome"] is not None
    return game


def is_german(page: Page) -> None:
    """Check that nothing on the page is English, and that the page is no wider than the phone."""
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert [said for said in page.evaluate(SAID) if ENGLISH.search(said)] == []
    assert page.evaluate(OVERFLOW) == 0


@pytest.mark.parametrize(
    ("path", "shows"),
    [
        ("/", ".games li"),
        ("/start", ".game-card"),
        ("/start/forbidden-island", "#seats input"),
        ("/players", "h1"),
        ("/plays", "#take-in"),
        ("/rulesets", ".game-card"),
        ("/rulesets/forbidden-island", ".deeds-list"),
        ("/enter", "#enter"),
        ("/problems/version-conflict", "h1"),
    ],
)
def test_pages_about_no_game_are_german(german: Page, island: str, path: str, shows: str) -> None:
    german.goto(path)
    expect(german.locator(shows).first).to_be_visible()
    is_german(german)


@pytest.mark.parametrize(
    ("page_of", "shows"),
    [
        ("", "#board svg"),
        ("/watch", "#board svg"),
        ("/print", ".paper img"),
        ("/end", ".facts"),
        ("/audit", "#report section"),
        ("/play", ".choices-made"),
        ("/deal", ".places"),
    ],
)
def test_pages_about_a_game_are_german(german: Page, island: str, page_of: str, shows: str) -> None:
    german.goto(f"/games/{island}{page_of}")
    expect(german.locator(shows).first).to_be_visible()
    german.evaluate("document.querySelectorAll('details').forEach((folded) => { folded.open = true; })")
    is_german(german)


def test_a_table_is_started_and_recorded_in_german(german: Page) -> None:
    german.goto("/start/forbidden-island")
    for number, name in enumerate(("Mia", "Oma"), 1):
        german.get_by_label(f"Spieler {number}", exact=True).fill(name)
    german.get_by_text("Driftlog teilt aus").click()
    german.get_by_role("button", name="Start", exact=True).click()
    expect(german).to_have_url(re.compile("/record$"))
    expect(german.locator("#link")).to_have_text("Live")
    # The feed shows a tap before the answer arrives.
    recorded = german.locator("#feed .event:not(.is-waiting)")
    for turn in range(2):
        expect(recorded).to_have_count(2 + turn)
        expect(german.locator("#link")).to_have_text("Live")
        german.locator("#todo").get_by_role("button", name="Karte vom Schatzstapel ziehen").click()
    expect(recorded).to_have_count(4)
    expect(german.locator("#link")).to_have_text("Live")
    expect(german.locator("#feed")).to_contain_text("zieht")
    is_german(german)
    axe(german)
    for name in ("Mehr", "Tasten"):
        german.get_by_role("button", name=name, exact=True).first.click() if name == "Mehr" else german.keyboard.press(
            "?"
        )
        expect(german.locator("dialog[open]")).to_be_visible()
        is_german(german)
        german.keyboard.press("Escape")


def test_a_set_up_is_laid_in_german(german: Page, service: Service) -> None:
    german.goto(f"/games/{opened(service, 'forgotten-waters', 3)}/setup?list")
    places = german.locator("#choices button")
    for _ in range(2):
        # An immediate second click would count as a double click.
        places.first.press("Enter")
    expect(german.locator("#count")).to_have_text(re.compile("^2 von "))
    is_german(german)


@pytest.mark.parametrize(
    "ruleset",
    PICTURED,
)
def test_a_set_up_in_pictures_is_german(german: Page, service: Service, ruleset: str) -> None:
    german.goto(f"/games/{opened(service, ruleset, 3)}/setup")
    is_german(german)
    while german.locator("#begin").is_hidden():
        german.locator("#fill").click()
        is_german(german)


def test_what_is_asked_is_a_sentence(german: Page, service: Service) -> None:
    game = set_up(service, "forgotten-waters", 3)
    german.goto(f"/games/{game}/record")
    expect(german.locator("#ask")).to_have_text("Eine Fähigkeit wählen.")


def test_a_number_after_a_colon_is_said_by_itself(german: Page, service: Service) -> None:
    game = set_up(service, "forever-island", 2)
    german.goto(f"/games/{game}/record")
    expect(german.locator("#link")).to_have_text("Live")
    module = german.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    (main,) = [name for name in module if name.endswith("/record/main.js")]
    actions = main.replace("/main.js", "/actions.js")
    lead = "async ([module, ...labels]) => (await import(module)).commonLead(labels)"
    offers = ["Biete Mia an: 1 Stamm gegen nichts", "Biete Mia an: nichts gegen 1 Frosch"]
    assert german.evaluate(lead, [actions, *offers]) == "Biete Mia an:"
    trips = ["Fahre nach Insel 1, Ufer A und zurück", "Fahre nach Insel 1, Ufer B und zurück"]
    assert german.evaluate(lead, [actions, *trips]) == "Fahre nach Insel 1,"


def test_who_chooses_a_language_stays_with_it(german: Page) -> None:
    german.goto("/players?q=A")
    german.get_by_role("link", name=LINKS["en"]).click()
    expect(german.locator("html")).to_have_attribute("lang", "en")
    expect(german).to_have_url(re.compile(r"/players\?q=A$"))
    expect(german.get_by_role("heading", level=1)).to_have_text("Players")
    german.get_by_role("link", name="Library").first.click()
    expect(german.get_by_role("heading", level=1)).to_have_text("Library")
    german.get_by_role("link", name=LINKS["de"]).click()
    expect(german.get_by_role("heading", level=1)).to_have_text("Partien")
