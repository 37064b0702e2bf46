"""The animation of a game: a worker makes it, and the client downloads it."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image

from exports import pictures
from tests.api.table import Table, problem

Work = Callable[[], None]


def test_a_worker_makes_it_as_it_was_asked_for(table: Table, work: Work) -> None:
    table.open()
    table.play_out()
    version = table.get().json["version"]
    query = {"format": "gif", "each": "event", "from": version - 3, "delay": 300, "hold": 400}

    ordered = table.get("/export", **query)
    assert ordered.status_code == 202
    assert table.get("/export", **query).json["id"] == ordered.json["id"]
    work()

    job = table.client.get(ordered.headers["Location"]).json
    assert (job["status"], job["error"]) == ("done", None)
    file = table.client.get(job["result"]["file"])
    assert (file.status_code, file.mimetype) == (200, "image/gif")
    assert table.get("/export", **query).data == file.data
    assert 1 <= getattr(Image.open(BytesIO(file.data)), "n_frames", 1) <= 4
    part = table.client.get(job["result"]["file"], headers={"Range": "bytes=0-5"})
    assert (part.status_code, part.data) == (206, b"GIF89a")
    assert table.get("/export", format="gif").status_code == 202


def test_what_cannot_be_made_is_refused_before_a_worker_begins(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST_FRAMES", 1)
    table.open()

    many = problem(table.get("/export", format="gif", each="event"), 422, "invalid")
    assert [error["pointer"] for error in many["errors"]] == ["/from"]
    assert "begin at event 2 or later" in many["detail"]
    assert (
        "the last event is 2" in problem(table.get("/export", **{"format": "gif", "from": 9}), 422, "invalid")["detail"]
    )
    for wrong in ({"from": 0}, {"each": "round"}, {"delay": 1}, {"hold": "long"}):
        problem(table.get("/export", format="gif", **wrong), 400, "malformed")
    still = problem(table.get("/export", **{"format": "png", "from": 2}), 400, "malformed")
    assert [error["pointer"] for error in still["errors"]] == ["/from"]
    problem(table.client.post("/v1/exports", json={"format": "gif"}), 422, "invalid")


def test_a_picture_is_as_of_any_event(table: Table) -> None:
    table.open()
    table.play_out()

    shown = {seq: table.get("/export", format="png", until=seq) for seq in (1, 2, 5)}

    assert {answer.mimetype for answer in shown.values()} == {"image/png"}
    assert len({answer.data for answer in shown.values()}) == 3
