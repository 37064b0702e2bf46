"""Hidden names, and the log of an admin's special rights."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from store.access.access_log import AccessLog
from store.errors import StoreUnavailable
from tests.api.table import Table, problem
from tests.api.tokens import Door, Visitor, id_of


def test_a_name_is_hidden_and_shown_again(table: Table) -> None:
    table.open()
    client = table.client
    told = client.put("/v1/hidden-names/ANN").json
    assert (told["name"], told["hidden_by"]) == ("ANN", None)
    assert client.get("/v1/hidden-names").json == {"hidden_names": [told], "next_cursor": None}
    (listed,) = client.get("/v1/games").json["games"]
    assert listed["seats"] == [{"name": "…"}, {"name": "Bob"}]
    assert client.get("/v1/games?player=Ann").json["games"] == client.get("/v1/games?q=ann").json["games"] == []
    assert "Ann" not in client.get("/").text
    assert table.game.rpartition("/")[2] not in client.get("/players/Ann").text
    assert table.get().json["seats"][0] == {"name": "Ann"}, "the log keeps it"

    assert client.delete("/v1/hidden-names/ann").status_code == 204
    problem(client.delete("/v1/hidden-names/ann"), 404, "not-found")
    assert client.get("/v1/games?q=ann").json["games"][0]["seats"][0] == {"name": "Ann"}


def test_a_name_may_hold_a_stroke_and_has_to_be_one(client: FlaskClient) -> None:
    assert client.put("/v1/hidden-names/Ann%2FBob").json["name"] == "Ann/Bob"
    assert client.delete("/v1/hidden-names/ann%2Fbob").status_code == 204
    refused = problem(client.put("/v1/hidden-names/%20Ann"), 400, "malformed")
    assert refused["errors"][0]["pointer"] == "/name"


def test_what_an_admin_may_is_noted_before_it_is_done(table: Table) -> None:
    opened = table.open()
    table.client.put("/v1/hidden-names/Ann")
    table.client.delete(table.game)
    table.client.delete(table.game)
    table.client.get("/metrics")
    answer = table.client.get("/v1/access-log?limit=3")
    told = [(use["action"], use["game"], use["about"], use["by"]) for use in answer.json["access_log"]]
    deleted = ("DELETE /v1/games/{game_id}", opened["id"], {}, None)
    assert told == [("GET /v1/access-log", None, {}, None), deleted, deleted]
    rest = table.client.get(answer.headers["Link"][1:].partition(">")[0]).json
    assert [use["action"] for use in rest["access_log"]][-1] == "PUT /v1/hidden-names/{name}"
    assert rest["access_log"][-1]["about"] == {"name": "Ann"}
    assert rest["next_cursor"] is None
    problem(table.client.get("/v1/access-log?cursor=nonsense"), 400, "malformed")


def away(*_: object, **__: object) -> None:
    raise StoreUnavailable("gone for a while")


def test_what_cannot_be_noted_is_not_done(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open()
    with monkeypatch.context() as patched:
        patched.setattr(AccessLog, "note", away)
        problem(table.client.delete(table.game), 503, "store-unavailable")
    assert table.get().status_code == 200
    assert table.client.get("/v1/access-log").json["access_log"][1:] == []


def test_tokens_that_an_admin_gives_are_noted_without_what_lets_one_in(door: Door) -> None:
    admin, recorder = door.enter("admin", note="Eve"), door.enter("recorder")
    given = admin.give(role="viewer", note="Bob's phone")
    recorder.give(role="viewer")
    admin.withdraw(given["id"])
    uses = admin.client.get("/v1/access-log").json["access_log"]
    told = [(use["by"], use["action"], use["about"]) for use in uses]
    assert told == [
        ("Eve", "GET /v1/access-log", {}),
        ("Eve", "DELETE /v1/tokens/{token_id}", {"token_id": given["id"]}),
        (recorder.token.id, "POST /v1/tokens", {"role": "viewer"}),
        ("Eve", "POST /v1/tokens", {"note": "Bob's phone", "role": "viewer"}),
    ]
    assert given["token"] not in str(uses)
    problem(recorder.client.get("/v1/access-log"), 403, "forbidden")
    problem(door.enter("admin", game=given["id"]).client.get("/v1/access-log"), 403, "forbidden")


def access_entries(admin: Visitor) -> list[tuple[Any, ...]]:
    """Return the entries of the access log, oldest first, without the reads of the log itself."""
    uses = admin.client.get("/v1/access-log?limit=200").json["access_log"]
    told = [(use["by"], use["action"], use["game"], use["about"]) for use in uses]
    return [one for one in reversed(told) if one[1] != "GET /v1/access-log"]


def test_tokens_and_links_are_noted_whoever_makes_them(door: Door) -> None:
    admin, recorder = door.enter("admin"), door.enter("recorder", note="Bob")
    game = recorder.open()["id"]
    given = recorder.give(role="viewer", game=game, note="Cyd")
    recorder.client.get("/v1/tokens")
    recorder.client.get(f"{recorder.game}/shares")
    link = recorder.client.post(f"{recorder.game}/shares").json["token"]
    recorder.withdraw(given["id"])
    told = access_entries(admin)
    assert told == [
        ("Bob", "POST /v1/tokens", game, {"note": "Cyd", "role": "viewer"}),
        ("Bob", "GET /v1/tokens", None, {}),
        ("Bob", "POST /v1/games/{game_id}/shares", game, {}),
        ("Bob", "DELETE /v1/tokens/{token_id}", None, {"token_id": given["id"]}),
    ]
    assert link not in str(told)


def test_whoever_looks_as_another_seat_is_noted(door: Door) -> None:
    admin, arbiter = door.enter("admin"), door.enter("arbiter", note="Arbiter")
    game = id_of(admin.open() and admin.game)
    ann = door.enter("recorder", game=game, seat="p1", note="Ann").at(game)
    arbiter.at(game)
    for path in ("/state", "/state", "/events/1"):
        assert ann.get(path, viewer="p1").status_code == ann.get(path).status_code == 200
        assert arbiter.get(path, viewer="p2").status_code == arbiter.get(path, viewer="public").status_code == 200
    problem(ann.get("/state", viewer="p2"), 403, "forbidden")
    for who, seat in ((arbiter, "p2"), (arbiter, "p2"), (ann, "p1"), (ann, "public")):
        assert who.get("/export", format="csv", viewer=seat).status_code == 200
    as_bob, file = {"viewer": "p2"}, {"format": "csv", "viewer": "p2"}
    assert access_entries(admin) == [
        ("Arbiter", "GET /v1/games/{game_id}/state", game, as_bob),
        ("Arbiter", "GET /v1/games/{game_id}/export", game, file),
        ("Arbiter", "GET /v1/games/{game_id}/export", game, file),
        ("Ann", "GET /v1/games/{game_id}/export", game, file | {"viewer": "p1"}),
    ]


def test_what_a_seat_hides_is_not_shown_where_that_cannot_be_noted(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    arbiter = door.enter("arbiter")
    arbiter.open()
    monkeypatch.setattr(AccessLog, "note", away)
    problem(arbiter.get("/state", viewer="p1"), 503, "store-unavailable")
    assert arbiter.get("/state").status_code == 200


@pytest.mark.parametrize(("agreed", "is_noted"), [(None, True), ("arbiter", True), ("anyone", False)])
def test_a_correction_that_takes_an_arbiter_is_noted(door: Door, agreed: str | None, is_noted: bool) -> None:
    admin, arbiter = door.enter("admin"), door.enter("arbiter", note="Arbiter")
    game = id_of(admin.open(**({} if agreed is None else {"corrections": agreed})) and admin.game)
    scribe = door.enter("recorder", game=game, note="Scribe").at(game)
    arbiter.at(game)
    assert scribe.post(scribe.body("move")).status_code == 201
    undo = {"type": "undo", "params": {"to": 2}}
    assert arbiter.post(undo, dry_run="true").status_code == 200
    assert arbiter.post({"type": "annotate", "params": {"text": "Hm."}}).status_code == 201
    assert access_entries(admin) == []
    assert arbiter.post([undo, {"type": "undo", "params": {"to": 1}}]).status_code == 422
    told = ("Arbiter", "POST /v1/games/{game_id}/events", game, {"type": "undo"})
    assert access_entries(admin) == [told] * is_noted
    assert arbiter.post(undo).status_code == 201
    assert access_entries(admin) == [told, told] * is_noted


def test_what_an_arbiter_recorded_is_its_own_to_take_back(door: Door) -> None:
    admin, arbiter = door.enter("admin"), door.enter("arbiter")
    arbiter.open()
    assert arbiter.post(arbiter.body("move")).status_code == 201
    assert arbiter.post({"type": "undo", "params": {"to": 2}}).status_code == 201
    assert access_entries(admin) == []


def test_on_an_open_service_nobody_looks_by_a_right_of_their_own(table: Table) -> None:
    table.open()
    assert table.get("/export", viewer="p1").status_code == table.get("/state", viewer="p2").status_code == 200
    assert table.post(table.body("move")).status_code == 201
    assert table.post({"type": "undo", "params": {"to": 2}}).status_code == 201
    assert table.client.get("/v1/access-log").json["access_log"][1:] == []


def test_a_name_is_hidden_in_tags(table: Table) -> None:
    table.open(tags=["club", "with Ｔagged-MAN", "tagged", "Tagged Manners", "Tagged Man"])
    find, kept = table.client.get, ["club", "tagged", "Tagged Manners"]
    whole = table.get().json["tags"]

    def find_names(**query: str) -> list[list[str]]:
        listed = find("/v1/games", query_string=query).json["games"]
        page = find("/", query_string=query, headers={"Accept": "text/html"}).text
        assert ("club</a>" in page) == bool(listed)
        return [game["tags"] for game in listed]

    assert find_names() == find_names(q="with") == find_names(tag="Tagged Man") == [whole]
    table.client.put("/v1/hidden-names/Tagged%20Man")
    table.client.put("/v1/hidden-names/!")
    assert find_names() == find_names(q="tagged") == find_names(tag="club") == [kept]
    assert find_names(q="with") == find_names(tag="tagged man") == find_names(tag=whole[1]) == []
    assert "agged-man" not in find("/").text.lower()
    assert table.get().json["tags"] == whole, "the log keeps it"
    table.client.delete("/v1/hidden-names/tagged%20man")
    assert find_names() == find_names(q="with") == [whole]
