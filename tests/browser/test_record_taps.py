"""The record page, tap by tap: legal actions, results, undo and redo, notes."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from engine.play.registry import ruleset, rulesets
from tests import waiting
from tests.browser.axe import axe
from tests.browser.conftest import Open
from tests.browser.tables import goes_on, opened, set_up
from tests.browser.tapping import APPENDS, READS, Thumb, time_stands
from tests.browser.touches import middle
from tests.cli.service import Service
from tests.recorded.games import FOLDER, read

pytestmark = pytest.mark.long


@pytest.fixture
def thumb(page: Page, service: Service) -> Thumb:
    """A table after its setup."""
    thumb = Thumb(page, service, set_up(service))
    thumb.open()
    return thumb


def test_before_the_first_turn_it_says_what_goes_on(page: Page, service: Service) -> None:
    thumb = Thumb(page, service, set_up(service, "forever-island"))
    thumb.open()
    expect(thumb.page.locator("#when")).to_have_text("Placing huts and canoes")


def test_it_says_whose_turn_it_is_and_what_may_be_done(thumb: Thumb) -> None:
    page = thumb.page
    expect(page.locator("#whose")).to_have_text("Ann")
    expect(page.locator("#when")).to_have_text("Turn 1 · taking actions")
    expect(page.locator("#role")).to_have_text("Engineer")
    expect(page.get_by_role("img", name="3 of 3 actions left")).to_be_visible()
    expect(page.get_by_role("img", name="Water level: 2 Flood cards a turn")).to_be_visible()
    expect(page.get_by_role("button", name="Bob, Explorer: Crystal of Fire, Earth Stone")).to_be_visible()
    expect(page.locator("#ask")).to_have_text("Three actions left: move, shore up, or draw cards.")
    headings = page.locator("#todo .group h3").all_text_contents()
    assert {"Move", "2. Draw 2 Treasure Deck Cards"} <= set(headings)


def test_the_buttons_are_all_that_may_be_done(thumb: Thumb, service: Service) -> None:
    actions = service.ask("GET", f"/v1/games/{thumb.game}/actions")[1]["actions"]
    assert thumb.page.locator("#todo [data-action]").count() == len(actions)
    for one in actions:
        expect(thumb.action(one["type"], one["actor"], one["params"])).to_have_count(1)


def test_targets_are_large_enough_for_a_thumb(thumb: Thumb) -> None:
    for button in thumb.page.locator("button:visible, summary:visible, a:visible:not(.skip)").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, button.inner_text()


def test_nothing_is_wider_than_a_small_phone(thumb: Thumb) -> None:
    assert thumb.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_draw_asks_what_came_up__each_card_in_its_place_with_its_chance(thumb: Thumb) -> None:
    page = thumb.page
    thumb.tap(page.get_by_role("button", name="Draw a Treasure deck card"))
    expect(page.get_by_role("heading", name="Which treasure card?")).to_be_focused()
    odds = page.locator("#todo .outcome .odds").all_text_contents()
    assert all(re.fullmatch(r"\d+ of 24, \d+ %", text) for text in odds)
    assert sum(int(text.split()[0]) for text in odds) == 24
    values = [button.get_attribute("data-value") for button in page.locator("#todo .outcome").all()]
    layout = thumb.ruleset["faces"]["treasure_card"]["faces"]
    assert values == [json.dumps(face["value"]) for face in layout]
    page.get_by_role("button", name="Back").tap()
    expect(page.get_by_role("heading", name="Actions for Ann")).to_be_focused()
    assert thumb.version == 2


def test_what_came_up_is_recorded(thumb: Thumb) -> None:
    thumb.tap(thumb.page.get_by_role("button", name="Draw a Treasure deck card"), ["sandbags"])
    thumb.recorded()
    expect(thumb.page.locator("#last")).to_have_text("Ann draws Sandbags.")


def test_in_a_seeded_game_nothing_is_asked(page: Page, service: Service) -> None:
    thumb = Thumb(page, service, opened(service, chance="seeded"))
    thumb.open()
    page.get_by_role("button", name="Draw a Treasure deck card").tap()
    thumb.recorded()
    expect(page.locator("#last")).to_contain_text("Ann draws")


def test_a_table_that_is_not_set_up_yet_is_led_there(page: Page, service: Service) -> None:
    game = opened(service)
    page.goto(f"/games/{game}/record")
    assert page.url.endswith(f"/games/{game}/setup")


def test_the_other_pages_about_the_game_are_one_tap_away(thumb: Thumb) -> None:
    thumb.page.get_by_role("button", name="More").tap()
    thumb.page.get_by_role("link", name="Replay").tap()
    thumb.page.wait_for_url(f"**/games/{thumb.game}")


def test_an_action_with_a_warning_is_asked_first(page: Page, service: Service) -> None:
    """Ruling AR-R7: an early lift-off loses the game."""
    header, lines = read(FOLDER / "forbidden-island-archaens" / "invaders_followed-liftoff.jsonl")
    game = opened(service, header.ruleset, header.seats, chance="seeded", seed=header.seed)
    drafts = [{"type": one.type, "actor": one.actor, "params": one.params} for one in lines[1:-1]]
    status, answer = service.ask("POST", f"/v1/games/{game}/events", drafts)
    assert (status, answer.get("stopped")) == (201, None)
    thumb = Thumb(page, service, game)
    thumb.open()
    thumb.unfold(thumb.action("lift_off", "p4", {})).tap()
    question = page.get_by_role("dialog", name="Did you mean this?")
    expect(question).to_contain_text("this loses the game")
    question.get_by_role("button", name="Close").tap()
    expect(page.locator("#whose")).to_have_text("Dov")
    thumb.action("lift_off", "p4", {}).tap()
    question.get_by_role("button", name="Yes, do it").tap()
    expect(page.locator("#whose")).to_have_text("The game has ended")


def test_undo_says_what_it_takes_back__and_redo_what_it_brings(thumb: Thumb) -> None:
    page, undo, redo = thumb.page, thumb.page.locator("#undo"), thumb.page.locator("#redo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    for _ in range(2):
        thumb.press(page.locator("#todo [data-action*=move]").first)
        thumb.recorded()
    sentences = page.locator("#feed .event p").all_text_contents()[:2]
    expect(undo).to_have_attribute("aria-label", f"Undo: {sentences[0]}")
    for sentence in sentences:
        expect(page.locator("#last")).to_have_text(sentence)
        undo.tap()
        expect(redo).to_have_attribute("aria-label", f"Redo: {sentence}")
        thumb.recorded()
    expect(undo).to_have_attribute("aria-disabled", "true")
    for sentence in reversed(sentences):
        redo.tap()
        expect(page.locator("#last")).to_have_text(sentence)
        thumb.recorded()
    expect(redo).to_be_hidden()
    assert thumb.version == 8


def test_what_is_done_after_an_undo_leaves_nothing_to_redo(thumb: Thumb) -> None:
    page = thumb.page
    thumb.press(page.locator("#todo [data-action*=move]").first)
    thumb.recorded()
    page.locator("#undo").tap()
    thumb.recorded()
    expect(page.locator("#feed .is-undone")).to_have_count(1)
    thumb.press(page.locator("#todo [data-action*=move]").last)
    thumb.recorded()
    expect(page.locator("#redo")).to_be_hidden()


def test_all_that_came_after_an_event_is_taken_back(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    goes_on(service, thumb.game, 3)
    thumb.settled()
    page.get_by_role("button", name="Event 3:").tap()
    page.get_by_role("button", name="Undo everything after this").tap()
    thumb.recorded()
    expect(page.locator("#feed .is-undone")).to_have_count(2)


def test_the_end_is_told__and_undo_opens_the_game_again(thumb: Thumb) -> None:
    page = thumb.page
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Abandon game").tap()
    page.get_by_label("Why").fill("The tea is ready.")
    page.locator("dialog").get_by_role("button", name="Abandon game").tap()
    thumb.recorded()
    expect(page.locator("#todo")).to_contain_text("Abandoned")
    expect(page.locator("#todo")).to_contain_text("The tea is ready.")
    expect(page.locator("#todo").get_by_role("link", name="Replay")).to_be_visible()
    axe(page)
    page.locator("#undo").tap()
    thumb.recorded()
    expect(page.get_by_role("heading", name="Actions for Ann")).to_have_count(1)


@pytest.mark.parametrize(
    ("name", "order"), [("Play again", ["Ann", "Bob"]), ("Play again, Bob in the first seat", ["Bob", "Ann"])]
)
def test_a_rematch_is_one_tap(page: Page, service: Service, name: str, order: list[str]) -> None:
    game = set_up(service, difficulty="elite")
    assert service.ask("POST", f"/v1/games/{game}/events", {"type": "abandon", "params": {"reason": "late"}})[0] == 201
    thumb = Thumb(page, service, game)
    thumb.open()
    page.get_by_role("button", name=name, exact=True).tap()
    page.wait_for_url("**/setup")
    opened_ = service.ask("GET", f"/v1/games/{page.url.split('/')[-2]}")[1]
    assert [seat["name"] for seat in opened_["seats"]] == order
    assert (opened_["ruleset"], opened_["options"]["difficulty"]) == ("forbidden-island", "elite")


def test_a_note(thumb: Thumb) -> None:
    page = thumb.page
    thumb.press(page.locator("#todo [data-action*=move]").first)
    thumb.recorded()
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Note, mark or bookmark").tap()
    page.get_by_role("button", name="Save").tap()
    expect(page.locator("dialog .error")).to_have_text("Enter a note, a mark or a bookmark.")
    axe(page)
    page.get_by_role("textbox", name="Note").fill("A bold move.")
    page.get_by_role("combobox", name="Mark").select_option("!?")
    page.get_by_role("textbox", name="Bookmark").fill("The turning point")
    page.get_by_role("button", name="Save").tap()
    thumb.recorded()
    expect(page.locator("#feed .event").first).to_contain_text("A bold move.")
    expect(page.locator("#feed [data-seq='3']")).to_contain_text("!?")
    expect(page.locator("#feed [data-seq='3']")).to_contain_text("⚑ The turning point")


def tap_twice(thumb: Thumb, button: Locator) -> None:
    """Tap a button. As soon as the answer arrives, tap the same place on the screen again."""
    page = thumb.page
    time_stands(page)
    thumb.open()
    place = middle(button)
    thumb.press(button)
    thumb.recorded()
    page.mouse.click(*place)
    thumb.settled()
    page.clock.run_for(1000)


def test_a_tap_that_is_tapped_twice_is_recorded_once(thumb: Thumb) -> None:
    tap_twice(thumb, thumb.page.locator("#todo [data-action*='\"move\"']").first)
    assert thumb.version == 3
    thumb.tap(thumb.page.locator("#todo [data-action*='\"move\"']").first)
    thumb.recorded()
    assert thumb.version == 4


def test_undo_that_is_tapped_twice_takes_back_one_event(thumb: Thumb) -> None:
    for _ in range(2):
        thumb.tap(thumb.page.locator("#todo [data-action*='\"move\"']").first)
        thumb.recorded()
    tap_twice(thumb, thumb.page.locator("#undo"))
    assert thumb.version == 5


def test_a_tap_while_the_page_reads_is_recorded(thumb: Thumb) -> None:
    """The page reads events of other phones, and answers are slow. A tap applies to what the screen shows."""
    page, held = thumb.page, list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route(READS, hold)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    waiting.until(lambda: page.evaluate("true") and held)
    thumb.tap(page.locator("#todo [data-action*='\"move\"']").first)
    waiting.until(lambda: page.evaluate("true") and thumb.version == 3)
    page.unroute_all(behavior="ignoreErrors")
    thumb.settled()


def test_a_range_is_a_form(page: Page, service: Service) -> None:
    game = set_up(service, "forever-island")
    thumb = Thumb(page, service, game)
    for _ in range(200):
        if service.ask("GET", f"/v1/games/{game}/actions")[1]["ranges"]:
            break
        goes_on(service, game, 1, seed=thumb.version)
    thumb.open()
    page.get_by_role("button", name="Offer exchange", exact=True).tap()
    axe(page)
    dialog = page.locator("dialog")
    dialog.get_by_role("group", name="Take").get_by_role("spinbutton").first.fill("77")
    dialog.get_by_role("button", name="Offer exchange").tap()
    expect(dialog.locator(".error")).to_contain_text("enter 0 to")
    for field in dialog.get_by_role("spinbutton").all():
        field.fill(field.get_attribute("max") or "")
    dialog.get_by_role("button", name="Offer exchange").tap()
    thumb.recorded()
    expect(page.locator("#last")).to_contain_text("offer")


def test_by_keyboard_only(wide: Page, service: Service) -> None:
    thumb = Thumb(wide, service, set_up(service))
    thumb.open()

    def reach(name: str) -> None:
        for _ in range(60):
            wide.keyboard.press("Tab")
            focused = wide.evaluate(
                "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText"
            )
            if focused.startswith(name):
                return
        raise AssertionError(f"Tab does not come to {name!r}")

    reach("Draw a Treasure deck card")
    wide.keyboard.press("Enter")
    expect(wide.get_by_role("heading", name="Which treasure card?")).to_be_focused()
    wide.keyboard.press("Tab")
    wide.keyboard.press("Space")
    thumb.recorded()
    expect(wide.locator("#todo h2")).to_be_focused()
    reach("Undo: ")
    wide.keyboard.press("Enter")
    thumb.recorded()
    reach("More")
    wide.keyboard.press("Enter")
    expect(wide.locator("dialog")).to_be_visible()
    wide.keyboard.press("Escape")
    expect(wide.locator("dialog")).to_have_count(0)
    expect(wide.get_by_role("button", name="More")).to_be_focused()
    assert thumb.version == 4


def test_axe_finds_nothing(everywhere: Page, service: Service) -> None:
    game = set_up(service, seats=3)
    goes_on(service, game, 3)
    thumb = Thumb(everywhere, service, game)
    thumb.open()
    axe(everywhere)
    for fold in everywhere.locator("#todo summary").all():
        fold.click()
    everywhere.locator("#feed button").first.click()
    axe(everywhere)
    everywhere.keyboard.press("Escape")
    everywhere.locator("#todo [data-action*=draw]").first.click()
    axe(everywhere)


@pytest.mark.parametrize("id_", [rules.id for rules in rulesets()])
def test_axe_finds_nothing_at_any_table(id_: str, new_context: Open, service: Service) -> None:
    game = set_up(service, id_, seats=ruleset(id_).players[0])
    goes_on(service, game, 12)
    page = new_context("phone", color_scheme="dark").new_page()
    thumb = Thumb(page, service, game)
    thumb.open()
    page.locator("#rest summary").tap()
    expect(page.locator("#rest svg")).to_be_visible()
    axe(page)


def test_a_tap_that_was_drawn_for_and_refused_is_shown_and_not_sent_again_by_itself(thumb: Thumb) -> None:
    page = thumb.page
    sent: list[str] = []

    def stop(route: Route) -> None:
        sent.append(route.request.headers["idempotency-key"])
        why = {"type": "/problems/internal-error", "title": "Internal error", "status": 500, "detail": "It broke."}
        document = {"version": 3, "turn": 1, "phase": "actions", "awaiting": ["p1"], "outcome": None, "events": []}
        stopped = {"index": 0, "problem": why}
        route.fulfill(status=201, json={**document, "stopped": stopped})

    page.route(APPENDS, stop)
    thumb.tap(page.locator("#todo [data-action*='\"move\"']").first)
    expect(page.locator("#notices")).to_contain_text("It broke.")
    page.unroute(APPENDS)
    with page.expect_request(APPENDS) as again:
        thumb.tap(page.locator("#notices").get_by_role("button").first)
    assert len(sent) == 1
    assert again.value.headers["idempotency-key"] != sent[0]
