"""Corrections on the record page: amend with its impact, accepted illegal events, adjust."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import axe
from tests.browser.tables import set_up
from tests.browser.tapping import Thumb
from tests.cli.service import Service

pytestmark = pytest.mark.long

CARDS = ("sandbags", "helicopter_lift")


@pytest.fixture
def thumb(page: Page, service: Service) -> Thumb:
    """A page on which Ann has drawn two cards."""
    thumb = Thumb(page, service, set_up(service, seed=4))
    for card in CARDS:
        service.ask(
            "POST",
            f"/v1/games/{thumb.game}/events",
            {"type": "draw_treasure_card", "actor": "p1", "outcomes": [card]},
        )
    assert thumb.version == 4
    thumb.open()
    return thumb


def open_event(thumb: Thumb, seq: int, way: str) -> None:
    """Open an event, and choose a correction that does not change the results."""
    thumb.page.get_by_role("button", name=f"Event {seq}:").tap()
    thumb.page.locator("dialog summary", has_text="Change more").tap()
    thumb.page.get_by_role("button", name=way).tap()


def correct_result(thumb: Thumb, seq: int, value: str) -> Locator:
    """Tap an event, then its actual result. Return the message that appears."""
    thumb.page.get_by_role("button", name=f"Event {seq}:").tap()
    thumb.page.locator(f"dialog [data-value='\"{value}\"']").tap()
    return thumb.page.locator("dialog .impact")


def hand(service: Service, game: str) -> list[str]:
    """Return Ann's hand."""
    state = service.ask("GET", f"/v1/games/{game}/state")[1]["state"]
    cards: list[str] = state["hands"][0]
    return cards


