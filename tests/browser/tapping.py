"""A player's thumb on the record page."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from playwright.sync_api import Locator, Page, expect

from driftlog.testing.tables import Table
from engine.core.events import Event
from engine.core.values import Value
from tests.cli.service import Service
from tests.conformance.recorded import recorded

SEEDS = {
    "forbidden-island": 5,
    "forbidden-island-archaens": 29,
    "forbidden-desert": 21,
    "forgotten-waters": 19,
}
"""Where `whole_game` begins to look, for it to be a short game in which much is done; else at 0."""

APPENDS = re.compile(r"/v1/games/\w+/events(\?|$)")
"""Addresses of appends from the pages, with any additional members."""


def whole_game(ruleset: str, seats: int, at_least: int = 30) -> list[Event]:
    """Return a random game of some length, with its results."""
    games = (recorded(Table(ruleset, seats, {}), seed).events for seed in itertools.count(SEEDS.get(ruleset, 0)))
    long_enough = next(one for one in games if len(one) >= at_least)
    # JSON has lists where a freshly recorded event may hold tuples.
    return msgspec.json.decode(msgspec.json.encode(long_enough), type=list[Event])


TOASTS = """() => {
  const remove = Element.prototype.remove;
  Element.prototype.remove = function () {
    if (this.matches(".toast")) this.style = "opacity: 0; pointer-events: none";
    else remove.call(this);
  };
}"""


def toasts_stay(page: Page) -> None:
    """What the page says in its corner stays there, in nobody's way: a busy machine looks when it would be gone."""
    page.evaluate(TOASTS)


def time_stands(page: Page) -> None:
    """No time goes by to a page that is opened hereafter but what a test lets go by, however long a machine takes."""
    page.clock.install()
    # It is a moment that is still to come.
    page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=60))


def pictured(page: Page, value: str) -> Locator:
    """Return the place to tap on a pictured setup: the palette, else the location of the thing."""
    chosen = page.locator(f"#panel [data-value={json.dumps(value)}]")
    return chosen.or_(page.locator(f"#board [data-value={json.dumps(value)}]")).last


def _declared(page: Page, name: str) -> Any:
    return json.loads(page.locator("#setup").get_attribute(f"data-{name}") or "")


def told_in_pictures(page: Page, outcomes: Sequence[Value | None]) -> list[Value]:
    """Return the outcomes that a pictured setup records: all except repeated rolls."""
    piles = _declared(page, "plan")["piles"]
    redrawn = {one["value"] for pile in piles for one in pile["outcomes"] if one["more"]}
    return [value for value in outcomes if value is not None and value not in redrawn]


def picture_taps(page: Page, outcomes: Sequence[Value | None]) -> list[Value]:
    """Return the taps on a pictured setup for these outcomes, in the order in which the page asks.

    The last tile needs no tap: it is placed automatically.
    """
    told, plan = _declared(page, "page"), _declared(page, "plan")
    came = iter(told_in_pictures(page, outcomes))
    values: dict[str, list[Value]] = {}
    for place in plan["places"]:
        values.setdefault(place["group"], []).append(next(came))
    found: list[Value] = []
    for step in told["steps"]:
        dealt = [part for part in step["parts"] if part["kind"] == "deal"]
        for part in step["parts"]:
            if part not in dealt:
                found += values[part["group"]][: -1 if part["kind"] == "lay" else None]
        for seat in range(len(values[dealt[0]["group"]]) if dealt else 0):
            for part in dealt:
                found += values[part["group"]][seat * part["each"] : (seat + 1) * part["each"]]
    return found


class Thumb:
    """Taps on one game's record page."""

    def __init__(self, page: Page, service: Service, game: str) -> None:
        self.page = page
        self.game = game
        self._service = service
        self._seen = ""
        self._is_unhurried = False

    def open(self) -> None:
        """Go to the page, and wait until it can be tapped."""
        self.page.goto(f"/games/{self.game}/record")
        self.settled()

    def unhurried(self) -> None:
        """Go to the page, to which no time goes by: however long a busy machine takes, it waits."""
        time_stands(self.page)
        self._is_unhurried = True
        self.open()

    def settled(self) -> None:
        """Wait until the page shows the game as it stands."""
        expect(self.page.locator("#todo")).to_have_attribute("aria-busy", "false")
        version = str(self.version)
        expect(self.page.locator("#record")).to_have_attribute("data-version", version)
        self._seen = version

    def recorded(self) -> None:
        """Wait until the page shows what came of a tap.

        A browser makes a click of a tap when it likes: until then nothing is on its way, and all seems to be settled.
        """
        expect(self.page.locator("#record")).not_to_have_attribute("data-version", self._seen)
        self.settled()

    @property
    def version(self) -> int:
        """The game's, as the service has it."""
        version: int = self._service.ask("GET", f"/v1/games/{self.game}")[1]["version"]
        return version

    @property
    def ruleset(self) -> dict[str, Any]:
        """What the service tells of the game's rules."""
        id_ = self._service.ask("GET", f"/v1/games/{self.game}")[1]["ruleset"]
        return dict(self._service.ask("GET", f"/v1/rulesets/{id_}")[1])

    def action(self, type_: str, actor: str | None, params: dict[str, Any]) -> Locator:
        """The button of an action."""
        for one in self._service.ask("GET", f"/v1/games/{self.game}/actions")[1]["actions"]:
            if (one["type"], one["actor"], one["params"]) == (type_, actor, params):
                return self._by("data-action", [type_, actor, one["params"]])
        raise AssertionError(f"{type_} {actor} {params} is not to be done now")

    def outcome(self, value: Any) -> Locator:
        """The button of something that can come up."""
        return self._by("data-value", value)

    def record(self, event: Event) -> None:
        """Tap what makes `event`, and wait until it is on the screen."""
        # Nobody is asked for it any more.
        params = {name: value for name, value in event.params.items() if name != "confirmed"}
        self.tap(self.action(event.type, event.actor, params), event.outcomes)
        if "confirmed" in event.params:
            self.page.get_by_role("button", name="Yes, do it").tap()
        self.recorded()

    def tap(self, button: Locator, outcomes: Any = ()) -> None:
        """Tap a button, then the results. A draw that is the only legal action is asked for at once."""
        if not outcomes or not self.outcome(outcomes[0]).count():
            self.press(button)
        for value in outcomes:
            self.press(self.outcome(value))

    def press(self, button: Locator) -> None:
        """Tap a button, wherever it is folded."""
        self.unfolded(button).tap()
        self._let_go()

    def unfolded(self, button: Locator) -> Locator:
        """The button, once what it is folded under has been opened."""
        expect(button).to_have_count(1)
        closed = button.locator("xpath=ancestor::details[not(@open)]").first
        while closed.count():
            closed.locator("summary").first.click()
            self._let_go()
        return button

    def _let_go(self) -> None:
        """Where time stands: let that moment pass in which the second click of a double click is caught."""
        if self._is_unhurried:
            shield = self.page.locator(".shield")
            expect(shield).to_be_visible()
            self.page.clock.run_for(200)
            expect(shield).to_be_hidden()

    def _by(self, attribute: str, value: Any) -> Locator:
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        return self.page.locator(f"#todo [{attribute}={json.dumps(text)}]")
