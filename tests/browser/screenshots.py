"""`python -m tests.browser.screenshots [FOLDER]`: take a picture of every page, on phone and desktop, light and dark.

The program starts a service, records the examples, and opens the pages in Chromium.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import DEVICES, FLAGS
from tests.browser.examples import SCORESHEETS, append, record
from tests.browser.finding import find
from tests.cli.service import ROOT, Service

FOLDER = ROOT / "build" / "screenshots"
README = ROOT / "docs" / "screenshots"
IN_README = {("replay-forbidden-island", "desktop"): "replay.png", ("record-forbidden-island", "phone"): "record.png"}
"""The pictures in README, in the light theme."""
SETTLED = 400
"""Milliseconds to wait until pictures are in place."""


def pages(service: Service) -> Iterator[tuple[str, str, str]]:
    """Yield each page: its name, its address, and the selector of an element that it must have."""
    games = {path.stem: record(service, path.stem) for path in SCORESHEETS}
    yield "library", "/", "main"
    yield "start", "/start", "main"
    yield "table", "/start/forbidden-island", "#seats li"
    yield "paper", "/start/paper", "#text"
    yield "box", "/boxes/new?copy=workers", "#seats input"
    yield "boxes", "/boxes", ".versions"
    tables = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "observed"}
    being_set_up = service.ask("POST", "/v1/games", tables)[1]["id"]
    yield "setup", f"/games/{being_set_up}/setup", "#panel button"
    for ruleset, game in games.items():
        yield f"replay-{ruleset}", f"/games/{game}?at=60", "#replay[data-ready] .board svg"
    for ruleset in games:
        going_on = record(service, ruleset, 40)
        yield f"record-{ruleset}", f"/games/{going_on}/record", "#board svg"
        yield f"watch-{ruleset}", f"/games/{going_on}/watch", "#board svg"
    island = games["forbidden-island"]
    yield "spoiler-free", f"/games/{island}?spoiler_free=1#20", "#replay[data-ready] .board svg"
    fork = service.ask("POST", f"/v1/games/{island}/forks", {"at": 30, "chance": "seeded"})[1]["id"]
    append(service, fork, [{"type": "annotate", "params": {"text": "What if the cards had been kinder?"}}])
    yield "branches", f"/games/{fork}", "#tree li"
    yield "compare", f"/games/{island}/compare/{fork}", "main"
    yield "end", f"/games/{island}/end", "#end[data-ready]"
    yield "audit", f"/games/{island}/audit", "#report section"
    yield "proof", f"/games/{island}/proof", "#sources section"
    yield "print", f"/games/{island}/print", ".paper img"
    yield "play", f"/games/{island}/play", ".play-code svg"
    yield "enter", "/enter", "#enter"
    yield "players", "/players", "main table"
    yield "rulesets", "/rulesets", "main img"
    yield "player", "/players/Ana", "main"
    yield "ruleset", "/rulesets/forbidden-island", "main"


def shoot(page: Page, path: Path, address: str, selector: str) -> bool:
    """Take the picture of a page; return False if there is no such page."""
    answer = page.goto(address)
    if answer is None or not answer.ok:
        return False
    page.locator(selector).first.wait_for()
    page.wait_for_timeout(SETTLED)
    page.screenshot(path=path)
    page.screenshot(path=path.with_stem(f"{path.stem}-whole"), full_page=True)
    return True


def take(browser: Browser, service: Service, folder: Path, wanted: str) -> None:
    """Take all pictures whose names contain `wanted`."""
    contexts = {
        (device, scheme): browser.new_context(
            base_url=service.url, color_scheme=scheme, reduced_motion="reduce", **settings
        )
        for device, settings in DEVICES.items()
        for scheme in ("light", "dark")
    }
    for name, address, selector in pages(service):
        if wanted not in name:
            continue
        for (device, scheme), context in contexts.items():
            page = context.new_page()
            path = folder / f"{name}-{device}-{scheme}.png"
            is_there = shoot(page, path, address, selector)
            if is_there and scheme == "light" and (name, device) in IN_README:
                page.screenshot(path=README / IN_README[name, device])
            print(path if is_there else f"no such page: {address}")  # noqa: T201
            page.close()


def main(wanted: str = "") -> None:
    """Start a service, and take pictures of its pages."""
    for folder in (FOLDER, README):
        folder.mkdir(parents=True, exist_ok=True)
    executable = find()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        service = Service(Path(data))
        service.ready()
        try:
            browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
            take(browser, service, FOLDER, wanted)
            browser.close()
        finally:
            service.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
