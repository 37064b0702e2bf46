"""A real service and a real browser. The pages are watched: any error in a page fails the test."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.finding import NoBrowser, find
from tests.browser.watching import Watch
from tests.cli.service import Service

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
DEVICES = {"phone": PHONE, "desktop": DESKTOP}
NOT_WANTED = [
    # By default, each window has two more pages, for its address bar. They take a fifth of a test's time.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # Playwright's own list of disabled features. If a flag is given twice, only the last one counts.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
]
"""Features of the browser that tests do not need."""
FLAGS = [
    f"--disable-features={','.join(NOT_WANTED)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60_000
"""Milliseconds until a test gives up on an element; a machine may be busy."""

SAVES_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
"""Script that turns on data saving: loading the rules would take seconds of processor time."""

Open = Callable[..., BrowserContext]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start the browser of this test process."""
    try:
        path = find()
    except NoBrowser as missing:
        pytest.fail(str(missing), pytrace=False)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        expect.set_options(timeout=PATIENCE)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def elsewhere() -> Iterator[str]:
    """Return the origin of another site, whose pages may read the API."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><html lang=en><link rel=icon href=data:,><title>Elsewhere</title>")

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory, elsewhere: str) -> Iterator[Service]:
    """A service with its own embedded Redis, which runs until all tests end."""
    service = Service(tmp_path_factory.mktemp("service"), DRIFTLOG_READ_ORIGINS=elsewhere, DRIFTLOG_PHOTO_ENTRY="true")
    service.ready()
    yield service
    assert service.stop() == 0


@pytest.fixture
def watches() -> list[Watch]:
    """The watches of this test's contexts, in the order in which they were opened."""
    return []


@pytest.fixture
def new_context(browser: Browser, service: Service, watches: list[Watch]) -> Iterator[Open]:
    """Return a function that opens a context for a device, such as `new_context("desktop", color_scheme="dark")`."""
    contexts: list[BrowserContext] = []

    def new_context(device: str = "phone", **options: Any) -> BrowserContext:
        settings = DEVICES[device] | {
            "base_url": service.url,
            "reduced_motion": "reduce",
            "locale": "en-GB",
            # A service worker would answer requests that tests must be able to delay. Only `test_installed.py` allows
            # one.
            "service_workers": "block",
        }
        context = browser.new_context(**settings | options)
        context.add_init_script(SAVES_DATA)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        watches.append(Watch(context, service.url))
        return context

    yield new_context
    for context in contexts:
        context.close()
    complaints = [text for watch in watches for text in watch.unexpected_errors()]
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def context(new_context: Open) -> BrowserContext:
    """The context of a phone, in the light theme."""
    return new_context()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A page on a phone."""
    return context.new_page()


@pytest.fixture
def wide(new_context: Open) -> Page:
    """A page on a desktop."""
    return new_context("desktop").new_page()


@pytest.fixture(params=[(device, scheme) for device in DEVICES for scheme in ("light", "dark")], ids="-".join)
def everywhere(request: pytest.FixtureRequest, new_context: Open) -> Page:
    """Return a page for each device and each theme. Each runs the test separately."""
    device, scheme = request.param
    return new_context(device, color_scheme=scheme).new_page()
