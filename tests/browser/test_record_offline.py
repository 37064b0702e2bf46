"""A table in a cellar: whole turns and evenings are recorded without a network, and sent later."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from api.pages import offline
from engine.core.events import Event
from tests import waiting
from tests.api.test_secrets import BEFORE, GUESS, SCORESHEET, THROW
from tests.browser.axe import axe
from tests.browser.cable import Cable
from tests.browser.conftest import DEVICES, PATIENCE
from tests.browser.tables import opened, set_up
from tests.browser.tapping import Thumb, whole_game
from tests.browser.test_installed import cable
from tests.browser.test_record_queue import hold_answers
from tests.browser.watching import Watch
from tests.cli.service import Service

pytestmark = pytest.mark.long

__all__ = ["cable"]

MOVE = "#todo [data-action*='\"move\"']"
WAITING = "#feed .is-waiting"
STORED = "async (url) => (await (await caches.open('tables')).match(url))?.json() ?? { log: [] }"


class Cellar(Thumb):
    """Taps on a page without a network. The version comes from the page, because the service cannot be asked."""

    @property
    def version(self) -> int:
        return int(self.page.locator("#record").get_attribute("data-version") or 0)

    def action(self, type_: str, actor: str | None, params: dict[str, Any]) -> Locator:
        return self._by("data-action", [type_, actor, params])


@pytest.fixture
def phone(browser: Browser, cable: Cable) -> Iterator[Page]:
    """A phone that loads the rules, and that reaches the service only through the cable."""
    if not offline.names():
        pytest.skip("`make runtime` could not fetch Python for browsers")
    context = browser.new_context(**DEVICES["phone"], base_url=cable.url, reduced_motion="reduce", locale="en-GB")
    context.set_default_timeout(PATIENCE)
    watch = Watch(context, cable.url)
    watch.expect("ERR_|412 ")
    yield context.new_page()
    context.close()
    assert not watch.unexpected_errors(), "\n".join(watch.unexpected_errors())


def seat_phone(phone: Page, service: Service, game: str) -> Cellar:
    """Open the game on the phone, and wait until it has the rules."""
    thumb = Cellar(phone, service, game)
    thumb.open()
    expect(phone.locator("html")).to_have_attribute("data-rules", "ready", timeout=4 * PATIENCE)
    return thumb


def logged_events(service: Service, game: str) -> list[tuple[Any, ...]]:
    events = service.ask("GET", f"/v1/games/{game}/events?limit=1000")[1]["events"]
    return [(one["type"], one["actor"], one["params"], one["outcomes"]) for one in events[1:]]


def first(thumb: Cellar, kind: str) -> None:
    """Take the first action of a kind. Wait until the table has changed."""
    thumb.press(thumb.page.locator(f"#todo [data-action*='\"{kind}\"']").first)
    thumb.recorded()


def test_a_turn_goes_on_without_a_network__and_is_sent_later(phone: Page, cable: Cable, service: Service) -> None:
    game = set_up(service)
    thumb = seat_phone(phone, service, game)
    before = phone.locator("#board svg").inner_html()
    cable.cut()
    first(thumb, "move")
    assert phone.locator("#board svg").inner_html() != before
    expect(phone.get_by_role("img", name="2 of 3 actions left")).to_be_visible()
    expect(phone.locator(WAITING)).to_have_count(1)
    axe(phone)
    first(thumb, "move")
    first(thumb, "move")
    phone.locator("#undo").tap()
    thumb.recorded()
    expect(phone.locator("#feed .is-undone")).to_have_count(1)
    phone.reload()
    expect(phone.locator(WAITING)).to_have_count(4)
    expect(phone.locator("#record")).to_have_attribute("data-version", "6", timeout=4 * PATIENCE)
    cable.mend()
    expect(phone.locator(WAITING)).to_have_count(0)
    expect(phone.locator("#notices")).to_be_empty()
    assert [kind for kind, *_ in logged_events(service, game)[1:]] == ["move", "move", "move", "undo"]


SLOW = """() => {
  const send = Worker.prototype.postMessage;
  const tell = (asked) => Object.assign(document.documentElement.dataset, { asked });
  Worker.prototype.postMessage = function (message) {
    if (message.call !== "append") return send.call(this, message);
    tell("waiting");
    window.judge = () => {
      this.addEventListener("message", () => tell("answered"), { once: true });
      send.call(this, message);
    };
  };
}"""
"""Rules that judge a tap when the test says so."""


def test_the_service_may_answer_before_the_rules_here(phone: Page, service: Service) -> None:
    """In a seeded game, the rules in the browser cannot draw.

    If they report this after the service has drawn, the page still takes taps.
    """
    phone.add_init_script(f"({SLOW})()")
    game = set_up(service, chance="seeded")
    thumb = Thumb(phone, service, game)
    thumb.open()
    expect(phone.locator("html")).to_have_attribute("data-rules", "ready", timeout=4 * PATIENCE)
    with hold_answers(phone):
        thumb.press(phone.locator("#todo [data-action*='draw_treasure_card']"))
        expect(phone.locator("html")).to_have_attribute("data-asked", "waiting")
    thumb.recorded()
    phone.evaluate("judge()")
    expect(phone.locator("html")).to_have_attribute("data-asked", "answered")
    thumb.press(phone.locator("#todo [data-action*='draw_treasure_card'], #todo [data-action*='discard']").first)
    thumb.recorded()


def test_a_whole_evening_without_a_network(phone: Page, cable: Cable, service: Service) -> None:
    events = whole_game("forbidden-island", 2)
    game = opened(service)
    told = {"type": "set_up", "outcomes": events[1].outcomes}
    assert service.ask("POST", f"/v1/games/{game}/events", told)[0] == 201
    thumb = seat_phone(phone, service, game)
    cable.cut()
    evening = [one for one in events[2:] if one.type != "game_closed"]
    for event in evening:
        thumb.record(event)
    expect(phone.locator("#whose")).to_have_text("The game has ended")
    expect(phone.locator(WAITING)).to_have_count(len(evening))
    cable.mend()
    expect(phone.locator(WAITING)).to_have_count(0)
    assert logged_events(service, game) == [plain(one) for one in events[1:]]


def plain(event: Event) -> tuple[Any, ...]:
    return event.type, event.actor, json.loads(json.dumps(event.params)), list(event.outcomes)


def test_a_conflict_is_told__and_the_table_of_the_service_shown(phone: Page, cable: Cable, service: Service) -> None:
    game = set_up(service)
    thumb = seat_phone(phone, service, game)
    cable.cut()
    first(thumb, "move")
    first(thumb, "move")
    # The service has as many events as the phone expects, but they are different events.
    for _ in range(2):
        assert service.ask("POST", f"/v1/games/{game}/events", moves(service, game)[-1])[0] == 201
    cable.mend()
    notice = phone.locator("#notices .bad")
    expect(notice).to_contain_text("Someone else recorded first.")
    expect(notice).to_contain_text("Another tap is waiting.")
    expect(phone.locator("#record")).to_have_attribute("data-version", "4")
    for move in moves(service, game):
        expect(thumb.action(*move.values())).to_have_count(1)
    expect(phone.locator("#board [data-changed]").first).to_be_attached()
    notice.get_by_role("button", name="Discard all").tap()
    expect(phone.locator(WAITING)).to_have_count(0)
    assert [kind for kind, *_ in logged_events(service, game)] == ["set_up", "move", "move"]
    waiting.until(lambda: len(phone.evaluate(STORED, f"/v1/games/{game}")["log"]) == 4)
    cable.cut()
    first(thumb, "move")
    expect(phone.locator(WAITING)).to_have_count(1)


def moves(service: Service, game: str) -> list[dict[str, Any]]:
    actions = service.ask("GET", f"/v1/games/{game}/actions")[1]["actions"]
    return [{name: one[name] for name in ("type", "actor", "params")} for one in actions if one["type"] == "move"]


def test_only_the_service_draws_in_a_seeded_game(phone: Page, cable: Cable, service: Service) -> None:
    thumb = seat_phone(phone, service, set_up(service, chance="seeded", seed="calm"))
    cable.cut()
    first(thumb, "move")
    thumb.press(phone.locator("#todo [data-action*='draw_treasure_card']"))
    expect(phone.locator(WAITING)).to_have_count(2)
    expect(phone.locator("#notices")).to_contain_text("Only the service can draw the result.")
    thumb.press(phone.locator(MOVE).first)
    expect(phone.locator(WAITING)).to_have_count(2)
    phone.get_by_role("button", name="Discard it").tap()
    expect(phone.locator(WAITING)).to_have_count(1)
    first(thumb, "move")
    expect(phone.locator(WAITING)).to_have_count(2)
    cable.mend()
    expect(phone.locator(WAITING)).to_have_count(0)


def test_each_die_of_a_roll_is_asked_for(phone: Page, cable: Cable, service: Service) -> None:
    game = opened(service, "any-game", box="five-dice")
    assert service.ask("POST", f"/v1/games/{game}/events", {"type": "set_up"})[0] == 201
    thumb = seat_phone(phone, service, game)
    cable.cut()
    thumb.press(phone.locator("#todo").get_by_role("button", name="Roll 5d6", exact=True).first)
    for face, asked in zip("62361", ("Which die", "Second", "Third", "Fourth", "Fifth"), strict=True):
        expect(phone.get_by_text(asked).first).to_be_visible()
        thumb.press(phone.locator(f'#todo [data-value="{face}"]').first)
    thumb.recorded()
    cable.mend()
    expect(phone.locator(WAITING)).to_have_count(0)
    expect(phone.locator("#notices")).to_be_empty()
    assert [outcomes for *_, outcomes in logged_events(service, game)] == [[], [6, 2, 3, 6, 1]]


def test_a_hidden_choice_is_unknown_to_the_rules__until_it_is_revealed(phone: Page, service: Service) -> None:
    game: str = service.ask("POST", "/v1/games", json.loads(SCORESHEET[0]))[1]["id"]
    assert service.ask("POST", f"/v1/games/{game}/events", [*BEFORE, THROW])[0] == 201
    thumb = seat_phone(phone, service, game)
    hidden = phone.evaluate(STORED, f"/v1/games/{game}")
    assert all(one["type"] != "throw_spears" for one in hidden["log"])
    status, answer = service.ask("POST", f"/v1/games/{game}/events", GUESS)
    assert status == 201
    expect(phone.locator("#record")).to_have_attribute("data-version", str(answer["version"]))
    waiting.until(lambda: len(phone.evaluate(STORED, f"/v1/games/{game}")["log"]) == thumb.version)
