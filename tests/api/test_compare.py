"""Comparing two games: common events, both lines, both tables, and the difference."""

from __future__ import annotations

import json
from typing import Any

import jsonpatch

from tests.api.table import Table, problem
from tests.api.test_secrets import BEFORE, MASKED, SCORESHEET, THROW


def id_of(table: Table) -> str:
    return table.game.rsplit("/", 1)[1]


def open_fork(table: Table, at: int, **body: Any) -> str:
    """Open a fork that the table then plays; return the path of the parent."""
    parent = table.game
    answer = table.client.post(parent + "/forks", json={"at": at, **body})
    assert answer.status_code == 201, answer.text
    table.game = answer.headers["Location"]
    return parent


def test_compare__a_game_with_its_fork(table: Table) -> None:
    table.open(seed="one")
    table.act("draw_treasure_card")
    parent = open_fork(table, 3, seed="other")
    fork = table.game
    table.act("draw_treasure_card")
    table.game = parent
    table.play_out()
    answer = table.get(f"/compare/{fork.rsplit('/', 1)[1]}")
    found = answer.json

    assert answer.status_code == 200, answer.text
    assert found["common"] == {"events": 3, "at": 3, "other_at": 3}
    assert [event["seq"] for event in found["game"]["events"]] == list(range(4, found["game"]["version"] + 1))
    assert [event["seq"] for event in found["other"]["events"]] == [4]
    assert found["other"]["events"][0]["sentence"].startswith("Ann draws ")
    assert {**found["game"]["events"][-1]} == {**table.log()[-1], "sentence": found["game"]["events"][-1]["sentence"]}
    assert found["game"]["outcome"]["result"] == "lost"
    for side, path in (("game", parent), ("other", fork)):
        state = table.client.get(path + "/state").json
        assert {name: found[side][name] for name in state} == state
    assert found["facts"]
    assert all(fact.endswith(".") for fact in found["facts"])
    assert jsonpatch.apply_patch(found["game"]["state"], found["difference"]) == found["other"]["state"]
    assert table.client.get(answer.request.path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_compare__as_it_was(table: Table) -> None:
    table.open()
    table.act("draw_treasure_card")
    parent = open_fork(table, 2)
    fork = id_of(table)
    table.game = parent
    then = table.get(f"/compare/{fork}", at=2).json

    assert then["common"]["events"] == 2
    assert then["difference"] == then["facts"] == then["game"]["events"] == []
    assert then["game"]["version"] == 2
    assert table.get(f"/compare/{fork}", other_at=1).json["difference"] == [
        {"op": "replace", "path": "", "value": None}
    ]
    assert table.get(f"/compare/{fork}", other_at=1).json["facts"] == []
    problem(table.get(f"/compare/{fork}", at=9), 404, "not-found")
    problem(table.get(f"/compare/{fork}", other_at=9), 404, "not-found")
    problem(table.get(f"/compare/{fork}", at=0), 400, "malformed")


def test_compare__games_that_have_nothing_in_common(table: Table) -> None:
    table.open("observed")
    other = id_of(table)
    table.open(players=3)
    found = table.get(f"/compare/{other}").json

    assert found["common"] == {"events": 0, "at": 0, "other_at": 0}
    assert [event["type"] for event in found["game"]["events"]] == ["game_opened", "set_up"]
    assert (found["other"]["state"], found["other"]["state_hash"]) == (None, None)


def test_compare__only_games_of_one_ruleset(table: Table) -> None:
    table.open(ruleset="forbidden-island-archaens")
    other = id_of(table)
    table.open()
    document = problem(table.get(f"/compare/{other}"), 422, "invalid")

    assert document["errors"][0]["pointer"] == "/other_id"
    problem(table.get("/compare/nowhere"), 404, "not-found")
    problem(table.client.get(f"/v1/games/nowhere/compare/{other}"), 404, "not-found")
    problem(table.get(f"/compare/{other}", viewer="p7"), 400, "malformed")


def test_compare__tells_nothing_of_what_is_hidden(table: Table) -> None:
    """Two closed fists look the same, whatever they contain."""
    opening = json.loads(SCORESHEET[0])
    opening["options"] = {**opening["options"], "raid_min_throw": 0}
    games = []
    for spears in (0, 1):
        table.game = table.client.post("/v1/games", json=opening).headers["Location"]
        assert table.post([*BEFORE, {**THROW, "params": {"spears": spears}}]).status_code == 201
        games.append(id_of(table))
    for viewer in ("public", "p3"):
        found = table.get(f"/compare/{games[0]}", viewer=viewer).json
        assert found["common"]["events"] == found["game"]["version"]
        assert found["difference"] == []
        assert found["game"]["state"]["raid"]["spears"] == MASKED
    assert THROW["actor"] != "p3"
    own = table.get(f"/compare/{games[0]}", viewer=THROW["actor"]).json
    assert own["common"]["events"] == own["game"]["version"] - 1
    assert own["game"]["events"][0]["params"]["spears"] == 1


def test_compare__what_nobody_saw_with_what_it_was(table: Table) -> None:
    table.open("observed")
    table.set_up()
    assert table.post({**table.body("draw_treasure_card"), "outcomes": [None]}).status_code == 201
    parent = open_fork(table, 3)
    assert table.post({"type": "reveal", "params": {"seq": 3, "value": "sandbags"}}).status_code == 201
    found = table.get(f"/compare/{parent.rsplit('/', 1)[1]}").json

    assert found["common"] == {"events": 2, "at": 2, "other_at": 2}
    assert (found["game"]["events"][0]["outcomes"], found["other"]["events"][0]["outcomes"]) == (["sandbags"], [None])
    assert jsonpatch.apply_patch(found["game"]["state"], found["difference"]) == found["other"]["state"]
