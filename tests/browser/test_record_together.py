"""Several phones at one table with an unreliable network: no tap is lost or recorded twice."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.axe import axe
from tests.browser.conftest import Open
from tests.browser.tables import set_up
from tests.browser.tapping import APPENDS, READS, Thumb, toasts_stay
from tests.browser.watching import Watch
from tests.cli.service import Service

pytestmark = pytest.mark.long

MOVE = "#todo [data-action*='\"move\"']"
LOST = "ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_NETWORK_CHANGED"
"""Console messages of a browser that gets no answer."""


def move(page: Page, which: int = 0) -> None:
    """Tap one of the moves in the list of targets; open the list first if necessary."""
    folded = page.locator("#todo .aslist:not([open]) > summary")
    if folded.count():
        folded.click()
    page.locator(MOVE).nth(which).click()


@pytest.fixture
def game(service: Service) -> str:
    return set_up(service)


@pytest.fixture
def thumb(page: Page, service: Service, game: str, watches: list[Watch]) -> Thumb:
    """One phone at the table."""
    watches[0].expect(LOST)
    thumb = Thumb(page, service, game)
    thumb.open()
    return thumb


@pytest.fixture
def other(new_context: Open, service: Service, game: str, thumb: Thumb) -> Thumb:
    """Another device at the same table."""
    thumb = Thumb(new_context("desktop").new_page(), service, game)
    thumb.open()
    return thumb


def recorded_types(service: Service, game: str) -> list[str]:
    """Return the types of the game's events after its setup."""
    return [event["type"] for event in service.ask("GET", f"/v1/games/{game}/events?after=2")[1]["events"]]


def test_two_phones_stay_in_step(thumb: Thumb, other: Thumb) -> None:
    for one in (thumb, other):
        toasts_stay(one.page)
    for one, two in ((thumb, other), (other, thumb), (thumb, other)):
        move(one.page)
        one.recorded()
        two.settled()
        sentence = one.page.locator("#last").inner_text()
        expect(two.page.locator("#last")).to_have_text(sentence)
        expect(two.page.locator("#toasts")).to_contain_text(sentence)
    assert thumb.version == 5


def test_a_game_that_has_ended_is_opened_again_for_all(thumb: Thumb, other: Thumb, service: Service) -> None:
    abandon = {"type": "abandon", "params": {"reason": "It got late"}}
    assert service.ask("POST", f"/v1/games/{thumb.game}/events", abandon)[0] == 201
    for one in (thumb, other):
        expect(one.page.locator("#todo")).to_contain_text("Abandoned")
        one.settled()
    thumb.page.locator("#undo").tap()
    for one in (thumb, other):
        expect(one.page.get_by_role("heading", name="Actions for Ann")).to_have_count(1)
        one.settled()


def test_a_conflict_shows_what_the_other_did__and_keeps_the_tap(thumb: Thumb, other: Thumb, service: Service) -> None:
    page = thumb.page
    # This phone does not know of the event yet, because its stream and its reads are delayed.
    page.context.route(READS, lambda route: route.abort())
    move(other.page)
    other.recorded()
    did = other.page.locator("#last").inner_text()
    page.locator("#todo [data-action*='draw_treasure_card']").tap()
    page.locator("#todo .outcome").first.tap()
    notice = page.locator("#notices .bad")
    expect(notice).to_be_visible()
    page.context.unroute(READS)
    expect(notice).to_contain_text("Not recorded: Draw a Treasure deck card")
    expect(notice).to_contain_text("Someone else recorded first.")
    expect(notice).to_contain_text(did)
    axe(page)
    assert thumb.version == 3
    page.get_by_role("button", name="Record now").tap()
    expect(page.locator("#notices")).to_be_empty()
    wait_until_sent(thumb)
    assert recorded_types(service, thumb.game) == ["move", "draw_treasure_card"]


@pytest.fixture
def offline(thumb: Thumb, context: BrowserContext) -> Thumb:
    """A phone that has lost the network."""
    context.set_offline(True)
    expect(thumb.page.locator("#link")).to_have_text("Offline")
    return thumb


