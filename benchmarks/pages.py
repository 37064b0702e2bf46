"""Load the web pages like a phone, in Chromium with an empty cache.

Measure the bytes, and the times until something is visible and until the page is usable.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks.measure import Settings
from benchmarks.report import Row, at_most
from tests.browser.conftest import FLAGS, PHONE
from tests.browser.examples import record
from tests.browser.finding import find
from tests.cli.service import Service

RULESET = "forbidden-island"
RECORDED = ("forbidden-desert", "forgotten-waters")
"""The rulesets whose record pages are measured: a usual one, and the longest one."""
TAPPABLE = '#todo[aria-busy="false"] button'
"""The selector of a button for an action."""
GOING_ON = 40
"""Number of events in the recorded game before the measurement."""
LISTED = 40
"""Number of other games in the library, more than a page shows."""
REFERENCE = "/problems/not-found"
"""A page of the same service that has little more than a sentence."""
ROUNDS = 5
QUIET_MS = 500
"""Milliseconds without a long task after which a page counts as loaded."""
PATIENCE_MS = 60_000


class Profile(msgspec.Struct, frozen=True):
    """The network between the phone and the service, and the phone's speed."""

    name: str
    pinning: str
    latency: float = 0
    """Milliseconds that the network adds to each request."""
    down: float = -1
    """Bytes per second; -1 is unlimited."""
    up: float = -1
    slower: int = 1
    """Factor by which the phone's processor is slower than this machine's."""

    def apply(self, session: CDPSession) -> None:
        """Apply the profile to a page."""
        conditions = {"latency": self.latency, "downloadThroughput": self.down, "uploadThroughput": self.up}
        session.send("Network.emulateNetworkConditions", {"offline": False, **conditions})
        session.send("Emulation.setCPUThrottlingRate", {"rate": self.slower})


PROFILES = (
    Profile("LAN", "unthrottled"),
    Profile("slow 4G", "1.6 Mbit/s, 150 ms, CPU 4 × slower", 150, 1.6e6 / 8, 0.75e6 / 8, 4),
)
FAR = Profile("far away", "400 ms, 50 KB/s", 400, 50e3, 50e3)


class Place(msgspec.Struct, frozen=True):
    """A page."""

    name: str
    address: str
    ready: str
    """The selector of an element that exists once the page is usable."""
    profile: Profile = PROFILES[1]
    most_kb: float = 100
    """Goal: the kilobytes transferred until half a second after the page is usable."""
    most_ms: float | None = None
    """Goal: the milliseconds until the page is usable."""


FIRST = Place("/", "/", "main", most_ms=1000)


class Load(msgspec.Struct, frozen=True):
    """One load of a page."""

    kb: float
    """Transferred kilobytes, compressed, with headers."""
    requests: int
    painted: float
    """Milliseconds to the first contentful paint."""
    usable: float
    """Milliseconds until all of: that paint, DOMContentLoaded, `Place.ready`, and the end of the last long task.
    """


WATCH = """
performance.setResourceTimingBufferSize(10000);
window.marks = { ready: 0, busy: 0 };
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) marks.busy = Math.max(marks.busy, task.startTime + task.duration);
}).observe({ type: "longtask", buffered: true });
const look = () => { if (!marks.ready && document.querySelector(READY)) marks.ready = performance.now(); };
new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
"""
READ = """() => {
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  const [page] = performance.getEntriesByType("navigation");
  const usable = Math.max(paint.startTime, page.domContentLoadedEventEnd, marks.ready, marks.busy);
  return [paint.startTime, usable];
}"""


def measure(settings: Settings) -> Iterator[Row]:
    """Measure every page. Each load is followed or preceded by a load of the reference page."""
    rounds = 1 if settings.quick else ROUNDS
    with serve(settings) as service, chromium() as browser:
        places = [FIRST] if settings.quick else _places(service)
        for place in places:
            yield from _page(browser, service, place, rounds)


