"""The installed app: it starts without a network, shows how old its data is, and deletes data that it must not keep."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import axe
from tests.browser.cable import Cable
from tests.browser.conftest import DEVICES, PATIENCE, SAVES_DATA
from tests.browser.keeping import keeps
from tests.browser.tables import goes_on, opened, set_up
from tests.browser.watching import Watch
from tests.cli.service import Service

pytestmark = pytest.mark.long

MOVE = "#todo [data-action*='\"move\"']"
WIDTH = """(src) => new Promise((resolve) => {
  const image = Object.assign(new Image(), { src, onload: () => resolve(image.naturalWidth) });
})"""


@pytest.fixture
def cable(service: Service) -> Iterator[Cable]:
    cable = Cable(service.url)
    yield cable
    cable.end()


@pytest.fixture
def phone(browser: Browser, cable: Cable) -> Iterator[Page]:
    """A phone with offline storage, which reaches the service only through the cable."""
    context = browser.new_context(**DEVICES["phone"], base_url=cable.url, reduced_motion="reduce", locale="en-GB")
    context.add_init_script(SAVES_DATA)
    context.set_default_timeout(PATIENCE)
    watch = Watch(context, cable.url)
    watch.expect("ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED")
    watch.expect("ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_CLOSED|ERR_NETWORK_CHANGED")
    watch.expect(r"410 \(GONE\)|error: The game was deleted at")
    yield context.new_page()
    context.close()
    assert not watch.unexpected_errors(), "\n".join(watch.unexpected_errors())


@pytest.fixture
def table(phone: Page, service: Service) -> str:
    """Return the path of a game whose record page the phone stores."""
    game = set_up(service)
    phone.goto(f"/games/{game}/record")
    expect(phone.locator("#link")).to_have_text("Live")
    keeps(phone, f"/games/{game}/record", f"/v1/games/{game}")
    return f"/v1/games/{game}"


def test_a_reload_without_a_network_shows_the_table_and_what_waits(
    phone: Page, cable: Cable, table: str, service: Service
) -> None:
    whose = phone.locator("#whose").inner_text()
    cable.cut()
    phone.locator("#todo summary", has_text="As a list").tap()
    phone.locator(MOVE).first.tap()
    expect(phone.locator("#notices")).to_contain_text("1 tap is waiting")
    phone.reload()
    expect(phone.locator("#notices")).to_contain_text("Last seen")
    expect(phone.locator("#whose")).to_have_text(whose)
    expect(phone.locator("#board svg")).to_be_visible()
    expect(phone.locator("#feed .is-waiting")).to_have_count(1)
    axe(phone)
    # The page itself asks the next question, without the service.
    phone.locator("#todo [data-action*='draw_treasure_card']").tap()
    phone.locator("#todo [data-value='\"sandbags\"']").tap()
    expect(phone.locator("#feed .is-waiting")).to_have_count(2)
    cable.mend()
    expect(phone.locator("#feed .is-waiting")).to_have_count(0)
    expect(phone.locator("#notices")).not_to_contain_text("Last seen")
    log = service.ask("GET", f"{table}/events?after=2")[1]["events"]
    assert [event["type"] for event in log] == ["move", "draw_treasure_card"]


def test_what_is_shown_again_is_what_the_service_has_by_then(
    phone: Page, cable: Cable, table: str, service: Service
) -> None:
    cable.cut()
    goes_on(service, table.rpartition("/")[2], 1)
    phone.reload()
    expect(phone.locator("#notices")).to_contain_text("Last seen")
    expect(phone.locator("#record")).to_have_attribute("data-version", "2")
    cable.mend()
    expect(phone.locator("#record")).to_have_attribute("data-version", "3")
    expect(phone.locator("#notices")).to_be_empty()


def test_a_set_up_is_gone_on_with_after_a_reload_without_a_network(phone: Page, cable: Cable, service: Service) -> None:
    game = opened(service)
    phone.goto(f"/games/{game}/setup")
    phone.locator("#panel .pick:not(.laid)").first.tap()
    keeps(phone, f"/games/{game}/setup")
    cable.cut()
    phone.reload()
    expect(phone.locator("#count")).to_have_text("1 of 24")
    phone.locator("#panel .pick:not(.laid)").first.tap()
    expect(phone.locator("#count")).to_have_text("2 of 24")


def test_of_another_game_nothing_stays(phone: Page, table: str, service: Service) -> None:
    game = set_up(service, seed=2)
    phone.goto(f"/games/{game}/record")
    keeps(phone, f"/games/{game}/record", f"/v1/games/{game}")


def test_of_a_game_that_is_gone_nothing_stays(phone: Page, cable: Cable, table: str, service: Service) -> None:
    assert phone.evaluate("async (path) => (await fetch(path, { method: 'DELETE' })).status", table) == 204
    phone.reload()
    expect(phone.get_by_role("heading", level=1)).not_to_have_text("Ann")
    keeps(phone)
    cable.cut()
    # Chromium's own page says that there is no network.
    with pytest.raises(Exception, match=r"ERR_(CONNECTION_REFUSED|FAILED)"):
        phone.reload()


def test_the_manifest_is_one_that_can_be_installed(phone: Page, service: Service) -> None:
    phone.goto("/")
    address = phone.locator("link[rel=manifest]").get_attribute("href")
    manifest = phone.evaluate("async (address) => (await fetch(address)).json()", address)
    assert manifest["display"] == "standalone"
    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes
    for icon in manifest["icons"]:
        width = phone.evaluate(WIDTH, icon["src"])
        assert icon["sizes"] in {"any", f"{width}x{width}"}
    session = phone.context.new_cdp_session(phone)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    assert re.search(r"/manifest\.webmanifest$", found["url"])
