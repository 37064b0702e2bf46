"""The book of Forgotten Waters on the record page: the whole prose, spoken aloud, with the choices below it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.examples import record
from tests.browser.tapping import Thumb
from tests.cli.service import Service

pytestmark = pytest.mark.long

READING = 54
"""Number of events of the scoresheet after which the table reads an entry and chooses."""
VOICES = """() => {
  globalThis.spoken = [];
  const voices = [{lang: "en-GB"}, {lang: "de-DE"}];
  Object.defineProperty(globalThis, "speechSynthesis", {value: {
    getVoices: () => voices,
    addEventListener() {},
    cancel() {},
    speak: (one) => spoken.push([one.lang, one.text.trim()]),
  }});
}"""


def at_the_passage(page: Page, service: Service) -> Thumb:
    thumb = Thumb(page, service, record(service, "forgotten-waters", READING))
    thumb.open()
    expect(page.locator("#passage")).to_be_visible()
    return thumb


def test_the_prose_is_whole_and_each_choice_has_a_row(page: Page, service: Service) -> None:
    thumb = at_the_passage(page, service)
    prose = page.locator("#passage p")
    assert prose.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)") >= 18
    expect(prose).to_contain_text("In the worst of it somebody sees a ship's light")
    boxes = [one.bounding_box() for one in page.locator("#todo .acts .action").all()]
    assert [box["height"] >= 52 and box["width"] > 300 for box in boxes if box] == [True, True]
    page.locator("#passage").evaluate("(one) => { one.scrollTop = 1000; }")
    expect(prose.locator("span").last).to_be_in_viewport()
    second = page.get_by_role("button", name="2. Sail on")
    expect(second.locator(".disc")).to_have_text("2")
    expect(second).to_have_text("2Sail on")
    second.tap()
    thumb.recorded()


def test_the_map_is_whole_while_the_table_reads(page: Page, service: Service) -> None:
    at_the_passage(page, service)
    page.get_by_role("button", name="Map").tap()
    expect(page.locator("#passage")).to_be_hidden()
    page.get_by_role("button", name="Dirty Weather", exact=True).press("Enter")
    expect(page.locator("#passage")).to_be_visible()


def test_nothing_is_read_aloud_without_a_voice(page: Page, service: Service) -> None:
    at_the_passage(page, service)
    expect(page.get_by_role("button", name="Read aloud")).to_be_hidden()


@pytest.mark.parametrize(
    ("locale", "start", "stop"), [("en-GB", "Read aloud", "Stop reading"), ("de-DE", "Vorlesen", "Nicht weiterlesen")]
)
def test_the_prose_is_read_aloud_in_the_language_of_the_page(
    new_context: Open, service: Service, locale: str, start: str, stop: str
) -> None:
    context = new_context(locale=locale)
    context.add_init_script(f"({VOICES})()")
    page = context.new_page()
    at_the_passage(page, service)
    page.get_by_role("button", name=start).tap()
    sentences = page.locator("#passage p span")
    expect(sentences.first).to_have_class("is-read")
    sentences.nth(1).tap()
    expect(sentences.nth(1)).to_have_class("is-read")
    assert [lang for lang, _ in page.evaluate("spoken")] == [locale[:2]] * 2
    page.get_by_role("button", name=stop).tap()
    expect(page.locator("#passage .is-read")).to_have_count(0)
