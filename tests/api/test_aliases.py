"""Several names of one player, and two players with one name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from api.library import aliases
from service.following import Following
from store import Store
from store.library.finding import Filter
from tests.api.table import Table, problem
from tests.api.test_indexes import names
from tests.api.test_previews import feed, store_finished_game
from tests.api.tokens import Door, id_of
from tests.waiting import waiting_jobs
from workers.queue import Queue, pending


def seats(client: FlaskClient, query: str = "") -> list[list[str]]:
    """Return the players of the listed games."""
    return [[seat["name"] for seat in game["seats"]] for game in client.get(f"/v1/games{query}").json["games"]]


def test_two_names_of_one_player_are_made_one_and_taken_back(table: Table, store: Store) -> None:
    game = store_finished_game(store)
    client = table.client
    told = client.put("/v1/aliases/ADA", json={"is": "Mia K."}).json
    assert (told["name"], told["is"], told["said_by"]) == ("ADA", "Mia K.", None)
    assert client.get("/v1/aliases").json == {"aliases": [told], "next_cursor": None}
    assert seats(client) == seats(client, "?player=ada") == seats(client, "?player=mia%20k.") == [["Mia K.", "Bo"]]
    assert client.get("/v1/players/ada").json["name"] == "Mia K."
    assert client.get("/v1/players/ada").json == client.get("/v1/players/Mia%20K.").json
    assert client.get("/v1/players/Bo").json["partners"][0]["value"] == "mia k."
    assert names(client.get("/players").text) == ["Bo", "Mia K."]
    page = client.get("/players/ada").text
    assert "<h1>Mia K.</h1>" in page
    assert "Other names of this player: ADA." in page
    assert feed(client).entries[0].title.startswith("Forbidden Island: Mia K. and Bo, ")
    assert client.get(f"/v1/games/{game}").json["seats"][0] == {"name": "Ada"}, "the log keeps what was written"

    assert client.delete("/v1/aliases/ada").status_code == 204
    problem(client.delete("/v1/aliases/ada"), 404, "not-found")
    assert seats(client) == [["Ada", "Bo"]]
    assert client.get("/v1/aliases").json == {"aliases": [], "next_cursor": None}


def test_two_players_of_one_name_are_told_apart_and_that_is_taken_back(table: Table, store: Store) -> None:
    first, second = store_finished_game(store), store_finished_game(store)
    client, place = table.client, f"/v1/games/{first}/seats/p1/player"
    problem(client.get(place), 404, "not-found")
    told = client.put(place, json={"person": "Ada (Berlin)"}).json
    assert (told["game"], told["seat"], told["written"], told["person"]) == (first, "p1", "Ada", "Ada (Berlin)")
    assert client.get(place).json == told
    assert client.get("/v1/players/ADA").json["games"] == client.get("/v1/players/ada%20(berlin)").json["games"] == 1
    assert client.get("/v1/players/Bo").json["games"] == 2
    page = client.get("/players/Ada%20(Berlin)").text
    assert "(written as Ada)" in page
    assert f'data-take-back="{place}"' in page
    assert f'value="/v1/games/{second}/seats/p1/player"' in client.get("/players/Ada").text

    assert client.delete(place).status_code == 204
    problem(client.delete(place), 404, "not-found")
    assert client.get("/v1/players/Ada").json["games"] == 2
    problem(client.get("/v1/players/Ada%20(Berlin)"), 404, "not-found")


def test_what_cannot_be_said(table: Table) -> None:
    table.open()
    client = table.client
    client.put("/v1/aliases/Ann", json={"is": "Bob"})
    for name, person in (("Bob", "ANN"), ("Bob", "bob")):
        refused = problem(client.put(f"/v1/aliases/{name}", json={"is": person}), 422, "invalid")
        assert refused["errors"][0]["pointer"] == "/is"
    problem(client.put("/v1/aliases/%20Ann", json={"is": "Bob"}), 400, "malformed")
    problem(client.put("/v1/aliases/Ann", json={"is": " "}), 422, "invalid")
    problem(client.put(f"{table.game}/seats/p1/player", json={}), 422, "invalid")
    for seat in ("p3", "x"):
        problem(client.put(f"{table.game}/seats/{seat}/player", json={"person": "Cyd"}), 404, "not-found")
    problem(client.put("/v1/games/nowhere/seats/p1/player", json={"person": "Cyd"}), 404, "not-found")


def test_of_a_game_that_is_deleted_nothing_is_said(table: Table, store: Store) -> None:
    table.open()
    place = f"{table.game}/seats/p1/player"
    assert table.client.put(place, json={"person": "Cyd"}).status_code == 200
    table.client.delete(table.game)
    problem(table.client.get(place), 410, "gone")
    assert store.aliases.sitters(id_of(table.game)) == {}


def test_whoever_is_hidden_is_told_by_no_other_name(table: Table) -> None:
    table.open()
    client, place = table.client, f"{table.game}/seats/p2/player"
    client.put("/v1/aliases/Ann", json={"is": "Mia"})
    client.put(place, json={"person": "Mia"})
    client.put("/v1/hidden-names/Ann")
    assert client.get("/v1/aliases").json == {"aliases": [], "next_cursor": None}
    problem(client.get(place), 404, "not-found")
    assert seats(client) == [["…", "…"]]
    for name in ("Ann", "Mia", "Bob"):
        assert seats(client, f"?player={name}") == seats(client, f"?q={name}") == []
    for name in ("Ann", "Mia"):
        page = client.get(f"/players/{name}").text
        assert "No player with this name" in page
        assert "Also" not in page


def test_a_token_for_one_game_learns_nothing_of_what_is_said_of_names(door: Door, store: Store) -> None:
    mine, other = store_finished_game(store), store_finished_game(store)
    arbiter = door.enter("arbiter", note="Eve")
    arbiter.client.put("/v1/aliases/Ada", json={"is": "Mia K."})
    arbiter.client.put(f"/v1/games/{mine}/seats/p2/player", json={"person": "Bo (Berlin)"})
    arbiter.client.put(f"/v1/games/{other}/seats/p2/player", json={"person": "Bo (Rome)"})
    guest = door.enter("admin", game=mine).client
    assert seats(guest) == seats(guest, "?player=ada") == [["Ada", "Bo"]]
    for name in ("Mia%20K.", "Bo%20(Berlin)"):
        assert seats(guest, f"?player={name}") == []
        problem(guest.get(f"/v1/players/{name}"), 404, "not-found")
    told = guest.get("/v1/players/ADA").json
    assert (told["name"], [one["value"] for one in told["partners"]]) == ("Ada", ["bo"])
    for path in ("/", "/players", "/players/Ada", "/players/Bo", f"/v1/games/{mine}", "/v1/games.atom"):
        text = guest.get(path).text
        assert not {"Mia", "Berlin", "Rome"} & set(text.replace("(", " ").replace(")", " ").split()), path
    for path in ("/v1/aliases", f"/v1/games/{mine}/seats/p2/player"):
        problem(guest.get(path), 403, "forbidden")
    # A caller who can read all games sees all players.
    viewer = door.enter("viewer").client
    assert viewer.get("/v1/aliases").json["aliases"][0]["said_by"] == "Eve"
    page = viewer.get("/players/Mia%20K.").text
    assert "Other names of this player: Ada." in page
    assert "naming" not in page


def test_who_says_so_is_noted_before(door: Door) -> None:
    arbiter, admin = door.enter("arbiter", note="Eve"), door.enter("admin", note="Root")
    arbiter.open()
    game = id_of(arbiter.game)
    arbiter.client.put("/v1/aliases/Ann", json={"is": "Mia"})
    arbiter.client.delete("/v1/aliases/Ann")
    admin.client.put(f"{arbiter.game}/seats/p1/player", json={"person": "Mia"})
    admin.client.delete(f"{arbiter.game}/seats/p1/player")
    uses = admin.client.get("/v1/access-log").json["access_log"][1:]
    path = "/v1/games/{game_id}/seats/{seat}/player"
    assert [(use["by"], use["action"], use["game"], use["about"]) for use in uses] == [
        ("Root", f"DELETE {path}", game, {"seat": "p1"}),
        ("Root", f"PUT {path}", game, {"person": "Mia", "seat": "p1"}),
        ("Eve", "DELETE /v1/aliases/{name}", None, {"name": "Ann"}),
        ("Eve", "PUT /v1/aliases/{name}", None, {"is": "Mia", "name": "Ann"}),
    ]


def test_the_stream_of_a_player_is_that_of_the_person(table: Table, store: Store) -> None:
    table.open()
    store.feed.push({id_of(table.game): 2})
    (entry,) = store.feed.read("0-0")
    table.client.put("/v1/aliases/Ann", json={"is": "Mia"})

    def count_letters(**wanted: str) -> int:
        return sum(map(len, Following(store, Filter(**wanted)).letters(entry)))

    assert count_letters(player="Mia") == count_letters(player="ann") == count_letters(q="mia") == 2
    assert count_letters(player="Ann", game=entry.game) == 2
    assert count_letters(player="Mia", game=entry.game) == count_letters(player="Cyd") == 0


def test_many_games_are_listed_anew_by_a_worker(
    table: Table, queue: Queue, work: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aliases, "AT_ONCE", 1)
    for _ in range(3):
        table.open()
    work()
    table.client.put("/v1/aliases/Ann", json={"is": "Mia"})
    assert len(seats(table.client, "?player=Mia")) == 1
    assert (pending(queue), waiting_jobs(queue)) == (1, ["relist"])
    work()
    assert len(seats(table.client, "?player=Mia")) == 3
