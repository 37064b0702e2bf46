"""Opening, finding and forking games."""

from __future__ import annotations

import hashlib

import msgspec
import pytest

from engine.core.values import GameOutcome
from schemas import common
from tests.api.table import Table, problem


def test_open__a_seeded_game_is_set_up_at_once(table: Table) -> None:
    game = table.open(seed="a rainy night")

    assert game["status"] == "in_progress"
    assert (game["version"], game["turn"], game["phase"], game["awaiting"]) == (2, 1, "actions", ["p1"])
    assert game["seed_commitment"] == hashlib.sha256(b"a rainy night").hexdigest()
    assert [event["type"] for event in table.log()] == ["game_opened", "set_up"]


def test_open__an_observed_game_waits_for_its_set_up(table: Table) -> None:
    game = table.open("observed")

    assert (game["status"], game["version"], game["turn"]) == ("setup", 1, 0)
    assert game["seed_commitment"] is None
    assert [action["type"] for action in table.actions()] == ["set_up"]
    assert table.actions(actor="p1") == []


def test_open__location_and_etag(table: Table) -> None:
    body = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "seeded"}
    answer = table.client.post("/v1/games", json=body)

    assert answer.headers["Location"] == answer.json["links"]["self"] == f"/v1/games/{answer.json['id']}"
    assert answer.headers["ETag"] == '"2"'
    for link in answer.json["links"].values():
        if not link.endswith(("/stream", "/audits", "/analyses")):
            assert table.client.get(link).status_code == 200, link


def test_open__two_games_without_a_seed_are_not_the_same(table: Table) -> None:
    assert table.open(seed=None)["seed_commitment"] != table.open(seed=None)["seed_commitment"]


def test_open__the_same_seed_deals_the_same(table: Table) -> None:
    table.open(seed="again")
    first = table.log()[1]["outcomes"]
    table.open(seed="again")

    assert table.log()[1]["outcomes"] == first


def test_open__the_same_key_opens_one_game(table: Table) -> None:
    headers = {"Idempotency-Key": '"tap-1"'}
    first = table.open("observed", headers=headers)
    table.set_up()
    body = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "observed"}
    again = table.client.post("/v1/games", json=body, headers=headers)

    assert again.status_code == 201
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json == first


@pytest.mark.parametrize("query", ["?dry_run=true", "?if_illegal=ask"])
def test_open__a_query_parameter_is_refused(table: Table, query: str) -> None:
    body = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "observed"}
    refused = problem(table.client.post(f"/v1/games{query}", json=body), 400, "malformed")

    assert refused["errors"][0]["pointer"] == "/" + query[1:].partition("=")[0]
    assert table.client.get("/v1/games").json["games"] == []


def test_open__the_same_key_with_another_body_is_refused(table: Table) -> None:
    table.open(headers={"Idempotency-Key": "tap-1"})
    body = {"ruleset": "forbidden-island", "seats": [{"name": "Eve"}, {"name": "Bob"}], "chance": "seeded"}

    problem(
        table.client.post("/v1/games", json=body, headers={"Idempotency-Key": "tap-1"}), 422, "idempotency-key-reused"
    )


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"ruleset": "chess"}, "/ruleset"),
        ({"ruleset": None}, "/ruleset"),
        ({"seats": [{"name": "Ann"}]}, "/seats"),
        ({"seats": [{"name": "Ann"}] * 5}, "/seats"),
        ({"seats": []}, "/seats"),
        ({"seats": [{"name": ""}, {"name": "Bob"}]}, "/seats/0/name"),
        ({"seats": [{"name": "Ann"}, {"name": "Bob", "colour": "red"}]}, "/seats/1/colour"),
        ({"seats": [{"name": "Ann"}, {"name": 7}]}, "/seats/1/name"),
        ({"options": {"difficulty": "hell"}}, "/options/difficulty"),
        ({"options": {"colour": "red"}}, "/options"),
        ({"options": {"first_player": "p3"}}, "/options/first_player"),
        ({"options": []}, "/options"),
        ({"chance": "dice"}, "/chance"),
        ({"chance": "observed", "seed": "x"}, "/seed"),
        ({"seed": ""}, "/seed"),
        ({"mode": "chaos"}, "/mode"),
        ({"tags": ["x" * 81]}, "/tags/0"),
        ({"colour": "red"}, "/colour"),
    ],
)
def test_open__a_body_that_does_not_fit(table: Table, change: dict[str, object], pointer: str) -> None:
    body = {
        "ruleset": "forbidden-island",
        "seats": [{"name": "Ann"}, {"name": "Bob"}],
        "chance": "seeded",
        **change,
    }
    document = problem(table.client.post("/v1/games", json=body), 422, "invalid")

    assert [error["pointer"] for error in document["errors"]] == [pointer]
    assert table.client.get("/v1/games").json["games"] == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seats": ["Ann", "Bob"]}, '/seats/0: Each seat is an object with a name, such as {"name": "Ann"}.'),
        ({"ruleset": "forbiden-island"}, "/ruleset: no ruleset 'forbiden-island'. Did you mean 'forbidden-island'?"),
        ({"options": {"dificulty": "novice"}}, "/options: `dificulty` is not known here. Did you mean 'difficulty'?"),
    ],
)
def test_open__a_slip_is_told_with_what_was_meant(table: Table, change: dict[str, object], told: str) -> None:
    body = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "seeded", **change}
    assert problem(table.client.post("/v1/games", json=body), 422, "invalid")["detail"] == told
    told = problem(table.client.get("/v1/games?from=yesterday"), 400, "malformed")["detail"]
    assert told == "/from: Use a time in RFC 3339, such as 2026-11-20T19:04:11Z."


