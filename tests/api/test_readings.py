"""Handwritten records: parsed line by line, and imported."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engine.core import effort
from exports import notation
from tests.api.table import Table, problem
from tests.api.tokens import Door
from tests.exports.test_template import ROWS, as_csv, as_xlsx

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
(EVENING,) = re.findall(r"^```notation-by-hand\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
TEXT = {"content_type": notation.KIND.media_type}


def test_a_reading_tells_each_line_and_keeps_nothing(table: Table) -> None:
    answer = table.client.post("/v1/readings", data=EVENING.encode(), **TEXT)
    told = answer.json
    assert answer.status_code == 200
    assert (told["is_whole"], told["ruleset"], told["status"], told["turn"]) == (
        True,
        "forbidden-island",
        "abandoned",
        4,
    )
    by_text = {item["text"]: item for item in told["items"]}
    given = by_text["Ana: give Statue to Ben"]
    assert (given["status"], given["said"]) == ("understood", "Ana gives Statue of the Wind to Ben.")
    assert by_text["Treasure: Chalice, ??"]["status"] == "incomplete"
    assert table.client.get("/v1/games").json["games"] == []


def test_an_evening_on_paper_becomes_a_record(table: Table) -> None:
    answer = table.client.post("/v1/imports", data=EVENING.encode(), **TEXT)
    assert answer.status_code == 201
    table.game = answer.headers["Location"]
    made = answer.json
    assert (made["status"], made["mode"], [seat["name"] for seat in made["seats"]]) == (
        *("abandoned", "as_played"),
        ["Ana", "Ben", "Chloe"],
    )
    assert {item["status"] for item in made["items"]} == {"understood", "incomplete", "irregular"}
    assert len(table.get("/unknowns").json["unknowns"]) == 1
    again = table.client.post("/v1/imports", data=table.get("/export", format="notation").data, **TEXT)
    assert again.status_code == 201
    assert again.json["outcome"] == made["outcome"]


def test_the_same_key_is_the_same_record(table: Table) -> None:
    post: dict[str, Any] = {"data": EVENING.encode(), "headers": {"Idempotency-Key": "an-evening"}, **TEXT}
    first = table.client.post("/v1/imports", **post)
    again = table.client.post("/v1/imports", **post)
    assert (again.json["id"], again.headers["Idempotent-Replayed"]) == (first.json["id"], "true")


def test_a_line_that_cannot_be_entered_is_named_and_nothing_is_kept(table: Table) -> None:
    text = EVENING.replace("shore up Gold Gate;", "shor up Gilt Gate;")
    refused = problem(table.client.post("/v1/imports", data=text.encode(), **TEXT), 422, "not-understood")
    (wrong,) = [item for item in refused["items"] if item["status"] == "wrong"]
    assert wrong["text"] == "shor up Gilt Gate"
    assert refused["detail"].startswith(f"line {wrong['line']}: ")
    (question,) = refused["questions"]
    assert question["answers"][-1]["label"] == "Only a note"
    assert refused["items"][-1]["status"] == "understood"
    assert table.client.get("/v1/games").json["games"] == []


def test_questions_are_answered_in_the_text(table: Table) -> None:
    text = EVENING.replace("Lost Lagoon anyway", "Loost Lagon")
    told = table.client.post("/v1/readings", data=text.encode(), **TEXT).json
    assert [question["line"] for question in told["questions"]] == [26]
    for question in reversed(told["questions"]):
        lines = told["text"].split("\n")
        at = question["line"] - 1
        start = question["column"] - 1
        assert lines[at][start:].startswith(question["text"])
        lines[at] = lines[at][:start] + question["answers"][0]["text"] + lines[at][start + len(question["text"]) :]
        told["text"] = "\n".join(lines)
    assert table.client.post("/v1/imports", data=told["text"].encode(), **TEXT).status_code == 201


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the text is empty"),
        (b"\xff\xfe", "must be text in UTF-8"),
        (EVENING.encode() + b'\n[Game "Forbidden Desert"]\n', "several games"),
    ],
)
def test_what_is_no_text_of_a_game_is_refused(table: Table, data: bytes, message: str) -> None:
    for path in ("/v1/readings", "/v1/imports"):
        assert message in problem(table.client.post(path, data=data, **TEXT), 422, "invalid")["detail"]


def test_what_no_append_takes_no_text_brings(table: Table) -> None:
    for name, old, new in [
        ("a name that is not seen", "Players: Ana,", "Players: \u200b,"),
        ("a note that is too long", "{phew}", "{" + "x" * 5000 + "}"),
        ("a time that is none", "{phew}", "@yesterday"),
    ]:
        told = table.client.post("/v1/readings", data=EVENING.replace(old, new).encode(), **TEXT).json
        assert not told["is_whole"], name


def test_a_text_is_no_longer_than_it_may_be(table: Table) -> None:
    data = b"x" * (512 * 1024 + 1)
    for path in ("/v1/readings", "/v1/imports"):
        assert problem(table.client.post(path, data=data, **TEXT), 413, "content-too-large")["limit"] == 512 * 1024


def test_who_may_not_open_a_game_reads_no_text(door: Door) -> None:
    viewer = door.enter("viewer")
    for path in ("/v1/readings", "/v1/imports"):
        problem(viewer.client.post(path, data=EVENING.encode(), **TEXT), 403, "forbidden")


def test_who_reads_a_text_in_is_who_recorded_it(door: Door) -> None:
    recorder = door.enter("recorder", note="Oma")
    made = recorder.client.post("/v1/imports", data=EVENING.encode(), **TEXT)
    assert made.status_code == 201, made.text
    events = recorder.client.get(f"{made.headers['Location']}/events").json["events"]
    assert {event["recorded_by"] for event in events} == {"Oma"}


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_sheet_is_fetched_filled_in_and_made_a_record(table: Table, kind: str) -> None:
    fetched = table.client.get(f"/v1/rulesets/forbidden-island/template.{kind}")
    assert fetched.status_code == 200
    assert fetched.headers["Content-Disposition"] == f'attachment; filename="forbidden-island.{kind}"'
    told = table.client.post("/v1/readings", data=fetched.data, content_type=fetched.content_type)
    assert told.status_code == 200
    assert [item["line"] for item in told.json["items"] if item["status"] == "wrong"] == [2]
    made = table.client.post(
        "/v1/imports", data={"csv": as_csv, "xlsx": as_xlsx}[kind](ROWS), content_type=fetched.content_type
    )
    assert made.status_code == 201, made.text
    assert made.json["items"][-1]["line"] == len(ROWS)


def test_a_sheet_of_no_ruleset_is_not_there(table: Table) -> None:
    problem(table.client.get("/v1/rulesets/chess/template.csv"), 404, "not-found")


def test_a_log_as_csv_is_no_sheet(table: Table) -> None:
    table.open()
    log = table.get("/export", format="csv")
    refused = problem(table.client.post("/v1/imports", data=log.data, content_type="text/csv"), 422, "invalid")
    assert "this sheet contains no game" in refused["detail"]


@pytest.mark.parametrize("piece", ["a ", "a\n", "a;", "\n.", "{a} "])
def test_a_text_of_too_many_words_is_refused_before_it_is_read(table: Table, piece: str) -> None:
    text = '[Game "Forbidden Island"]\n[Players "Ann, Bob"]\n\n' + piece * 60_000
    with effort.count_steps() as spent:
        answer = table.client.post("/v1/readings", data=text, **TEXT)
    assert answer.status_code == 422
    assert "at most 30000 words" in answer.get_data(as_text=True)
    assert spent.spent == 0
