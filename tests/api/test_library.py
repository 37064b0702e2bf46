"""The pages of the library: search, pages of results, and statistics that give their number of games."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest

from api.pages import library
from api.pages.statistics import StatisticsRow, groups
from schemas.named import GAME_ORDER
from store import Store
from store.library import ordering
from store.library.ordering import ORDERS
from store.library.projections import Summary
from tests.api.table import Table, problem
from tests.playouts import NAMES, playout

TODAY = datetime.now(UTC).date().isoformat()


def players(page: str) -> list[str]:
    """Return the players of each game on a page."""
    return re.findall(r'game-players">\s*<a [^>]*>([^<]+)</a>', page)


@pytest.fixture
def games(table: Table, store: Store) -> None:
    """Open one game in setup, one in progress with a tag, two lost at different difficulties, and one with a winner."""
    table.open(chance="observed")
    table.open(players=3, tags=["club night"])
    for number, difficulty in enumerate(("novice", "elite")):
        store.events.open(f"0{number}", playout(seed=number, options={"difficulty": difficulty}), None)
        store.projections.project(f"0{number}")
    store.events.open("02", playout("forever-island", seed=1, seats=3), None)
    store.projections.project("02")


def find_players(table: Table, **query: str) -> list[str]:
    page = table.client.get("/", query_string=query)
    assert page.status_code == 200
    return players(page.text)


def test_an_empty_library_leads_to_a_table(table: Table) -> None:
    page = table.client.get("/").text
    assert "No games yet" in page
    assert 'href="/start"' in page
    assert "No game has ended yet" in table.client.get("/rulesets/forbidden-island").text
    assert "No player with this name" in table.client.get("/players/Nemo").text


@pytest.mark.usefixtures("games")
def test_games_are_found_by_what_they_are(table: Table) -> None:
    assert len(find_players(table)) == 5
    assert find_players(table, standing="setup") == ["Ann and Bob"]
    assert find_players(table, standing="in_progress") == ["Ann, Bob and Cyd"]
    assert len(find_players(table, standing="lost")) == 2
    assert find_players(table, tag="club night") == ["Ann, Bob and Cyd"]
    assert find_players(table, q="cy", ruleset="forbidden-island") == ["Ann, Bob and Cyd"]
    assert len(find_players(table, player=NAMES[0])) == 3
    assert find_players(table, **{"from": TODAY}) == ["Ann, Bob and Cyd", "Ann and Bob"]
    assert len(find_players(table, **{"from": "2026-11-20", "to": "2026-11-20"})) == (5 if TODAY == "2026-11-20" else 3)
    nothing = table.client.get("/", query_string={"player": "Nemo", "standing": "won"}).text
    assert "No game matches" in nothing
    assert "Remove filter: with Nemo" in nothing


@pytest.mark.parametrize("query", ["standing=lost_at_sea", "from=yesterday", "to=2026-13-01", "cursor=nonsense"])
def test_what_cannot_be_looked_for_is_said(table: Table, query: str) -> None:
    page = table.client.get(f"/?{query}")
    assert page.status_code == 400
    assert "Malformed request" in page.text


@pytest.mark.usefixtures("games")
def test_pages_follow_each_other(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "PAGE", 2)
    seen: list[str] = []
    address = "/?q=forb"
    while address:
        page = table.client.get(address).text
        seen += players(page)
        more = re.search(r'href="([^"]+)" rel="next"', page)
        address = more[1].replace("&amp;", "&") if more else ""
    assert len(seen) == 4
    assert ">Newest</a>" in page


@pytest.mark.usefixtures("games")
def test_a_player_in_figures(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    page = table.client.get(f"/players/{NAMES[0].lower()}").text
    assert f"<h1>{NAMES[0]}</h1>" in page
    assert "2 games ended: 0 won, 2 lost." in page
    assert "Too few games to estimate" in page
    assert "By difficulty" in page
    assert "By adventurer" in page
    assert "Show all" not in page
    monkeypatch.setattr(library, "RECENT", 1)
    assert f'href="/?player={NAMES[0]}"' in table.client.get(f"/players/{NAMES[0]}").text


@pytest.mark.usefixtures("games")
def test_a_ruleset_in_figures(table: Table) -> None:
    page = table.client.get("/rulesets/forbidden-island").text
    assert "2 games ended: 0 won, 2 lost" in page
    assert page.index("Novice") < page.index("Elite")
    assert "Results" in page
    assert "By number of players" in page
    forever = table.client.get("/rulesets/forever-island").text
    assert "1 game ended" in forever
    assert table.client.get("/rulesets/chess").status_code == 404


def test_a_game_whose_rules_are_not_installed_is_listed(store: Store, table: Table) -> None:
    old = Summary(
        id="0a",
        ruleset="old-game",
        ruleset_version="1",
        seats=("Ann", "Bob"),
        options={},
        status="finished",
        version=9,
        turn=3,
        outcome=None,
        chance="observed",
        mode="strict",
        tags=(),
        opened_at="2026-11-20T10:00:00.000Z",
        updated_at="2026-11-20T10:00:00.000Z",
        head="",
        counted=((), ("old-game\tall\t\twon",), ()),
    )
    store.projections.write(old)
    assert "old-game" in table.client.get("/").text
    assert "1 game ended: 1 won, 0 lost" in table.client.get("/players/ann").text


@pytest.mark.parametrize(
    ("row", "percent", "interval", "is_small"),
    [
        (StatisticsRow("", 3, 0, 3, 0), 0, (0, 56), True),
        (StatisticsRow("", 30, 10, 20, 0), 33, (19, 51), False),
        (StatisticsRow("", 2, 0, 0, 2), None, None, True),
    ],
)
def test_how_much_so_few_games_tell(
    row: StatisticsRow, percent: int | None, interval: tuple[int, int] | None, is_small: bool
) -> None:
    assert (row.percent, row.interval, row.is_small) == (percent, interval, is_small)


def test_groups_come_in_the_order_of_the_options_then_by_name() -> None:
    tally = {("B", "y", "won"): 1, ("A", "x", "lost"): 2, ("Level", "Hard", "won"): 1, ("Level", "Easy", "draw"): 1}
    found = groups(tally, [("Level", "Easy"), ("Level", "Hard")])
    assert list(found) == ["Level", "A", "B"]
    assert [row.value for row in found["Level"].rows] == ["Easy", "Hard"]
    assert found["Level"].rows[0].other == 1
    assert found["A"].games == 2


def test_a_game_that_is_opened_again_counts_no_more(table: Table) -> None:
    table.open(chance="observed")
    table.set_up()
    table.post({"type": "abandon", "params": {"reason": "supper"}})
    assert find_players(table, standing="abandoned") == ["Ann and Bob"]
    assert "1 game ended" in table.client.get("/rulesets/forbidden-island").text
    assert table.post({"type": "undo", "params": {"to": 2}}).status_code == 201
    assert find_players(table, standing="abandoned") == []
    assert find_players(table, standing="in_progress") == ["Ann and Bob"]
    assert "No game has ended yet" in table.client.get("/rulesets/forbidden-island").text


def test_a_players_name_may_hold_anything_that_a_name_can(table: Table) -> None:
    name = "Ann/Bo? <&> #1"
    table.open(seats=[{"name": name}, {"name": "Bob"}])
    page = table.client.get(table.game.removeprefix("/v1")).text
    link = re.search(r'<h1><a href="(/players/[^"]+)"', page)
    assert link is not None
    assert "<h1>Ann/Bo? &lt;&amp;&gt; #1</h1>" in table.client.get(unescape(link[1])).text


@pytest.mark.usefixtures("games")
def test_games_come_in_the_order_that_is_asked_for(table: Table) -> None:
    newest = find_players(table)
    assert find_players(table, sort="oldest") == newest[::-1]
    assert find_players(table, sort="outcome")[-1] == "Ann and Bob"
    assert find_players(table, sort="title", q="forb")[-1] == newest[3]
    listed: Any = table.client.get("/v1/games?sort=longest").json
    lengths = [game["seconds"] for game in listed["games"]]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] >= 60
    page = table.client.get("/?sort=longest&ruleset=forbidden-island")
    assert 'aria-current="true">longest</a>' in page.text
    assert 'name="sort" value="longest"' in page.text
    assert 'href="/?sort=longest" aria-label="Remove filter: Forbidden Island"' in page.text
    assert table.client.get("/?sort=loudest").status_code == 400
    problem(table.client.get("/v1/games?sort=loudest"), 400, "malformed")
    assert tuple(library.ORDERS) == GAME_ORDER.words == ORDERS


@pytest.mark.usefixtures("games")
def test_each_choice_says_how_many_games_it_would_find(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    page = table.client.get("/").text
    assert "<p>5 games</p>" in page
    assert ">Forbidden Island (4)</option>" in page
    assert ">Forgotten Waters (0)</option>" in page
    assert ">lost (2)</option>" in page
    lost = table.client.get("/?standing=lost").text
    assert "<p>2 games</p>" in lost
    assert ">Forbidden Island (2)</option>" in lost
    assert ">being set up (1)</option>" in lost
    tagged = table.client.get("/", query_string={"tag": "club night"}).text
    assert "<p>1 game</p>" in tagged
    assert ">Forever Island (0)</option>" in tagged
    monkeypatch.setattr(ordering, "COUNTED", 1)
    many = table.client.get("/?q=forbidden").text
    assert "<p>more than" in many
    assert ">Forbidden Island</option>" in many


def test_a_player_is_shown_as_a_person(table: Table, store: Store) -> None:
    for number in range(4):
        store.events.open(f"0{number}", playout(seed=number, options={"difficulty": "elite"}), None)
        store.projections.project(f"0{number}")
    page = unescape(table.client.get(f"/players/{NAMES[0]}").text)
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert re.search(r"4 games since \w+ \d{4}", text)
    assert "The last 4 were lost" in text
    assert text.count(" L ") == 4
    assert "1 day with games in 26 weeks" in text
    assert re.search(rf"Partners {NAMES[1]} won 0 of 4", text)
    assert re.search(r"Nemesis [\w' ]+ Sunk in \d of 4 lost games of Forbidden Island\.", text)
    assert "First game Forbidden Island" in text
    assert "First win" not in text
