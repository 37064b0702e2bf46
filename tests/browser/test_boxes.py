"""The form for a new box: no JSON, errors beside their fields, versions side by side, few taps."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.test_smoke import OVERFLOW
from tests.cli.service import Service

RECORD = re.compile(r"/games/(\w+)/record$")


def box_of(page: Page, service: Service) -> dict[str, object]:
    page.wait_for_url(RECORD)
    game = page.url.split("/")[-2]
    box: dict[str, object] = service.ask("GET", f"/v1/games/{game}")[1]["options"]["box"]
    return box


def test_just_scores_takes_six_taps_for_four_known_players(page: Page, service: Service) -> None:
    seats = [{"name": name} for name in ("Ann", "Bob", "Cleo", "Dov")]
    service.ask("POST", "/v1/games", {"ruleset": "forbidden-island", "seats": seats, "chance": "observed"})
    page.goto("/boxes/new")
    for name in ("Ann", "Bob", "Cleo", "Dov"):
        page.get_by_role("button", name=name, exact=True).tap()
    page.get_by_role("button", name="Start", exact=True).tap()
    assert box_of(page, service)["id"] == "just-scores"


def test_a_box_from_a_pasted_list(page: Page, service: Service) -> None:
    page.goto("/boxes/new")
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_text("Cards", exact=True).first.tap()
    page.get_by_label("Name of the game").fill("Harvest")
    page.get_by_label("Cards or things, one per line").fill("Rain x12\nSun\t12")
    page.get_by_text("In the middle", exact=True).tap()
    page.locator("#middle [data-add]").tap()
    page.locator("#middle").get_by_label("Name").last.fill("Barn")
    page.get_by_text("Score sheet", exact=True).tap()
    page.locator("#meters [data-add]").tap()
    page.locator("#meters").get_by_label("Name").last.fill("Coins")
    axe(page)
    assert page.evaluate(OVERFLOW) == 0
    page.get_by_role("button", name="Try it").tap()
    box = box_of(page, service)
    assert (box["id"], box["score"]) == ("harvest", ["points", "coins"])
    assert [place["id"] for place in box["places"]] == ["hand", "deck", "discards", "barn"]  # type: ignore[attr-defined]
    assert box["things"] == [{"cards": "Rain\t12\nSun\t12", "place": "deck"}]


def test_an_error_is_at_its_field(page: Page) -> None:
    page.goto("/boxes/new?copy=tricks")
    page.get_by_text("In the middle", exact=True).tap()
    page.locator("#middle [data-add]").tap()
    page.locator("#middle").get_by_label("Name").last.fill("Deck")
    page.get_by_role("button", name="Start", exact=True).tap()
    field = page.locator("#middle .part-row").last.locator(".field").first
    expect(field.locator(".error")).to_have_text("'deck' is in the box twice")
    expect(field.locator("input")).to_be_focused()
    page.locator("#middle .part-row").last.get_by_role("button", name="Remove").tap()
    page.get_by_text("Cards and things", exact=True).tap()
    page.get_by_label("Cards or things, one per line").fill("Rain\t1000000")
    page.get_by_role("button", name="Start", exact=True).tap()
    expect(page.locator("#things .error")).to_contain_text("1 to 500 copies")
    page.get_by_label("Cards or things, one per line").fill("Rain x3\nRain")
    page.get_by_role("button", name="Start", exact=True).tap()
    expect(page.locator("#things .error")).to_have_text("'rain' is in the box twice")
    expect(page.get_by_label("Cards or things, one per line")).to_be_focused()


def test_every_shipped_box_is_read_as_it_was(page: Page, service: Service) -> None:
    """A copy without changes opens the same box. A changed copy becomes the next version of the box."""
    for id_ in ("just-scores", "five-dice", "tricks", "deck-builder", "workers", "hexes"):
        page.goto(f"/boxes/new?copy={id_}")
        with page.expect_download() as downloaded:
            page.get_by_role("button", name="Export").tap()
        exported = json.loads(downloaded.value.path().read_text())
        assert (exported["id"], exported["version"]) == (id_, "1")
        seats = [{"name": name} for name in ("Ann", "Bob")]
        body = {"ruleset": "any-game", "chance": "observed", "seats": seats}
        same, ours = (service.ask("POST", "/v1/games", body | {"options": {"box": box}})[1] for box in (id_, exported))
        for game in (same, ours):
            service.ask("POST", f"/v1/games/{game['id']}/events", {"type": "set_up"})
        first, second = (
            service.ask("GET", f"/v1/games/{game['id']}/state")[1]["state"] | {"box": None} for game in (same, ours)
        )
        assert first == second, id_


def test_versions_are_side_by_side(page: Page, service: Service) -> None:
    page.goto("/boxes/new?copy=five-dice")
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_text("Score sheet", exact=True).tap()
    page.locator("#meters .part-row").first.get_by_role("button", name="Remove").tap()
    page.get_by_role("button", name="Start", exact=True).tap()
    assert box_of(page, service)["version"] == "2"
    page.goto("/boxes")
    versions = page.locator("#box-five-dice + .table-wrap thead th")
    expect(versions).to_have_text(["Version", "1", "2"])
    expect(page.locator("#box-five-dice + .table-wrap mark")).to_contain_text("Twos")
    axe(page)
    assert page.evaluate(OVERFLOW) == 0
    page.get_by_role("link", name="Use: Five dice 2").tap()
    expect(page.locator("#meters .part-row")).to_have_count(13)
