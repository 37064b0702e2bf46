"""A player's thumb on the record page."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from playwright.sync_api import Locator, Page, expect

from engine.events import Event
from tests.cli.service import Service
from tests.conformance.play import recorded
from tests.conformance.tables import Table

SEEDS = range(40)
"""Where a game of the wanted length is looked for."""


def whole_game(ruleset: str, seats: int, at_least: int = 30) -> list[Event]:
    """The shortest random game that has some length, with what came up in it."""
    games = [recorded(Table(ruleset, seats, {}), seed).events for seed in SEEDS]
    shortest = min((one for one in games if len(one) >= at_least), key=len)
    # JSON has lists where a freshly recorded event may hold tuples.
    return msgspec.json.decode(msgspec.json.encode(shortest), type=list[Event])


class Thumb:
    """Taps on one game's record page."""

    def __init__(self, page: Page, service: Service, game: str) -> None:
        self.page = page
        self.game = game
        self._service = service

    def open(self) -> None:
        """Go to the page, and wait until it can be tapped."""
        self.page.goto(f"/games/{self.game}/record")
        self.settled()

    def settled(self) -> None:
        """Wait until the page shows the game as it stands."""
        expect(self.page.locator("#todo")).to_have_attribute("aria-busy", "false")
        expect(self.page.locator("#record")).to_have_attribute("data-version", str(self.version))

    @property
    def version(self) -> int:
        """The game's, as the service has it."""
        version: int = self._service.ask("GET", f"/v1/games/{self.game}")[1]["version"]
        return version

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
        self.tap(self.action(event.type, event.actor, event.params), event.outcomes)
        self.settled()

    def tap(self, button: Locator, outcomes: Any = ()) -> None:
        """Tap a button, and what came up then. A draw that is the only thing to be done is asked at once."""
        if not outcomes or not self.outcome(outcomes[0]).count():
            self.unfolded(button).tap()
        for value in outcomes:
            self.outcome(value).tap()

    def unfolded(self, button: Locator) -> Locator:
        """The button, once what it is folded under has been opened."""
        expect(button).to_have_count(1)
        closed = button.locator("xpath=ancestor::details[not(@open)]").first
        while closed.count():
            closed.locator("summary").first.tap()
        return button

    def _by(self, attribute: str, value: Any) -> Locator:
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        return self.page.locator(f"#todo [{attribute}={json.dumps(text)}]")
