"""Secrets are hidden from others in every read, list, stream and export until they are revealed."""

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
from tests.exports.pages import tables

SCORESHEET = (Path(__file__).parents[2] / "examples" / "forever-island.ndjson").read_text().splitlines()
BODIES: list[Any] = [
    body for line in SCORESHEET[1:] for body in (json.loads(line) if line.startswith("[") else [json.loads(line)])
]
BEFORE = list(takewhile(lambda body: body["type"] != "throw_spears", BODIES))
THROW, GUESS = BODIES[len(BEFORE) : len(BEFORE) + 2]
MASKED = {"masked": True}


@pytest.fixture
def raid(table: Table) -> Table:
    """A game of Forever Island in which a player has just closed his fist."""
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
        assert salt.encode() not in raid.get("/export", format=format_).data, format_
    assert salt not in raid.get("/turns").text
    version = raid.get().json["version"]
    answer = raid.client.get(raid.game + "/stream", headers={"Last-Event-ID": str(version - 1)}, buffered=False)
    chunks = answer.iter_encoded()
    next(chunks)
    event = json.loads(next(chunks).decode().split("data: ", 1)[1])
    answer.close()
    assert event["params"] == {"spears": MASKED, "salt": MASKED}


@pytest.mark.long
@pytest.mark.no_cover
def test_hidden__in_the_pictures_of_an_export(raid: Table, work: Callable[[], None]) -> None:
    viewers = ("public", GUESS["actor"], THROW["actor"])
    assert {raid.get("/export", format="html", viewer=viewer).status_code for viewer in viewers} == {202}
    work()
    public, other, own = (tables(raid.get("/export", format="html", viewer=viewer).text) for viewer in viewers)
    assert public == other
    assert public[:-1] == own[:-1]
    assert public[-1] != own[-1]


def test_hidden__in_pictures(raid: Table) -> None:
    public, other, own = (
        raid.get("/export", format="png", viewer=viewer).data for viewer in ("public", GUESS["actor"], THROW["actor"])
    )
    assert public == other != own


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


@pytest.mark.parametrize(
    "after", [{"type": "fly"}, {"type": "abandon", "params": {"reason": "oh"}}, GUESS], ids=lambda body: body["type"]
)
def test_hidden__from_what_follows_a_guess_that_is_not_appended(raid: Table, after: dict[str, Any]) -> None:
    before = raid.get().json
    tried = raid.post([GUESS, after], dry_run="true")
    assert (tried.status_code, tried.json["awaiting"], tried.json["events"]) == (200, before["awaiting"], [])
    assert raid.get().json == before
    # The events are appended all together or not at all.
    problem(raid.post([{"type": "fly"}, GUESS]), 422, "invalid")
    assert raid.get().json == before

    answer = raid.post([{"type": "annotate", "params": {"text": "now"}}, GUESS, after])
    assert answer.status_code == 201, answer.text
    assert [event["type"] for event in answer.json["events"]][:2] == ["annotate", GUESS["type"]]
    # The guess ends this game, so nothing can follow.
    assert [event["type"] for event in answer.json["events"]][2:] == ["game_closed"]
    assert answer.json["stopped"]["index"] == 2
    assert answer.json["stopped"]["problem"]["status"] in {409, 422}
    assert answer.json["version"] == before["version"] + 3 == raid.get().json["version"]


def test_hidden__what_the_rules_say_of_it(table: Table, work: Callable[[], None]) -> None:
    """In a game recorded as played, the fist holds too many spears."""
    table.client.post("/v1/games", json={**json.loads(SCORESHEET[0]), "mode": "as_played"})
    table.game = table.client.get("/v1/games").json["games"][0]["link"]
    assert table.post([*BEFORE, {**THROW, "params": {"spears": 7}}]).status_code == 201
    said = "Throw between"
    paths = (
        "/events?limit=1000",
        "/story?limit=1000",
        *(f"/export?format={name}" for name, kind in FORMATS.items() if not kind.by_worker),
    )
    for path in paths:
        assert said.encode() not in table.client.get(f"{table.game}{path}").data
    mine = f"{table.game}/events?limit=1000&viewer={THROW['actor']}"
    assert said in table.client.get(mine).text
    audit = table.client.post(f"{table.game}/audits")
    work()
    assert said not in table.client.get(audit.headers["Location"]).text
    assert table.post(GUESS).status_code == 201
    for path in ("/events?limit=1000", "/story?limit=1000", "/export?format=markdown"):
        assert said in table.client.get(f"{table.game}{path}").text


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
