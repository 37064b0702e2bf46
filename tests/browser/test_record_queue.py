"""Quick taps and a slow network: each tap is one request, judged in order, and none is lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Route, expect

from tests import waiting
from tests.browser.axe import axe
from tests.browser.conftest import Open
from tests.browser.tables import goes_on, opened, set_up
from tests.browser.tapping import APPENDS, Thumb
from tests.cli.service import Service

pytestmark = pytest.mark.long

MOVE = "#todo [data-action*='\"move\"']"
DRAW = "#todo [data-action*='draw_treasure_card']"


@pytest.fixture
def thumb(page: Page, service: Service) -> Thumb:
    """A table after its setup, with a clock that tests control."""
    thumb = Thumb(page, service, set_up(service))
    thumb.stop_clock()
    return thumb


@contextmanager
def hold_answers(page: Page) -> Iterator[list[Route]]:
    """In this block, delay the answers to taps."""
    routes: list[Route] = []
    is_held = True

    def hold(route: Route) -> None:
        if is_held:
            routes.append(route)
        else:
            route.continue_()

    page.route(APPENDS, hold)
    yield routes
    is_held = False
    for route in routes:
        route.continue_()


def wait_until_sent(thumb: Thumb) -> None:
    """Wait until no tap is queued, and the page shows the current game."""
    expect(thumb.page.locator("#feed .is-waiting")).to_have_count(0)
    thumb.settled()


def events(service: Service, game: str) -> list[tuple[str, list[object]]]:
    """Return the type and the outcomes of the events after the setup."""
    found = service.ask("GET", f"/v1/games/{game}/events?after=2")[1]["events"]
    return [(event["type"], event["outcomes"]) for event in found]


def test_a_tap_is_one_request__and_the_next_buttons_come_with_its_answer(thumb: Thumb) -> None:
    page, asked = thumb.page, list[str]()
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    for number in range(3):
        thumb.press(page.locator(MOVE).first)
        thumb.recorded()
        expect(page.locator("#board [data-changed]").first).to_be_attached()
        assert len(asked) == number + 1, asked
    thumb.press(page.locator("#undo"))
    thumb.recorded()
    expect(page.locator("#feed .is-undone")).to_have_count(1)
    assert len(asked) == 4, asked
    assert all(one.startswith("POST ") for one in asked)


def test_a_tap_is_acknowledged_before_its_answer(thumb: Thumb) -> None:
    page = thumb.page
    label = page.locator(MOVE).first.get_attribute("aria-label") or ""
    with hold_answers(page):
        thumb.press(page.locator(MOVE).first)
        expect(page.locator("#last")).to_have_text(label)
        expect(page.locator("#last.is-sending")).to_have_count(1)
        expect(page.locator("#feed .is-waiting")).to_contain_text(label)
        expect(page.locator("#link")).to_have_text("Sending…")
        page.clock.resume()
        axe(page)
        assert thumb.version == 2
    wait_until_sent(thumb)
    expect(page.locator("#last.is-sending")).to_have_count(0)


def test_taps_before_the_answer_are_queued_and_recorded_in_order(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    with hold_answers(page) as routes:
        thumb.press(page.locator(MOVE).first)
        waiting.until(lambda: page.evaluate("true") and routes)
        thumb.press(page.locator(DRAW))
        thumb.press(page.locator("#todo [data-value='\"sandbags\"']"))
        # The page still asks for the second card of the draw.
        thumb.press(page.locator("#todo [data-value='\"helicopter_lift\"']"))
        expect(page.locator("#feed .is-waiting")).to_have_count(3)
    wait_until_sent(thumb)
    drawn = [("draw_treasure_card", ["sandbags"]), ("draw_treasure_card", ["helicopter_lift"])]
    assert events(service, thumb.game) == [("move", []), *drawn]


def test_a_question_that_was_opened_meanwhile_stays(thumb: Thumb) -> None:
    page = thumb.page
    with hold_answers(page):
        thumb.press(page.locator(MOVE).first)
        thumb.press(page.locator(DRAW))
        expect(page.get_by_role("heading", name="Which treasure card?")).to_be_visible()
    expect(page.locator("#feed .is-waiting")).to_have_count(0)
    expect(page.get_by_role("heading", name="Which treasure card?")).to_be_visible()


def test_undo_twice_before_the_answer_takes_back_two(thumb: Thumb, service: Service) -> None:
    page, undo = thumb.page, thumb.page.locator("#undo")
    goes_on(service, thumb.game, 2)
    thumb.settled()
    names = page.locator("#feed .event p").all_text_contents()[:2]
    with hold_answers(page):
        for name in names:
            expect(undo).to_have_attribute("aria-label", f"Undo: {name}")
            undo.press("Enter")
        expect(undo).to_have_attribute("aria-disabled", "true")
    wait_until_sent(thumb)
    log = service.ask("GET", f"/v1/games/{thumb.game}/events?after=4")[1]["events"]
    assert [event["params"] for event in log] == [{"to": 3}, {"to": 2}]


def test_the_same_tap_is_queued_once(thumb: Thumb) -> None:
    page = thumb.page
    with hold_answers(page):
        for _ in range(2):
            thumb.unfold(page.locator(MOVE).first).press("Enter")
        expect(page.locator(".toast")).to_have_text("This tap is already waiting to be sent.")
        expect(page.locator("#feed .is-waiting")).to_have_count(1)
    wait_until_sent(thumb)


def test_what_a_tap_does_not_mean_any_more_is_asked_again(page: Page, service: Service) -> None:
    """The game is recorded as played, so it would also accept an illegal event."""
    game = set_up(service, mode="as_played")
    thumb = Thumb(page, service, game)
    thumb.stop_clock()
    with hold_answers(page):
        for move in (page.locator(MOVE).first, page.locator(MOVE).last):
            thumb.unfold(move).press("Enter")
        expect(page.locator("#feed .is-waiting")).to_have_count(2)
    notice = page.locator("#notices .bad")
    expect(notice).to_contain_text("The rules no longer allow this action after the newly recorded events.")
    page.clock.resume()
    axe(page)
    assert [kind for kind, _ in events(service, game)] == ["move"]
    notice.get_by_role("button", name="Discard it").tap()
    wait_until_sent(thumb)
    assert [kind for kind, _ in events(service, game)] == ["move"]


def test_what_others_did_between_two_taps_is_not_missed(thumb: Thumb, service: Service) -> None:
    """The message about other events arrives while the page waits for an answer."""
    page = thumb.page
    with hold_answers(page) as routes:
        thumb.press(page.locator(MOVE).first)
        waiting.until(lambda: page.evaluate("true") and routes)
        note = {"type": "annotate", "params": {"text": "Tea?"}}
        assert service.ask("POST", f"/v1/games/{thumb.game}/events", note)[0] == 201
    wait_until_sent(thumb)
    expect(page.locator("#feed")).to_contain_text("Tea?")
    assert [kind for kind, _ in events(service, thumb.game)] == ["annotate", "move"]


def test_back_closes_a_sheet_and_stays(thumb: Thumb) -> None:
    page = thumb.page
    for _ in range(2):
        thumb.press(page.get_by_role("button", name="More"))
        expect(page.get_by_role("dialog")).to_be_visible()
        page.evaluate("history.back()")
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert page.url.endswith("/record")
    thumb.press(page.get_by_role("button", name="More"))
    page.get_by_role("button", name="Note, mark or bookmark").tap()
    page.get_by_role("textbox", name="Note").fill("A bold move.")
    page.get_by_role("dialog").get_by_role("button", name="Close").tap()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert thumb.version == 2


def test_back_without_a_sheet_leaves_the_page_at_once(page: Page, service: Service) -> None:
    thumb = Thumb(page, service, set_up(service))
    page.goto("/start")
    thumb.open()
    page.get_by_role("button", name="More").tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.evaluate("history.back()")
    page.wait_for_url("**/start")


def test_the_phone_stays_awake(new_context: Open, service: Service) -> None:
    page = new_context().new_page()
    page.add_init_script(
        """window.locks = [];
        const ask = navigator.wakeLock.request.bind(navigator.wakeLock);
        navigator.wakeLock.request = (kind) => { locks.push(kind); return ask(kind); };"""
    )
    Thumb(page, service, opened(service, chance="seeded")).open()
    assert page.evaluate("locks") == ["screen"]


def test_a_phone_lets_feel_that_it_is_recorded__and_nothing_on_undo(new_context: Open, service: Service) -> None:
    page = new_context(reduced_motion="no-preference").new_page()
    page.add_init_script("window.felt = []; navigator.vibrate = (pulses) => felt.push(pulses);")
    thumb = Thumb(page, service, set_up(service))
    thumb.open()
    thumb.press(page.locator(MOVE).first)
    thumb.recorded()
    page.locator("#undo").tap()
    thumb.recorded()
    assert page.evaluate("felt") == [10]
