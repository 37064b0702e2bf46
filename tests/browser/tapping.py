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

from driftlog.testing.tables import TableSetup
from engine.core.events import Event
from engine.core.values import Value
from engine.games.forever_island.components import DIRECTIONS
from tests.cli.service import Service
from tests.conformance.recorded import record_random_game

SEEDS = {
    "forbidden-island": 5,
    "forbidden-island-archaens": 29,
    "forbidden-desert": 21,
    "forgotten-waters": 19,
}
"""The first seed that `whole_game` tries, chosen so that the game is short and varied; by default 0."""

APPENDS = re.compile(r"/v1/games/\w+/events(\?|$)")
"""Addresses of appends from the pages, with any additional members."""

READS = re.compile(r"/v1/games/\w+\?include=")
"""Addresses at which the record page reads a game."""


def whole_game(ruleset: str, seats: int, at_least: int = 30) -> list[Event]:
    """Return a random whole game of at least `at_least` events, with its results."""
    games = (
        record_random_game(TableSetup(ruleset, seats, {}), seed).events
        for seed in itertools.count(SEEDS.get(ruleset, 0))
    )
    # Skip abandoned games, because no button of a turn records the abandonment.
    whole = (one for one in games if all(event.type != "abandon" for event in one))
    long_enough = next(one for one in whole if len(one) >= at_least)
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
    """Keep messages in a corner of the page, so that they cover nothing and a slow machine still finds them."""
    page.evaluate(TOASTS)


def time_stands(page: Page) -> None:
    """Stop the clock of all pages that are opened from now on. Only the test advances it."""
    page.clock.install()
    # The clock can only pause at a future time.
    page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=60))


def pictured_place(page: Page, value: str) -> Locator:
    """Return the place to tap on a pictured setup: in the palette, or else the thing's place on the board."""
    return page.locator(f"#panel [data-value='{value}']").or_(page.locator(f"#board [data-value='{value}']")).last


def _declared_data(page: Page, name: str) -> Any:
    return json.loads(page.locator("#setup").get_attribute(f"data-{name}") or "")


def outcomes_to_tap(page: Page, outcomes: Sequence[Value | None]) -> list[Value]:
    """Return the outcomes that a pictured setup records: all except repeated rolls and cards."""
    walk = [part for step in _declared_data(page, "page")["steps"] for part in step["parts"] if part["kind"] == "walk"]
    outcomes = _laying(walk[0]["connect"], outcomes) if walk else list(outcomes)
    piles = _declared_data(page, "plan")["piles"]
    redrawn = {one["value"] for pile in piles for one in pile["outcomes"] if one["more"]}
    return [value for value in outcomes if value is not None and value not in redrawn]


def _laying(connect: int, outcomes: Sequence[Value | None]) -> list[Value | None]:
    """Return the outcomes without those rolls that do not lay a tile."""
    rolls = [value for value in outcomes if isinstance(value, int)]
    kept = list[Value | None]()
    laid, turned = [(0, 0)], 0
    for roll in rolls:
        direction = (turned + roll - 1) % 6
        q, r = laid[-1]
        space = (q + DIRECTIONS[direction][0], r + DIRECTIONS[direction][1])
        if space not in laid:
            laid.append(space)
            turned = (direction + 4 - connect) % 6
            kept.append(roll)
    return [*kept, *outcomes[len(rolls) :]]


def picture_taps(page: Page, outcomes: Sequence[Value | None]) -> list[Value]:
    """Return the taps on a pictured setup for these outcomes, in the order in which the page asks.

    If there is only one way to place the last components, the page places them itself, so they need no tap.
    """
    told, plan = _declared_data(page, "page"), _declared_data(page, "plan")
    came = iter(outcomes_to_tap(page, outcomes))
    values: dict[str, list[Value]] = {}
    for place in plan["places"]:
        values.setdefault(place["group"], []).append(next(came))
    found: list[Value] = []
    for step in told["steps"]:
        dealt = [part for part in step["parts"] if part["kind"] == "deal"]
        for part in step["parts"]:
            if part not in dealt:
                found += _taps(part, values[part["group"]])
        for seat in range(len(values[dealt[0]["group"]]) if dealt else 0):
            for part in dealt:
                found += values[part["group"]][seat * part["each"] : (seat + 1) * part["each"]]
    return found


