"""The keyboard alone: the focus stays on the same thing, or moves to the next step, after every update."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.play.registry import ruleset, rulesets
from tests.browser.examples import record
from tests.browser.tables import goes_on, opened, set_up
from tests.browser.tapping import Thumb
from tests.cli.service import Service

pytestmark = pytest.mark.long

FOCUSED = """() => {
  const one = document.activeElement;
  const region = one.closest("#board, #todo, #hands, #feed, #notices, .told, .at-thumb");
  return [region?.id || region?.className || one.tagName, one.dataset.place ?? one.dataset.seat ?? one.id,
    one.getAttribute("aria-label") ?? one.textContent.trim()];
}"""
SEEN = re.compile("^(board|todo|hands|feed|told|at-thumb)$")


def focused_element(page: Page) -> tuple[str, str, str]:
    """Return region, key and name of the focused element. Wait two frames first, so that a lost focus has moved."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    region, key, name = page.evaluate(FOCUSED)
    return region, key, name


@pytest.fixture
def thumb(wide: Page, service: Service) -> Thumb:
    thumb = Thumb(wide, service, set_up(service, seed=4))
    thumb.open()
    return thumb


def press(thumb: Thumb, key: str) -> None:
    """Press a key, and wait until its event is recorded."""
    thumb.page.keyboard.press(key)
    thumb.recorded()


def test_a_move_on_the_board_leaves_the_focus_on_the_board(thumb: Thumb) -> None:
    page = thumb.page
    page.locator("#board [tabindex='0']").focus()
    for _ in range(2):
        place = focused_element(page)[1]
        page.keyboard.press("Enter")
        thumb.recorded()
        region, key, name = focused_element(page)
        assert region == "board", (place, key, name)
        expect(page.locator(f"#board [data-place='{key}']").first).to_have_attribute("tabindex", "0")
        page.keyboard.press("ArrowLeft")
        assert focused_element(page)[0] == "board"


def test_the_same_tile_keeps_the_focus_when_another_phone_records(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    page.locator("#board [tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    before = focused_element(page)
    note = {"type": "annotate", "params": {"text": "Tea?"}}
    assert service.ask("POST", f"/v1/games/{thumb.game}/events", note)[0] == 201
    thumb.recorded()
    assert focused_element(page) == before


def test_an_action_in_the_panel_keeps_the_focus_or_hands_it_to_the_first(thumb: Thumb) -> None:
    page = thumb.page
    page.locator(".aslist > summary").focus()
    page.keyboard.press("Enter")
    page.locator("#todo .aslist [data-action]").first.focus()
    press(thumb, "Enter")
    region, _, name = focused_element(page)
    assert region == "todo"
    assert name


def test_a_new_question_gets_the_focus(thumb: Thumb) -> None:
    page = thumb.page
    page.locator("#todo [data-action*=draw_treasure_card]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#todo h2")).to_be_focused()
    page.keyboard.press("Tab")
    press(thumb, "Enter")
    expect(page.locator("#todo h2")).to_be_focused()
    expect(page.locator("#ask")).to_have_text("Treasure deck card 2 of 2.")


def test_c_goes_to_the_cards_for_any_time(wide: Page, service: Service) -> None:
    """The key C moves the focus to the first card."""
    thumb = Thumb(wide, service, record(service, "forbidden-island", 40))
    thumb.open()
    first = wide.locator(".tray summary").first
    wide.keyboard.press("c")
    expect(first).to_be_focused()
    wide.keyboard.press("Enter")
    expect(wide.locator(".tray .optional[open]")).to_have_count(1)


def test_a_chosen_hand_keeps_the_focus(thumb: Thumb) -> None:
    page = thumb.page
    page.locator("#hands [data-seat=p2]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#hands [data-seat=p2]")).to_have_attribute("aria-pressed", "true")
    assert focused_element(page)[:2] == ("hands", "p2")
    page.keyboard.press("Enter")
    expect(page.locator("#hands [data-seat=p2]")).to_have_attribute("aria-pressed", "false")
    assert focused_element(page)[:2] == ("hands", "p2")


