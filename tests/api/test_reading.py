"""Reads: the log, the table at any event, turns, exports, the stream, rulesets."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from flask import Flask

from engine.core.lifecycle import RECORDABLE
from engine.play import registry
from tests.api.table import Table, problem


def test_log__in_pages(table: Table) -> None:
    table.open()
    table.play_out()
    log = table.log()
    answer = table.get("/events", limit=3)
    seen = answer.json["events"]
    while "Link" in answer.headers:
        link = answer.headers["Link"]
        answer = table.client.get(link[1 : link.index(">")])
        seen += answer.json["events"]

    assert seen == log
    assert answer.json["version"] == len(log)
    assert table.get("/events", after=len(log)).json["events"] == []
    assert table.get("/events", after=10**6).json["events"] == []


@pytest.mark.parametrize("query", ["after=-1", "after=x", "limit=0", "limit=1001", "colour=red"])
def test_log__a_query_that_cannot_be_read(table: Table, query: str) -> None:
    table.open()

    problem(table.client.get(f"{table.game}/events?{query}"), 400, "malformed")


def test_state__at_any_event_and_turn(table: Table) -> None:
    table.open()
    table.play_out()
    turns = table.get("/turns").json["turns"]
    log = table.log()

    assert [turn["turn"] for turn in turns] == list(range(len(turns)))
    assert turns[0]["first"] == 1
    assert turns[-1]["last"] == len(log)
    for turn in turns[1:]:
        at_end = table.get("/state", at=turn["last"]).json
        assert table.get("/state", turn=turn["turn"]).json == at_end
        assert turn["seat"] in {"p1", "p2"}
        assert turn["account"]
    assert table.get("/state", at=1).json["state"] is None
    assert table.get("/state").json["version"] == len(log)
    assert table.get("/state").headers["ETag"] == f'"{len(log)}"'
    assert table.get("/state", at=2).headers["ETag"] == '"2"'


def test_state__where_there_is_none(table: Table) -> None:
    table.open()

    problem(table.get("/state", at=3), 404, "not-found")
    problem(table.get("/state", turn=2), 404, "not-found")
    problem(table.get("/state", at=0), 400, "malformed")
    problem(table.get("/state", at=1, turn=1), 400, "malformed")
    problem(table.get("/actions", actor="p4"), 400, "malformed")
    problem(table.get("/actions", actor="nobody"), 400, "malformed")


def test_actions__of_one_seat(table: Table) -> None:
    table.open()

    assert {action["actor"] for action in table.actions(actor="p1")} == {"p1"}


@pytest.mark.parametrize("format_", ["json", "ndjson", "csv", "markdown"])
def test_export__a_file_with_its_name_and_etag(table: Table, format_: str) -> None:
    table.open()
    table.play_out()
    answer = table.get("/export", format=format_)

    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="')
    assert answer.data
    etag = answer.headers["ETag"]
    assert table.client.get(f"{table.game}/export?format={format_}", headers={"If-None-Match": etag}).status_code == 304


def test_export__a_format_that_there_is_not(table: Table) -> None:
    table.open()

    assert problem(table.get("/export", format="papyrus"), 400, "malformed")["errors"][0]["pointer"] == "/format"


def elsewhere(table: Table) -> None:
    """Delete the game, so that an import does not just return it."""
    assert table.client.delete(table.game).status_code == 204


@pytest.mark.parametrize("format_", ["json", "ndjson"])
@pytest.mark.parametrize("chance", ["seeded", "observed"])
def test_import__comes_back_with_the_same_head(table: Table, format_: str, chance: str) -> None:
    table.open(chance)
    if chance == "observed":
        table.set_up()
    finished = table.play_out()
    export = table.get("/export", format=format_)
    elsewhere(table)
    answer = table.client.post("/v1/imports", data=export.data, content_type=export.content_type)

    assert answer.status_code == 201, answer.text
    assert answer.json["head"] == finished["head"]
    assert answer.json["id"] != finished["id"]
    assert answer.json["outcome"] == finished["outcome"]
    table.game = answer.headers["Location"]
    assert table.get("/export", format="ndjson").status_code == 200


def test_import__a_log_that_does_not_verify(table: Table) -> None:
    table.open()
    table.play_out()
    lines = table.get("/export", format="ndjson").data.splitlines()
    event = json.loads(lines[4])
    event["turn"] += 1
    lines[4] = json.dumps(event).encode()
    answer = table.client.post("/v1/imports", data=b"\n".join(lines), content_type="application/x-ndjson")
    document = problem(answer, 422, "log-does-not-verify")

    assert document["seq"] == 5
    assert "hash" in document["reason"]
    assert len(table.client.get("/v1/games").json["games"]) == 1


def test_import__a_seeded_game_that_goes_on_elsewhere_needs_a_fork(table: Table) -> None:
    table.open()
    export = table.get("/export", format="json")
    elsewhere(table)
    table.game = table.client.post("/v1/imports", data=export.data, content_type="application/json").headers["Location"]
    document = problem(table.post(table.body("draw_treasure_card")), 422, "illegal-action")

    assert "Fork the game" in document["message"]
    table.game = table.client.post(table.game + "/forks", json={"at": 2}).headers["Location"]
    assert table.post(table.body("draw_treasure_card")).status_code == 201


def messages(chunks: Any, wanted: int) -> list[dict[str, Any]]:
    """Return the first `wanted` events of a stream."""
    found: list[dict[str, Any]] = []
    for chunk in chunks:
        fields = dict(line.split(": ", 1) for line in chunk.decode().strip().splitlines() if not line.startswith(":"))
        if "data" in fields:
            event = json.loads(fields["data"])
            assert int(fields["id"]) == event["seq"]
            found.append(event)
            if len(found) == wanted:
                break
    return found


def test_stream__the_log_as_it_grows(app: Flask, table: Table) -> None:
    table.open()
    answer = table.client.get(table.game + "/stream", buffered=False)
    assert answer.content_type.startswith("text/event-stream")
    chunks = answer.iter_encoded()
    assert messages(chunks, 2) == table.log()

    other = Table(app.test_client())
    other.game = table.game
    thread = threading.Thread(target=other.act, args=("draw_treasure_card",))
    thread.start()
    (event,) = messages(chunks, 1)
    thread.join()
    assert event["seq"] == 3
    answer.close()


def test_stream__resumes(table: Table) -> None:
    table.open()
    table.act("draw_treasure_card")
    answer = table.client.get(table.game + "/stream", headers={"Last-Event-ID": "2"}, buffered=False)

    assert [event["seq"] for event in messages(answer.iter_encoded(), 1)] == [3]
    answer.close()


def test_stream__ends_with_the_game(table: Table) -> None:
    table.open()
    version = table.play_out()["version"]
    answer = table.client.get(table.game + "/stream", headers={"Last-Event-ID": str(version - 1)})

    assert b"game_closed" in answer.data
    assert table.client.get(table.game + "/stream", headers={"Last-Event-ID": str(version)}).status_code == 204


@pytest.mark.parametrize("header", ["x", "-1", "1.5", "9" * 40])
def test_stream__a_place_that_is_none(table: Table, header: str) -> None:
    table.open()

    problem(table.client.get(table.game + "/stream", headers={"Last-Event-ID": header}), 400, "malformed")


def test_stream__no_more_listeners_than_it_can_hold(app: Flask, table: Table) -> None:
    table.open()
    app.extensions["hub"].most = 1
    answer = table.client.get(table.game + "/stream", buffered=False)
    refused = table.client.get(table.game + "/stream")

    problem(refused, 429, "too-many-streams")
    assert refused.headers["Retry-After"]
    answer.close()
    again = table.client.get(table.game + "/stream", buffered=False)
    assert again.status_code == 200
    again.close()


def test_stream__ends_when_the_process_stops(app: Flask, table: Table) -> None:
    table.open()
    answer = table.client.get(table.game + "/stream", buffered=False)
    chunks = answer.iter_encoded()
    assert len(messages(chunks, 2)) == 2
    app.extensions["hub"].stop()

    assert messages(chunks, 1) == []


def test_rulesets__every_one_whole(table: Table) -> None:
    listed = table.client.get("/v1/rulesets").json["rulesets"]

    assert [one["id"] for one in listed] == [rules.id for rules in registry.rulesets()]
    for one in listed:
        whole = table.client.get(one["link"]).json
        assert whole["players"] == one["players"]
        assert whole["options"]["type"] == "object"
        assert {action["rule"] for action in whole["actions"]} <= set(whole["sections"])
        assert [action["type"] for action in whole["record_actions"]] == ["set_up", *RECORDABLE]
    problem(table.client.get("/v1/rulesets/chess"), 404, "not-found")


def test_secrets__the_seed_is_nowhere_before_the_end(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    seed = "a-most-distinctive-seed"
    table.open(seed=seed)
    for path in (
        "",
        "/actions",
        "/events",
        "/state",
        "/turns",
        "/export",
        "/export?format=markdown",
        "/export?format=csv",
    ):
        assert seed not in table.client.get(table.game + path).text, path
    assert seed not in table.client.get("/v1/games").text
    assert seed not in table.post({"type": "draw_flood_card", "actor": "p1"}).text
    assert seed not in caplog.text
    table.play_out()
    assert table.log()[-1]["params"]["seed"] == seed


def test_actions__what_the_players_have_only_so_long_for(table: Table) -> None:
    seats = [{"name": name} for name in ("Ann", "Bob", "Cyd", "Dee", "Eve")]
    five = {"ruleset": "forgotten-waters", "seats": seats, "options": {"timer_seconds": 45}}
    table.open("observed", **five)
    assert table.get("/actions").json["timer"] is None
    table.open(**five)
    timer = table.get("/actions").json["timer"]
    assert timer == {"title": "Planning", "seconds": 45, "type": "timer_runs_out", "actor": "p2"}
    assert table.post({"type": timer["type"], "actor": timer["actor"], "params": {}}).status_code == 201
    assert table.get("/actions").json["timer"] is None
    table.open()
    assert table.get("/actions").json["timer"] is None


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (None, "application/json"),
        ("*/*", "application/json"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "application/json"),
        ("text/csv", "text/csv"),
        ("application/json;q=0.2, text/csv;q=0.4, application/x-ndjson;q=0.9", "application/x-ndjson"),
        ("image/*, application/json;q=0.5", "image/svg+xml"),
        ("text/*", "text/csv"),
        ("text/markdown", "text/markdown"),
        ("application/json;q=0, */*;q=0.1", "application/x-ndjson"),
    ],
)
def test_export__in_the_form_that_is_accepted(table: Table, accept: str | None, media_type: str) -> None:
    table.open()
    headers = {} if accept is None else {"Accept": accept}
    answer = table.client.get(f"{table.game}/export", headers=headers)

    assert (answer.status_code, answer.mimetype, answer.headers["Vary"]) == (200, media_type, "Accept, Accept-Encoding")


def test_export__what_the_query_names_is_what_comes(table: Table) -> None:
    table.open()
    answer = table.client.get(f"{table.game}/export?format=csv", headers={"Accept": "application/json"})

    assert answer.mimetype == "text/csv"
