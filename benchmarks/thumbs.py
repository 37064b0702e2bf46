"""Record whole scoresheets on a phone with touches; measure the touches per event, with and without the slide gesture,
and the sizes of texts and targets in every state. Touches go through the browser's input (CDP) at visible coordinates:
a covered or invisible target is not touched. Then measure the cold load of each record page.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from math import copysign
from typing import Any

import msgspec
from playwright.sync_api import Browser, CDPSession, Page, expect

from benchmarks.measure import Settings
from benchmarks.pages import PATIENCE_MS, PROFILES, Place, load, opened
from benchmarks.report import Row, at_least, at_most, exactly
from tests.browser.examples import flat, lines
from tests.browser.tapping import Thumb
from tests.cli.service import Service
from tests.playouts import NAMES
from tests.recorded.games import FOLDER, read

SCORESHEETS = (
    "forbidden-island",
    "forbidden-island-archaens",
    "forbidden-desert",
    "forever-island",
    "forgotten-waters",
)
RECORDED = {"forbidden-island-archaens": "lifted_off.jsonl"}
"""Recorded games of the tests, for games without a scoresheet."""
MOST_TAPS, MOST_BELOW = 1.10, 1
SIZES = {(360, 740): 12, (740, 360): 12, (1024, 768): 16}
"""The sizes of screens in pixels, each with the minimum median size of text on the board."""
LEAST_TEXT, LEAST_TARGET = 12, 44
PHONE = (360, 740)
REST_S = 0.25
"""Seconds that a finger rests before it slides."""
FIND_S = 6
"""Timeout of the search for a target, in seconds."""
MOST_SWIPES = 30
SWIPE = 40
PAUSE_MS = 100
"""Milliseconds that a finger rests at the end of a swipe, so that nothing scrolls on, and then before it touches."""

HELPERS = """() => {
  const sorted = (value) => JSON.stringify(value, (_, part) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort()) : part);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const means = (places) => (place) => {
    const [value, names] = place.split(":").reverse();
    return places.some(([name, wanted]) => String(wanted) === value && (!names || names.split(",").includes(name)));
  };
  const find = {
    action: (wanted) => all("#todo [data-action]")
      .find((one) => sorted(JSON.parse(one.dataset.action)) === sorted(wanted)),
    value: (wanted) => all("#todo [data-value]")
      .find((one) => sorted(JSON.parse(one.dataset.value)) === sorted(wanted) && !one.closest("[data-beside]")),
    beside: ([action, wanted]) => all("#todo [data-beside] [data-value]")
      .find((one) => sorted(JSON.parse(one.dataset.value)) === sorted(wanted)
        && sorted(JSON.parse(one.closest("[data-beside]").dataset.beside)) === sorted(action)),
    // The button of a rarer kind of action, if a tap on its place means something else.
    kind: ([type, places]) => {
      const button = document.querySelector(`.acts [data-menu=${type}][aria-pressed=false]`);
      const says = find.lit(places)?.getAttribute("aria-label").split(":").at(-1).toLowerCase() ?? "";
      return says.includes(button?.textContent.trim().toLowerCase()) ? null : button;
    },
    lit: (places) => all("#board .dl-plane:not([hidden]) .is-target[role=button]")
      .find((one) => means(places)(one.dataset.place)),
    pawn: (seat) => document.querySelector(`#board .dl-plane:not([hidden]) [data-place=${seat}]:not(.is-covering)`)
      ?? document.querySelector(`#hands [data-seat=${seat}]`),
    along: () => all("dialog.bubble button").find((one) => one.textContent.trim().endsWith("…")),
    said: (label) => all("dialog[open] button").find((one) => one.textContent.trim() === label),
  };
  const fold = (target) => {
    let found = null;
    const closed = "details:not([open])";
    for (let at = target.closest(closed); at; at = at.parentElement.closest(closed)) found = at;
    return found?.firstElementChild;
  };
  const free = (target) => {
    const box = target.getBoundingClientRect();
    const parts = [[.5, .5], [.5, .3], [.3, .5], [.7, .5], [.5, .7], [.25, .25], [.75, .25], [.25, .75], [.75, .75]];
    for (const [x, y] of parts) {
      const point = [box.left + box.width * x, box.top + box.height * y];
      if (target.contains(document.elementFromPoint(...point))) return point;
    }
    // Under pieces: the board finds what a touch in its middle may mean.
    if (!target.matches(".is-target[role=button]")) return null;
    const middle = [box.left + box.width / 2, box.top + box.height / 2];
    return document.elementFromPoint(...middle)?.closest("#board > svg") ? middle : null;
  };
  window.aim = (kind, wanted) => {
    const target = find[kind](wanted);
    if (!target) return null;
    const folded = fold(target), one = folded ?? target;
    const box = one.getBoundingClientRect();
    return { folded: Boolean(folded), card: Boolean(folded?.closest(".tray")),
      is_card: Boolean(folded?.closest(".optional")), point: free(one),
      middle: [box.left + box.width / 2, box.top + box.height / 2],
      signs: target.querySelectorAll(".lit-sign").length };
  };
  const asked = () => document.querySelector("#todo [data-value]:not([data-beside] *)")
    ? document.getElementById("todo-title") : null;
  const before = asked();
  window.isSent = (version) => asked() !== before || document.getElementById("record").dataset.version !== version
    || document.getElementById("last").classList.contains("is-sending");
}"""
STATE = """() => {
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".visually-hidden")
    && one.getBoundingClientRect().width > 1;
  const plane = "#board .dl-plane:not([hidden])";
  const board = [...document.querySelectorAll(`${plane} text`)].filter((one) => one.textContent.trim())
    .map((text) => parseFloat(text.getAttribute("font-size")) * Math.abs(text.getScreenCTM().a));
  const texts = [];
  const walker = document.createTreeWalker(document.getElementById("record"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (node.textContent.trim() && !parent.closest("svg") && isSeen(parent))
      texts.push(parseFloat(getComputedStyle(parent).fontSize));
  }
  const tappable = `#record :is(button, summary, a), ${plane} .is-target[role=button]`;
  const targets = [...document.querySelectorAll(tappable)]
    .filter(isSeen).map((one) => {
      const isWider = getComputedStyle(one, "::after").position === "absolute";
      const area = isWider ? one.offsetParent : one.querySelector(":scope > .dl-face");
      const box = (area ?? one).getBoundingClientRect();
      const name = one.dataset.kind ? `a lit ${one.dataset.kind}` : one.id || one.className;
      const drawn = Math.min(box.width, box.height);
      return [Math.max(drawn, one.closest("[data-reach]")?.dataset.reach ?? 0), String(name), drawn];
    }).sort((a, b) => a[0] - b[0]);
  const drawn = Math.min(...targets.map((one) => one[2]));
  const host = document.getElementById("board").getBoundingClientRect();
  const centres = [...document.querySelectorAll(`${plane} .is-target[role=button]`)].map((one) => {
    const box = (one.querySelector(":scope > .dl-face") ?? one).getBoundingClientRect();
    return [one, box.left + box.width / 2, box.top + box.height / 2];
  }).filter(([, x, y]) => x > host.left && x < host.right && y > host.top && y < Math.min(host.bottom, innerHeight));
  // A canoe on a shore means the shore.
  const placeAt = (x, y) => document.elementFromPoint(x, y)?.closest("[data-place]")?.dataset.place;
  const covered = centres.filter(([one, x, y]) => placeAt(x, y) !== one.dataset.place).length;
  return { board, text: Math.min(...texts), target: targets[0][0], smallest: targets[0][1], drawn,
    centres: centres.length, covered };
}"""


class Touched(msgspec.Struct):
    """The touches that recording an event took."""

    touches: int = 0
    swipes: int = 0
    """Number of swipes that scroll to a target."""
    is_found: bool = True


class Finger:
    """One finger on a phone's screen."""

    def __init__(self, page: Page, session: CDPSession) -> None:
        self.page = page
        self.session = session
        self.done = Touched()

    def record(self, entry: dict[str, Any], outcomes: list[Any], *, is_any_time: bool, may_slide: bool) -> Touched:
        """Record an entry of `/actions` and its results; `is_found` is False if a target could not be touched."""
        self.done = Touched()
        self.page.evaluate(HELPERS)
        action = [entry["type"], entry["actor"], entry["params"]]
        places = [
            [name, one]
            for name, value in entry["params"].items()
            for one in (value if isinstance(value, list) else [value])
        ]
        if outcomes and self._aim("beside", [action, outcomes[0]]):
            self._touch("beside", [action, outcomes[0]])
            return self.done
        if not outcomes or not self._aim("value", outcomes[0]):
            along = next((one for _, one in places if _is_seat(one) and one != entry["actor"]), None)
            if along and entry["actor"] and not is_any_time and self._is_folded(action) and self._aim("pawn", along):
                if may_slide and self._slide_pawn(along, places):
                    return self.done
                self._touch("pawn", along)
                self.page.wait_for_timeout(50)
                if self._aim("along", None):
                    # The pawn is on a tile that can be a target, too.
                    self._touch("along", None)
                    self.page.wait_for_timeout(50)
            self._choose("action", action, places, entry["label"], is_any_time=is_any_time, may_slide=may_slide)
        for value in outcomes:
            if self.done.is_found:
                self._choose("value", value, [["", value]], "", is_any_time=False, may_slide=False)
        return self.done

    def tap(self, point: list[float]) -> None:
        """Touch a point, as a person does: down, and up."""
        self.page.touchscreen.tap(point[0], point[1])

    def _is_folded(self, action: list[Any]) -> bool:
        aim = self._until("action", action)
        return bool(aim and aim["folded"])

    def _choose(
        self, kind: str, wanted: Any, places: list[Any], label: str, *, is_any_time: bool, may_slide: bool
    ) -> None:
        limit = time.monotonic() + FIND_S
        while True:
            button, tile = self._aim(kind, wanted), self._aim("lit", places)
            if button or tile or time.monotonic() > limit:
                break
            self.page.wait_for_timeout(20)
        if kind == "action" and self._aim("kind", [wanted[0], places]):
            self._touch("kind", [wanted[0], places])
            self.page.wait_for_timeout(50)
        if is_any_time and button:
            # A card in the tray must be opened first; then its target is on the board, or a button below.
            is_out = False
            while button and button["folded"] and button["card"] and not (is_out and tile and tile["point"]):
                is_out = button["is_card"]
                self._touch(kind, wanted)
                self.page.wait_for_timeout(50)
                button, tile = self._aim(kind, wanted), self._aim("lit", places)
        # Where both are open, people touch what is in sight.
        if button and (not tile or (not button["folded"] and (button["point"] or not tile["point"]))):
            self._touch_whole(kind, wanted)
        elif tile:
            self._touch_tile(places, label, may_slide=may_slide)
        else:
            self.done.is_found = False

    def _touch_whole(self, kind: str, wanted: Any) -> None:
        while self.done.is_found:
            aim = self._aim(kind, wanted)
            self._touch(kind, wanted)
            if aim is None or not aim["folded"]:
                return
            self.page.wait_for_timeout(50)

    def _touch_tile(self, places: list[Any], label: str, *, may_slide: bool) -> None:
        version = self.page.locator("#record").get_attribute("data-version")
        if may_slide and (aim := self._aim("lit", places)) and aim["point"]:
            self._dispatch("touchStart", aim["point"])
            self.page.wait_for_timeout(1000 * REST_S)
            meant = self._aim("said", label)
            if meant and meant["point"]:
                (left, top), (right, down) = aim["point"], meant["point"]
                for part in (0.3, 0.6, 1):
                    self._dispatch("touchMove", [left + (right - left) * part, top + (down - top) * part])
            self._dispatch("touchEnd")
            self.done.touches += 1
            if meant and meant["point"]:
                return None
        else:
            self._touch("lit", places)
        limit = time.monotonic() + FIND_S
        while time.monotonic() < limit:
            if label and self._aim("said", label):
                return self._touch("said", label)
            if self.page.evaluate("(version) => isSent(version)", version):
                return None
            self.page.wait_for_timeout(20)
        self.done.is_found = False
        return None

    def _aim(self, kind: str, wanted: Any) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.page.evaluate("([kind, wanted]) => aim(kind, wanted)", [kind, wanted])
        return found

    def _slide_pawn(self, seat: str, places: list[Any]) -> bool:
        """Slide a pawn to its target; return False if the tile has several meanings."""
        pawn = self._aim("pawn", seat)
        if pawn is None or not pawn["point"]:
            return False
        left, top = pawn["point"]
        self._dispatch("touchStart", [left, top])
        self._dispatch("touchMove", [left, top + 16])
        tile = self._aim("lit", places)
        to = tile["point"] or tile["middle"] if tile else [left, top]
        for part in (0.5, 1):
            self._dispatch("touchMove", [left + (to[0] - left) * part, top + (to[1] - top) * part])
        version = self.page.locator("#record").get_attribute("data-version")
        self._dispatch("touchEnd")
        self.page.wait_for_timeout(100)
        is_sent = bool(tile) and bool(self.page.evaluate("(version) => isSent(version)", version))
        self.done.touches += is_sent
        return is_sent

    def _until(self, kind: str, wanted: Any) -> dict[str, Any] | None:
        limit = time.monotonic() + FIND_S
        while time.monotonic() < limit:
            if found := self._aim(kind, wanted):
                return found
            self.page.wait_for_timeout(20)
        return None

    def _touch(self, kind: str, wanted: Any) -> None:
        """Touch a target, or the closed fold that contains it; swipe first if it is out of sight."""
        for _ in range(MOST_SWIPES):
            aim = self._until(kind, wanted)
            if aim and aim["point"]:
                self.done.touches += 1
                return self.tap(aim["point"])
            if aim is None:
                break
            self._swipe("#board" if kind == "lit" else "dialog[open], .panel", aim["middle"])
        self.done.is_found = False
        return None

    def _swipe(self, hosts: str, towards: list[float]) -> None:
        """Bring a point towards the middle of the list that scrolls, as far as one swipe can."""
        box = self.page.locator(hosts).last.bounding_box()
        assert box is not None
        top, bottom = box["y"], box["y"] + box["height"]
        x, middle, reach = box["x"] + 4, (top + bottom) / 2, (bottom - top) * 0.7
        # The page would take a shorter movement for a tap.
        by = copysign(max(SWIPE, min(reach, abs(middle - towards[1]))), middle - towards[1])
        start = middle - by / 2
        self.done.swipes += 1
        self._dispatch("touchStart", [x, start])
        for part in range(1, 9):
            self._dispatch("touchMove", [x, start + by * part / 8])
        self.page.wait_for_timeout(PAUSE_MS)
        self._dispatch("touchEnd")
        self.page.wait_for_timeout(PAUSE_MS)

    def _dispatch(self, kind: str, point: list[float] | None = None) -> None:
        points = [] if point is None else [{"x": point[0], "y": point[1]}]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