def test_append__a_printed_name_leads_to_its_id(table: Table) -> None:
    table.open()
    event = {"type": "move", "actor": "p1", "params": {"to": "Fools’ Landing"}}
    told = problem(table.client.post(table.game + "/events", json=event), 422, "invalid")["detail"]
    assert told.endswith("is not one of the 24 possible values. Did you mean 'fools_landing'?")


def test_get__etag_and_304(table: Table) -> None:
    table.open()
    answer = table.get()

    assert answer.headers["ETag"] == '"2"'
    assert table.client.get(table.game, headers={"If-None-Match": '"2"'}).status_code == 304
    assert table.client.get(table.game, headers={"If-None-Match": '"1"'}).status_code == 200


def test_get__an_unknown_game(table: Table) -> None:
    for path in (
        "",
        "/actions",
        "/events",
        "/events/1",
        "/state",
        "/turns",
        "/stream",
        "/export",
        "/board.svg",
        "/forks",
    ):
        problem(table.client.get(f"/v1/games/nowhere{path}"), 404, "not-found")
    problem(table.client.post("/v1/games/nowhere/events", json={"type": "undo", "params": {"to": 1}}), 404, "not-found")
    problem(table.client.post("/v1/games/nowhere/audits"), 404, "not-found")
    problem(table.client.post("/v1/games/nowhere/forks", json={"at": 2}), 404, "not-found")


def test_list__newest_first_and_at_once(table: Table) -> None:
    ids = [
        table.open(tags=["club"], ruleset=ruleset)["id"]
        for ruleset in ("forbidden-island", "forbidden-island-archaens")
    ]
    listed = table.client.get("/v1/games").json

    assert [game["id"] for game in listed["games"]] == ids[::-1]
    assert listed["next_cursor"] is None
    assert listed["games"][0]["seats"] == [{"name": "Ann"}, {"name": "Bob"}]
    assert table.client.get(listed["games"][0]["link"]).json["id"] == ids[1]


def test_list__filters(table: Table) -> None:
    island = table.open(tags=["Club Night"])["id"]
    archaens = table.open(ruleset="forbidden-island-archaens", players=3)["id"]

    def find_ids(**query: str) -> list[str]:
        return [game["id"] for game in table.client.get("/v1/games", query_string=query).json["games"]]

    assert find_ids(ruleset="forbidden-island") == [island]
    assert find_ids(tag="club night") == [island]
    assert find_ids(player="CYD") == [archaens]
    assert find_ids(q="arch") == [archaens]
    assert find_ids(status="in_progress") == [archaens, island]
    assert find_ids(status="finished") == []
    assert find_ids(**{"from": "2020-01-01T00:00:00Z"}) == [archaens, island]
    assert find_ids(to="2020-01-01T00:00:00Z") == []


def test_list__pages(table: Table) -> None:
    ids = [table.open()["id"] for _ in range(5)]
    first = table.client.get("/v1/games?limit=2")
    seen = [game["id"] for game in first.json["games"]]
    link = first.headers["Link"]
    while link:
        assert link.endswith('>; rel="next"')
        page = table.client.get(link[1 : link.index(">")])
        seen += [game["id"] for game in page.json["games"]]
        link = page.headers.get("Link", "")

    assert seen == ids[::-1]


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=x",
        "limit=1000",
        "status=lost",
        "from=yesterday",
        "cursor=forged",
        "cursor=",
        "colour=red",
        "player=",
    ],
)
def test_list__a_query_that_cannot_be_read(table: Table, query: str) -> None:
    document = problem(table.client.get(f"/v1/games?{query}"), 400, "malformed")

    assert document["errors"][0]["pointer"] == "/" + query.split("=", maxsplit=1)[0]


def test_finished__is_listed_as_finished_at_once(table: Table) -> None:
    table.open()
    game = table.play_out()

    assert game["status"] == "finished"
    assert game["outcome"]["result"] == "lost"
    assert table.client.get("/v1/games?status=finished").json["games"][0]["outcome"] == game["outcome"]


