"""Scoresheets tapped through on a phone, each event in the fewest taps that the record page offers: how many those are,
how many of them are for something below the fold, and how large the text on the board is.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any

import msgspec
from playwright.sync_api import Browser, Page, expect

from benchmarks.measure import Settings
from benchmarks.pages import PATIENCE_MS, PROFILES, opened
from benchmarks.report import Row, at_least, at_most
from tests.browser.examples import flat, lines
from tests.browser.tapping import Thumb
from tests.cli.service import Service

SCORESHEETS = ("forbidden-island", "forbidden-desert", "forever-island", "forgotten-waters")
EVENTS = 80
"""Of each scoresheet, after the set-up."""
MOST_TAPS, MOST_BELOW = 1.10, 3
SIZES = {(360, 740): 12, (740, 360): 12, (1024, 768): 16}
"""Screens, and how large the text on the board is to be there."""
AIM = """async ([action, outcomes, label]) => {
  const told = { taps: 0, below: 0 };
  const sorted = (value) => JSON.stringify(value, (_, part) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort()) : part);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const until = async (find) => {
    for (let again = 0; again < 1500; again += 1) {
      const found = find();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`nothing to tap for ${label}`);
  };
  const count = (target) => {
    const box = target.getBoundingClientRect();
    const frame = target.closest("#board, .panel, dialog").getBoundingClientRect();
    told.taps += 1;
    if (box.top + box.height / 2 > Math.min(innerHeight, frame.bottom)) told.below += 1;
  };
  const tap = (target) => {
    count(target);
    target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  };
  const means = (places) => (place) => {
    const [value, names] = place.split(":").reverse();
    return places.some(([name, wanted]) => String(wanted) === value && (!names || names.split(",").includes(name)));
  };
  const lit = (places) => all("#board .dl-plane:not([hidden]) .is-target[role=button]")
    .find((one) => means(places)(one.dataset.place));
  const button = (name, value) => all(`#todo [data-${name}]`)
    .find((one) => sorted(JSON.parse(one.dataset[name])) === sorted(value));
  const press = (target) => {
    const folds = [];
    for (let at = target.closest("details:not([open])"); at; at = at.parentElement.closest("details:not([open])")) {
      folds.unshift(at);
    }
    for (const fold of folds) {
      tap(fold.firstElementChild);
      fold.open = true;
    }
    tap(target);
  };
  const isFolded = (target) => Boolean(target?.closest("details:not([open])"));
  const slide = (from, to) => {
    const at = (target, kind, aside = 0) => {
      const box = target.getBoundingClientRect();
      target.dispatchEvent(new PointerEvent(kind, { bubbles: true, isPrimary: true, pointerId: 7,
        clientX: box.left + box.width / 2 + aside, clientY: box.top + box.height / 2 }));
    };
    at(from, "pointerdown");
    at(from, "pointermove", 20);
    const target = to();
    at(target ?? from, "pointerup");
    if (target) count(from);
    return Boolean(target);
  };
  const said = () => all("dialog[open] button").find((one) => one.textContent.trim() === label);
  const choose = async (find, places) => {
    const target = await until(() => find() || lit(places));
    const tile = lit(places);
    if (!tile || (find() && !isFolded(target))) return press(target);
    // What it means is beside it: pressed, slid to and let go, it is one gesture.
    if (slide(tile, said)) return;
    const version = document.getElementById("record").dataset.version;
    tap(tile);
    const meant = await until(() => said()
      || (document.querySelector("#last.is-sending, #todo [data-value]") ? "sent" : "")
      || (document.getElementById("record").dataset.version !== version && "sent"));
    if (meant !== "sent") tap(meant);
  };
  const first = outcomes.length ? button("value", outcomes[0]) : undefined;
  const places = Object.entries(action[2]).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const along = action[1] && places.find(([, one]) => /^p\\d$/.test(one) && one !== action[1])?.[1];
  if (along && isFolded(await until(() => button("action", action)))) {
    const pawn = document.querySelector(`#board [data-place=${along}]`);
    const isAlone = () => {
      const tile = lit(places);
      const meant = all("#todo [data-action]").map((one) => JSON.parse(one.dataset.action))
        .filter(([, actor, params]) => [actor, ...Object.values(params).flat()].includes(along)
          && JSON.stringify(params).includes(`"${tile?.dataset.place}"`));
      return meant.length === 1 && sorted(meant[0]) === sorted(action) ? tile : undefined;
    };
    // A pawn slides to where it goes, where it goes there in one way.
    if (slide(pawn, isAlone)) return told;
    tap(pawn);
  }
  if (!first) await choose(() => button("action", action), places);
  for (const value of outcomes) await choose(() => button("value", value), [["", value]]);
  return told;
}"""
"""What `aimed` does in the page."""
TEXTS = """() => [...document.querySelectorAll('#board .dl-plane:not([hidden]) text')].map((text) =>
  parseFloat(text.getAttribute('font-size')) * Math.abs(text.getScreenCTM().a))"""


class Aimed(msgspec.Struct):
    """What an event took."""

    taps: int
    below: int
    """Of them for what was out of sight."""


def aimed(page: Page, entry: dict[str, Any], outcomes: list[Any]) -> Aimed:
    """Tap what makes an event of an entry of `/actions`, and what came up."""
    action = [entry["type"], entry["actor"], entry["params"]]
    return msgspec.convert(page.evaluate(AIM, [action, outcomes, entry["label"]]), Aimed)


def measure(settings: Settings, service: Service, browser: Browser) -> Iterator[Row]:
    """Each scoresheet. What it takes a table to play it, and what stands on its board afterwards."""
    expect.set_options(timeout=PATIENCE_MS)
    for name in SCORESHEETS:
        yield from _scoresheet(browser, service, name, 6 if settings.quick else EVENTS)


def _scoresheet(browser: Browser, service: Service, name: str, most: int) -> Iterator[Row]:
    opening, bodies = lines(name)
    dealt, *events = flat(bodies)[: most + 1]
    _, game = service.ask("POST", "/v1/games", opening)
    service.ask("POST", f"/v1/games/{game['id']}/events", dealt)
    found: list[Aimed] = []
    sizes: dict[tuple[int, int], list[float]] = {size: [] for size in SIZES}
    with opened(browser, service, PROFILES[0], "main") as (page, _session):
        thumb = Thumb(page, service, game["id"])
        thumb.open()
        for event in events:
            entry = _listed(service, game["id"], event)
            at = thumb.version
            if entry is None:
                # What is no action, or has no button of its own, is no matter of taps.
                service.ask("POST", f"/v1/games/{game['id']}/events", event)
                thumb.recorded()
                continue
            found.append(aimed(page, entry, event.get("outcomes", [])))
            thumb.recorded()
            came = service.ask("GET", f"/v1/games/{game['id']}/events/{at + 1}")[1]
            assert _is(came, event), (came, event)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            sizes[width, height] = page.evaluate(TEXTS)
    taps, below = sum(one.taps for one in found), sum(one.below for one in found)
    per_event, share = taps / len(found), 100 * below / taps
    pinning = PROFILES[0].pinning
    yield Row(
        what=f"{name}: taps an event, of {len(found)}",
        ours=f"{per_event:.2f}",
        goal=at_most(per_event, MOST_TAPS, "taps"),
        pinning=pinning,
    )
    yield Row(
        what=f"{name}: taps for something below the fold, of {taps}",
        ours=f"{below} ({share:.0f} %)",
        goal=at_most(share, MOST_BELOW, "%"),
        pinning=pinning,
    )
    for (width, height), texts in sizes.items():
        if not texts:
            continue
        median = statistics.median(texts)
        yield Row(
            what=f"{name}: text on the board at {width} × {height}, median of {len(texts)}",
            ours=f"{median:.1f} px",
            goal=at_least(median, SIZES[width, height], "px"),
            pinning=pinning,
        )


def _listed(service: Service, game: str, event: dict[str, Any]) -> dict[str, Any] | None:
    """The entry that makes an event; None where there is none."""
    actions: list[dict[str, Any]] = service.ask("GET", f"/v1/games/{game}/actions")[1]["actions"]
    return next((one for one in actions if _is(one, event)), None)


def _is(one: dict[str, Any], event: dict[str, Any]) -> bool:
    """Whether it is what a line of a scoresheet says; it may leave out what is as usual."""
    is_of = (one["type"], one["actor"]) == (event["type"], event.get("actor"))
    return is_of and event.get("params", {}).items() <= one["params"].items()