@contextmanager
def serve(settings: Settings) -> Iterator[Service]:
    """Run a service for the browser to load."""
    service = Service(settings.folder / "pages")
    service.ready()
    try:
        yield service
    finally:
        service.stop()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser."""
    executable = find()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()


def _places(service: Service) -> list[Place]:
    for _ in range(LISTED):
        service.open_game()
    whole, going_on = record(service, RULESET), record(service, RULESET, GOING_ON)
    recorded = {name: record(service, name, GOING_ON) for name in RECORDED}
    return [
        FIRST,
        Place("/start", "/start", "main"),
        Place("/games/{id}", f"/games/{whole}", "#replay[data-ready] .board svg"),
        *(
            Place(f"{name}/record", f"/games/{game}/record", TAPPABLE, FAR, most_kb=60, most_ms=2600)
            for name, game in recorded.items()
        ),
        Place("/games/{id}/watch", f"/games/{going_on}/watch", "#board svg"),
        Place("/games/{id}/audit", f"/games/{whole}/audit", "#report section"),
    ]


def _page(browser: Browser, service: Service, place: Place, rounds: int) -> Iterator[Row]:
    bare = Place(REFERENCE, REFERENCE, "main")
    loads: list[tuple[Load, Load]] = []
    for number in range(rounds):
        first, second = (place, bare) if number % 2 else (bare, place)
        pair = {one.name: load(browser, service, one, place.profile) for one in (first, second)}
        loads.append((pair[place.name], pair[bare.name]))
    ours, theirs = (_median([pair[side] for pair in loads]) for side in (0, 1))
    yield Row(
        what=f"page {place.name}: transferred, {ours.requests} requests",
        ours=f"{ours.kb:.1f} kB",
        reference=f"{theirs.kb:.1f} kB {REFERENCE}",
        ratio=ours.kb / theirs.kb,
        goal=at_most(ours.kb, place.most_kb, "kB"),
        pinning="an empty cache",
    )
    yield Row(
        what=f"page {place.name}, {place.profile.name}: usable (first paint {ours.painted:,.0f} ms)",
        ours=f"{ours.usable:,.0f} ms",
        reference=f"{theirs.usable:,.0f} ms ({theirs.painted:,.0f}) {REFERENCE}",
        ratio=statistics.median(own.usable / other.usable for own, other in loads),
        goal=None if place.most_ms is None else at_most(ours.usable, place.most_ms, "ms"),
        pinning=place.profile.pinning,
    )


def _median(loads: list[Load]) -> Load:
    return msgspec.convert(
        {name: statistics.median_low([getattr(one, name) for one in loads]) for name in Load.__struct_fields__}, Load
    )


@contextmanager
def open_page(browser: Browser, service: Service, profile: Profile, ready: str) -> Iterator[tuple[Page, CDPSession]]:
    """Open a page on a phone with empty caches."""
    context = browser.new_context(base_url=service.url, reduced_motion="reduce", **PHONE)
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(WATCH.replace("READY", msgspec.json.encode(ready).decode()))
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    profile.apply(session)
    try:
        yield page, session
    finally:
        context.close()


def load(browser: Browser, service: Service, place: Place, profile: Profile) -> Load:
    """Load a page with an empty cache."""
    transferred: list[float] = []
    asked: list[str] = []

    def on_finished(event: dict[str, Any]) -> None:
        transferred.append(event["encodedDataLength"])

    def on_sent(event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            asked.append(event["request"]["url"])

    with open_page(browser, service, profile, place.ready) as (page, session):
        session.on("Network.loadingFinished", on_finished)
        session.on("Network.requestWillBeSent", on_sent)
        page.goto(place.address)
        page.wait_for_function("() => marks.ready")
        page.wait_for_timeout(QUIET_MS)
        painted, usable = page.evaluate(READ)
    return Load(sum(transferred) / 1000, len(asked), painted, usable)
