"""Notes on a game: texts, marks and bookmarks, each about an event."""

from __future__ import annotations

import csv
from typing import Any

import pytest

from engine.core.lifecycle import MARKS
from tests.api.table import Table, problem


def say(table: Table, **params: Any) -> None:
    answer = table.post({"type": "annotate", "params": params, "occurred_at": "2026-11-20T21:00:00Z"})
    assert answer.status_code == 201, answer.text


def notes(table: Table, **query: Any) -> list[dict[str, Any]]:
    return table.get("/notes", **query).json["notes"]


def test_notes__each_at_its_event(table: Table) -> None:
    table.open()
    assert table.client.get(table.get().json["links"]["notes"]).json == {"notes": [], "next_cursor": None, "version": 2}
    body = table.body("draw_treasure_card")
    assert table.post({**body, "note": "At last."}).status_code == 201
    say(table, text="So early?", mark="?!", bookmark="The first card", seq=2)
    say(table, mark="!!")
    own, first, marked = notes(table)
    story = table.get("/story").json["story"]

    assert (own["seq"], own["about"], own["text"], own["mark"]) == (3, 3, "At last.", None)
    assert first["sentence"] == story[1]["sentence"]
    assert {name: first[name] for name in ("seq", "about", "turn", "text", "mark", "bookmark", "superseded_by")} == {
        "seq": 4,
        "about": 2,
        "turn": 0,
        "text": "So early?",
        "mark": "?!",
        "bookmark": "The first card",
        "superseded_by": None,
    }
    assert first["occurred_at"] == "2026-11-20T21:00:00.000Z"
    assert first["recorded_at"] == story[3]["recorded_at"]
    # A note without `about` is about the last event of the game, not about the last note.
    assert (marked["seq"], marked["about"], marked["mark"], marked["text"]) == (5, 3, "!!", None)


def test_notes__as_of_then_and_what_was_taken_back(table: Table) -> None:
    table.open()
    say(table, text="Here we go.")
    then = table.get("/notes")
    say(table, text="Too early.")
    table.post({"type": "undo", "params": {"to": 3}})

    assert [note["superseded_by"] for note in notes(table)] == [None, 5]
    assert table.get("/notes", until=3).json == then.json
    assert table.get("/notes", until=3).headers["ETag"] == then.headers["ETag"]
    problem(table.get("/notes", until=9), 404, "not-found")
    problem(table.get("/notes", viewer="p8"), 400, "malformed")


@pytest.mark.parametrize("mark", MARKS)
def test_notes__every_mark(table: Table, mark: str) -> None:
    table.open()
    say(table, mark=mark)
    assert notes(table)[0]["mark"] == mark


@pytest.mark.parametrize(
    "params", [{}, {"seq": 2}, {"mark": "!!!"}, {"bookmark": ""}, {"text": "x" * 2001}, {"text": "x", "seq": 9}]
)
def test_notes__what_says_nothing_is_refused(table: Table, params: dict[str, Any]) -> None:
    table.open()
    problem(table.post({"type": "annotate", "params": params}), 422, "invalid")
    assert notes(table) == []


def test_notes__what_was_amended_reads_as_it_stands(table: Table) -> None:
    table.open()
    say(table, text="A bold mvoe.", seq=2)
    again = {"type": "annotate", "params": {"text": "A bold move.", "seq": 2, "mark": "!"}}
    assert table.post({"type": "amend", "params": {"seq": 3, "event": again}}).status_code == 201
    between = {"type": "annotate", "params": {"bookmark": "Here"}}
    assert table.post({"type": "amend", "params": {"seq": 3, "insert": between}}).status_code == 201
    first, amended, inserted = notes(table)

    assert (first["text"], first["superseded_by"]) == ("A bold mvoe.", 4)
    assert (amended["seq"], amended["about"], amended["text"], amended["mark"]) == (4, 2, "A bold move.", "!")
    assert (inserted["about"], inserted["bookmark"]) == (3, "Here")
    rows = list(csv.DictReader(table.get("/export", format="csv").text.splitlines()))
    assert (rows[1]["remarks"], rows[1]["marks"]) == ("A bold move.", "!")
