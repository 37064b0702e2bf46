"""A player's statistics: time, months, hours, partners, and the streak."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from ulid import ULID

from engine.review.words import describe_duration
from service.figures import Streak, _streak
from store import Store
from tests.api.table import Table, problem
from tests.api.test_previews import store_finished_game
from tests.api.tokens import Door
from tests.playouts import playout
from tests.recording import chained, forged


def test_figures_are_counted_over_all_games(table: Table, store: Store) -> None:
    games = [store_finished_game(store), store_finished_game(store), store_finished_game(store, "forbidden-desert")]
    told = table.client.get("/v1/players/ADA").json
    seconds = [store.projections.index(game).clock.milliseconds // 60_000 for game in games]
    assert (told["name"], told["games"], told["won"] + told["lost"]) == ("Ada", 3, 3)
    assert (told["minutes"], told["longest"]) == (sum(seconds), max(seconds))
    assert [(one["value"], one["games"]) for one in told["months"]] == [("2026-11", 3)]
    assert sum(one["games"] for one in told["hours"]) == 3
    assert [(one["value"], one["games"]) for one in told["partners"]] == [("bo", 3)]
    assert {one["value"]: one["games"] for one in told["rulesets"]} == {"forbidden-desert": 1, "forbidden-island": 2}
    page = table.client.get("/players/Ada").text
    assert "By month" in page
    assert "By partner" in page
    assert "3 games in" in page


def test_a_game_that_is_deleted_counts_no_more(table: Table, store: Store) -> None:
    first, _ = store_finished_game(store), store_finished_game(store)
    store.projections.remove(first)
    told = table.client.get("/v1/players/Ada").json
    assert (told["games"], told["partners"][0]["games"]) == (1, 1)
    store.projections.rebuild()
    assert table.client.get("/v1/players/Ada").json["games"] == 2


def test_a_game_that_goes_on_is_none_that_ended(table: Table, store: Store) -> None:
    game = str(ULID()).lower()
    store.events.open(game, playout("forbidden-island", limit=5), seed=None)
    store.projections.project(game)
    told = table.client.get("/v1/players/Ada").json
    assert (told["games"], told["streak"], told["longest"], told["months"]) == (0, None, 0, [])
    assert "Total" not in table.client.get("/players/Ada").text


def test_the_last_game_of_a_player_is_the_one_played_last(table: Table, store: Store) -> None:
    games = [str(ULID()).lower() for _ in range(2)]
    for game, month in zip(games, ("12", "10"), strict=True):
        log = chained([forged(event, occurred_at=f"2024-{month}-24T19:00:00.000Z") for event in playout(limit=2)])
        store.events.open(game, log, seed=None)
        store.projections.project(game)
    page = table.client.get("/players").text
    assert set(re.findall(r'<time datetime="([\d-]+)', page)) == {"2024-12-24"}


def test_of_a_name_that_is_hidden_nothing_is_told(table: Table, store: Store) -> None:
    store_finished_game(store)
    store.hiding.hide("Bo", at="2026-11-20T19:00:00Z", by=None)
    assert table.client.get("/v1/players/Ada").json["partners"] == []
    for name in ("Bo", "Nobody"):
        problem(table.client.get(f"/v1/players/{name}"), 404, "not-found")


def test_a_token_for_one_game_counts_that_game_alone(door: Door) -> None:
    mine, _ = store_finished_game(door.store), store_finished_game(door.store)
    assert door.enter("viewer", game=mine).client.get("/v1/players/ada").json["games"] == 1


def test_a_streak_ends_where_a_game_ended_otherwise() -> None:
    assert _streak([]) is None
    assert _streak(["won", "won", "lost", "won"]) == Streak("won", 2)
    assert _streak(["lost"]) == Streak("lost", 1)
    assert msgspec.to_builtins(Streak("won", 2)) == {"result": "won", "games": 2}


def test_a_players_page_speaks_as_a_person_would(table: Table, store: Store) -> None:
    store_finished_game(store)
    store_finished_game(store)
    page = table.client.get("/players/ada").text
    assert '<th scope="row">Bo</th>' in page
    assert '<th scope="row">Nov 2026</th>' in page
    assert re.search(r"By time of day, UTC</h3>.*<th scope=\"row\">\d\d:00</th>", page, re.DOTALL)
    told: Any = table.client.get("/v1/players/ada").json
    assert (
        f"2 games in {describe_duration(told['minutes'] * 60)}, the longest {describe_duration(told['longest'] * 60)}."
        in page
    )
    assert "The last 2 were lost" in page


def test_the_names_of_partners_are_those_that_the_caller_may_see(door: Door) -> None:
    mine = store_finished_game(door.store)
    page = door.enter("viewer", game=mine).client.get("/players/ada").text
    assert '<th scope="row">Bo</th>' in page