def test_a_card_that_was_another_is_changed(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    said = correct_result(thumb, 3, "earth_stone")
    expect(said).to_have_text("Sandbags → Earth Stone. The next event is unaffected.")
    expect(page.locator("dialog .was")).to_contain_text("Sandbags")
    axe(page)
    page.get_by_role("button", name="Change it", exact=True).last.tap()
    thumb.recorded()
    assert "earth_stone" in hand(service, thumb.game)
    expect(page.locator("#feed [data-seq='3']")).to_contain_text("corrected by event 5")
    page.locator("#undo").tap()
    thumb.recorded()
    expect(page.locator("#feed [data-seq='3']")).not_to_contain_text("corrected")
    assert "earth_stone" not in hand(service, thumb.game)


@pytest.mark.parametrize("way", ["The players continued", "Replay by the rules"])
def test_what_would_not_be_legal_any_more_is_told_first(thumb: Thumb, service: Service, way: str) -> None:
    page = thumb.page
    flooded = service.ask("GET", f"/v1/games/{thumb.game}/actions")[1]["actions"]
    sandbags = next(one for one in flooded if one["type"] == "play_sandbags")
    body = {name: sandbags[name] for name in ("type", "actor", "params")}
    assert service.ask("POST", f"/v1/games/{thumb.game}/events", body)[0] == 201
    thumb.settled()
    impact = correct_result(thumb, 3, "earth_stone")
    expect(impact).to_contain_text("would be against the rules")
    expect(impact).to_contain_text("Sandbags")
    axe(page)
    page.get_by_role("button", name=way).tap()
    thumb.recorded()
    assert "earth_stone" in hand(service, thumb.game)
    if way == "Replay by the rules":
        expect(page.locator("#feed [data-seq='5']")).to_contain_text("corrected by event 7")


def test_what_came_up_is_left_as_it_is(thumb: Thumb) -> None:
    page = thumb.page
    page.get_by_role("button", name="Event 3:").tap()
    page.locator("dialog .was").tap()
    expect(page.locator("dialog .notice")).to_have_text("Recorded.")
    page.locator("dialog [data-value='\"earth_stone\"']").tap()
    page.get_by_role("button", name="Cancel").tap()
    expect(page.locator("dialog")).to_have_count(0)
    assert thumb.version == 4


def test_the_last_event_is_opened_by_its_sentence(thumb: Thumb) -> None:
    thumb.page.locator("#last").tap()
    expect(thumb.page.get_by_role("heading", name="Event 4")).to_be_visible()
    expect(thumb.page.locator("dialog .was")).to_contain_text("Helicopter Lift")


def test_what_was_forgotten_is_put_in(thumb: Thumb, service: Service) -> None:
    page = thumb.page
    open_event(thumb, 3, "Insert an action before this")
    button = page.locator("dialog [data-action*='\"move\"']").first
    label = button.get_attribute("aria-label") or ""
    button.tap()
    page.get_by_role("button", name="Insert").tap()
    thumb.recorded()
    place = label.removeprefix("Move to ")
    turns = service.ask("GET", f"/v1/games/{thumb.game}/turns")[1]["turns"]
    assert turns[-1]["account"].startswith(f"Ann moves to {place}.")


def test_what_never_happened_is_taken_out(thumb: Thumb) -> None:
    page = thumb.page
    open_event(thumb, 4, "Remove")
    expect(page.locator("dialog .notice.good")).to_have_text("No later events.")
    page.get_by_role("button", name="Remove").tap()
    thumb.recorded()
    expect(page.locator("#feed [data-seq='4']")).to_contain_text("corrected by event 5")


def test_a_card_that_was_never_drawn_is_a_skipped_step(thumb: Thumb, service: Service) -> None:
    """Ann should have drawn a Flood card, too, but the table continued. Only her turn is marked."""
    card = {"type": "draw_flood_card", "actor": "p1", "outcomes": ["breakers_bridge"]}
    service.ask("POST", f"/v1/games/{thumb.game}/events", card)
    thumb.recorded()
    open_event(thumb, 4, "Remove")
    thumb.page.get_by_role(
        "button", name="The players continued Ann did not draw the Treasure deck cards that were due."
    ).tap()
    thumb.recorded()
    expect(thumb.page.locator("#feed [data-seq='4']")).to_contain_text("corrected by event 6")
    state = service.ask("GET", f"/v1/games/{thumb.game}/state")[1]["state"]
    assert (state["phase"], state["flood_draws_left"]) == ("draw_flood", 1)


def test_something_else_is_judged_before_it_is_recorded(thumb: Thumb) -> None:
    page = thumb.page
    open_event(thumb, 4, "Change it")
    page.locator("dialog summary", has_text="Something else").tap()
    page.get_by_role("combobox", name="What").select_option("lift_off")
    page.get_by_role("button", name="Continue").tap()
    expect(page.locator("dialog .notice.bad")).to_be_visible()
    page.get_by_role("button", name="Back").tap()
    expect(page.get_by_role("heading", name="Correct result")).to_be_focused()
    assert thumb.version == 4


@pytest.fixture
def lenient(page: Page, service: Service) -> Thumb:
    """A game recorded as played."""
    thumb = Thumb(page, service, set_up(service, mode="as_played"))
    thumb.open()
    return thumb


def test_it_happened_anyway(lenient: Thumb, service: Service) -> None:
    page = lenient.page
    state = service.ask("GET", f"/v1/games/{lenient.game}/state")[1]["state"]
    legal = {one["params"].get("to") for one in service.ask("GET", f"/v1/games/{lenient.game}/actions")[1]["actions"]}
    there = next(tile for tile in ("gold_gate", "watchtower", "coral_palace") if tile not in legal)
    assert state
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="It happened anyway").tap()
    axe(page)
    page.get_by_role("combobox", name="What").select_option("move")
    page.get_by_role("combobox", name="To").select_option(label=printed_name(service, there))
    page.get_by_role("button", name="Record it").tap()
    lenient.recorded()
    expect(page.locator("#feed .event").first).to_contain_text("against the rules")


def printed_name(service: Service, id_: str) -> str:
    """Return the name by which players call a tile or card of Forbidden Island."""
    return str(service.ask("GET", "/v1/rulesets/forbidden-island")[1]["words"][id_])


def bob_goes(thumb: Thumb, service: Service) -> str:
    """Move Bob as if Ann's turn had ended. Return his destination."""
    page, events = thumb.page, f"/v1/games/{thumb.game}/events"
    tiles = [tile["id"] for tile in service.ask("GET", "/v1/rulesets/forbidden-island")[1]["components"]["tiles"]]
    moves = ({"type": "move", "actor": "p2", "params": {"to": tile}} for tile in tiles)
    asked = f"{events}?dry_run=true&if_illegal=ask"
    near = next(move["params"]["to"] for move in moves if "left_out" in service.ask("POST", asked, move)[1])
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="It happened anyway").tap()
    page.get_by_role("combobox", name="Who").select_option("p2")
    page.get_by_role("combobox", name="What").select_option("move")
    page.get_by_role("combobox", name="To").select_option(label=printed_name(service, near))
    page.get_by_role("button", name="Record it").tap()
    return str(near)