def test_fork__goes_on_from_there(table: Table) -> None:
    table.open("observed")
    table.set_up()
    table.act("draw_treasure_card", _first(table))
    parent, log = table.game, table.log()
    answer = table.client.post(parent + "/forks", json={"at": 2})
    assert answer.status_code == 201
    assert answer.json["fork"] == {"game": parent.rsplit("/", 1)[1], "at": 2, "hash": log[1]["hash"]}
    table.game = answer.headers["Location"]

    assert table.get("/state").json["state"] == table.client.get(parent + "/state?at=2").json["state"]
    assert [event["type"] for event in table.log()] == ["game_opened", "set_up"]
    assert table.client.get(parent).json["version"] == 3


def _first(table: Table) -> str:
    action = next(action for action in table.actions() if action["type"] == "draw_treasure_card")
    return next(one["value"] for one in action["chance"][0]["outcomes"] if one["value"] != "waters_rise")


def test_fork__of_a_seeded_game_draws_by_a_seed_of_its_own(table: Table) -> None:
    parent = table.open(seed="secret")
    answer = table.client.post(table.game + "/forks", json={"at": 2})

    assert answer.json["seed_commitment"] not in {None, parent["seed_commitment"]}
    chosen = table.client.post(table.game + "/forks", json={"at": 2, "seed": "other"}).json
    assert chosen["seed_commitment"] == hashlib.sha256(b"other").hexdigest()


def test_fork__what_if_it_goes_on_by_a_seed(table: Table) -> None:
    table.open("observed", tags=["club night"])
    table.set_up()
    parent, state = table.game, table.get("/state").json
    answer = table.client.post(parent + "/forks", json={"at": 2, "chance": "seeded", "seed": "if", "tags": ["what if"]})
    assert answer.status_code == 201, answer.text
    assert answer.json["fork"]["chance"] == "observed"
    assert (answer.json["chance"], answer.json["tags"]) == ("seeded", ["what if"])
    assert answer.json["links"]["parent"] == parent
    table.game = answer.headers["Location"]

    assert table.get("/state").json["state_hash"] == state["state_hash"]
    assert table.play_out()["status"] == "finished"
    assert table.log()[-1]["params"]["seed"] == "if"
    export = table.get("/export", format="json")
    table.client.delete(table.game)
    again = table.client.post("/v1/imports", data=export.data, content_type="application/json")
    assert again.status_code == 201, again.text


def test_fork__a_table_takes_over_from_a_seed(table: Table) -> None:
    table.open(seed="secret")
    answer = table.client.post(table.game + "/forks", json={"at": 2, "chance": "observed"})
    assert (answer.json["chance"], answer.json["seed_commitment"]) == ("observed", None)
    table.game = answer.headers["Location"]

    table.act("draw_treasure_card", _first(table))
    problem(table.client.post(table.game + "/forks", json={"at": 2, "seed": "x"}), 422, "invalid")
    problem(table.client.post(table.game + "/forks", json={"at": 2, "chance": "dice"}), 422, "invalid")


def test_forks__are_listed_by_their_parent(table: Table) -> None:
    table.open()
    parent = table.game
    assert table.client.get(table.get().json["links"]["forks"]).json == {"games": [], "next_cursor": None}
    forks = [table.client.post(parent + "/forks", json={"at": 2}).json for _ in range(3)]
    table.client.post(forks[0]["links"]["forks"], json={"at": 1})

    listed = table.client.get(parent + "/forks", query_string={"limit": 2})
    assert [game["id"] for game in listed.json["games"]] == [forks[2]["id"], forks[1]["id"]]
    assert listed.json["games"][0]["fork"] == forks[2]["fork"]
    link = listed.headers["Link"]
    rest = table.client.get(link[1 : link.index(">")]).json
    assert ([game["id"] for game in rest["games"]], rest["next_cursor"]) == ([forks[0]["id"]], None)
    by_filter = table.client.get("/v1/games", query_string={"parent": parent.rsplit("/", 1)[1]}).json
    assert len(by_filter["games"]) == 3
    problem(table.client.get("/v1/games/nowhere/forks"), 404, "not-found")
    problem(table.get("/forks", colour="red"), 400, "malformed")


def test_fork__where_there_is_nothing_to_fork(table: Table) -> None:
    table.open()
    version = table.play_out()["version"]
    for body, pointer in (({"at": 0}, "/at"), ({"at": version + 1}, "/at"), ({"at": version}, "/at"), ({}, "/at")):
        document = problem(table.client.post(table.game + "/forks", json=body), 422, "invalid")
        assert document["errors"][0]["pointer"] == pointer
    table.open("observed")
    problem(table.client.post(table.game + "/forks", json={"at": 1, "seed": "x"}), 422, "invalid")


def test_outcome__names_who_won_superiorly_where_somebody_did() -> None:
    won = GameOutcome("won", ("p1", "p2"), "goal_reached", "End of the Game")
    told = {"result": "won", "winners": ["p1", "p2"], "reason": "goal_reached", "rule": "End of the Game"}
    assert common.GameOutcome().dump(won) == told
    superior = msgspec.structs.replace(won, superior=("p2",))
    assert common.GameOutcome().dump(superior) == {**told, "superior": ["p2"]}