def wait_until_sent(thumb: Thumb) -> None:
    """Wait until no tap is queued on the phone, and the page shows the current game."""
    expect(thumb.page.locator("#link")).to_have_text("Live")
    expect(thumb.page.locator("#feed .is-waiting")).to_have_count(0)
    thumb.settled()


def tap_two(thumb: Thumb) -> None:
    """Let Ann move, then draw a card."""
    page = thumb.page
    move(page)
    expect(page.locator("#notices")).to_contain_text("1 tap is waiting")
    page.locator("#todo [data-action*='draw_treasure_card']").tap()
    page.locator("#todo [data-value='\"sandbags\"']").tap()
    expect(page.locator("#notices")).to_contain_text("2 taps are waiting")
    expect(page.locator("#feed .is-waiting")).to_have_count(2)


def test_offline_taps_wait__and_are_sent_in_order(offline: Thumb, context: BrowserContext, service: Service) -> None:
    tap_two(offline)
    axe(offline.page)
    assert offline.version == 2
    context.set_offline(False)
    wait_until_sent(offline)
    assert recorded_types(service, offline.game) == ["move", "draw_treasure_card"]
    expect(offline.page.locator("#notices")).to_be_empty()


def test_a_reload_loses_no_tap(thumb: Thumb, context: BrowserContext, service: Service) -> None:
    # The page loads, but the service behind it does not answer.
    context.route(APPENDS, lambda route: route.abort())
    tap_two(thumb)
    thumb.page.reload()
    expect(thumb.page.locator("#feed .is-waiting")).to_have_count(2)
    assert thumb.version == 2
    context.unroute(APPENDS)
    wait_until_sent(thumb)
    assert recorded_types(service, thumb.game) == ["move", "draw_treasure_card"]


@pytest.fixture
def unhurried(page: Page, service: Service, game: str, watches: list[Watch]) -> Thumb:
    """Return a phone whose page has a stopped clock. Only the test advances it, so a slow machine does not matter."""
    watches[0].expect(LOST)
    thumb = Thumb(page, service, game)
    thumb.stop_clock()
    return thumb


def test_an_answer_that_was_lost_is_asked_for_again(
    unhurried: Thumb, context: BrowserContext, service: Service
) -> None:
    lost = []

    def lose(route: Route) -> None:
        if not lost:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    context.route(APPENDS, lose)
    move(unhurried.page)
    expect(unhurried.page.locator("#link")).to_have_text("Offline")
    unhurried.page.clock.run_for(1000)
    wait_until_sent(unhurried)
    assert lost == [201]
    assert recorded_types(service, unhurried.game) == ["move"]


def test_a_tap_that_the_service_has_no_time_for_is_sent_again_when_it_says(
    unhurried: Thumb, context: BrowserContext, service: Service, watches: list[Watch]
) -> None:
    watches[0].expect("503")
    problem = {
        "type": "/problems/overloaded",
        "title": "Service overloaded",
        "status": 503,
        "detail": "Repeat it later.",
    }
    headers = {"Retry-After": "3", "Content-Type": "application/problem+json"}
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=503, body=json.dumps(problem), headers=headers)
        else:
            route.continue_()

    context.route(APPENDS, refuse)
    page = unhurried.page
    move(page)
    expect(page.locator("#notices")).to_contain_text("1 tap is waiting")
    # After an absence, this event makes the page read at once.
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.clock.run_for(2900)
    expect(page.locator("#notices")).to_contain_text("1 tap is waiting")
    assert len(asked) == 1
    page.clock.run_for(200)
    expect(page.locator("#notices")).to_be_empty()
    wait_until_sent(unhurried)
    assert recorded_types(service, unhurried.game) == ["move"]
    assert len(asked) == 2


