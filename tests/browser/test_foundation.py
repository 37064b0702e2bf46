"""Test the tools of the browser tests: they report errors in pages, and find a browser or report that none exists."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route

from tests import waiting
from tests.browser import finding
from tests.browser.axe import axe
from tests.browser.watching import Watch
from tests.cli.service import Service

pytestmark = pytest.mark.long

WRONG = {
    "complaint": ("<script>console.error('that is wrong')</script>", "console: that is wrong"),
    "error": ("<script>nothing.at.all()</script>", "error: nothing is not defined"),
    "host": ("<img alt='' src='http://192.0.2.1/pixel.png'>", "request to another host: http://192.0.2.1/pixel.png"),
    "policy": ("<img alt='' src='/pixel.png'>", "console: .*Content Security Policy"),
    "strict": ("", ""),
    "": ("", ""),
}
PLAIN = "<!doctype html><html lang=en><title>Plain</title><main><h1>Plain</h1>{}</main></html>"


@pytest.fixture
def serve(context: BrowserContext) -> None:
    def answer(route: Route) -> None:
        kind = urlsplit(route.request.url).query
        policy = {"policy": "img-src 'none'", "strict": "default-src 'self'"}.get(kind, "")
        headers = {"Content-Type": "text/html", "Content-Security-Policy": policy}
        route.fulfill(body=PLAIN.format(WRONG[kind][0]), headers=headers)

    context.route("**/plain*", answer)
    context.route("http://192.0.2.1/**", lambda route: route.abort())


@pytest.mark.parametrize("kind", [kind for kind in WRONG if WRONG[kind][1]])
@pytest.mark.usefixtures("serve")
def test_a_page_that_does_wrong_is_noticed(kind: str, page: Page, watches: list[Watch]) -> None:
    (watch,) = watches
    page.goto(f"/plain?{kind}")
    # After a call to the page, its earlier messages have arrived.
    complaint = waiting.until(lambda: page.evaluate("true") and watch.unexpected_errors())[0]
    assert re.match(WRONG[kind][1], complaint)
    watch.expect(WRONG[kind][1])
    watch.expect("ERR_FAILED")  # Chromium's word for the request that was stopped
    assert watch.unexpected_errors() == []


@pytest.mark.usefixtures("serve")
def test_a_page_that_does_none_of_it_is_left_alone(page: Page, service: Service, watches: list[Watch]) -> None:
    page.goto("/plain")
    status = page.evaluate(
        "async path => (await fetch(path, {method: 'POST', headers: {'Content-Type': 'application/json'},"
        " body: '{}'})).status",
        f"/v1/games/{service.open_game()}/events",
    )
    assert status == 422
    assert watches[0].complaints == []


@pytest.mark.usefixtures("serve")
def test_axe_finds_what_is_wrong(page: Page) -> None:
    page.goto("/plain?strict")
    axe(page)
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    with pytest.raises(AssertionError, match="button-name"):
        axe(page)


def test_no_browser_to_be_had_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_DOWNLOAD_HOST", "http://127.0.0.1:9")
    monkeypatch.setattr(finding, "downloaded_browser", lambda: None)  # a second Playwright cannot run beside the first
    with pytest.raises(finding.NoBrowser, match=r"need Chromium.*on PATH.*playwright install chromium"):
        finding.find()
