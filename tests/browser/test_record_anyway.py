"""Accepting an illegal tap on a tile or a card, in a strict game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from engine.games.forbidden_island.components import TILES
from tests.browser.axe import axe
from tests.browser.examples import record
from tests.browser.tables import opened, set_up
from tests.browser.tapping import Thumb
from tests.browser.watching import Watch
from tests.cli.service import Service
from tests.engine.recording import DEAL

pytestmark = pytest.mark.long


@pytest.fixture
def strict(page: Page, service: Service, watches: list[Watch]) -> Thumb:
    """Ann the Messenger is on Silver Gate, with an Earth Stone and Sandbags. Bob is the Pilot."""
    watches[0].expect("ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_NETWORK_CHANGED")
    thumb = Thumb(page, service, opened(service))
    set_up_ = {"type": "set_up", "outcomes": list(DEAL)}
    assert service.ask("POST", f"/v1/games/{thumb.game}/events", set_up_)[0] == 201
    with page.expect_response("**/v1/rulesets/*"):
        thumb.open()
    return thumb


def confirm_action(page: Page, deed: str) -> None:
    """If the page asks, choose one of several actions. Then confirm that it happened."""
    choice = page.get_by_role("dialog", name="Which action was it?").get_by_role("button", name=deed)
    anyway = page.get_by_role("button", name="Record anyway")
    expect(choice.or_(anyway).first).to_be_visible()
    if choice.count():
        choice.first.tap()
    anyway.tap()


def test_a_tile_that_is_out_of_reach_is_tapped(strict: Thumb, service: Service) -> None:
    page = strict.page
    page.locator("#board [data-place=gold_gate]").first.tap()
    expect(page.get_by_role("heading", name="What happened?")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Record anyway").tap()
    strict.recorded()
    event = service.ask("GET", f"/v1/games/{strict.game}/events/3")[1]
    assert (event["type"], event["params"], event["verdict"]) == ("move", {"to": "gold_gate"}, "illegal")
    expect(page.locator("#feed .event").first).to_contain_text("against the rules")


def is_misread(service: Service, game: str, tile: str) -> bool:
    """Return True if a move of Ann to this tile is first explained by an earlier entry."""
    body = {"type": "move", "actor": "p1", "params": {"to": tile}}
    status, answer = service.ask("POST", f"/v1/games/{game}/events?dry_run=true", body)
    return status == 422 and [one["kind"] for one in answer["explanations"]][:1] == ["wrong_result"]


def test_the_button_says_that_an_earlier_entry_is_corrected(strict: Thumb, service: Service) -> None:
    page = strict.page
    page.locator("#board .is-target[data-kind=tile]").first.tap()
    strict.recorded()
    # A touch leaves no ring of the browser on the target that has the focus.
    assert page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle") == "none"
    far = next(tile for tile in TILES if is_misread(service, strict.game, tile))
    page.locator(f"#board [data-place={far}]").first.tap()
    slip = page.locator("#slip")
    move = page.get_by_role("dialog", name="Which action was it?").get_by_role("button", name="Move")
    expect(move.or_(slip.get_by_role("radio")).first).to_be_visible()
    if move.count():
        move.first.tap()
    corrects = slip.locator("label", has_text="Corrects an earlier entry").first
    corrects.tap()
    expect(page.get_by_role("button", name="Correct the entry")).to_be_visible()
    slip.get_by_role("button", name="Other").tap()
    expect(page.get_by_role("button", name="Record anyway")).to_be_visible()


def test_a_card_that_could_not_be_given_is_tapped(strict: Thumb, service: Service) -> None:
    page = strict.page
    page.locator("#hands .hand", has_text="Bob").tap()
    page.locator("#todo [data-card=crystal_of_fire]").tap()
    confirm_action(page, "Give card (Ann)")
    strict.recorded()
    state = service.ask("GET", f"/v1/games/{strict.game}/state")[1]["state"]
    assert "crystal_of_fire" in state["hands"][0]


def test_a_tap_that_was_refused_happened_all_the_same(strict: Thumb, service: Service) -> None:
    """Another phone moved Ann first, so the tap on this phone is now illegal."""
    page, events = strict.page, f"/v1/games/{strict.game}/events"
    page.context.set_offline(True)
    page.get_by_role("button", name="More", exact=True).tap()
    page.get_by_role("button", name="Another action").tap()
    page.get_by_role("combobox", name="What").select_option("move")
    page.get_by_role("combobox", name="To").select_option(label="Gold Gate")
    page.get_by_role("button", name="Record it").tap()
    expect(page.locator("#notices")).to_contain_text("1 tap is waiting")
    page.context.set_offline(False)
    expect(page.locator("#ask")).to_contain_text("is more than one move from")
    axe(page)
    page.get_by_role("button", name="Record anyway").tap()
    strict.recorded()
    assert service.ask("GET", f"{events}/3")[1]["verdict"] == "illegal"


@pytest.mark.parametrize("ruleset", ["forbidden-island-archaens", "forbidden-desert"])
def test_every_board_has_what_happened_anyway(page: Page, service: Service, ruleset: str) -> None:
    thumb = Thumb(page, service, set_up(service, ruleset, seed=3))
    thumb.open()
    # Users can also tap a place that is not highlighted. The tile without a pawn differs from game to game.
    page.evaluate(
        """() => [...document.querySelectorAll("#board [data-place]:not(.is-target):not([data-seat])")]
            .at(-1).dispatchEvent(new MouseEvent("click", {bubbles: true}))"""
    )
    asked = page.get_by_role("dialog", name="Which action was it?").or_(
        page.get_by_role("heading", name="What happened?")
    )
    expect(asked.first).to_be_visible()


@pytest.mark.parametrize(
    ("sheet", "place", "deed"),
    [(("forever-island", 40), "log_1_a", "Place hut"), (("forgotten-waters", 48), "number:3", "Choose action")],
)
def test_a_shore_and_a_line_of_a_page_that_are_not_lit_are_tapped(
    page: Page, service: Service, sheet: tuple[str, int], place: str, deed: str
) -> None:
    thumb = Thumb(page, service, record(service, *sheet))
    thumb.open()
    before = thumb.version
    page.locator(f"#board [data-place='{place}']").dispatch_event("click")
    confirm_action(page, deed)
    thumb.recorded()
    event = service.ask("GET", f"/v1/games/{thumb.game}/events/{before + 1}")[1]
    assert (event["type"], event["verdict"]) == (deed.lower().replace(" ", "_"), "illegal")
    assert place.rpartition(":")[2] in map(str, event["params"].values())


def test_the_signs_are_told_and_keys_do_what_taps_do(wide: Page, service: Service) -> None:
    thumb = Thumb(wide, service, set_up(service, seed=4))
    thumb.open()
    wide.get_by_role("button", name="More", exact=True).click()
    wide.get_by_role("button", name="Legend").click()
    signs = wide.get_by_role("dialog")
    expect(signs).to_contain_text("Shore up")
    expect(signs).to_contain_text("Helicopter Lift")
    expect(signs.locator(".tile-sign")).to_have_count(24)
    axe(wide)
    wide.keyboard.press("Escape")
    wide.keyboard.press("?")
    expect(wide.get_by_role("dialog", name="Keys")).to_be_visible()
    axe(wide)
    wide.keyboard.press("Escape")
    draw = {"type": "draw_treasure_card", "actor": "p1", "outcomes": ["earth_stone"]}
    assert service.ask("POST", f"/v1/games/{thumb.game}/events", draw)[0] == 201
    thumb.settled()
    # The Crystal of Fire is listed first, even if another treasure is likelier.
    wide.keyboard.press("1")
    thumb.recorded()
    expect(wide.locator("#last")).to_contain_text("Crystal of Fire")
    wide.keyboard.press("u")
    thumb.recorded()
    expect(wide.locator("#last")).to_contain_text("Earth Stone")


def test_what_did_not_come_before_the_network_went_says_so(page: Page, service: Service, watches: list[Watch]) -> None:
    watches[0].expect("ERR_FAILED")
    page.route("**/v1/rulesets/*", lambda route: route.abort())
    Thumb(page, service, set_up(service)).open()
    page.locator("#more").tap()
    expect(page.locator(".toast.bad")).to_have_text("The service does not answer. Try again in a moment.")
    page.unroute("**/v1/rulesets/*")
    # An immediate second tap would count as a double tap.
    page.locator("#more").press("Enter")
    expect(page.get_by_role("dialog", name="More")).to_be_visible()


def test_a_tap_before_the_rest_of_the_page_has_come_is_not_lost(page: Page, service: Service) -> None:
    held = list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    for rest in ("**/record/later.js", "**/v1/rulesets/*"):
        page.route(rest, hold)
    thumb = Thumb(page, service, set_up(service))
    thumb.open()
    page.locator("#todo [data-action*='\"move\"']").first.tap()
    thumb.recorded()
    page.locator("#more").tap()
    page.locator("#board [data-kind=tile]:not(.is-target)").first.tap()
    for one in held:
        one.continue_()
    expect(page.get_by_role("dialog", name="More")).to_be_visible()
    expect(
        page.get_by_role("heading", name="What happened?").or_(page.locator(".toast, .bubble")).first
    ).to_be_attached()
