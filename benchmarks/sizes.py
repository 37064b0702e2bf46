"""Measure the texts and the targets on a record page."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any

import msgspec

from benchmarks.pages import PROFILES
from benchmarks.report import Row, at_least, exactly

LEAST_TEXT, LEAST_TARGET = 12, 44
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


class Sizes(msgspec.Struct):
    """Measurements of a screen in every state."""

    medians: list[float] = []
    texts: list[float] = []
    targets: list[tuple[float, str]] = []
    drawn: list[float] = []
    """The smallest drawn size of a place that can be touched. The board also accepts a touch beside a small place."""
    centres: int = 0
    """Number of highlighted places in sight, over all states."""
    covered: int = 0
    """The highlighted places whose centre is covered by something else."""

    def add(self, state: dict[str, Any]) -> None:
        if state["board"]:
            self.medians.append(statistics.median(state["board"]))
            self.texts.append(min(state["board"]))
        self.texts.append(state["text"])
        self.targets.append((state["target"], state["smallest"]))
        self.drawn.append(state["drawn"])
        self.centres += state["centres"]
        self.covered += state["covered"]


def rows(name: str, screen: str, size: Sizes, least: float) -> Iterator[Row]:
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
