"""What a player hides is hidden in every view, list, stream and export but that player's, until it is revealed."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from exports import FORMATS
from tests.api.table import Table, problem

SCORESHEET = (Path(__file__).parents[2] / "examples" / "forever-island.ndjson").read_text().splitlines()
BODIES: list[Any] = [
    body for line in SCORESHEET[1:] for body in (json.loads(line) if line.startswith("[") else [json.loads(line)])
]
BEFORE = list(takewhile(lambda body: body["type"] != "throw_spears", BODIES))
THROW, GUESS = BODIES[len(BEFORE) : len(BEFORE) + 2]
MASKED = {"masked": True}


@pytest.fixture
def raid(table: Table) -> Table:
    """A game of Forever Island in which a fist has just been closed."""
    table.client.post("/v1/games", json=json.loads(SCORESHEET[0]))
    table.game = table.client.get("/v1/games").json["games"][0]["link"]
    assert table.post([*BEFORE, THROW]).status_code == 201
    return table


def last(table: Table, **query: str) -> dict[str, Any]:
    return table.get("/events", limit=1000, **query).json["events"][-1]["params"]


def test_hidden__from_the_public_and_from_the_other_seats(raid: Table) -> None:
    seats = [f"p{number}" for number in range(1, len(json.loads(SCORESHEET[0])["seats"]) + 1)]
    for viewer in ("public", *(seat for seat in seats if seat != THROW["actor"])):
        assert last(raid, viewer=viewer) == {"spears": MASKED, "salt": MASKED}
        assert raid.get("/state", viewer=viewer).json["state"]["raid"]["spears"] == MASKED
    assert last(raid) == {"spears": MASKED, "salt": MASKED}
    seq = raid.get().json["version"]
    assert raid.get(f"/events/{seq}").json["params"]["spears"] == MASKED


def test_shown__to_the_one_who_hides(raid: Table) -> None:
    mine = last(raid, viewer=THROW["actor"])

    assert mine["spears"] == THROW["params"]["spears"]
    assert len(mine["salt"]) == 32
    assert raid.get("/state", viewer=THROW["actor"]).json["state"]["raid"]["spears"] == THROW["params"]["spears"]


def test_hidden__in_an_export_of_many_games(raid: Table, work: Callable[[], None]) -> None:
    job = raid.client.post("/v1/exports", json={"format": "ndjson"}).json["id"]
    work()
    archive = zipfile.ZipFile(io.BytesIO(raid.client.get(f"/v1/exports/{job}/file").data))
    log = archive.read(archive.namelist()[0]).splitlines()
    assert json.loads(log[-1])["params"] == {"spears": MASKED, "salt": MASKED}


def test_hidden__in_exports_turns_and_the_stream(raid: Table) -> None:
    salt = last(raid, viewer=THROW["actor"])["salt"]
    for format_ in FORMATS:
        assert salt not in raid.get("/export", format=format_).text, format_
    assert salt not in raid.get("/turns").text
    version = raid.get().json["version"]
    answer = raid.client.get(raid.game + "/stream", headers={"Last-Event-ID": str(version - 1)}, buffered=False)
    chunks = answer.iter_encoded()
    next(chunks)
    event = json.loads(next(chunks).decode().split("data: ", 1)[1])
    answer.close()
    assert event["params"] == {"spears": MASKED, "salt": MASKED}


def test_shown__to_all_once_it_is_revealed(raid: Table) -> None:
    seq = raid.get().json["version"]
    hidden = raid.get(f"/events/{seq}").json
    assert raid.post(GUESS).status_code == 201
    shown = raid.get(f"/events/{seq}").json

    assert shown["params"]["spears"] == THROW["params"]["spears"]
    assert shown["hash"] == hidden["hash"]


def test_hidden__from_a_guess_that_is_not_appended(raid: Table) -> None:
    before = raid.get().json
    for spears in range(1, 4):
        answer = raid.post({**GUESS, "params": {"spears": spears}}, dry_run="true")
        assert answer.status_code in {200, 422}
        if answer.status_code == 200:
            assert (answer.json["awaiting"], answer.json["events"]) == (before["awaiting"], [])
    assert raid.get().json == before


def test_hidden__from_what_follows_a_guess_that_is_not_appended(raid: Table) -> None:
    for after in ({"type": "fly"}, {"type": "abandon", "params": {"reason": "oh"}}, GUESS):
        for query in ({"dry_run": "true"}, {}):
            found = problem(raid.post([GUESS, after], **query), 422, "illegal-action")
            assert (found["index"], found["rule"]) == (1, "Keeping the record")
    assert raid.post([{"type": "annotate", "params": {"text": "now"}}, GUESS]).status_code == 201


def test_viewer__that_is_no_seat_of_the_game(raid: Table) -> None:
    for path in ("/events", "/events/1", "/state", "/stream", "/export"):
        problem(raid.get(path, viewer="p8"), 400, "malformed")
        problem(raid.get(path, viewer="nobody"), 400, "malformed")


def test_ranges__say_what_else_may_be_appended(table: Table) -> None:
    table.client.post("/v1/games", json=json.loads(SCORESHEET[0]))
    table.game = table.client.get("/v1/games").json["games"][0]["link"]
    bodies = iter(BEFORE)
    while not (document := table.get("/actions").json)["ranges"]:
        table.post(next(bodies))
    found = document["ranges"][0]
    examples = [one for one in document["actions"] if (one["type"], one["actor"]) == (found["type"], found["actor"])]

    assert examples
    for example in examples:
        jsonschema.validate(example["params"], found["params"])
    assert found in table.get("/actions", actor=found["actor"]).json["ranges"]
    others = {one["actor"] for one in document["ranges"]} - {found["actor"]}
    assert all(found not in table.get("/actions", actor=other).json["ranges"] for other in others)