def _taps(part: dict[str, Any], values: list[Value]) -> list[Value]:
    """Return the taps on a part of the setup that does not contain players' hands."""
    if part["kind"] == "find":
        places = [choice["value"] for family in part["families"] for choice in family["choices"]]
        return [place for place, value in zip(places, values, strict=True) if value == part["value"]]
    if part["kind"] not in {"lay", "rank"} or len(values) == 1:
        return values
    while len(values) > 1 and values[-2] == values[-1]:
        values = values[:-1]
    return values[:-1]


class Thumb:
    """Taps on the record page of a game."""

    def __init__(self, page: Page, service: Service, game: str) -> None:
        self.page = page
        self.game = game
        self._service = service
        self._seen = ""
        self._is_unhurried = False

    def open(self) -> None:
        """Open the page, and wait until it accepts taps."""
        self.page.goto(f"/games/{self.game}/record")
        self.settled()

    def stop_clock(self) -> None:
        """Open the page with a stopped clock, so that the page does not time out on a slow machine."""
        time_stands(self.page)
        self._is_unhurried = True
        self.open()

    def settled(self) -> None:
        expect(self.page.locator("#todo")).to_have_attribute("aria-busy", "false")
        version = str(self.version)
        expect(self.page.locator("#record")).to_have_attribute("data-version", version)
        self._seen = version

    def recorded(self) -> None:
        """Wait until the page shows the result of a tap.

        The browser turns a tap into a click with some delay. Until then, the page looks unchanged.
        """
        expect(self.page.locator("#record")).not_to_have_attribute("data-version", self._seen)
        self.settled()

    @property
    def version(self) -> int:
        """The version of the game, according to the service."""
        version: int = self._service.ask("GET", f"/v1/games/{self.game}")[1]["version"]
        return version

    @property
    def ruleset(self) -> dict[str, Any]:
        """The document of the game's ruleset."""
        id_ = self._service.ask("GET", f"/v1/games/{self.game}")[1]["ruleset"]
        return dict(self._service.ask("GET", f"/v1/rulesets/{id_}")[1])

    def action(self, type_: str, actor: str | None, params: dict[str, Any]) -> Locator:
        """Return the button of an action."""
        for one in self._service.ask("GET", f"/v1/games/{self.game}/actions")[1]["actions"]:
            if (one["type"], one["actor"], one["params"]) == (type_, actor, params):
                return self._by("data-action", [type_, actor, one["params"]])
        raise AssertionError(f"{type_} {actor} {params} is not to be done now")

    def outcome(self, value: Any) -> Locator:
        """Return the button of a possible result."""
        return self._by("data-value", value, ":not([data-beside] *)")

    def _beside(self, action: list[Any], outcomes: Sequence[Value | None]) -> Locator:
        """Return the button of a result that is shown among the other actions."""
        host = self._by("data-beside", action)
        return host.locator(f"[data-value={json.dumps(_text(outcomes[0] if outcomes else None))}]")

    def record(self, event: Event) -> None:
        """Record `event` with taps, and wait until the page shows it."""
        # The page no longer asks for confirmation in these params.
        params = {name: value for name, value in event.params.items() if name != "confirmed"}
        beside = self._beside([event.type, event.actor, params], event.outcomes)
        if beside.count():
            self.press(beside)
        else:
            self.tap(self.action(event.type, event.actor, params), event.outcomes)
        if "confirmed" in event.params:
            self.page.get_by_role("button", name="Yes, do it").tap()
        self.recorded()

    def tap(self, button: Locator, outcomes: Any = ()) -> None:
        """Tap a button, then the results. If a draw is the only legal action, its button need not be tapped."""
        if not outcomes or not self.outcome(outcomes[0]).count():
            self.press(button)
        for value in outcomes:
            self.press(self.outcome(value))

    def press(self, button: Locator) -> None:
        """Open the folds around a button, then tap it."""
        self.unfold(button).tap()
        self._let_go()

    def unfold(self, button: Locator) -> Locator:
        """Open the folds around a button, and return the button."""
        expect(button).to_have_count(1)
        closed = button.locator("xpath=ancestor::details[not(@open)]").first
        while closed.count():
            closed.locator("summary").first.click()
            self._let_go()
        return button

    def _let_go(self) -> None:
        """If the clock is stopped, advance it, so that the page no longer treats a tap as a double click."""
        if self._is_unhurried:
            shield = self.page.locator(".shield")
            expect(shield).to_be_visible()
            self.page.clock.run_for(300)
            expect(shield).to_be_hidden()

    def _by(self, attribute: str, value: Any, which: str = "") -> Locator:
        return self.page.locator(f"#todo [{attribute}={json.dumps(_text(value))}]{which}")


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
