"""Measure taps on a slow network.

For each tap: the requests, the time until it is acknowledged, and the time until the next tap is possible. For a setup:
the number of taps, and the taps that are lost when tapping fast. Then `thumbs` measures taps for a game.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession

from benchmarks import thumbs
from benchmarks.fingers import Finger
from benchmarks.measure import Settings
from benchmarks.pages import PATIENCE_MS, PROFILES, Profile, chromium, open_page, serve
from benchmarks.report import Row, at_most, exactly
from tests.browser.tapping import outcomes_to_tap, picture_taps
from tests.cli.service import Service

SCORESHEET = Path(__file__).parents[1] / "examples" / "forbidden-island.ndjson"
SLOW = Profile("400 ms", "latency 400 ms", 400)
TAPS = 20
HASTE_MS = 50
"""Minimum milliseconds between two taps of a setup."""
MOST_ACKNOWLEDGED_MS, MOST_NEXT_MS, MOST_SETUP = 50, 500, 39
QUIET_MS = 300
TIMED = """() => {
  const page = document.getElementById("record"), last = document.getElementById("last");
  const version = page.dataset.version;
  let began = 0;
  addEventListener("pointerup", (event) => (began ||= event.timeStamp), { capture: true });
  const shown = (is) => new Promise((resolve) => {
    const look = () => is() && requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
    new MutationObserver(look).observe(page, { subtree: true, attributes: true, childList: true });
  });
  window.tapped = Promise.all([
    shown(() => began && last.classList.contains("is-sending")),
    shown(() => page.dataset.version !== version),
  ]);
}"""
"""Measures two times from lifting the finger: until the page shows the tap, and until it shows the next actions."""
WHERE = """(value) => {
  const found = (host) => document.querySelector(`${host} [data-value="${value}"]`);
  const box = (found("#panel") ?? found("#board"))?.getBoundingClientRect();
  return box ? [box.left + box.width / 2, box.top + box.height / 2] : null;
}"""
LAID = """() => document.getElementById("progress").getAttribute("aria-label")"""


def measure(settings: Settings) -> Iterator[Row]:
    """Measure the first taps of a seeded game, and the setup of a scoresheet."""
    with serve(settings) as service, chromium() as browser:
        for profile in (*PROFILES, SLOW):
            yield from _taps(browser, service, profile, 2 if settings.quick else TAPS)
        yield from _set_up(browser, service)
        yield from thumbs.measure(settings, service, browser)


def _taps(browser: Browser, service: Service, profile: Profile, taps: int) -> Iterator[Row]:
    times: list[list[float]] = []
    asked: list[int] = []
    with open_page(browser, service, profile, "main") as (page, session):
        requests = _requests(session)
        game = service.open_game()
        page.goto(f"/games/{game}/record")
        page.locator("#link", has_text="Live").wait_for()
        for _ in range(taps):
            page.wait_for_timeout(QUIET_MS)
            page.evaluate(TIMED)
            before = len(requests)
            Finger(page, session).record(_next(service, game), [])
            times.append(page.evaluate("() => tapped"))
            page.wait_for_timeout(QUIET_MS)
            asked.append(len(requests) - before)
    acknowledged, shown = (sorted(one) for one in zip(*times, strict=True))
    yield Row(
        what=f"a tap, {profile.name}: requests, most of {taps}",
        ours=f"{max(asked)}",
        goal=exactly(max(asked), 1, "request"),
        pinning=profile.pinning,
    )
    yield Row(
        what=f"a tap, {profile.name}: until it is acknowledged on the screen, p50 of {taps}",
        ours=f"{statistics.median(acknowledged):,.0f} ms (slowest {acknowledged[-1]:,.0f})",
        goal=at_most(statistics.median(acknowledged), MOST_ACKNOWLEDGED_MS, "ms") if profile.slower == 1 else None,
        pinning=profile.pinning,
    )
    yield Row(
        what=f"a tap, {profile.name}: until what may be done next, p50 of {taps}",
        ours=f"{statistics.median(shown):,.0f} ms (slowest {shown[-1]:,.0f})",
        goal=at_most(statistics.median(shown), MOST_NEXT_MS, "ms") if profile is SLOW else None,
        pinning=profile.pinning,
    )


def _set_up(browser: Browser, service: Service) -> Iterator[Row]:
    """Tap a setup faster than people can. Report whether the setup was recorded."""
    opening, dealt = map(json.loads, SCORESHEET.read_text().splitlines()[:2])
    outcomes: list[Any] = dealt["outcomes"]
    _, game = service.ask("POST", "/v1/games", opening)
    with open_page(browser, service, SLOW, "main") as (page, session):
        requests = _requests(session)
        page.goto(f"/games/{game['id']}/setup")
        page.locator("#panel button").first.wait_for()
        before = len(requests)
        tapped, told = picture_taps(page, outcomes), outcomes_to_tap(page, outcomes)
        finger = Finger(page, session)
        began = time.monotonic()
        for value in tapped:
            if point := page.evaluate(WHERE, value):
                finger.tap(point)
            page.wait_for_timeout(HASTE_MS)
        pace = 1000 * (time.monotonic() - began) / len(tapped)
        came = page.evaluate(LAID)
        page.get_by_role("button", name="Begin game").tap()
        page.wait_for_url("**/record", timeout=PATIENCE_MS)
        laid = _lay_tiles(service, game["id"])
    taps = len(tapped)
    yield Row(
        what=f"set-up of {opening['ruleset']} for {len(opening['seats'])}: taps, 'Begin game' among them",
        ours=f"{taps + 1}",
        goal=at_most(taps + 1, MOST_SETUP, "taps"),
        pinning=SLOW.pinning,
    )
    lost = sum(one != other for one, other in zip(laid, told, strict=True))
    yield Row(
        what=f"set-up, a touch each {pace:.0f} ms: taps that were lost, of {taps} (shown at the end: {came})",
        ours=f"{lost}",
        goal=exactly(lost, 0, "lost"),
        pinning=SLOW.pinning,
    )
    posts = [url for url in requests[before:] if "/events" in url]
    yield Row(
        what="set-up: requests until the game begins",
        ours=f"{len(posts)}",
        pinning=SLOW.pinning,
    )


def _next(service: Service, game: str) -> dict[str, Any]:
    """Return the next action. Prefer a draw, so that turns end."""
    actions: list[dict[str, Any]] = service.ask("GET", f"/v1/games/{game}/actions")[1]["actions"]
    return next((one for one in actions if one["chance"]), actions[0])


def _requests(session: CDPSession) -> list[str]:
    """Return a list, to which the API addresses are added that the page requests from now on.

    The page's stream is omitted.
    """
    found: list[str] = []

    def on_sent(event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        if "/v1/" in url and "/stream" not in url:
            found.append(url)

    session.on("Network.requestWillBeSent", on_sent)
    return found


def _lay_tiles(service: Service, game: str) -> list[Any]:
    found: list[Any] = service.ask("GET", f"/v1/games/{game}/events?after=1")[1]["events"][0]["outcomes"]
    return found