def test_a_slow_answer_holds_nobody_up(unhurried: Thumb, context: BrowserContext, service: Service) -> None:
    held: list[Route] = []
    context.route(APPENDS, lambda route: held.append(route))  # noqa: PLW0108  # it needs a function
    page = unhurried.page
    move(page)
    expect(page.locator("#todo")).to_have_attribute("aria-busy", "true")
    while not held:
        page.wait_for_timeout(20)
    page.clock.run_for(1500)
    expect(page.locator("#notices")).to_contain_text("The service does not answer. 1 tap is waiting")
    expect(page.locator("#todo")).to_have_attribute("aria-busy", "false")
    held[0].continue_()
    unhurried.recorded()
    assert recorded_types(service, unhurried.game) == ["move"]


def test_what_others_did_meanwhile_holds_queued_taps_up__and_a_person_decides(
    offline: Thumb, context: BrowserContext, other: Thumb, service: Service
) -> None:
    page = offline.page
    tap_two(offline)
    move(other.page, -1)
    other.recorded()
    context.set_offline(False)
    notice = page.locator("#notices .bad")
    expect(notice).to_contain_text("Not recorded: Move to")
    expect(notice).to_contain_text(other.page.locator("#last").inner_text())
    expect(notice).to_contain_text("Another tap is waiting.")
    assert recorded_types(service, offline.game) == ["move"]
    page.get_by_role("button", name="Discard it").tap()
    expect(page.locator("#notices")).to_be_empty()
    wait_until_sent(offline)
    assert recorded_types(service, offline.game) == ["move", "draw_treasure_card"]


def test_a_queued_tap_that_the_rules_forbid_is_shown_with_the_reason(
    offline: Thumb, context: BrowserContext, service: Service
) -> None:
    page = offline.page
    move(page)
    move(page, -1)
    expect(page.locator("#notices")).to_contain_text("2 taps are waiting")
    context.set_offline(False)
    # From the new tile, Ann cannot go to the tile of the second tap.
    expect(page.get_by_role("heading", name="What happened?", exact=True)).to_be_visible()
    expect(page.get_by_text("(Move)")).to_be_visible()
    page.get_by_role("button", name="Cancel").tap()
    expect(page.get_by_role("heading", name="What happened?", exact=True)).to_have_count(0)
    offline.settled()
    assert recorded_types(service, offline.game) == ["move"]


def test_a_note_of_another_phone_is_no_conflict(offline: Thumb, context: BrowserContext, service: Service) -> None:
    move(offline.page)
    expect(offline.page.locator("#notices")).to_contain_text("1 tap is waiting")
    note = {"type": "annotate", "params": {"text": "Tea?"}}
    assert service.ask("POST", f"/v1/games/{offline.game}/events", note)[0] == 201
    context.set_offline(False)
    wait_until_sent(offline)
    assert recorded_types(service, offline.game) == ["annotate", "move"]


def test_any_action_can_be_entered_offline(offline: Thumb, context: BrowserContext, service: Service) -> None:
    page = offline.page
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Another action").tap()
    axe(page)
    page.get_by_role("combobox", name="What").select_option("draw_treasure_card")
    page.get_by_role("button", name="Record it").tap()
    expect(page.locator("#notices")).to_contain_text("1 tap is waiting")
    context.set_offline(False)
    # The page can now ask for the result.
    expect(page.get_by_role("heading", name="Which treasure card?")).to_be_visible()
    page.locator("#todo [data-value='\"sandbags\"']").tap()
    offline.recorded()
    assert recorded_types(service, offline.game) == ["draw_treasure_card"]


def test_what_came_up_may_still_be_dropped(offline: Thumb, context: BrowserContext, service: Service) -> None:
    page = offline.page
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Another action").tap()
    page.get_by_role("combobox", name="What").select_option("draw_treasure_card")
    page.get_by_role("button", name="Record it").tap()
    expect(page.locator("#notices")).to_contain_text("1 tap is waiting")
    context.set_offline(False)
    page.locator("#todo").get_by_role("button", name="Back").tap()
    expect(page.locator("#notices")).to_be_empty()
    wait_until_sent(offline)
    assert recorded_types(service, offline.game) == []
