"""Repeated and concurrent requests: no event is lost or doubled."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from flask import Flask

from api.app import create_app
from service import request
from store.errors import VersionConflict
from store.log.streams import EventStore
from tests.api.table import Table, problem


def test_idempotency__the_same_request_twice(table: Table) -> None:
    table.open()
    body = table.body("draw_treasure_card")
    headers = {"Idempotency-Key": '"tap-1"'}
    first = table.post(body, headers=headers)
    table.act("draw_treasure_card")
    again = table.post(body, headers=headers)

    assert again.status_code == 201
    assert again.json == first.json
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert table.get().json["version"] == 4


def test_idempotency__also_where_the_request_would_now_be_refused(table: Table) -> None:
    table.open()
    body = table.body("move")
    headers = {"Idempotency-Key": "tap-1", "If-Match": '"2"'}
    first = table.post(body, headers=headers)
    table.act("draw_treasure_card")

    assert table.post(body, headers=headers).json == first.json


def test_idempotency__another_body(table: Table) -> None:
    table.open()
    headers = {"Idempotency-Key": "tap-1"}
    table.post(table.body("move"), headers=headers)

    problem(table.post(table.body("draw_treasure_card"), headers=headers), 422, "idempotency-key-reused")
    problem(table.post({"type": "draw_flood_card", "actor": "p1"}, headers=headers), 422, "idempotency-key-reused")


@pytest.mark.parametrize("key", ["", '""', "x" * 256, "Käse", '"half'])
def test_idempotency__a_key_that_is_none(table: Table, key: str) -> None:
    table.open()

    problem(table.post(table.body("move"), headers={"Idempotency-Key": key}), 400, "malformed")


def test_idempotency__survives_a_restart(app: Flask, table: Table) -> None:
    table.open()
    body, headers = table.body("move"), {"Idempotency-Key": "tap-1"}
    first = table.post(body, headers=headers)
    later = Table(create_app(app.config["SETTINGS"]).test_client())
    later.game = table.game

    assert later.post(body, headers=headers).json == first.json


@pytest.fixture
def other(app: Flask, table: Table) -> Table:
    """The same game in another process, which has cached it."""
    table.open()
    other = Table(create_app(app.config["SETTINGS"]).test_client())
    other.game = table.game
    assert other.get().json["version"] == 2
    return other


def test_two_processes__the_one_that_is_behind_catches_up(table: Table, other: Table) -> None:
    assert other.post({"type": "annotate", "params": {"text": "hm"}}).json["version"] == 3
    assert table.post(table.body("move")).json["version"] == 4


def test_two_processes__a_refusal_is_the_newest_games(table: Table, other: Table) -> None:
    annotation = {"type": "annotate", "params": {"text": "hm", "seq": 5}}
    for _ in range(3):
        table.post({"type": "annotate", "params": {"text": "hm"}})

    assert other.post(annotation).status_code == 201
    problem(other.post({"type": "draw_flood_card", "actor": "p1"}), 422, "illegal-action")


def test_two_processes__a_request_that_the_other_has_carried_out(table: Table, other: Table) -> None:
    body, headers = table.body("move"), {"Idempotency-Key": "tap-1"}
    first = table.post(body, headers=headers)
    again = other.post(body, headers=headers)

    assert again.json == first.json
    assert again.headers["Idempotent-Replayed"] == "true"


def test_two_processes__if_match_is_the_newest_games(table: Table, other: Table) -> None:
    table.post(table.body("move"))

    problem(other.post(table.body("move"), headers={"If-Match": '"2"'}), 412, "version-conflict")
    assert other.post(other.body("draw_treasure_card"), headers={"If-Match": '"3"'}).status_code == 201


def test_a_busy_game__in_the_end_the_caller_is_told(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open()
    append = EventStore.append

    def overtaken(store: EventStore, game_id: str, game: tuple[int, str], *arguments: Any, **more: Any) -> Any:
        raise VersionConflict(game[0] + 1, [])

    monkeypatch.setattr(EventStore, "append", overtaken)
    monkeypatch.setattr(request, "attempts", lambda: iter(range(5)))
    answer = table.post(table.body("move"))
    problem(answer, 503, "too-busy")
    assert answer.headers["Retry-After"]
    monkeypatch.setattr(EventStore, "append", append)
    assert table.get().json["version"] == 2


def test_concurrent_writers__every_event_once(app: Flask, table: Table) -> None:
    table.open()
    answers: list[int] = []

    def write(number: int) -> None:
        client = Table(app.test_client())
        client.game = table.game
        for place in range(10):
            body = {"type": "annotate", "params": {"text": f"{number}-{place}"}}
            answers.append(client.post(body, headers={"Idempotency-Key": f"{number}-{place}"}).json["version"])

    writers = [threading.Thread(target=write, args=(number,)) for number in range(16)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert sorted(answers) == list(range(3, 163))
    assert len({event["params"]["text"] for event in table.log()[2:]}) == 160
