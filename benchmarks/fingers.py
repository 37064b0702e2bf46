"""Record actions on a phone with real touches.

Touches go through the browser's input (CDP), at visible coordinates. So a covered or invisible target is not touched.
"""

from __future__ import annotations

import time
from math import copysign
from typing import Any

import msgspec
from playwright.sync_api import CDPSession, Page

REST_S = 0.25
"""Seconds that a finger rests before it slides."""
FIND_S = 6
"""Timeout of the search for a target, in seconds."""
MOST_SWIPES = 30
SWIPE = 40
READ_MS = 350
"""Milliseconds in which a person reads choices. A second touch at the same place within 300 ms has no effect."""
PAUSE_MS = 100
"""Milliseconds that a finger rests at the end of a swipe, so that scrolling stops, and again before the next touch."""

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
    choice: () => document.querySelector("dialog[open]"),
    said: (label) => all("dialog[open] button").find((one) =>
      (one.ariaLabel ?? one.textContent.trim()) === label),
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


class TouchCount(msgspec.Struct):
    """The touches needed to record an event."""

    touches: int = 0
    swipes: int = 0
    """Number of swipes that scroll to a target."""
    is_found: bool = True


class Finger:
    """One finger on a phone's screen."""

    def __init__(self, page: Page, session: CDPSession) -> None:
        self.page = page
        self.session = session
        self.done = TouchCount()

    def record(
        self, entry: dict[str, Any], outcomes: list[Any], *, is_any_time: bool = False, may_slide: bool = False
    ) -> TouchCount:
        """Record an entry of `/actions` and its results.

        `is_found` of the result is False if a target could not be touched.
        """
        self.done = TouchCount()
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
                    # The tile under the pawn can be a target, too.
                    self._touch("along", None)
                    self.page.wait_for_timeout(50)
            self._choose("action", action, places, entry["label"], is_any_time=is_any_time, may_slide=may_slide)
        for value in outcomes:
            if self.done.is_found:
                self._choose("value", value, [["", value]])
        return self.done

    def tap(self, point: list[float]) -> None:
        """Touch a point, as a person does: the finger goes down, then up."""
        self.page.touchscreen.tap(point[0], point[1])

    def _is_folded(self, action: list[Any]) -> bool:
        aim = self._until("action", action)
        return bool(aim and aim["folded"])

    def _choose(
        self,
        kind: str,
        wanted: Any,
        places: list[Any],
        label: str = "",
        *,
        is_any_time: bool = False,
        may_slide: bool = False,
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
            # A card in the tray must be opened first. Then the target is on the board, or a button is below the card.
            is_out = False
            while button and button["folded"] and button["card"] and not (is_out and tile and tile["point"]):
                is_out = button["is_card"]
                self._touch(kind, wanted)
                self.page.wait_for_timeout(50)
                button, tile = self._aim(kind, wanted), self._aim("lit", places)
        # If both are open, people touch the one in sight.
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
                self.page.wait_for_timeout(READ_MS)
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
        """Slide a pawn to its target. Return False if the target tile can mean several actions."""
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
        limit = time.monotonic() + FIND_S
        while tile and time.monotonic() < limit:
            if self.page.evaluate("(version) => isSent(version)", version):
                self.done.touches += 1
                return True
            if self._aim("choice", None):
                break
            self.page.wait_for_timeout(20)
        return False

    def _until(self, kind: str, wanted: Any) -> dict[str, Any] | None:
        limit = time.monotonic() + FIND_S
        while time.monotonic() < limit:
            if found := self._aim(kind, wanted):
                return found
            self.page.wait_for_timeout(20)
        return None

    def _touch(self, kind: str, wanted: Any) -> None:
        """Touch a target, or the closed fold that contains it. If it is out of sight, swipe first."""
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
        """Move a point towards the middle of the scrolling list, as far as one swipe can."""
        box = self.page.locator(hosts).last.bounding_box()
        assert box is not None
        top, bottom = box["y"], box["y"] + box["height"]
        x, middle, reach = box["x"] + 4, (top + bottom) / 2, (bottom - top) * 0.7
        # The page would treat a shorter movement as a tap.
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


def _is_seat(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 2 and value[0] == "p" and value[1].isdigit()
