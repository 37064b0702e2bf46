"""The picture of the table at any event, for any viewer, with changes highlighted."""

from __future__ import annotations

import json
from itertools import takewhile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import drawing
from tests.api.table import Table, problem

SVG = "{http://www.w3.org/2000/svg}"


def picture(table: Table, **query: Any) -> ElementTree.Element:
    answer = table.get("/board.svg", **query)
    assert (answer.status_code, answer.content_type) == (200, "image/svg+xml"), answer.text
    return ElementTree.fromstring(answer.data)


def changed_ids(root: ElementTree.Element) -> set[str | None]:
    return {element.get("data-id") for element in root.iter() if element.get("data-changed")}


def test_the_table_now(table: Table) -> None:
    table.open(seed="a rainy night")
    root = picture(table)
    places = {element.get("data-place") for element in root.iter() if element.get("data-place")}
    targets = {value for action in table.actions() for value in action["params"].values() if isinstance(value, str)}

    assert root.get("role") == "img"
    assert "Forbidden Island" in str(root.findtext(f"{SVG}title"))
    assert targets
    assert targets <= places


def test_the_table_at_an_event(table: Table) -> None:
    table.open(seed="a rainy night")
    before = table.get("/board.svg").data
    table.act("draw_treasure_card")

    assert table.get("/board.svg").data != before
    assert table.get("/board.svg", at=2).data == before
    assert table.get("/board.svg", until=2).data == before
    problem(table.get("/board.svg", at=4), 404, "not-found")
    problem(table.get("/board.svg", at=3, until=2), 404, "not-found")
    problem(table.get("/board.svg", at=0), 400, "malformed")


def test_before_the_set_up(table: Table) -> None:
    table.open("observed")

    text = table.get("/board.svg").text
    assert "The game is not set up yet." in text
    assert "Ann" in text
    assert changed_ids(picture(table, changes="previous")) == set()
    table.set_up()
    assert "The game is not set up yet." in table.get("/board.svg", at=1).text
    assert "fools_landing" in changed_ids(picture(table, changes="previous"))


def test_what_has_changed(table: Table) -> None:
    table.open(seed="a rainy night")
    move = table.body("move")
    assert table.post(move).status_code == 201

    assert changed_ids(picture(table, changes="previous")) == {"pawn.p1"}
    assert changed_ids(picture(table, changes=2)) == {"pawn.p1"}
    assert changed_ids(picture(table, changes=3)) == set()
    assert changed_ids(picture(table)) == set()
    problem(table.get("/board.svg", changes=4), 404, "not-found")
    for wrong in ("0", "-1", "next", "1\n", "9" * 30):
        problem(table.get("/board.svg", changes=wrong), 400, "malformed")


def test_it_is_sent_once(table: Table) -> None:
    table.open(seed="a rainy night")
    tags = set()
    for query in ({}, {"at": 1}, {"layout": "tall"}, {"plain": "true"}, {"changes": "previous"}, {"viewer": "p1"}):
        tag = table.get("/board.svg", **query).headers["ETag"]
        tags.add(tag)
        known = table.client.get(table.game + "/board.svg", query_string=query, headers={"If-None-Match": tag})
        assert (known.status_code, known.data, known.headers["ETag"]) == (304, b"", tag)
    assert len(tags) == 6
    assert all(f"-{drawing.VERSION}" in tag for tag in tags)
    assert table.get("/board.svg").headers["Cache-Control"] == "no-cache"
    assert table.get("/board.svg", at=2).headers["Cache-Control"] == "private, max-age=3600"
    table.act("draw_treasure_card")
    assert table.get("/board.svg").headers["ETag"] not in tags


@pytest.mark.parametrize("layout", drawing.LAYOUTS)
def test_layouts(table: Table, layout: str) -> None:
    table.open()
    width = float(str(picture(table, layout=layout).get("width")))

    assert width == {"wide": 1200, "tall": 360, "board": 360, "panels": 360}[layout]


def test_plain(table: Table) -> None:
    table.open()

    assert "<style" in table.get("/board.svg").text
    assert "<style" not in table.get("/board.svg", plain="true").text


def test_who_asks_wrongly(table: Table) -> None:
    table.open()

    problem(table.get("/board.svg", layout="round"), 400, "malformed")
    problem(table.get("/board.svg", viewer="p9"), 400, "malformed")
    problem(table.get("/board.svg", viewer="p3"), 400, "malformed")
    problem(table.client.get("/v1/games/nowhere/board.svg"), 404, "not-found")
    refused = table.client.get(table.game + "/board.svg", headers={"Accept": "image/png"})
    problem(refused, 406, "not-acceptable")
    assert table.client.get(table.game + "/board.svg", headers={"Accept": "image/*"}).status_code == 200


def test_a_picture_loads_nothing(table: Table) -> None:
    table.open()
    answer = table.get("/board.svg")

    policy = f"default-src 'none'; style-src {drawing.STYLE_SOURCE}; frame-ancestors 'none'"
    assert answer.headers["Content-Security-Policy"] == policy
    assert "http" not in answer.text.replace("http://www.w3.org/2000/svg", "")


def test_what_is_hidden_is_not_in_the_public_picture(table: Table) -> None:
    lines = (Path(__file__).parents[2] / "examples" / "forever-island.ndjson").read_text().splitlines()
    table.client.post("/v1/games", json=json.loads(lines[0]))
    table.game = table.client.get("/v1/games").json["games"][0]["link"]
    bodies = [body for line in lines[1:] for body in (json.loads(line) if line.startswith("[") else [json.loads(line)])]
    before = list(takewhile(lambda body: body["type"] != "throw_spears", bodies))
    throw = bodies[len(before)]
    assert table.post(before).status_code == 201
    pictures = []
    for spears in (1, 2):
        version = table.get().json["version"]
        assert table.post({**throw, "params": {"spears": spears}}).status_code == 201
        pictures.append(table.get("/board.svg").data)
        assert table.post({"type": "undo", "params": {"to": version}}).status_code == 201

    assert pictures[0] == pictures[1]


def test_what_nobody_saw_is_not_in_the_picture(table: Table) -> None:
    table.open("observed")
    table.set_up()
    known = picture(table)
    hand = {id_ for element in known.iter() if (id_ := element.get("data-id", "")).startswith("p1.")}
    draw = table.body("draw_treasure_card")
    assert table.post({**draw, "outcomes": [None]}).status_code == 201
    root = picture(table, changes="previous")
    held = {id_ for element in root.iter() if (id_ := element.get("data-id", "")).startswith(("p1.", "player.p1."))}

    assert held == {*hand, "player.p1.cards.unseen"}
    assert "player.p1.cards.unseen" in changed_ids(root)
    assert "some of it unseen" in table.get("/board.svg").text
