"""The story of a game: a sentence for each event, without knowledge of later events."""

from __future__ import annotations

import json
from typing import Any

import pytest

from store.log.games import GameStore
from tests.api.table import Table, problem
from tests.api.test_secrets import BEFORE, SCORESHEET, THROW


def story(table: Table, **query: Any) -> list[dict[str, Any]]:
    return table.get("/story", limit=1000, **query).json["story"]


def test_story__tells_every_event(table: Table) -> None:
    table.open()
    table.play_out()
    answer = table.get("/story", limit=1000).json
    log = table.log()

    assert [line["seq"] for line in answer["story"]] == [event["seq"] for event in log]
    for line, event in zip(answer["story"], log, strict=True):
        assert (line["type"], line["turn"], line["actor"]) == (event["type"], event["turn"], event["actor"])
        assert line["sentence"]
        assert not line["is_undone"]
    assert answer["outcome"]["result"] == "lost"
    assert answer["version"] == len(log)


def test_story__in_pages(table: Table) -> None:
    table.open()
    table.play_out()
    answer = table.get("/story", limit=5)
    seen = answer.json["story"]
    while "Link" in answer.headers:
        link = answer.headers["Link"]
        answer = table.client.get(link[1 : link.index(">")])
        seen += answer.json["story"]

    assert seen == story(table)
    assert table.get("/story", after=len(seen)).json["story"] == []


def test_story__what_was_taken_back_and_what_was_said(table: Table) -> None:
    table.open()
    table.act("draw_treasure_card")
    table.post({"type": "undo", "params": {"to": 2}})
    table.post({"type": "annotate", "params": {"text": "Mistyped.", "seq": 3}})
    table.post({"type": "annotate", "params": {"text": "Go on."}})
    taken, undo, about_it, about_the_last = story(table)[2:]

    assert taken["is_undone"]
    assert taken["superseded_by"] == 4
    assert "superseded_by" not in undo
    assert undo["to"] == 2
    assert not undo["is_undone"]
    assert (about_it["about"], about_it["text"]) == (3, "Mistyped.")
    assert (about_the_last["about"], about_the_last["text"]) == (4, "Go on.")


def test_story__what_was_drawn_again(table: Table) -> None:
    table.open()
    for body in ("draw_treasure_card", {"type": "undo", "params": {"to": 2}}, "draw_treasure_card"):
        assert table.post(table.body(body) if isinstance(body, str) else body).status_code == 201
    first, undo, again = story(table)[2:]
    assert again["draws_again"] == 3
    assert "draws_again" not in first
    assert "draws_again" not in undo
    assert "draws_again" not in story(table, until=4)[-1]


def test_story__what_was_taken_back_takes_nothing_back(table: Table) -> None:
    table.open()
    table.act("draw_treasure_card")
    table.post({"type": "undo", "params": {"to": 2}})
    table.post({"type": "undo", "params": {"to": 3}})
    drawn, undo, redo = story(table)[2:]

    assert "superseded_by" not in drawn
    assert (undo["is_undone"], undo["superseded_by"]) == (True, 5)
    assert "superseded_by" not in redo


def test_story__what_was_amended_and_what_the_rules_said(table: Table) -> None:
    table.open("observed", mode="as_played")
    table.set_up()
    there = table.body("move")
    assert table.post(there).status_code == 201
    again = table.post({**there, "actor": "p2" if there["actor"] == "p1" else "p1"})
    assert again.status_code == 201, again.text
    table.post({"type": "amend", "params": {"seq": 4, "remove": True}})
    lines = story(table)

    assert lines[2]["verdict"] == "legal"
    assert (lines[3]["verdict"], lines[3]["superseded_by"]) == ("illegal", 5)
    assert lines[3]["rule"]
    assert lines[3]["reason"]
    assert not lines[3]["is_undone"]


def test_story__what_was_amended_is_played_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole log is replayed to find the line, without computing its states again."""
    table.open("observed", mode="as_played")
    table.set_up()
    table.act("move")
    table.act("move")
    amended = table.post({"type": "amend", "params": {"seq": 3, "remove": True}}, if_illegal="accept")
    assert amended.status_code == 201
    table.post({"type": "undo", "params": {"to": 4}})
    with monkeypatch.context() as patched:
        patched.delattr(GameStore, "states")
        told = story(table)
    one_by_one = [table.get("/story", limit=1, after=seq).json["story"] for seq in range(len(told))]
    assert told == [line for (line,) in one_by_one]


def test_story__until_an_event_has_nothing_of_what_came_later(table: Table) -> None:
    table.open()
    table.act("draw_treasure_card")
    as_it_was = table.get("/story").json
    table.post({"type": "undo", "params": {"to": 2}})
    table.play_out()

    assert table.get("/story", until=3).json == as_it_was
    assert story(table)[2]["is_undone"]


def test_story__as_the_table_saw_it(table: Table) -> None:
    table.client.post("/v1/games", json=json.loads(SCORESHEET[0]))
    table.game = table.client.get("/v1/games").json["games"][0]["link"]
    assert table.post([*BEFORE, THROW]).status_code == 201

    for viewer in ("public", THROW["actor"]):
        throw = story(table, viewer=viewer)[-1]
        assert throw["sentence"].endswith(" hides spears in a fist.")
        assert "params" not in throw


def test_story__goes_on_where_nobody_saw_what_came_up(table: Table) -> None:
    table.open("observed")
    table.set_up()
    for _ in range(2):
        table.post({"type": "draw_treasure_card", "actor": "p1", "outcomes": [None]})
    table.post({"type": "reveal", "params": {"seq": 3, "value": "sandbags"}})

    assert [(line["type"], line["seat"]) for line in story(table)[2:]] == [
        ("draw_treasure_card", "p1"),
        ("draw_treasure_card", "p1"),
        ("reveal", "p1"),
    ]


@pytest.mark.parametrize("query", ["after=-1", "limit=0", "limit=1001", "until=0", "colour=red", "viewer=p4"])
def test_story__a_query_that_cannot_be_read(table: Table, query: str) -> None:
    table.open()

    problem(table.client.get(f"{table.game}/story?{query}"), 400, "malformed")


def test_story__of_what_there_is_not(table: Table) -> None:
    table.open()

    problem(table.get("/story", until=3), 404, "not-found")
    problem(table.client.get("/v1/games/nothing/story"), 404, "not-found")
