"""The page asks once about an illegal tap, in strict and as-played games. The likeliest explanation is preselected."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import axe
from tests.browser.tables import opened
from tests.browser.tapping import Thumb
from tests.cli.service import Service
from tests.engine.recording import DEAL

pytestmark = pytest.mark.long


def forgotten(page: Page, service: Service, mode: str = "strict") -> Thumb:
    """A game in which Ann forgets to draw her cards."""
    thumb = Thumb(page, service, opened(service, mode=mode))
    set_up = {"type": "set_up", "outcomes": list(DEAL)}
    assert service.ask("POST", f"/v1/games/{thumb.game}/events", set_up)[0] == 201
    thumb.open()
    return thumb


def bob_moves(thumb: Thumb) -> Locator:
    """Move Bob, although it is not his turn. Return the question that the page asks."""
    page = thumb.page
    page.locator("#hands .hand", has_text="Bob").click()
    page.locator("#board [data-place=cliffs_of_abandon]").first.click()
    return page.locator("#slip")


def test_a_forgotten_card_is_one_slip(everywhere: Page, service: Service) -> None:
    thumb = forgotten(everywhere, service)
    slip = bob_moves(thumb)
    expect(slip.get_by_role("heading")).to_have_text("What happened?")
    first = slip.get_by_role("radio").first
    expect(first).to_be_checked()
    expect(first).to_be_focused()
    expect(slip.locator("label").first).to_contain_text(
        "Ann did not draw the Treasure deck cards that were due. Ann did not draw the Flood cards that were due."
    )
    expect(everywhere.locator("#ask")).to_contain_text("It is another player's turn.")
    axe(everywhere)
    everywhere.get_by_role("button", name="Record anyway").click()
    thumb.recorded()
    expect(slip).to_be_hidden()
    events = [service.ask("GET", f"/v1/games/{thumb.game}/events/{seq}")[1] for seq in (3, 4, 5)]
    assert [(one["type"], one.get("verdict")) for one in events] == [("left_out", "illegal")] * 2 + [("move", None)]
    everywhere.get_by_role("button", name="Undo").click()
    expect(everywhere.locator("#whose")).to_have_text("Ann")
    undone = service.ask("GET", f"/v1/games/{thumb.game}/events/6")[1]
    assert (undone["type"], undone["params"]) == ("undo", {"to": 2})


def test_a_card_that_was_drawn_anyway_is_named_on_the_board(page: Page, service: Service) -> None:
    thumb = forgotten(page, service)
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="It happened anyway").click()
    page.get_by_role("combobox", name="What").select_option("draw_flood_card")
    page.get_by_role("button", name="Record it").click()
    expect(page.locator("#ask")).to_contain_text("Which flood card?")
    page.locator("#board .is-target").first.click()
    thumb.recorded()
    types = [
        service.ask("GET", f"/v1/games/{thumb.game}/events/{seq}")[1]["type"] for seq in range(3, thumb.version + 1)
    ]
    assert types[-1] == "draw_flood_card"


def test_nothing_is_recorded_by_escape(page: Page, service: Service) -> None:
    thumb = forgotten(page, service)
    slip = bob_moves(thumb)
    slip.get_by_role("radio").first.press("Escape")
    expect(slip).to_be_hidden()
    assert service.ask("GET", f"/v1/games/{thumb.game}")[1]["version"] == 2


def test_none_of_them_fits_and_it_is_said_in_words(page: Page, service: Service) -> None:
    thumb = forgotten(page, service)
    slip = bob_moves(thumb)
    slip.get_by_role("button", name="Other").click()
    axe(page)
    slip.get_by_label("In your own words").fill("Bob was in a hurry")
    page.get_by_role("button", name="Record anyway").click()
    thumb.recorded()
    event = service.ask("GET", f"/v1/games/{thumb.game}/events/3")[1]
    assert (event["type"], event["verdict"], event["note"]) == ("move", "illegal", "Bob was in a hurry")


def test_a_house_rule_makes_it_legal_from_then_on(page: Page, service: Service) -> None:
    thumb = forgotten(page, service)
    slip = bob_moves(thumb)
    slip.get_by_role("button", name="Other").click()
    slip.get_by_label("House rule").first.check()
    axe(page)
    slip.get_by_label("In your own words").fill("Anyone may move")
    page.get_by_role("button", name="Record anyway").click()
    thumb.recorded()
    rule, move = (service.ask("GET", f"/v1/games/{thumb.game}/events/{seq}")[1] for seq in (3, 4))
    assert rule["params"] == {
        "text": "Anyone may move",
        "allows": [{"type": "move", "phase": "actions", "own_turn": False}],
        "overrides": "1. Take Up to 3 Actions",
    }
    assert (move["type"], move["verdict"], move["reason"]) == ("move", "legal", "Anyone may move")


def test_a_game_that_accepts_does_not_ask(page: Page, service: Service) -> None:
    thumb = forgotten(page, service, "as_played")
    slip = bob_moves(thumb)
    thumb.recorded()
    expect(slip).to_be_hidden()
    assert service.ask("GET", f"/v1/games/{thumb.game}/events/3")[1]["type"] == "left_out"


def test_an_end_that_nobody_noticed_is_marked_and_the_table_plays_on(everywhere: Page, service: Service) -> None:
    """Fools' Landing sinks, and the players do not notice."""
    game = opened(service)
    flooded = {"fact": "tile_is", "tile": "fools_landing", "state": "flooded"}
    ashore = {"fact": "stands_on", "seat": "p2", "tile": "cliffs_of_abandon"}
    events = [
        {"type": "set_up", "outcomes": list(DEAL)},
        *[{"type": "draw_treasure_card", "actor": "p1", "outcomes": ["earth_stone"]}] * 2,
        {"type": "adjust", "params": {"facts": [flooded, ashore], "reason": "So it lies there."}},
        {"type": "draw_flood_card", "actor": "p1", "outcomes": ["fools_landing"]},
    ]
    assert service.ask("POST", f"/v1/games/{game}/events", events)[0] == 201
    thumb = Thumb(everywhere, service, game)
    thumb.open()
    everywhere.get_by_role("button", name="Play on").click()
    thumb.recorded()
    expect(everywhere.get_by_role("button", name="Play on")).to_be_hidden()
    axe(everywhere)
    status, table = service.ask("GET", f"/v1/games/{game}")
    assert (status, table["status"]) == (200, "in_progress")
    event = service.ask("GET", f"/v1/games/{game}/events/{table['version']}")[1]
    assert (event["type"], event["params"]["step"], event["verdict"]) == ("left_out", "ending", "illegal")
