"""The pages that list players and games."""

from __future__ import annotations

import re
from html import unescape

import pytest

from api.pages import dates, indexes
from engine.play.registry import rulesets
from store import Store
from tests.api.table import Table
from tests.api.test_previews import store_finished_game
from tests.api.tokens import Door


def lines(page: str) -> list[list[str]]:
    """Return the cells of each row of a page's table."""
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)[1:]
    return [
        [unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in re.split(r"</t[hd]>", row)[:-1]] for row in rows
    ]


def names(page: str) -> list[str]:
    return [row[0] for row in lines(page)]


def test_before_anything_is_recorded(table: Table) -> None:
    assert "No players yet" in table.client.get("/players").text
    assert table.client.get("/rulesets").text.count("Not recorded yet") == len(rulesets())


def test_players_by_name_with_what_they_played(table: Table, store: Store) -> None:
    store_finished_game(store)
    table.open(seats=[{"name": "ADA"}, {"name": "Zoë & <co>"}])
    store.projections.project(table.game.rpartition("/")[2])
    found = lines(table.client.get("/players").text)
    assert [row[:3] for row in found] == [["ADA", "2", "0 of 1"], ["Bo", "1", "0 of 1"], ["Zoë & <co>", "1", "–"]]
    assert found[1][3] == "20 Nov 2026"
    assert names(table.client.get("/players?q=ZO").text) == ["Zoë & <co>"]
    assert "No matching name" in unescape(table.client.get("/players?q=x").text)
    link = re.search(r'<a href="(/players/Zo[^"]+)"', table.client.get("/players").text)
    assert link is not None
    assert "Zoë" in table.client.get(unescape(link[1])).text


def test_pages_of_players_follow_each_other(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexes, "PAGE", 2)
    for first, second in (("Ann", "Bob"), ("Cyd", "Anton"), ("Dee", "Änne")):
        table.open(seats=[{"name": first}, {"name": second}])
    seen: list[list[str]] = []
    address = "/players"
    while address:
        page = table.client.get(address).text
        seen.append(names(page))
        more = re.search(r'href="([^"]+)" rel="next"', page)
        address = unescape(more[1]) if more else ""
    assert seen == [["Ann", "Anton"], ["Bob", "Cyd"], ["Dee", "Änne"]]
    assert ">First page</a>" in page


def test_a_name_that_is_hidden_is_in_no_index(table: Table, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexes, "PAGE", 1)
    table.open(seats=[{"name": "Ann"}, {"name": "Bob"}])
    table.open(seats=[{"name": "Cyd"}, {"name": "Dee"}])
    for name in ("ann", "Bob"):
        store.hiding.hide(name, at="2026-11-20T19:00:00Z", by=None)
    assert names(table.client.get("/players").text) == ["Cyd"]
    assert names(table.client.get("/players?after=cyd").text) == ["Dee"]
    assert names(table.client.get("/players?q=b").text) == []


def test_a_player_whose_games_are_deleted_is_none(table: Table, store: Store) -> None:
    game = store_finished_game(store)
    assert names(table.client.get("/players").text) == ["Ada", "Bo"]
    store.projections.remove(game)
    assert names(table.client.get("/players").text) == []


def test_games_with_how_they_went(table: Table, store: Store) -> None:
    store_finished_game(store)
    table.open()
    page = table.client.get("/rulesets").text
    assert "2 recorded, 1 ended" in page
    assert "0 won, 1 lost (0 % won)" in page
    assert page.count("Not recorded yet") == len(rulesets()) - 1
    assert 'href="/rulesets/forever-island"' in page


def test_a_token_for_one_game_sees_its_players_alone(door: Door) -> None:
    guest = door.enter("viewer", game=store_finished_game(door.store))
    owner = door.enter("recorder", note="Club")
    owner.open(seats=[{"name": "Ada"}, {"name": "Yan"}])
    owner.open(ruleset="forbidden-desert")
    assert [row[:3] for row in lines(guest.client.get("/players").text)] == [
        ["Ada", "1", "0 of 1"],
        ["Bo", "1", "0 of 1"],
    ]
    assert names(guest.client.get("/players?q=y").text) == []
    page = guest.client.get("/rulesets").text
    assert page.count("Not recorded yet") == len(rulesets()) - 1
    assert "1 recorded, 1 ended" in page
    assert guest.client.get("/start/forbidden-island/picture.svg").status_code == 200


def test_days_and_months_that_a_log_tells_otherwise_stand_as_they_are() -> None:
    assert (dates.day("2026-11-02T10:00:00Z"), dates.month("2026-11")) == ("2 Nov 2026", "Nov 2026")
    assert (dates.day("before our time"), dates.month("before")) == ("before our time", "before")
