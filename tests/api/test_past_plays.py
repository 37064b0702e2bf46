"""Logged plays: imported once, listed, counted, exported, and deleted."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.library import plays as resource
from api.plumbing.limits import PLAYS
from operations import doctor
from store import Store
from store.library import plays as kept
from tests.api.table import Table, problem
from tests.api.test_previews import store_finished_game
from tests.api.tokens import Door
from tests.exports.test_bgstats_reading import PLAYERS, SCORES, of, play

TYPE = resource.MEDIA_TYPE


def numbered_play(number: int, **changed: Any) -> dict[str, Any]:
    """Return a new play, one day after the previous one."""
    date = f"2024-02-{number:02} 19:04:11"
    return play(**{"uuid": str(UUID(int=number, version=4)), "playDate": date, **changed})


def take(client: FlaskClient, *plays: Any, again: bool = False, **changed: Any) -> TestResponse:
    query = {"again": "true"} if again else {}
    return client.post("/v1/plays", data=of(*plays, **changed), content_type=TYPE, query_string=query)


def test_each_is_taken_in_once_and_told_of(client: FlaskClient) -> None:
    first = take(
        client, numbered_play(1), numbered_play(2), play(gameRefId=3), play(ignored=True), numbered_play(3, uuid="x")
    )
    assert first.status_code == 200
    assert first.json["counts"] == {"broken": 1, "ignored": 1, "imported": 2, "other_game": 1}
    assert [one["number"] for one in first.json["plays"]] == [1, 2, 3, 4, 5]
    assert "Invalid UUID" in first.json["plays"][4]["why"]
    again = take(client, numbered_play(1), numbered_play(2, comments="We won it all."))
    assert again.json["counts"] == {"changed": 1, "there": 1}
    found = client.get("/v1/plays").json["plays"]
    assert [(one["played_at"], one["comments"]) for one in found] == [
        ("2024-02-02T19:04:11Z", "We won it all."),
        ("2024-02-01T19:04:11Z", "The pilot was late."),
    ]
    assert client.get(f"/v1/plays/{found[0]['id']}").json == found[0]
    problem(client.get("/v1/plays/nothing"), 404, "not-found")


def test_they_are_found_page_by_page(client: FlaskClient) -> None:
    lost = [{"playerRefId": 2}]
    take(client, *(numbered_play(number, playerScores=SCORES if number % 2 else lost) for number in range(1, 8)))
    page = client.get("/v1/plays", query_string={"player": "ANN LEE", "limit": 3})
    assert [one["played_at"][8:10] for one in page.json["plays"]] == ["07", "05", "03"]
    rest = client.get(page.headers["Link"][1:].partition(">")[0]).json
    assert ([one["played_at"][8:10] for one in rest["plays"]], rest["next_cursor"]) == (["01"], None)
    assert len(client.get("/v1/plays?ruleset=forbidden-island&player=bob").json["plays"]) == 7
    assert client.get("/v1/plays?ruleset=forbidden-desert").json["plays"] == []
    assert client.get("/v1/plays?ruleset=forbidden-desert&player=bob").json["plays"] == []
    problem(client.get("/v1/plays?cursor=nonsense"), 400, "malformed")


def test_they_count_as_games_do(table: Table, store: Store) -> None:
    store_finished_game(store)
    before = table.client.get("/v1/players/Ada").json["games"]
    ada = [{"id": 1, "name": "ada"}, {"id": 2, "name": "Bob"}]
    take(table.client, numbered_play(1), numbered_play(2, playerScores=[{"playerRefId": 1}]), players=ada)
    told = table.client.get("/v1/players/Ada").json
    assert (before, told["games"], told["name"]) == (1, 3, "Ada")
    assert [one["value"] for one in told["partners"]] == ["bo", "bob"]
    assert told["minutes"] >= 72
    bob = table.client.get("/v1/players/Bob").json
    assert (bob["games"], bob["won"], bob["streak"]) == (1, 1, {"result": "won", "games": 1})
    assert "Bob" in table.client.get("/players").text
    assert "Bob" in table.client.get("/players/Bob").text
    assert store.projections.tally("ruleset", "forbidden-island")["all", "", "won"] == 1
    store.projections.rebuild()
    assert table.client.get("/v1/players/Ada").json == told
    assert {finding.level for finding in doctor.examine(store, None) if finding.check == "indexes"} == {"ok"}

    changed = take(table.client, numbered_play(1, playerScores=[{"playerRefId": 2}]), players=ada)
    assert changed.json["counts"] == {"changed": 1}
    assert table.client.get("/v1/players/Ada").json["games"] == 2
    assert table.client.get("/v1/players/Bob").json["won"] == 0


def test_what_is_recorded_here_does_not_count_twice(table: Table, store: Store) -> None:
    game = store_finished_game(store)
    file = table.client.get(f"/v1/games/{game}/export?format=bgstats").data
    answer = table.client.post("/v1/plays", data=file, content_type=TYPE).json
    assert [(one["status"], one["id"]) for one in answer["plays"]] == [("recorded", game)]
    assert table.client.get("/v1/players/Ada").json["games"] == 1


def test_a_recorded_game_is_known_again_where_others_are_said_to_have_sat(table: Table, store: Store) -> None:
    game = store_finished_game(store)
    file = table.client.get(f"/v1/games/{game}/export?format=bgstats").data
    said = table.client.put(f"/v1/games/{game}/seats/p1/player", json={"person": "Mia"})
    assert said.status_code == 200
    answer = table.client.post("/v1/plays", data=file, content_type=TYPE).json
    assert [(one["status"], one["id"]) for one in answer["plays"]] == [("recorded", game)]


def test_what_is_taken_out_stays_out(client: FlaskClient) -> None:
    take(client, numbered_play(1))
    (found,) = client.get("/v1/plays").json["plays"]
    assert client.delete(f"/v1/plays/{found['id']}").status_code == 204
    problem(client.delete(f"/v1/plays/{found['id']}"), 404, "not-found")
    problem(client.get("/v1/players/Bob"), 404, "not-found")
    assert take(client, numbered_play(1)).json["counts"] == {"taken_out": 1}
    assert client.get("/v1/plays").json["plays"] == []
    assert take(client, numbered_play(1), again=True).json["counts"] == {"imported": 1}
    assert client.get("/v1/plays").json["plays"] == [found]


def test_they_are_written_again(client: FlaskClient, work: Callable[[], None], store: Store) -> None:
    store_finished_game(store)
    take(client, numbered_play(1), numbered_play(2, playerScores=[{"playerRefId": 2}]))
    file = json.loads(client.get("/v1/plays/export?player=bob").data)
    assert [one["uuid"] for one in file["plays"]] == [str(UUID(int=number, version=4)).upper() for number in (2, 1)]
    again = client.post("/v1/plays", json=file, content_type=TYPE).json
    assert again["counts"] == {"there": 2}
    orders = [{"result": "won"}, {"from": "2024-02-02T00:00:00Z"}, {"tag": "club"}, {"format": "json"}, {}]
    found = []
    for order in orders:
        job = client.post("/v1/exports", json={"format": "bgstats", **order}).json["id"]
        work()
        made = zipfile.ZipFile(io.BytesIO(client.get(f"/v1/exports/{job}/file").data))
        names = [name for name in made.namelist() if name.startswith("past")]
        found.append([len(json.loads(made.read(name))["plays"]) for name in names])
    assert found == [[1], [1], [], [], [2]]


@pytest.mark.parametrize(("count", "changed"), [(51, {}), (900, {"comments": "x" * 100})])
def test_a_long_file_is_a_workers(
    client: FlaskClient, work: Callable[[], None], count: int, changed: dict[str, str]
) -> None:
    plays = [
        numbered_play(1 + number % 28, uuid=str(UUID(int=number, version=4)), **changed) for number in range(count)
    ]
    answer = take(client, *plays, players=PLAYERS[:2])
    assert answer.status_code == 202
    work()
    job = client.get(answer.headers["Location"]).json
    assert (job["status"], job["result"]["counts"]) == ("done", {"imported": count})
    assert len(job["result"]["plays"]) == count


def test_a_name_that_is_hidden_is_told_nowhere(client: FlaskClient) -> None:
    take(client, numbered_play(1, comments="Bob was late."))
    client.put("/v1/hidden-names/bob")
    (found,) = client.get("/v1/plays").json["plays"]
    assert ([part["name"] for part in found["parts"]], found["comments"]) == (["Ann Lee", "…"], "")
    assert client.get("/v1/plays?player=Bob").json["plays"] == []
    for path in ("/plays", f"/v1/plays/{found['id']}", "/v1/plays/export", "/players", "/v1/players/Ann Lee"):
        assert "bob" not in client.get(path).text.casefold(), path
    problem(client.get("/v1/players/Bob"), 404, "not-found")


def test_whoever_may_see_one_game_alone_sees_none(door: Door) -> None:
    take(door.enter("admin").client, numbered_play(1))
    (found,) = door.enter("viewer").client.get("/v1/plays").json["plays"]
    game = door.enter("recorder").open()["id"]
    visitor = door.enter("viewer", game=game).client
    for path in ("/v1/plays", "/v1/plays/export", f"/v1/plays/{found['id']}"):
        assert visitor.get(path).status_code in {403, 404}
    assert "Logged plays" not in visitor.get("/", headers={"Accept": "text/html"}).text
    problem(door.enter("recorder").client.delete(f"/v1/plays/{found['id']}"), 403, "forbidden")
    problem(take(door.enter("viewer").client, numbered_play(1)), 403, "forbidden")


@pytest.mark.parametrize("data", [b"", b"[]", b"[" * 100_000, b'{"plays": [NaN], "games": []}'])
def test_what_is_no_such_file_is_refused(client: FlaskClient, data: bytes) -> None:
    problem(client.post("/v1/plays", data=data, content_type=TYPE), 422, "invalid")


def test_a_file_is_of_its_type_and_not_too_long(client: FlaskClient) -> None:
    problem(client.post("/v1/plays", data=of(), content_type="text/plain"), 415, "unsupported-media-type")
    long = b" " * (PLAYS.body + 1)
    problem(client.post("/v1/plays", data=long, content_type=TYPE), 413, "content-too-large")


def test_there_may_be_so_many(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST", 1)
    refused = problem(take(client, numbered_play(1), numbered_play(2)), 422, "quota-exceeded")
    assert (refused["quota"], refused["limit"], refused["used"]) == ("plays", 1, 1)
    assert take(client, numbered_play(1, comments="")).json["counts"] == {"changed": 1}


def test_the_page_tells_of_them(client: FlaskClient) -> None:
    assert "No logged plays yet" in client.get("/plays").text
    plays = [numbered_play(1 + number % 28, uuid=str(UUID(int=number, version=4))) for number in range(51)]
    take(client, *plays[:50])
    take(client, plays[50])
    page = client.get("/plays?ruleset=forbidden-island&player=Bob").text
    assert page.count("The pilot was late.") == 50
    assert "36 minutes · Home · Legendary · Ann Lee: Pilot" in page
    assert "Older plays" in page
    assert 'href="/plays"' in client.get("/").text


def test_they_are_of_whoever_is_meant_by_a_name(client: FlaskClient) -> None:
    take(client, numbered_play(1))
    client.put("/v1/aliases/Ann%20Lee", json={"is": "Mia"})
    assert client.get("/v1/players/ann%20lee").json["name"] == "Mia"
    assert client.get("/v1/players/Bob").json["partners"][0]["value"] == "mia"
    for name in ("mia", "ann lee"):
        (told,) = client.get("/v1/plays", query_string={"player": name}).json["plays"]
        assert told["parts"][0]["name"] == "Ann Lee"
        page = client.get("/plays", query_string={"player": name}).text
        assert "Mia and Bob" in page
        assert "Mia: Pilot" in page
    exported = json.loads(client.get("/v1/plays/export").data)
    assert "Ann Lee" in {one["name"] for one in exported["players"]}
    client.delete("/v1/aliases/Ann%20Lee")
    assert "Ann Lee and Bob" in client.get("/plays").text