class Sizes(msgspec.Struct):
    """Measurements of a screen in every state."""

    medians: list[float] = []
    texts: list[float] = []
    targets: list[tuple[float, str]] = []
    drawn: list[float] = []
    """The smallest drawn size of a place that can be touched; the board accepts a touch beside a small place, too."""
    centres: int = 0
    """Number of highlighted places in sight, over all states."""
    covered: int = 0
    """The highlighted places of which something else covers the centre."""

    def add(self, state: dict[str, Any]) -> None:
        if state["board"]:
            self.medians.append(statistics.median(state["board"]))
            self.texts.append(min(state["board"]))
        self.texts.append(state["text"])
        self.targets.append((state["target"], state["smallest"]))
        self.drawn.append(state["drawn"])
        self.centres += state["centres"]
        self.covered += state["covered"]


def measure(settings: Settings, service: Service, browser: Browser) -> Iterator[Row]:
    """Measure every game: taps to record it, and the contents of the screen meanwhile."""
    expect.set_options(timeout=PATIENCE_MS)
    for name in SCORESHEETS:
        yield from scoresheet(browser, service, name, 6 if settings.quick else None)


def scoresheet(browser: Browser, service: Service, name: str, most: int | None = None) -> Iterator[Row]:
    """Measure a game, or its first `most` events."""
    opening, bodies = sheet(name)
    dealt, *events = bodies[: None if most is None else most + 1]
    sizes = {size: Sizes() for size in SIZES}
    plain = _play(browser, service, opening, dealt, events, sizes)
    slid = _play(browser, service, opening, dealt, events, {}, plain)
    found = [(event, one) for event, one in enumerate(plain) if one is not None]
    missed = sum(not one.is_found for _, one in found)
    touched = [(event, one) for event, one in found if one.is_found]
    yield Row(
        what=f"{name}: events touched, of {len(events)} ({len(events) - len(found)} have no button)",
        ours=f"{len(touched)} ({missed} not recorded as meant)",
        goal=exactly(missed, 0, "missed"),
        pinning=PROFILES[0].pinning,
    )
    for title, all_ in (("without the slide", plain), ("with the slide", slid)):
        # Events that cannot be recorded with a slide count with their touches.
        whole = [_best(one, all_[event]) for event, one in touched]
        touches = sum(one.touches for one in whole)
        swipes = sum(one.swipes for one in whole)
        yield Row(
            what=f"{name}: touches an event, {title}",
            ours=f"{touches / len(whole):.2f} (most {max(one.touches for one in whole)})",
            goal=at_most(touches / len(whole), MOST_TAPS, "touches"),
            pinning=PROFILES[0].pinning,
        )
        if title == "without the slide":
            yield Row(
                what=f"{name}: swipes to bring a target into sight, per 100 touches",
                ours=f"{100 * swipes / touches:.1f}",
                goal=at_most(100 * swipes / touches, MOST_BELOW, ""),
                pinning=PROFILES[0].pinning,
            )
    for (width, height), size in sizes.items():
        yield from _sizes(name, f"{width} × {height}", size, SIZES[width, height])
    yield from _cold(browser, service, name, opening, [dealt, *events[: len(events) // 2]])


def _best(plain: Touched, other: Touched | None) -> Touched:
    return other if other is not None and other.is_found else plain


def _sizes(name: str, screen: str, size: Sizes, least: float) -> Iterator[Row]:
    states = len(size.targets)
    median, text = min(size.medians, default=0), min(size.texts)
    small = [one for one in size.targets if one[0] < LEAST_TARGET - 0.5]
    target, which = min(size.targets)
    for what, ours, goal in (
        (
            "median text on the board, least of all states",
            f"{median:.1f} px (median {statistics.median(size.medians):.1f})",
            at_least(median, least, "px"),
        ),
        ("least text anywhere", f"{text:.1f} px", at_least(text, LEAST_TEXT, "px")),
        (
            f"least target, of {states} states",
            f"{target:.1f} px, {which} ({len(small)} states under {LEAST_TARGET}; least drawn {min(size.drawn):.1f})",
            at_least(target, LEAST_TARGET - 0.5, "px"),
        ),
        (
            f"highlighted places with a covered centre, of {size.centres}",
            f"{size.covered}",
            exactly(size.covered, 0, "covered"),
        ),
    ):
        yield Row(what=f"{name}, {screen}: {what}", ours=ours, goal=goal, pinning=PROFILES[0].pinning)


def _cold(browser: Browser, service: Service, name: str, opening: Any, events: list[Any]) -> Iterator[Row]:
    game = _opened(service, opening, events)
    place = Place(name, f"/games/{game}/record", '#todo[aria-busy="false"] :is(button, summary)')
    for profile in PROFILES:
        cold = load(browser, service, place, profile)
        yield Row(
            what=f"{name}, {profile.name}: cold load of the record page, {cold.requests} requests, {cold.kb:.0f} kB",
            ours=f"usable after {cold.usable:,.0f} ms (first paint {cold.painted:,.0f})",
            pinning=profile.pinning,
        )


def _play(  # noqa: PLR0917
    browser: Browser,
    service: Service,
    opening: Any,
    dealt: Any,
    events: list[dict[str, Any]],
    sizes: dict[tuple[int, int], Sizes],
    before: list[Touched | None] | None = None,
) -> list[Touched | None]:
    """Record a game with touches; return None for an event without a button.

    If `before`, the result without sliding, is given, slide for the events that took more than one touch there.
    """
    game = _opened(service, opening, [dealt])
    kinds = service.ask("GET", f"/v1/rulesets/{opening['ruleset']}")[1]["actions"]
    any_time = {kind["type"] for kind in kinds if kind["any_time"]}
    found: list[Touched | None] = []
    with opened(browser, service, PROFILES[0], "main") as (page, session):
        thumb, finger = Thumb(page, service, game), Finger(page, session)
        thumb.open()
        for number, event in enumerate(events):
            entry = listed(service, game, event)
            was = before[number] if before else None
            if entry is None or (before is not None and (was is None or was.touches < 2 or not was.is_found)):
                _append(service, game, event)
                thumb.recorded()
                found.append(None)
                continue
            found.append(
                _record(service, thumb, finger, entry, event, entry["type"] in any_time, may_slide=before is not None)
            )
            # It catches a second click for a moment.
            expect(page.locator(".shield")).to_be_hidden()
            for (width, height), size in sizes.items():
                page.set_viewport_size({"width": width, "height": height})
                size.add(page.evaluate(STATE))
            if sizes:
                page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    return found


def _record(  # noqa: PLR0917
    service: Service,
    thumb: Thumb,
    finger: Finger,
    entry: dict[str, Any],
    event: dict[str, Any],
    is_any_time: bool,  # noqa: FBT001
    *,
    may_slide: bool,
) -> Touched:
    at = thumb.version
    done = finger.record(entry, event.get("outcomes", []), is_any_time=is_any_time, may_slide=may_slide)
    limit = time.monotonic() + FIND_S
    while done.is_found and thumb.version == at and time.monotonic() < limit:
        thumb.page.wait_for_timeout(50)
    if not done.is_found:
        # A tap that is still on its way would be recorded after the scoresheet's event. A sheet may be open.
        expect(thumb.page.locator("#last")).not_to_contain_class("is-sending")
        thumb.open()
    if thumb.version > at:
        thumb.settled()
        came = service.ask("GET", f"/v1/games/{thumb.game}/events/{at + 1}")[1]
        if done.is_found and _is_meant(came, entry):
            return done
        _append(service, thumb.game, {"type": "undo", "params": {"to": at}})
    done.is_found = False
    # Continue with the scoresheet's event, on a fresh page.
    _append(service, thumb.game, event)
    thumb.open()
    return done


def tap_next(page: Page, session: CDPSession, entry: dict[str, Any]) -> None:
    """Touch the action `entry` of a seeded game."""
    Finger(page, session).record(entry, [], is_any_time=False, may_slide=False)


def sheet(name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the body that opens a game, and its events."""
    if name not in RECORDED:
        opening, bodies = lines(name)
        return opening, flat(bodies)
    header, kept = read(FOLDER / name / RECORDED[name])
    seats = [{"name": one} for one in NAMES[: header.seats]]
    opening = {"ruleset": header.ruleset, "seats": seats, "chance": "observed", "options": header.options}
    events = [{"type": one.type, "actor": one.actor, "params": one.params, "outcomes": one.outcomes} for one in kept]
    return opening, [event for event in events if event["type"] not in {"game_opened", "game_closed"}]


def listed(service: Service, game: str, event: dict[str, Any]) -> dict[str, Any] | None:
    """Return the entry of `/actions` for an event; None if there is none.

    If several entries fit, return the one with the fewest other params, such as a flight without passengers.
    """
    actions: list[dict[str, Any]] = service.ask("GET", f"/v1/games/{game}/actions")[1]["actions"]
    fitting = [one for one in actions if is_same(one, event)]
    return min(fitting, key=lambda one: sum(value is not None for value in one["params"].values()), default=None)


def is_same(one: dict[str, Any], event: dict[str, Any]) -> bool:
    """Return True if an entry matches an event of a scoresheet, which can omit defaults."""
    is_of = (one["type"], one["actor"]) == (event["type"], event.get("actor"))
    return is_of and event.get("params", {}).items() <= one["params"].items()


def _is_meant(came: dict[str, Any], entry: dict[str, Any]) -> bool:
    """Return True if an event records the action of an entry, as far as its params are public."""
    hidden = {name for name, value in came["params"].items() if value == {"masked": True}}
    came, entry = (
        {**one, "params": {name: value for name, value in one["params"].items() if name not in hidden}}
        for one in (came, entry)
    )
    return all(came[name] == entry[name] for name in ("type", "actor", "params"))


def _is_seat(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 2 and value[0] == "p" and value[1].isdigit()


def _opened(service: Service, opening: Any, events: list[Any]) -> str:
    status, game = service.ask("POST", "/v1/games", opening)
    assert status == 201, game
    _append(service, game["id"], events)
    id_: str = game["id"]
    return id_


def _append(service: Service, game: str, event: Any) -> None:
    status, answer = service.ask("POST", f"/v1/games/{game}/events", event)
    assert status == 201, answer
    assert "stopped" not in answer, answer