def test_the_last_redo_leaves_the_focus_on_undo(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    goes_on(service, thumb.game, 1)
    thumb.recorded()
    page.locator("#undo").focus()
    press(thumb, "Enter")
    assert focused_element(page)[1] == "undo"
    page.locator("#redo").focus()
    press(thumb, "Enter")
    expect(page.locator("#redo")).to_be_hidden()
    assert focused_element(page)[0] == "at-thumb"


def test_an_event_in_the_feed_keeps_the_focus_when_it_is_undone(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    goes_on(service, thumb.game, 2)
    thumb.recorded()
    page.get_by_role("button", name="Event 3:").focus()
    name = focused_element(page)[2]
    assert service.ask("POST", f"/v1/games/{thumb.game}/events", {"type": "undo", "params": {"to": 2}})[0] == 201
    thumb.recorded()
    region, _, now = focused_element(page)
    # If the event is folded under undone events, the fold has the focus.
    assert region == "feed"
    assert now == name or "undone" in now


def test_an_opened_event_gives_the_focus_back_although_it_was_drawn_anew(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    page.locator("#board [tabindex='0']").focus()
    place = focused_element(page)[1]
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_be_visible()
    note = {"type": "annotate", "params": {"text": "Tea?"}}
    assert service.ask("POST", f"/v1/games/{thumb.game}/events", note)[0] == 201
    thumb.recorded()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    assert focused_element(page)[:2] == ("board", place)


def test_a_focus_that_was_given_up_stays_so(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    page.locator("#undo").focus()
    page.locator("#whose").click()
    goes_on(service, thumb.game, 1)
    thumb.recorded()
    assert focused_element(page)[0] in {"BODY", "MAIN"}


def test_a_key_that_is_held_down_acts_once(thumb: Thumb) -> None:
    page = thumb.page
    page.locator("#board [tabindex='0']").focus()
    page.keyboard.down("Enter")
    thumb.recorded()
    for _ in range(3):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    thumb.settled()
    assert thumb.version == 3


@pytest.mark.parametrize("id_", [rules.id for rules in rulesets()])
def test_several_turns(id_: str, wide: Page, service: Service) -> None:
    """Press the focused element, or else the next one after Tab. The focus is never lost."""
    thumb = Thumb(wide, service, set_up(service, id_, seats=ruleset(id_).players[0], seed=3))
    thumb.open()
    wide.locator("#todo h2").focus()
    start, turn = thumb.version, _turn(service, thumb)
    for step in range(200):
        if wide.locator("#todo [data-value]:visible, #todo [data-action]:visible").count():
            wide.locator("#todo h2").focus()
            for _ in range(20):
                wide.keyboard.press("Tab")
                if wide.evaluate("document.activeElement.matches('#todo [data-value], #todo [data-action]')"):
                    break
        elif wide.locator("#board [tabindex='0']").count():
            wide.locator("#board [tabindex='0']").focus()
        else:
            wide.locator("#todo summary").first.focus()
        before = wide.locator("#record").get_attribute("data-version")
        wide.keyboard.press("Enter")
        if wide.locator("dialog button:not([data-close])").count():
            wide.keyboard.press("Enter")
        expect(wide.locator("#todo")).to_have_attribute("aria-busy", "false")
        region, key, name = focused_element(wide)
        assert SEEN.match(region), (id_, step, before, region, key, name)
        if _turn(service, thumb) >= turn + 3 or service.ask("GET", f"/v1/games/{thumb.game}")[1]["outcome"]:
            break
    assert thumb.version > start + 3


TARGETS = """() => [...document.querySelectorAll(
    "#board .dl-plane:not([hidden]) .is-target[role=button], #todo [data-action], #todo [data-value]")]
  .filter((one) => one.checkVisibility() && !one.closest("details"))
  .map((one) => [one.dataset.place ?? "", one.dataset.action ?? one.dataset.value ?? ""])"""
"""Targets of taps without opening a fold: places on the board, and actions."""
WAY = """([place, action, isOther]) => {
  const from = document.activeElement;
  const plane = "#board .dl-plane:not([hidden]) .is-target[role=button]";
  const to = place ? [...document.querySelectorAll(plane)].find((one) => one.dataset.place === place)
    : [...document.querySelectorAll("#todo [data-action], #todo [data-value]")]
      .find((one) => (one.dataset.action ?? one.dataset.value) === action && one.checkVisibility());
  if (from === to) return "Enter";
  const keys = [...document.querySelectorAll("#todo .faces > *, #todo .outcomes > *")];
  if (keys.indexOf(to) >= 0 && keys.indexOf(to) < 9) return String(keys.indexOf(to) + 1);
  if (!place || !from.matches(plane)) {
    const isBefore = from.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_PRECEDING;
    return isBefore && !to.contains(from) ? "Shift+Tab" : "Tab";
  }
  const [[x0, y0], [x1, y1]] = [from, to].map((one) => one.getBoundingClientRect())
    .map((box) => [box.x + box.width / 2, box.y + box.height / 2]);
  const [x, y] = [x1 - x0, y1 - y0];
  const isAcross = Math.abs(x) > Math.abs(y) !== isOther;
  return isAcross ? (x < 0 ? "ArrowLeft" : "ArrowRight") : y < 0 ? "ArrowUp" : "ArrowDown";
}"""
"""The next key on the way from the focus to a target; `isOther`: the other arrow, as the likelier one led nowhere."""
MORE = 2
"""Key presses more than taps, for each event of a game."""


def test_a_whole_game_takes_few_keys_more_than_taps(wide: Page, service: Service) -> None:
    """The focus is never lost, and it is near the next action."""
    thumb = Thumb(wide, service, set_up(service, seed=5, chance="seeded"))
    thumb.open()
    wide.locator("#board [tabindex='0']").focus()
    rng, keys, taps, events = random.Random(2), 0, 0, 0
    while not service.ask("GET", f"/v1/games/{thumb.game}")[1]["outcome"]:
        place, action = rng.choice(wide.evaluate(TARGETS))
        tried = set[tuple[str, str]]()
        for _ in range(20):
            at, key = focused_element(wide)[1], wide.evaluate(WAY, [place, action, False])
            if (at, key) in tried:
                key = wide.evaluate(WAY, [place, action, True])
            tried.add((at, key))
            wide.keyboard.press(key)
            keys += 1
            if key == "Enter" or key.isdigit():
                break
        taps += 1
        if wide.locator("dialog.bubble button").count():
            wide.keyboard.press("Enter")
            keys, taps = keys + 1, taps + 1
        thumb.recorded()
        events += 1
        region, _, name = focused_element(wide)
        assert SEEN.match(region), (events, place, action, name)
    assert keys <= taps + MORE * events, (keys, taps, events)


FOCUSABLE = {"name": "focusable", "value": {"type": "booleanOrUndefined", "value": True}}


def unnamed_roles(page: Page) -> list[str]:
    """Return the roles of focusable elements that have no name in the accessibility tree."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    return [
        node["role"]["value"]
        for node in tree
        if FOCUSABLE in node.get("properties", ())
        and node["role"]["value"]
        not in {"RootWebArea", "main", "paragraph", "heading"}  # a script moves the focus there
        and not node.get("ignored")
        and not node.get("name", {}).get("value", "").strip()
    ]


@pytest.mark.parametrize("id_", ["forbidden-island", "forbidden-desert", "forever-island", "forgotten-waters"])
def test_every_target_has_a_name(id_: str, wide: Page, service: Service) -> None:
    seats = ruleset(id_).players[0]
    game = set_up(service, id_, seats=seats, seed=3)
    for address, drawn in (
        (f"/games/{opened(service, id_, seats)}/setup", "main button:visible"),
        (f"/games/{game}/record", "#record[data-version] button:visible"),
        (f"/games/{game}", "#replay[data-ready]"),
        (f"/games/{game}/watch", "#board svg"),
    ):
        wide.goto(address)
        wide.locator(drawn).first.wait_for()
        assert unnamed_roles(wide) == [], address


def _turn(service: Service, thumb: Thumb) -> Any:
    return service.ask("GET", f"/v1/games/{thumb.game}")[1]["turn"]