def test_what_was_left_out_is_recorded_with_it(lenient: Thumb, service: Service) -> None:
    page = lenient.page
    there = bob_goes(lenient, service)
    lenient.recorded()
    expect(page.locator("#notices")).to_be_empty()
    for seq, left_out in ((3, "Treasure deck cards"), (4, "Flood cards")):
        line = page.locator(f"#feed [data-seq='{seq}']")
        expect(line).to_contain_text(f"Ann did not draw the {left_out} that were due.")
        expect(line.locator(".chip.bad")).to_be_visible()
    expect(page.locator("#feed [data-seq='5'] .chip")).to_have_count(0)
    state = service.ask("GET", f"/v1/games/{lenient.game}/state")[1]["state"]
    assert (state["pawns"][1], state["active"], state["actions_left"]) == (there, 1, 2)


def test_what_nobody_can_carry_out_is_entered_by_hand(lenient: Thumb, service: Service) -> None:
    page = lenient.page
    held = service.ask("GET", f"/v1/games/{lenient.game}/state")[1]["state"]["hands"]
    seat = next(number for number, cards in enumerate(held) if "sandbags" not in cards)
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="It happened anyway").tap()
    page.get_by_role("combobox", name="Who").select_option(f"p{seat + 1}")
    page.get_by_role("combobox", name="What").select_option("play_sandbags")
    page.get_by_role("button", name="Record it").tap()
    expect(page.locator("#notices")).to_contain_text("There is no Sandbags in that hand.")
    axe(page)
    page.locator("#notices").get_by_role("button", name="Adjust the table").tap()
    expect(page.get_by_label("Why")).to_have_value(re.compile(r"^Sandbags .*There is no Sandbags in that hand\.$"))
    expect(page.locator("#notices")).to_be_empty()
    assert lenient.version == 2


def put_right(thumb: Thumb) -> Locator:
    """Open the sheet with which the user corrects the table."""
    thumb.page.get_by_role("button", name="More").tap()
    thumb.page.get_by_role("button", name="Adjust the table").tap()
    sheet = thumb.page.get_by_role("dialog")
    expect(sheet.get_by_role("heading", name="Adjust the table")).to_be_visible()
    return sheet


def find(sheet: Locator, words: str, sentence: str) -> None:
    """Search for facts by words, and tap one of the results."""
    sheet.get_by_label("Find a fact").fill(words)
    sheet.get_by_role("button", name=sentence, exact=True).tap()
    expect(sheet.get_by_role("heading", name="Correct value")).to_be_focused()


def keep(sheet: Locator) -> None:
    sheet.get_by_role("button", name="Keep change").tap()
    expect(sheet.get_by_role("heading", name="Pending changes")).to_be_visible()


def test_a_card_changes_hands(thumb: Thumb, service: Service) -> None:
    sheet = put_right(thumb)
    axe(thumb.page)
    expect(sheet.get_by_text("The number of cards in a player's hand")).to_have_count(0)
    sheet.get_by_text("By player").tap()
    sheet.locator("summary").filter(has_text="Ann").tap()
    sheet.get_by_role("button", name="Ann has 1 Sandbags card.", exact=True).tap()
    expect(sheet.get_by_label("Seat", exact=True)).to_have_count(0)
    sheet.get_by_label("Count", exact=True).fill("0")
    axe(thumb.page)
    keep(sheet)
    sheet.get_by_role("button", name="Something else").tap()
    sheet.get_by_label("Subject").select_option(label="The number of copies of a card in a player's hand")
    assert sheet.get_by_label("Seat", exact=True).locator("option").all_inner_texts() == ["Ann", "Bob"]
    sheet.get_by_label("Seat", exact=True).select_option(label="Bob")
    sheet.get_by_label("Card", exact=True).select_option(label="Sandbags")
    keep(sheet)
    expect(sheet.locator(".changes li p").first).to_have_text("Ann has 1 Sandbags card. Now: count 0.")
    sheet.get_by_role("button", name="Change the table").tap()
    expect(sheet.locator(".error")).to_have_text("Enter a reason.")
    axe(thumb.page)
    assert sheet.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth")
    sheet.get_by_label("Why").fill("Bob took them.")
    sheet.get_by_role("button", name="Change the table").tap()
    thumb.recorded()
    assert "sandbags" not in hand(service, thumb.game)
    params = service.ask("GET", f"/v1/games/{thumb.game}/events/5")[1]["params"]
    assert {"fact": "has_cards", "seat": "p2", "card": "sandbags", "count": 1} in params["facts"]
    assert params["agreed_by"] == ["p1", "p2"]
    expect(thumb.page.locator("#last")).to_contain_text("Bob took them.")


