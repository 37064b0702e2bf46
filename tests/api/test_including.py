"""Appends whose response includes later reads: they answer like separate reads, and cannot change the 201."""

from __future__ import annotations

import gzip
import json
from typing import Any

from api.app import create_app
from api.plumbing.settings import Settings
from tests.api.table import Table, body_of, problem
from tests.api.test_acting import at_the_table, needs
from tests.api.test_secrets import BEFORE, SCORESHEET, THROW
from tests.api.tokens import Door
from tests.engine.recording import DEAL

ALL = "actions,story,board,state"


def reads(table: Table, **query: Any) -> dict[str, Any]:
    """Return the answers to the same reads, one request each."""
    after = query.pop("after")
    return {
        "actions": table.get("/actions").json,
        "story": table.get("/story", after=after, limit=1000).json,
        "board": table.get("/board.svg", layout="board", changes="previous").text,
        "state": table.get("/state", **query).json,
    }


def included_members(answer: Any) -> dict[str, Any]:
    return {name: answer.json[name] for name in ALL.split(",")}


def test_it_brings_what_the_reads_would_answer(table: Table) -> None:
    table.open()
    answer = table.post(table.body("move"), include=ALL, layout="board", changes="previous")
    assert answer.status_code == 201
    assert included_members(answer) == reads(table, after=2)
    assert [line["seq"] for line in answer.json["story"]["story"]] == [3]


def test_a_game_brings_what_the_reads_would_answer(table: Table) -> None:
    table.open()
    table.act("move")
    answer = table.get("", include=ALL, layout="board", changes="previous")
    assert included_members(answer) == reads(table, after=0)
    assert {name: value for name, value in answer.json.items() if name not in ALL.split(",")} == table.get("").json


def test_only_what_is_asked_for_is_told(table: Table) -> None:
    table.open()
    answer = table.post(table.body("move"), include="state")
    assert answer.json.keys() & {"actions", "story", "board", "state"} == {"state"}
    assert not table.post(table.body("move")).json.keys() & {"actions", "story", "board", "state"}


def test_the_story_begins_where_it_is_wanted(table: Table) -> None:
    table.open()
    table.act("move")
    answer = table.post({"type": "undo", "params": {"to": 2}}, include="story", after=2)
    assert [(line["seq"], line["is_undone"]) for line in answer.json["story"]["story"]] == [(3, True), (4, False)]
    assert table.post(table.body("move"), include="story", after=100).json["story"]["story"] == []


def test_the_end_of_a_game_is_told(table: Table) -> None:
    table.open()
    answer = table.post({"type": "abandon", "params": {"reason": "supper"}}, include=ALL)
    assert answer.json["actions"]["actions"] == []
    assert answer.json["story"]["outcome"] == answer.json["outcome"]
    assert answer.json["outcome"]["result"] == "abandoned"


def test_what_is_answered_again_is_told_as_of_then(table: Table) -> None:
    table.open()
    body, key = table.body("move"), {"Idempotency-Key": "once"}
    first = table.post(body, key, include=ALL)
    table.act("move")
    again = table.post(body, key, include=ALL)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (included_members(again)["actions"], included_members(again)["state"]) == (
        included_members(first)["actions"],
        included_members(first)["state"],
    )
    assert again.json["version"] == 3


def test_a_set_up_brings_the_first_table(table: Table) -> None:
    table.open("observed")
    body = {"type": "set_up", "outcomes": []}
    while table.post(body, dry_run="true").status_code != 200:
        asked = table.post(body, dry_run="true").json["chance"]["outcomes"]
        body["outcomes"] = [*body["outcomes"], asked[0]["value"]]
    answer = table.post(body, include="actions,board")
    assert answer.json["actions"] == table.get("/actions").json
    assert answer.json["board"].startswith("<svg")


def test_a_seat_sees_in_it_what_it_hides__and_nobody_else_does(table: Table) -> None:
    table.client.post("/v1/games", json=json.loads(SCORESHEET[0]))
    table.game = table.client.get("/v1/games").json["games"][0]["link"]
    table.post(BEFORE)
    answer = table.post(THROW, include="state,story", viewer=THROW["actor"])
    assert answer.json["state"] == table.get("/state", viewer=THROW["actor"]).json
    assert answer.json["state"] != table.get("/state").json
    assert answer.json["story"]["story"] == table.get("/story", after=answer.json["version"] - 1).json["story"]


def test_who_may_not_look_so_appends_nothing(door: Door) -> None:
    table = at_the_table(door)
    mine = next(body_of(one) for one in table["guest"].actions() if one["actor"] == "p1")
    needs(table["ann"].post(mine, include="state", viewer="p2"), "arbiter")
    problem(table["ann"].post(mine, include="state", viewer="p8"), 403, "forbidden")
    problem(table["admin"].post(mine, include="state", viewer="p8"), 400, "malformed")
    assert table["guest"].get().json["version"] == 2
    answer = table["ann"].post(mine, include=ALL, viewer="p1")
    assert answer.json["state"] == table["ann"].get("/state", viewer="p1").json


def test_what_makes_no_sense_appends_nothing(table: Table) -> None:
    table.open()
    body = table.body("move")
    problem(table.post(body, include="state", dry_run="true"), 400, "malformed")
    problem(table.post(body, include="weather"), 400, "malformed")
    problem(table.post(body, include=""), 400, "malformed")
    assert table.get().json["version"] == 2


def test_a_picture_that_cannot_be_compared_is_none(table: Table) -> None:
    table.open()
    answer = table.post(table.body("move"), include="board", changes="99")
    assert (answer.status_code, answer.json["board"]) == (201, None)


def test_what_there_is_no_time_for_is_left_out__and_the_event_stands(
    events_server: str, queue_server: str, table: Table
) -> None:
    settings = Settings(redis_url=events_server, queue_url=queue_server, request_seconds=1e-9)
    hasty = Table(create_app(settings).test_client())
    table.open("observed")
    hasty.game = table.game
    answer = hasty.post({"type": "set_up", "outcomes": DEAL}, include=ALL)
    assert answer.status_code == 201, answer.text
    assert (answer.json["version"], answer.json["story"]) == (2, None)
    assert table.get().json["version"] == 2


def test_a_long_answer_is_packed_where_it_was_asked_for(table: Table) -> None:
    table.open()
    headers = {"Accept-Encoding": "gzip"}
    answer = table.post(table.body("move"), headers, include=ALL)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["ETag"] == '"3"'
    assert json.loads(gzip.decompress(answer.data))["version"] == 3
    assert "Content-Encoding" not in table.post(table.body("move"), headers).headers
