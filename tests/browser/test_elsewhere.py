"""Pages of other sites: they read the API, and show the overlay."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.axe import axe
from tests.browser.conftest import PATIENCE, Open
from tests.browser.examples import append
from tests.cli.service import Service

pytestmark = pytest.mark.long

FETCH = """async (url) => {
  try {
    const answer = await fetch(url, { headers: { "If-None-Match": '"x"' } });
    return [answer.status, answer.headers.get("ETag"), await answer.json()];
  } catch (error) {
    return String(error);
  }
}"""
STREAM = """async (url) => new Promise((resolve) => {
  const source = new EventSource(url);
  source.onmessage = (message) => { source.close(); resolve(JSON.parse(message.data).type); };
  source.onerror = () => { source.close(); resolve("refused"); };
})"""


@pytest.mark.parametrize("is_known", [True, False], ids=["named", "not-named"])
def test_a_page_of_another_origin_reads_where_it_may(
    browser: Browser, service: Service, elsewhere: str, *, is_known: bool
) -> None:
    game = service.open_game()
    # Another host name of the same machine counts as another origin.
    origin = elsewhere if is_known else elsewhere.replace("127.0.0.1", "localhost")
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(origin)
    url = f"{service.url}/v1/games/{game}"
    read, streamed = page.evaluate(FETCH, url), page.evaluate(STREAM, f"{url}/stream")
    written = page.evaluate("url => fetch(url, {method: 'POST'}).then(() => 'read', String)", f"{url}/events")
    context.close()
    if is_known:
        assert read[:2] == [200, '"2"']
        assert read[2]["id"] == game
        assert streamed == "game_opened"
    else:
        assert "Failed to fetch" in read
        assert streamed == "refused"
    assert "Failed to fetch" in written


def test_an_overlay_is_see_through_large_and_live(new_context: Open, service: Service) -> None:
    page = new_context("desktop").new_page()
    game = service.open_game()
    page.goto(f"/games/{game}/overlay")
    expect(page.locator("#board svg")).to_be_visible()
    expect(page.locator("#whose")).to_have_text("Ann")
    backgrounds = page.evaluate(
        "[document.documentElement, document.body, document.querySelector('main'), document.querySelector('#board')]"
        ".map((element) => getComputedStyle(element).backgroundColor)"
    )
    assert set(backgrounds) == {"rgba(0, 0, 0, 0)"}
    assert page.locator("button, a:visible, input, select").count() == 0
    below = page.evaluate("document.querySelector('.now').getBoundingClientRect().bottom - window.innerHeight")
    assert below <= 0, "all of it is in the picture"
    strip, board = (page.locator(name).bounding_box() or {} for name in (".now", "#board > svg"))
    assert board["y"] + board["height"] <= strip["y"], "the strip does not cover the board"
    sizes = page.evaluate(
        "[...document.querySelectorAll('#whose, #sentence, .reading *')]"
        ".map((one) => parseFloat(getComputedStyle(one).fontSize) / innerHeight)"
    )
    assert min(sizes) >= 0.036, "it is read from 3 m"
    expect(page.locator("#gauges")).to_have_text("Water level2 Flood cards a turn")
    expect(page.locator("#left").get_by_role("img", name="3 of 3 actions left")).to_be_visible()
    axe(page)
    append(service, game, [{"type": "draw_treasure_card", "actor": "p1"}])
    expect(page.locator("#sentence")).to_contain_text("Ann draws")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_overlay_has_the_theme_of_its_address(new_context: Open, service: Service, theme: str) -> None:
    game = service.open_game()
    wanted, other = (
        new_context("desktop", color_scheme=one).new_page() for one in (theme, "dark" if theme == "light" else "light")
    )
    for page, address in ((wanted, "overlay"), (other, f"overlay?theme={theme}")):
        page.goto(f"/games/{game}/{address}")
        expect(page.locator("#left img, #left [role=img]")).to_be_visible()
    colours = """() => [...document.querySelectorAll(".now, #whose, #board .dl-tile path")].slice(0, 9)
      .map((one) => getComputedStyle(one)).map(({ color, fill, backgroundColor }) => [color, fill, backgroundColor])"""
    assert wanted.evaluate(colours) == other.evaluate(colours)