def test_a_table_that_cannot_be_is_refused_with_one_that_can(thumb: Thumb, service: Service) -> None:
    before = thumb.version
    sheet = put_right(thumb)
    find(sheet, "left turn", "Left this turn: 2 Flood cards to draw.")
    sheet.get_by_label("Of", exact=True).select_option(label="taking actions")
    sheet.get_by_label("Count", exact=True).fill("0")
    keep(sheet)
    sheet.get_by_label("Why").fill("We counted again.")
    sheet.get_by_role("button", name="Change the table").tap()
    expect(sheet.locator(".notice.bad li").first).to_be_visible()
    axe(thumb.page)
    expect(sheet.get_by_label("Why")).to_have_value("We counted again.")
    expect(sheet.locator(".changes li")).to_have_count(1)
    assert thumb.version == before
    sheet.get_by_role("button", name="Use this instead").tap()
    thumb.recorded()
    expect(thumb.page.locator("#last")).to_contain_text("We counted again.")
    assert service.ask("GET", f"/v1/games/{thumb.game}/events/{before + 1}")[1]["type"] == "adjust"


def test_a_change_is_taken_out_again(thumb: Thumb) -> None:
    sheet = put_right(thumb)
    find(sheet, "WATER is", "The water is at 1.")
    sheet.get_by_label("Level", exact=True).fill("2")
    keep(sheet)
    sheet.get_by_role("button", name="Remove: The water is at 1. Now: level 2.").tap()
    expect(sheet.locator(".changes li")).to_have_count(0)
    sheet.get_by_role("button", name="Change the table").tap()
    expect(sheet.locator(".error")).to_have_text("Tap what is wrong and enter the correct value.")
    sheet.get_by_label("Find a fact").fill("no such thing")
    expect(sheet.get_by_text("No matching fact.")).to_be_visible()


def test_a_photograph_of_a_table_takes_ten_taps(thumb: Thumb, service: Service) -> None:
    """Two tiles are flooded, one tile has sunk, all other Flood cards are in the pile, and the hands are as listed."""
    taps = 0

    def tap(place: Locator) -> None:
        nonlocal taps
        place.tap()
        taps += 1

    def choose(what: str, value: str) -> None:
        tap(sheet.get_by_role("group", name=what, exact=True).get_by_text(value, exact=True))

    def unfold(title: str) -> None:
        tap(sheet.locator("summary").filter(has_text=title))

    page = thumb.page
    tap(page.get_by_role("button", name="More"))
    tap(page.get_by_role("button", name="Adjust the table"))
    sheet = page.get_by_role("dialog")
    unfold("The condition of a tile")
    axe(page)
    choose("all others", "dry")
    choose("Coral Palace", "flooded")
    choose("Watchtower", "flooded")
    choose("Phantom Rock", "sunk")
    unfold("The location of the Flood card")
    choose("all others", "in the draw pile")
    expect(sheet.locator(".changes li")).to_have_count(5)
    axe(page)
    sheet.get_by_label("Why").fill("We played three turns without the phone.")
    tap(sheet.get_by_role("button", name="Change the table"))
    thumb.recorded()
    assert taps == 10
    state = service.ask("GET", f"/v1/games/{thumb.game}/state")[1]["state"]
    assert (sorted(state["flooded"]), state["sunk"]) == (["coral_palace", "watchtower"], ["phantom_rock"])
    assert state["flood_discard"] == []


def test_what_is_not_listed_is_gone_by_one_tap(thumb: Thumb, service: Service) -> None:
    sheet = put_right(thumb)
    sheet.locator("summary").filter(has_text="The number of copies of a card in a player's hand").tap()
    sheet.get_by_role("button", name="Nothing else").tap()
    expect(sheet.locator(".changes li p")).to_have_text(
        "The number of copies of a card in a player's hand: all others. Now: none."
    )
    sheet.get_by_label("Why").fill("All cards fell off the table.")
    sheet.get_by_role("button", name="Change the table").tap()
    thumb.recorded()
    assert hand(service, thumb.game) == []


def test_whose_turn_it_is_takes_one_choice(thumb: Thumb, service: Service) -> None:
    sheet = put_right(thumb)
    sheet.locator("summary").filter(has_text="The player whose turn it is").tap()
    sheet.get_by_role("group", name="The player whose turn it is", exact=True).get_by_text("Bob", exact=True).tap()
    sheet.get_by_label("Why").fill("Ann had drawn her cards.")
    sheet.get_by_role("button", name="Change the table").tap()
    thumb.recorded()
    now = service.ask("GET", f"/v1/games/{thumb.game}/actions")[1]
    assert (now["awaiting"], now["phase"]) == (["p2"], "actions")
