"""The replay: links, keys, playing, consequences of an event, notes and branches. Later events stay hidden."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.examples import append, record
from tests.browser.tapping import toasts_stay
from tests.browser.watching import Watch
from tests.cli.service import Service

pytestmark = pytest.mark.long

READY = "#replay[data-ready]"
ANALYSED = 900_000
"""Milliseconds for an analysis, which has the lowest priority: beside busy tests it gets a tenth of a core."""


@pytest.fixture(scope="module")
def island(service: Service) -> str:
    """A whole game of Forbidden Island."""
    return record(service, "forbidden-island")


def story(service: Service, game: str) -> list[dict[str, object]]:
    lines: list[dict[str, object]] = service.ask("GET", f"/v1/games/{game}/story?limit=1000")[1]["story"]
    return lines


def open_replay(page: Page, address: str) -> None:
    page.goto(address)
    page.locator(READY).wait_for()


def at(page: Page, seq: int) -> None:
    """Check that the page shows event `seq`: in words, on the timeline, in the list, and in its address."""
    expect(page.locator("#where")).to_contain_text(f"event {seq}")
    expect(page.locator("#story [aria-current]")).to_have_attribute("data-seq", str(seq))
    expect(page).to_have_url(re.compile(f"#{seq}$"))


def test_a_link_leads_to_its_event(page: Page, service: Service, island: str) -> None:
    lines = story(service, island)
    open_replay(page, f"/games/{island}#42")
    at(page, 42)
    expect(page.locator("#sentence")).to_have_text(str(lines[41]["sentence"]))
    expect(page.locator("#board svg")).to_be_visible()

    open_replay(page, f"/games/{island}?at=60")
    at(page, 60)
    assert str(lines[59]["sentence"]) in str(page.locator("meta[property='og:description']").get_attribute("content"))
    page.evaluate("location.hash = '#7'")
    at(page, 7)

    open_replay(page, f"/games/{island}")
    at(page, len(lines))
    open_replay(page, f"/games/{island}?at=9999")
    at(page, len(lines))


def test_keys(wide: Page, service: Service, island: str) -> None:
    lines = story(service, island)
    turns = {int(str(line["turn"])): int(str(line["seq"])) for line in reversed(lines)}
    open_replay(wide, f"/games/{island}#42")
    for key, seq in [
        ("ArrowRight", 43),
        ("ArrowLeft", 42),
        ("Home", 1),
        ("ArrowLeft", 1),
        ("End", len(lines)),
        ("Home", 1),
        ("]", turns[1]),
        ("]", turns[2]),
        ("ArrowRight", turns[2] + 1),
        ("[", turns[2]),
        ("[", turns[1]),
        ("[", 1),
        ("[", 1),
    ]:
        wide.keyboard.press(key)
        at(wide, seq)
    wide.keyboard.press("End")
    wide.keyboard.press("]")
    at(wide, len(lines))
    wide.keyboard.press("?")
    expect(wide.locator("#help")).to_be_visible()
    wide.keyboard.press("Escape")
    expect(wide.locator("#help")).to_be_hidden()


def test_by_keyboard_alone(wide: Page, island: str) -> None:
    open_replay(wide, f"/games/{island}#42")
    wide.locator("#scrubber").focus()
    wide.keyboard.press("ArrowRight")
    at(wide, 43)
    for _ in range(4):
        wide.keyboard.press("Tab")
    expect(wide.locator("#play")).to_be_focused()
    wide.keyboard.press("Shift+Tab")
    wide.keyboard.press("Enter")
    at(wide, 42)
    wide.locator("#story [aria-current]").focus()
    wide.keyboard.press("ArrowDown")
    at(wide, 43)
    expect(wide.locator("#story [data-seq='43']")).to_be_focused()
    wide.keyboard.press("ArrowUp")
    at(wide, 42)
    expect(wide.locator("#scrubber")).to_have_attribute("aria-valuetext", re.compile("^42: Turn "))


def test_play__to_the_end_and_from_the_start(page: Page, service: Service, island: str) -> None:
    last = len(story(service, island))
    open_replay(page, f"/games/{island}#{last - 4}")
    page.locator("#speed").select_option(label="5×")
    page.get_by_role("button", name="Play").click()
    at(page, last)
    expect(page.get_by_role("button", name="Play")).to_be_visible()

    page.get_by_role("button", name="Play").click()
    expect(page.locator("#where")).to_contain_text(re.compile(r"^(Before the first turn|Turn [1-9], )"))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_scrubbing__each_step_is_shown_with_what_changed(wide: Page, island: str) -> None:
    open_replay(wide, f"/games/{island}")
    slider = wide.locator("#scrubber")
    for seq in (100, 20, 150, 21):
        slider.fill(str(seq))
        at(wide, seq)
    expect(wide.locator("#board svg [data-changed]").first).to_be_attached()


def test_what_was_taken_back_is_marked_and_can_be_skipped(page: Page, service: Service) -> None:
    game = service.open_game()
    append(service, game, [{"type": "draw_treasure_card", "actor": "p1"}])
    append(service, game, [{"type": "undo", "params": {"to": 2}}])
    open_replay(page, f"/games/{game}#3")
    expect(page.locator("#flags")).to_contain_text("undone")
    expect(page.locator("#track .sign-undone")).to_have_count(1)
    expect(page.locator("#track .sign-correction")).to_have_count(1)
    page.get_by_label("Skip undone events").check()
    at(page, 2)
    expect(page.locator("#story [data-seq='3']")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    at(page, 4)
    expect(page.locator("#flags")).to_contain_text("undo")


def test_what_was_drawn_again_is_marked(page: Page, service: Service) -> None:
    game = service.open_game()
    append(service, game, [{"type": "draw_treasure_card", "actor": "p1"}])
    append(service, game, [{"type": "undo", "params": {"to": 2}}, {"type": "draw_treasure_card", "actor": "p1"}])
    open_replay(page, f"/games/{game}#5")
    expect(page.locator("#flags")).to_contain_text("drawn again after event 3 was undone")
    expect(page.locator("#track .sign-again")).to_have_count(1)


def test_a_note_is_made_shown_and_found(wide: Page, service: Service) -> None:
    game = service.open_game()
    append(service, game, [{"type": "draw_treasure_card", "actor": "p1"}])
    open_replay(wide, f"/games/{game}#2")
    wide.get_by_role("button", name="Note…").click()
    sheet = wide.get_by_role("dialog")
    sheet.get_by_role("button", name="Save note").click()
    expect(sheet.get_by_role("alert")).to_contain_text("Write a note")
    sheet.get_by_label("Your note").fill("A poor deal.")
    sheet.get_by_role("button", name="Save note").click()
    expect(wide.locator("#notes")).to_contain_text("A poor deal.")
    wide.keyboard.press("End")
    at(wide, 4)
    wide.locator("#note-list a").click()
    at(wide, 2)


def test_what_is_recorded_meanwhile_follows_the_end(page: Page, service: Service) -> None:
    game = service.open_game()
    open_replay(page, f"/games/{game}")
    at(page, 2)
    append(service, game, [{"type": "draw_treasure_card", "actor": "p1"}])
    page.keyboard.press("ArrowRight")
    at(page, 3)
    toasts_stay(page)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("You have reached the end of the record so far.")).to_be_visible()


def test_without_a_network__it_is_said_and_goes_on_afterwards(
    page: Page, service: Service, watches: list[Watch]
) -> None:
    watches[0].expect("ERR_INTERNET_DISCONNECTED")
    game = service.open_game()
    open_replay(page, f"/games/{game}")
    toasts_stay(page)
    page.context.set_offline(True)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("The service does not answer. Try again in a moment.")).to_be_visible()
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_text("The service does not answer. Try again in a moment.")).to_have_count(2)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.context.set_offline(False)
    append(service, game, [{"type": "draw_treasure_card", "actor": "p1"}])
    page.keyboard.press("ArrowRight")
    at(page, 3)


def test_spoiler_free__nothing_of_what_comes_later(page: Page, service: Service, island: str) -> None:
    lines = story(service, island)
    open_replay(page, f"/games/{island}?spoiler_free=1#20")
    at(page, 20)

    def page_content() -> str:
        return page.content()

    for line in lines[21:]:
        if not any(line["sentence"] == earlier["sentence"] for earlier in lines[:21]):
            assert str(line["sentence"]) not in page_content()
    assert "won" not in page.locator("main").inner_text()
    assert not re.search(rf"\b{len(lines)}\b", page.locator("main").inner_text())
    expect(page.locator("#scrubber")).to_have_attribute("max", "20")
    page.keyboard.press("End")
    at(page, 20)
    page.keyboard.press("ArrowRight")
    at(page, 21)
    expect(page.locator("#scrubber")).to_have_attribute("max", "21")
    page.keyboard.press("]")
    expect(page.locator("#where")).not_to_contain_text("event 21")

    open_replay(page, f"/games/{island}?spoiler_free=1#9999")
    at(page, len(lines))
    toasts_stay(page)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("You have reached the end of the record so far.")).to_be_visible()


def test_spoiler_free__is_kept_until_it_is_turned_off(page: Page, service: Service, island: str) -> None:
    last = len(story(service, island))
    open_replay(page, f"/games/{island}")
    page.get_by_label("Spoiler-free").check()
    at(page, 2)
    assert "won" not in page.locator("main").inner_text()
    page.keyboard.press("ArrowRight")
    at(page, 3)
    open_replay(page, f"/games/{island}")
    at(page, 3)
    page.get_by_label("Spoiler-free").uncheck()
    expect(page.locator("#scrubber")).to_have_attribute("max", str(last))
    at(page, 3)


def test_branches__a_fork_goes_on_and_is_found_again(wide: Page, service: Service, island: str) -> None:
    fork = service.ask("POST", f"/v1/games/{island}/forks", {"at": 30, "chance": "seeded"})[1]["id"]
    open_replay(wide, f"/games/{island}")
    expect(wide.locator("#tree")).to_contain_text("from event 30")
    wide.locator(f"#tree a[href$='{fork}']").first.click()
    wide.locator(READY).wait_for()
    expect(wide.locator("#tree strong")).to_have_text("this game")
    expect(wide.locator(f"#tree a[href='/games/{island}']")).to_be_visible()


def test_branches__go_on_from_here(wide: Page, service: Service, island: str) -> None:
    open_replay(wide, f"/games/{island}#40")
    wide.get_by_role("button", name="Branch…").click()
    wide.get_by_label("What if?").check()
    wide.get_by_role("dialog").get_by_role("button", name="Continue").click()
    expect(wide).to_have_url(re.compile(r"/games/\w+/record$"))
    fork = service.ask("GET", f"/v1/games/{wide.url.split('/')[-2]}")[1]
    assert (fork["fork"]["game"], fork["fork"]["at"], fork["chance"]) == (island, 40, "seeded")


def test_a_game_that_is_not_there(page: Page) -> None:
    answer = page.request.get("/games/nothing", headers={"Accept": "text/html"})
    assert answer.status == 404
    assert "text/html" in answer.headers["content-type"]


def test_accessible(everywhere: Page, island: str) -> None:
    open_replay(everywhere, f"/games/{island}#56")
    expect(everywhere.locator("#board svg")).to_be_visible()
    axe(everywhere)
    for sheet in ("#help-button", "#add-note", "#fork"):
        everywhere.locator(sheet).click()
        axe(everywhere)
        everywhere.keyboard.press("Escape")
    overflow = everywhere.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0


SHOWN = """() => [...document.querySelectorAll('#board .dl-plane:not([hidden]) text')]
  .filter((text) => !text.closest('.dl-panel'))
  .map((text) => parseFloat(text.getAttribute('font-size')) * Math.abs(text.getScreenCTM().a))"""
"""Return the size of each text on the board, in pixels on the screen."""


@pytest.mark.parametrize(("width", "height"), [(360, 740), (740, 360), (1024, 768)])
@pytest.mark.parametrize("name", ["forbidden-island", "forbidden-desert", "forever-island", "forgotten-waters"])
def test_the_board_is_read_from_a_metre(page: Page, service: Service, name: str, width: int, height: int) -> None:
    least = 16 if min(width, height) >= 740 else 12
    page.set_viewport_size({"width": width, "height": height})
    open_replay(page, f"/games/{record(service, name, 60)}")
    sizes = sorted(page.evaluate(SHOWN))
    assert not sizes or sizes[len(sizes) // 2] >= least
    expect(page.locator("#around svg")).to_be_visible()
    for target in page.locator(".player input, .player button:visible, .manner select, .manner button").all():
        box = target.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("width", "height"), [(360, 740), (740, 360), (1024, 768), (1280, 800), (1440, 900)])
def test_nothing_covers_the_board(page: Page, island: str, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    open_replay(page, f"/games/{island}#60")
    boxes = {name: page.locator(name).bounding_box() for name in ("#board > svg", ".saying", ".player", ".controls")}
    board, *others = (box or pytest.fail(str(boxes)) for box in boxes.values())
    for box in (board, *others):
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width, boxes
        assert 0 <= box["y"] <= box["y"] + box["height"] <= height, boxes
    for box in others:
        is_beside = box["x"] >= board["x"] + board["width"] or box["x"] + box["width"] <= board["x"]
        assert is_beside or box["y"] >= board["y"] + board["height"] or box["y"] + box["height"] <= board["y"], boxes
    assert min(board["width"], board["height"]) >= min(width, height, 740) * 0.8


def test_the_other_pages_of_the_game_open_from_the_replay(page: Page, island: str) -> None:
    open_replay(page, f"/games/{island}#60")
    audit = page.get_by_role("link", name="Audit")
    expect(audit).to_be_hidden()
    page.get_by_role("button", name="This game").click()
    audit.click()
    page.wait_for_url("**/audit")


def test_of_two_planes_one_is_shown__and_one_can_turn_to_the_other(page: Page, service: Service) -> None:
    open_replay(page, f"/games/{record(service, 'forgotten-waters', 60)}")
    page.get_by_role("button", name="Map", exact=True).click()
    expect(page.locator("#board .dl-plane[data-id=map]")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#board .dl-plane[data-id=map]")).to_be_visible()
    expect(page.locator("#board > .planes button")).to_have_count(1)


def test_how_the_game_went_stands_over_the_time_line(page: Page, service: Service, island: str) -> None:
    open_replay(page, f"/games/{island}")
    expect(page.locator("#course")).to_be_visible()
    points = service.ask("GET", f"/v1/games/{island}/recap")[1]["curve"]["points"]
    path = page.locator("#course .line").get_attribute("d") or ""
    assert path.count("L") == len(points) - 1
    expect(page.locator("#level")).to_have_text("Tiles above water1")
    page.keyboard.press("Home")
    expect(page.locator("#level")).to_be_hidden()
    page.get_by_role("button", name="Next event").click()
    expect(page.locator("#level")).to_have_text("Tiles above water24")


def test_free_of_spoilers_it_is_not_told(page: Page, island: str) -> None:
    open_replay(page, f"/games/{island}?spoiler_free=1#5")
    expect(page.locator("#course")).to_be_hidden()


@pytest.mark.timeout(1200)
def test_an_analysis_draws_the_win_chance(page: Page, service: Service, island: str) -> None:
    open_replay(page, f"/games/{island}#42")
    page.get_by_role("button", name="Analyse").click()
    expect(page.get_by_role("progressbar", name="Analysis")).to_be_visible()
    # The win chance appears long before the marks.
    expect(page.locator("#level")).to_contain_text("Win chance", timeout=ANALYSED)
    points = service.ask("GET", f"/v1/games/{island}/analyses/latest")[1]["points"]
    assert points[-1]["value"]["p"] == 1
    axe(page)
    page.goto(f"/games/{island}/end")
    expect(page.locator(".curve figcaption")).to_contain_text("Win chance")


@pytest.mark.timeout(1200)
def test_other_choices_and_results_are_tried_at_the_marks(
    page: Page, service: Service, island: str, watches: list[Watch]
) -> None:
    watches[0].expect("ERR_FAILED")
    service.ask("POST", f"/v1/games/{island}/analyses")
    open_replay(page, f"/games/{island}")
    marks = page.get_by_role("group", name="Costliest events")
    expect(marks.get_by_role("button").first).to_be_visible(timeout=ANALYSED)
    for cause, name in (("skill", "Try another choice"), ("luck", "Try another result")):
        open_replay(page, f"/games/{island}")
        found = service.ask("GET", f"/v1/games/{island}/analyses/latest")[1]["marks"]
        mark = next(one for one in found if one["cause"] == cause)
        marks.locator(f"[data-seq='{mark['seq']}']").tap()
        at(page, mark["seq"])
        page.get_by_role("button", name=name).tap()
        options = page.get_by_role("radio")
        expect(options.nth(1)).to_be_visible()
        if cause == "skill":
            # The board shows the table before the event, and a tap on a place selects a choice.
            move = next(at for at, one in enumerate(mark["choices"]) if one["type"] == "move")
            page.locator(f"#board [data-place='{mark['choices'][move]['params']['to']}']:has(.lit-ring)").tap()
            expect(options.nth(move)).to_be_checked()
        axe(page)
        page.get_by_role("button", name="Back to replay").tap()
        expect(options.first).to_be_hidden()
        page.get_by_role("button", name=name).tap()
        expect(page.locator(".option:not(.recorded) input").first).to_be_checked()
        page.route("**/v1/games/*/events", lambda route: route.abort())
        page.get_by_role("button", name="Play on from here").tap()
        expect(page.locator(".toast.bad")).to_contain_text("The service does not answer.")
        # The choice is not lost. The page stays open, and a second tap opens no second branch.
        page.unroute("**/v1/games/*/events")
        page.get_by_role("button", name="Play on from here").tap()
        expect(page).to_have_url(re.compile(r"/games/\w+/record$"))
        branch = service.ask("GET", f"/v1/games/{page.url.split('/')[-2]}")[1]
        assert (branch["fork"]["at"], branch["version"]) == (mark["seq"] - 1, mark["seq"])
