"""Starting a table by taps alone: names, options in plain words, a physical setup without losses."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import axe
from tests.browser.tapping import APPENDS
from tests.browser.watching import Watch
from tests.cli.service import Service

pytestmark = pytest.mark.long


def as_list(page: Page) -> None:
    """Enter a setup place by place, instead of in pictures."""
    page.get_by_role("link", name="As a list").click()
    page.wait_for_url(re.compile(r"/games/\w+/setup\?list$"))


def begin(page: Page) -> None:
    """Start Forgotten Waters with a printed copy of the game for Ann, Bob and Cyd. Enter its setup as a list."""
    page.goto("/start")
    page.get_by_role("link", name=re.compile("^Forgotten Waters")).click()
    for number, name in enumerate(("Ann", "Bob", "Cyd"), 1):
        page.get_by_label(f"Player {number}", exact=True).fill(name)
    page.get_by_label("Player 1", exact=True).press("Enter")
    page.get_by_role("button", name="Start", exact=True).click()
    as_list(page)
    expect(page.get_by_role("heading", name="Ann")).to_be_visible()


def lay(page: Page) -> None:
    """Choose the first option by key, because a second click on the same place is ignored for a moment."""
    page.locator("#choices button").first.press("Enter")


def choices(page: Page) -> list[str]:
    return page.locator("#choices button").all_inner_texts()


def test_a_physical_set_up_by_taps(page: Page) -> None:
    begin(page)
    assert len(choices(page)) == 7
    axe(page)
    page.locator("#choices").get_by_role("button", name="The Reluctant Ghost").click()
    expect(page.get_by_role("heading", name="Bob")).to_be_visible()
    assert "The Reluctant Ghost" not in choices(page)

    # Only one place is left for the last marker, so the page does not ask.
    for number in range(1, 5):
        expect(page.locator("#count")).to_have_text(f"{number} of 6")
        page.locator("#choices button").first.click()
    expect(page.get_by_text("Everything is set up.")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Start game").click()
    page.wait_for_url(re.compile(r"/record$"))


def test_a_reload_loses_nothing_and_a_tap_can_be_taken_back(page: Page) -> None:
    begin(page)
    page.locator("#choices").get_by_role("button", name="The Reluctant Ghost").click()
    expect(page.get_by_role("heading", name="Bob")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Bob")).to_be_visible()
    expect(page.get_by_role("button", name="Ann: The Reluctant Ghost")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="Ann")).to_be_visible()
    assert "The Reluctant Ghost" in choices(page)


def test_the_set_up_leads_back_to_the_players(page: Page) -> None:
    begin(page)
    page.get_by_role("link", name="Back to the players").click()
    page.wait_for_url("**/start/forgotten-waters")
    expect(page.get_by_label("Player 2", exact=True)).to_have_value("Bob")


def test_a_list_is_pasted_and_the_rest_comes_up_by_chance(page: Page) -> None:
    begin(page)
    page.get_by_role("button", name="Paste a list").click()
    axe(page)
    page.get_by_label("In setup order").fill("cook, THE RELUCTANT GHOST\nAtlantis\n")
    page.get_by_role("button", name="Use list").click()
    expect(
        page.get_by_text("“Atlantis” is not possible for Player sheets: Cyd. The 2 values before it are filled in.")
    ).to_be_visible()
    expect(page.get_by_label("In setup order")).to_have_value("Atlantis")
    page.get_by_label("In setup order").fill("The Runaway Taxman")
    page.get_by_role("button", name="Use list").click()
    expect(page.locator("#count")).to_have_text("3 of 6")

    page.get_by_role("button", name="Fill in the rest at random").click()
    expect(page.get_by_text("Everything is set up.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#count")).to_have_text("3 of 6")


def test_a_place_is_changed_and_what_lay_there_changes_places(page: Page) -> None:
    begin(page)
    for name, sheet in (("Ann", "The Reluctant Ghost"), ("Bob", "The Runaway Taxman")):
        page.locator("#choices").get_by_role("button", name=sheet).click()
        expect(page.get_by_role("button", name=f"{name}: {sheet}")).to_be_visible()
    page.get_by_role("button", name="Ann: The Reluctant Ghost").click()
    expect(page.get_by_role("heading", name="Ann change")).to_be_visible()
    page.locator("#choices").get_by_role("button", name="The Runaway Taxman placed").click()
    expect(page.get_by_role("button", name="Ann: The Runaway Taxman")).to_be_visible()
    expect(page.get_by_role("button", name="Bob: The Reluctant Ghost")).to_be_visible()
    expect(page.locator("#count")).to_have_text("2 of 6")


def test_the_first_seat_begins_unless_another_is_chosen(page: Page) -> None:
    page.goto("/start/forbidden-desert")
    begins = page.get_by_label("Who begins")
    for number, name in enumerate(("Ann", "Bob"), 1):
        page.get_by_label(f"Player {number}", exact=True).fill(name)
    expect(begins).to_have_value('"p1"')
    begins.select_option(label="Bob")
    page.get_by_role("button", name="Add a player").tap()
    page.get_by_label("Player 3", exact=True).fill("Cyd")
    expect(begins).to_have_value('"p2"')


def test_an_empty_row_is_no_player_and_two_names_differ(page: Page, service: Service) -> None:
    page.goto("/start/forbidden-island")
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Player 2", exact=True).fill("ann ")
    page.get_by_role("button", name="Add a player").tap()
    page.get_by_role("button", name="Start", exact=True).tap()
    second = page.get_by_label("Player 2", exact=True)
    assert second.evaluate("field => field.validationMessage") == (
        "Two players are called ann. Add a letter to one of them."
    )
    second.fill("Bob")
    page.get_by_role("button", name="Start", exact=True).tap()
    page.wait_for_url(re.compile(r"/setup$"))
    game = page.url.split("/")[-2]
    assert [seat["name"] for seat in service.ask("GET", f"/v1/games/{game}")[1]["seats"]] == ["Ann", "Bob"]


def test_a_seat_is_called_by_who_sits_there(page: Page) -> None:
    page.goto("/start/forgotten-waters")
    for number, name in enumerate(("Ann", "Bob", "Cyd"), 1):
        page.get_by_label(f"Player {number}", exact=True).fill(name)
    page.get_by_role("button", name="Start", exact=True).click()
    as_list(page)
    expect(page.get_by_role("heading", name="Ann")).to_be_visible()
    for number in range(3):
        expect(page.locator("#count")).to_have_text(f"{number} of 6")
        page.locator("#choices button").first.click()
    expect(page.get_by_role("heading", name="First from the top")).to_be_visible()
    assert choices(page) == ["Ann", "Bob", "Cyd"]


def test_without_a_network_everything_can_be_laid(page: Page, watches: list[Watch]) -> None:
    watches[0].expect("ERR_INTERNET_DISCONNECTED")
    begin(page)
    page.context.set_offline(True)
    for number in (1, 2, 3, 4, 6):
        lay(page)
        expect(page.locator("#count")).to_have_text(f"{number} of 6")
    page.get_by_role("button", name="Start game").click()
    expect(page.get_by_role("button", name="Starts when the service is reachable")).to_be_disabled()
    expect(page.get_by_role("alert")).to_contain_text("The service does not answer.")
    axe(page)
    page.context.set_offline(False)
    page.wait_for_url(re.compile(r"/record$"))


def test_taps_are_as_quick_as_anybody_likes(page: Page) -> None:
    """The page accepts the next tap before the service has answered, however long the answer takes."""
    held: list[Route] = []
    page.goto("/start/forever-island")
    page.get_by_role("button", name="Start", exact=True).click()
    as_list(page)
    expect(page.get_by_role("heading", name="First throw")).to_be_visible()
    is_slow = True

    def hold(route: Route) -> None:
        if is_slow:
            held.append(route)
        else:
            route.continue_()

    page.route(APPENDS, hold)
    page.evaluate(
        """() => {
          for (let throws = 0; throws < 6; throws += 1) document.querySelector("#choices [data-value='1']").click();
        }"""
    )
    expect(page.locator("#count")).to_have_text("6 of 26")
    # The third throw hit a tile. The page learns that only from the service's answer.
    page.locator("#choices button").first.click()
    is_slow = False
    for route in held:
        route.continue_()
    expect(page.get_by_role("heading", name="Seventh throw")).to_be_visible()
    page.locator("#choices [data-value='1']").click()


def test_one_look_at_the_whole_table_before_it_begins(page: Page) -> None:
    begin(page)
    page.get_by_role("button", name="Fill in the rest at random").click()
    expect(page.get_by_role("heading", name="The whole table")).to_be_visible()
    names = page.locator("#grid h3").all_inner_texts()
    assert names == ["Player sheets", "Infamy"]
    laid = page.locator("#grid [data-index='0'] span").last
    before, other = laid.inner_text(), page.locator("#grid [data-index='2'] span").last.inner_text()
    laid.click()
    page.locator("#choices").get_by_role("button", name=f"{other} placed").click()
    expect(laid).to_have_text(other)
    expect(page.locator("#grid [data-index='2'] span").last).to_have_text(before)
    page.get_by_role("button", name="Start game").click()
    page.wait_for_url(re.compile(r"/record$"))


def test_two_phones_set_up_one_table(page: Page, wide: Page) -> None:
    begin(page)
    wide.goto(page.url)
    for phone in (page, wide):
        phone.get_by_role("button", name="Fill in the rest at random").click()
        expect(phone.get_by_text("Everything is set up.")).to_be_visible()
    page.get_by_role("button", name="Start game").click()
    page.wait_for_url(re.compile(r"/record$"))
    wide.get_by_role("button", name="Start game").click()
    wide.wait_for_url(re.compile(r"/record$"))


def test_a_seeded_table_needs_no_set_up_and_names_are_remembered(page: Page) -> None:
    page.goto("/start/forbidden-desert")
    page.get_by_role("button", name="Add a player").click()
    for number, name in enumerate(("Ann", "Bob", "Cyd"), 1):
        page.get_by_label(f"Player {number}", exact=True).fill(name)
    page.get_by_label("Who begins").select_option(label="Cyd")
    page.get_by_label("Legendary").check()
    page.get_by_label("Driftlog deals").check()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile(r"/record$"))
    game = page.url.split("/")[-2]
    document = page.evaluate("async path => (await fetch(path)).json()", f"/v1/games/{game}")
    assert [seat["name"] for seat in document["seats"]] == ["Ann", "Bob", "Cyd"]
    assert (document["options"]["first_player"], document["options"]["difficulty"]) == ("p3", "legendary")
    page.goto("/start/forbidden-desert")
    expect(page.get_by_label("Player 3", exact=True)).to_have_value("Cyd")


def test_who_sat_at_the_last_table_is_known_on_another_phone(page: Page, wide: Page, service: Service) -> None:
    for names in (("Zoe", "Yan", "Xia"), ("Ann", "Bob")):
        ruleset = "forgotten-waters" if len(names) == 3 else "forbidden-island"
        seats = [{"name": name} for name in names]
        body = {"ruleset": ruleset, "seats": seats, "chance": "observed"}
        assert service.ask("POST", "/v1/games", body)[0] == 201
    page.goto("/start/forgotten-waters")
    page.get_by_role("button", name="Same players as last time: Zoe, Yan, Xia").click()
    for number, name in enumerate(("Zoe", "Yan", "Xia"), 1):
        expect(page.get_by_label(f"Player {number}", exact=True)).to_have_value(name)
    expect(page.get_by_label("Player 4", exact=True)).to_have_count(0)
    axe(page)
    wide.goto("/start/forbidden-desert")
    expect(wide.locator("#known-names option[value='Zoe']")).to_be_attached()


def test_texts_and_numbers_are_typed_and_left_empty_by_default(page: Page) -> None:
    page.goto("/start/forgotten-waters")
    page.get_by_label("The ship's name").fill(" Merry Widow ")
    page.get_by_label("Seconds of the planning timer").fill("1000000")
    page.get_by_label("Driftlog deals").check()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("3600")
    expect(page.get_by_label("Seconds of the planning timer")).to_be_focused()
    page.get_by_label("Seconds of the planning timer").fill("")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile(r"/record$"))
    game = page.url.split("/")[-2]
    options = page.evaluate("async path => (await fetch(path)).json()", f"/v1/games/{game}")["options"]
    assert (options["ship_name"], options["timer_seconds"]) == ("Merry Widow", None)


def test_what_does_not_fit_is_said_beside_it(page: Page) -> None:
    page.goto("/start/forever-island")
    page.get_by_label("Two teams").check()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("2 players cannot form 2 teams")
    expect(page.get_by_label("Every player for themselves")).to_be_focused()


def test_the_pages_are_for_everyone(everywhere: Page, watches: list[Watch]) -> None:
    watches[0].expect(r"404 \(NOT FOUND\) .*/nowhere")
    for path in ("/start", "/start/forgotten-waters", "/problems/not-found", "/nowhere"):
        everywhere.goto(path)
        for details in everywhere.locator("details").all():
            details.evaluate("one => one.open = true")
        axe(everywhere)


def test_the_set_up_is_for_everyone(everywhere: Page) -> None:
    begin(everywhere)
    everywhere.locator("#choices").get_by_role("button", name="The Reluctant Ghost").click()
    expect(everywhere.locator("#count")).to_have_text("1 of 6")
    axe(everywhere)
    everywhere.get_by_role("button", name="Ann: The Reluctant Ghost").click()
    expect(everywhere.get_by_role("button", name="Cancel")).to_be_visible()
    axe(everywhere)
    everywhere.get_by_role("button", name="Paste a list").click()
    axe(everywhere)
    everywhere.keyboard.press("Escape")
    expect(everywhere.get_by_role("button", name="Paste a list")).to_be_focused()
    everywhere.get_by_role("button", name="Fill in the rest at random").click()
    expect(everywhere.get_by_role("button", name="Start game")).to_be_focused()
    axe(everywhere)
