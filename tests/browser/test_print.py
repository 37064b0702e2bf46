"""The transcript on paper: for each turn a page with a picture of the table. Also the PDF."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect
from pypdf import PageObject, PdfReader
from reportlab.lib.pagesizes import A4

from tests.browser.axe import axe
from tests.browser.examples import record
from tests.cli.service import SEEDED, Service
from tests.waiting import until

pytestmark = pytest.mark.long

PATIENCE = 120_000
"""Milliseconds: a game has a picture of its table for each of its turns."""


@pytest.fixture(scope="module")
def island(service: Service) -> str:
    """A whole game of Forbidden Island."""
    return record(service, "forbidden-island")


def test_page__every_turn_with_its_table(page: Page, service: Service, island: str) -> None:
    turns = service.ask("GET", f"/v1/games/{island}/turns")[1]["turns"]
    page.goto(f"/games/{island}/print")
    expect(page.locator(".paper img")).to_have_count(len(turns))
    expect(page.locator(".paper")).to_contain_text(service.ask("GET", f"/v1/games/{island}")[1]["head"])
    page.evaluate("() => { window.print = () => { document.title = 'printed' } }")
    page.get_by_role("button", name="Print").click()
    expect(page).to_have_title("printed")
    assert all(page.locator(".paper img").evaluate_all("images => images.map(one => one.naturalWidth)"))


def test_page__on_paper_only_the_paper(wide: Page, island: str) -> None:
    wide.goto(f"/games/{island}/print")
    wide.emulate_media(media="print")
    for hidden in (".top", ".foot", ".game-head", "#print"):
        expect(wide.locator(hidden)).to_be_hidden()
    expect(wide.locator(".paper h2")).to_be_visible()
    paper = PdfReader(BytesIO(wide.pdf(format="A4")))
    assert len(paper.pages) > 5
    for sheet in paper.pages[:-1]:
        assert lowest(sheet) < A4[1] / 2


def lowest(sheet: PageObject) -> float:
    """Return the distance, in points, of a page's last words from its lower edge."""
    heights: list[float] = []

    def visit(text: str, around: list[float], matrix: list[float], *_: Any) -> None:
        if text.strip():
            # Chromium writes the text of a page from top to bottom.
            heights.append(matrix[5] * around[3] + around[5])

    sheet.extract_text(visitor_text=visit)
    return min(heights)


def fetch_pdf(page: Page, service: Service, game: str) -> APIResponse:
    """Return the PDF, once it has been made."""
    ordered = page.request.get(f"/games/{game}/print.pdf")
    assert ordered.status == 202
    where = ordered.headers["location"]
    until(lambda: service.ask("GET", where)[1]["status"] == "done", seconds=PATIENCE / 1000)
    return page.request.get(f"/games/{game}/print.pdf")


@pytest.mark.parametrize("name", ["forbidden-island", "forbidden-desert", "forever-island"])
def test_pdf__tells_the_whole_game(page: Page, service: Service, name: str) -> None:
    game = record(service, name)
    document = service.ask("GET", f"/v1/games/{game}")[1]
    answer = fetch_pdf(page, service, game)
    assert answer.headers["content-type"] == "application/pdf"
    pdf = PdfReader(BytesIO(answer.body()))
    text = "\n".join(sheet.extract_text() for sheet in pdf.pages)
    assert document["head"] in text
    assert f"Turn {document['turn']}" in text
    for seat in document["seats"]:
        assert seat["name"] in text
    assert document["seats"][0]["name"] in str(pdf.metadata and pdf.metadata.title)


def test_pdf__names_of_any_letters(page: Page, service: Service) -> None:
    names = ["Zoë", "Дмитрий", "雪", "민", "\U00010331"]
    opening = {"ruleset": "forgotten-waters", "seats": [{"name": name} for name in names], "chance": "seeded"}
    status, game = service.ask("POST", "/v1/games", opening)
    assert status == 201, game
    answer = fetch_pdf(page, service, game["id"])
    assert answer.ok, answer.text()
    text = "\n".join(sheet.extract_text() for sheet in PdfReader(BytesIO(answer.body())).pages)
    assert "Zoë" in text
    assert "are missing in the available fonts" in text


def test_pdf__a_page_waits_for_it(page: Page, island: str) -> None:
    def unless_made(route: Route) -> None:
        answer = route.fetch()
        if answer.headers["content-type"] == "application/pdf":
            # Tests cannot inspect the browser's own PDF viewer.
            route.fulfill(content_type="text/html", body='<link rel="icon" href="data:,"><title>the PDF</title>')
        else:
            route.fulfill(response=answer)

    page.route("**/print.pdf", unless_made)
    page.goto(f"/games/{island}/print")
    page.get_by_role("link", name="As PDF").click()
    expect(page).to_have_title("the PDF", timeout=PATIENCE)


def test_pdf__that_cannot_be_made(page: Page, service: Service) -> None:
    game = service.ask("POST", "/v1/games", SEEDED)[1]["id"]
    failed = {"status": "failed", "error": "There is no ink."}
    page.route("**/v1/jobs/*", lambda route: route.fulfill(json=failed))
    page.goto(f"/games/{game}/print.pdf")
    expect(page.get_by_text("There is no ink.")).to_be_visible()
    expect(page.get_by_role("link", name="Try again")).to_be_visible()


def test_accessible(everywhere: Page, island: str) -> None:
    everywhere.goto(f"/games/{island}/print")
    axe(everywhere)
    overflow = everywhere.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0
