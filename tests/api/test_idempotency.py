"""A POST with an `Idempotency-Key` is carried out once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from exports import FORMATS, Log
from store import Store, keys
from tests import openapi
from tests.api.table import Table, problem
from tests.api.tokens import Door, id_of
from tests.exports.test_bgstats_reading import of, play
from tests.playouts import playout

HOOK = {"url": "https://93.184.215.14/hook", "events": ["*"]}


def post_with_key(client: FlaskClient, path: str, key: str, **sent: Any) -> TestResponse:
    headers = {"Idempotency-Key": key, **sent.pop("headers", {})}
    return client.post(path, headers=headers, **sent)


def requests(table: Table) -> dict[str, tuple[str, dict[str, Any], dict[str, Any]]]:
    """By operation: address, body, and a different body."""
    game = id_of(table.game)
    played = Table(table.client)
    played.open(chance="observed")
    played.set_up()
    log = table.get("/export", format="json").data
    shorter = table.get("/export", format="ndjson").data
    hook = table.client.post("/v1/webhooks", json=HOOK).json["id"]
    note = {"type": "annotate", "actor": None, "params": {"text": "a bold move"}}
    sheet = {"content_type": FORMATS["notation"].media_type.split(";")[0]}
    plays = {"content_type": FORMATS["bgstats"].media_type}
    seats = [{"name": "Ann"}, {"name": "Bob"}]
    opened = {"ruleset": "forbidden-island", "seats": seats, "chance": "seeded"}
    json, lines = (FORMATS[name].media_type.split(";")[0] for name in ("json", "ndjson"))
    return {
        "openGame": ("/v1/games", {"json": opened}, {"json": {**opened, "tags": ["club"]}}),
        "forkGame": (f"{table.game}/forks", {"json": {"at": 2}}, {"json": {"at": 1}}),
        "appendEvents": (f"{table.game}/events", {"json": note}, {"json": {**note, "note": "again"}}),
        "shareGame": (f"{table.game}/shares", {}, {"json": {}}),
        "auditGame": (f"{table.game}/audits", {"json": {}}, {"json": {"rules": "1"}}),
        "analyseGame": (f"{played.game}/analyses", {}, {"json": {}}),
        "importGame": ("/v1/imports", {"data": log, "content_type": json}, {"data": shorter, "content_type": lines}),
        "exportGames": ("/v1/exports", {"json": {"format": "csv"}}, {"json": {"format": "json"}}),
        "importPlays": ("/v1/plays", {"data": of(play()), **plays}, {"data": of(play(), play()), **plays}),
        "readText": ("/v1/readings", {"data": "1. nothing", **sheet}, {"data": "2. nothing", **sheet}),
        "createToken": ("/v1/tokens", {"json": {"role": "viewer"}}, {"json": {"role": "recorder"}}),
        "createWebhook": ("/v1/webhooks", {"json": HOOK}, {"json": {**HOOK, "events": ["move"]}}),
        "retryDelivery": (f"/v1/webhooks/{hook}/deliveries/{game}-1/retry", {}, {"json": {}}),
        "beginSeed": ("/v1/seeds", {"json": {"shares": 2}}, {"json": {"shares": 3}}),
        "beginSession": ("/v1/session", {"json": {"token": "driftlog_none"}}, {"json": {"token": "driftlog_other"}}),
    }


def posts() -> Iterator[str]:
    for item in openapi.contract()["paths"].values():
        if "post" in item:
            yield item["post"]["operationId"]


def test_every_post_is_carried_out_once(table: Table, process: Callable[[int], Flask]) -> None:
    table.open()
    sent = requests(table)
    assert sent.keys() == set(posts())
    del sent["beginSession"]
    for operation, (path, body, other) in sent.items():
        first = post_with_key(table.client, path, f"key-{operation}", **body)
        assert first.status_code < 300, (operation, first.text)
        assert "Idempotent-Replayed" not in first.headers, operation
        # A newly started process.
        again = post_with_key(process(2).test_client(), path, f"key-{operation}", **body)
        assert (again.status_code, again.headers.get("Idempotent-Replayed")) == (first.status_code, "true"), operation
        assert again.headers.get("Location") == first.headers.get("Location"), operation
        if first.json.get("kind") is None:
            assert again.json == first.json, operation
        problem(post_with_key(table.client, path, f"key-{operation}", **other), 422, "idempotency-key-reused")
    assert [one["game"] for one in table.client.get("/v1/tokens").json["tokens"]] == [None, id_of(table.game)]
    assert len(table.client.get("/v1/webhooks").json["webhooks"]) == 2
    assert len(table.get("/shares").json["shares"]) == 1


def test_a_damaged_key_is_no_false_answer(table: Table, store: Store, process: Callable[[int], Flask]) -> None:
    table.open()
    sent = requests(table)
    for operation in ("openGame", "appendEvents", "shareGame", "exportGames"):
        path, body, _ = sent[operation]
        assert post_with_key(table.client, path, operation, **body).status_code < 300, operation
    for name in [*store.client.scan_iter("*:keys")]:
        store.client.hset(name, mapping={field: cut(value) for field, value in store.client.hgetall(name).items()})
    for name in [*store.client.scan_iter("{answer:*")]:
        store.client.set(name, cut(store.client.get(name)))
    games = set(store.events.game_ids())
    for operation in ("openGame", "appendEvents", "shareGame", "exportGames"):
        path, body, _ = sent[operation]
        problem(post_with_key(process(2).test_client(), path, operation, **body), 500, "damaged-record")
    assert set(store.events.game_ids()) == games
    assert len(table.get("/shares").json["shares"]) == 1


@pytest.mark.parametrize("size", [0, 5, 6, 7, 8])
def test_the_result_of_a_damaged_key_is_not_read(size: int, table: Table, store: Store) -> None:
    table.open()
    note = {"type": "annotate", "actor": None, "params": {"text": "a bold move"}}
    assert post_with_key(table.client, f"{table.game}/events", "key", json=note).status_code == 201
    name = keys.idempotency(id_of(table.game))
    store.client.hset(name, mapping={field: value[:size] for field, value in store.client.hgetall(name).items()})
    problem(post_with_key(table.client, f"{table.game}/events", "key", json=note), 500, "damaged-record")


@pytest.mark.parametrize("damage", [lambda stored: stored[:-1] + b"\xb5", lambda stored: stored + b"0"])
def test_no_game_is_opened_under_a_damaged_id(damage: Callable[[bytes], bytes], table: Table, store: Store) -> None:
    table.open()
    path, body, _ = requests(table)["openGame"]
    assert post_with_key(table.client, path, "key", **body).status_code == 201
    for name in store.client.scan_iter("{openings:*"):
        store.client.hset(name, mapping={field: damage(value) for field, value in store.client.hgetall(name).items()})
    games = set(store.events.game_ids())
    problem(post_with_key(table.client, path, "key", **body), 500, "damaged-record")
    assert set(store.events.game_ids()) == games


def cut(stored: bytes) -> bytes:
    return stored[: len(stored) // 2]


def test_a_key_of_a_known_log_is_for_this_log_alone(table: Table) -> None:
    table.open()
    logs = {"content_type": FORMATS["ndjson"].media_type.split(";")[0]}
    own = table.get("/export", format="ndjson").data
    assert post_with_key(table.client, "/v1/imports", "key", data=own, **logs).status_code == 200
    other = b"".join(FORMATS["ndjson"].write(Log(game_id="x", events=playout()[:5])))
    problem(post_with_key(table.client, "/v1/imports", "key", data=other, **logs), 422, "idempotency-key-reused")
    assert len(table.client.get("/v1/games").json["games"]) == 1


def test_a_refused_request_keeps_no_key(door: Door) -> None:
    ann = door.enter("recorder").client
    problem(post_with_key(ann, "/v1/tokens", "key", json={"role": "admin"}), 403, "forbidden")
    problem(post_with_key(ann, "/v1/tokens", "key", json={"role": "nobody"}), 422, "invalid")
    problem(post_with_key(ann, "/v1/tokens", "key", data=b"{", content_type="application/json"), 400, "malformed")
    assert post_with_key(ann, "/v1/tokens", "key", json={"role": "viewer"}).status_code == 201


def test_json_is_the_same_however_it_is_written(door: Door) -> None:
    ann = door.enter("admin").client
    json = {"content_type": "application/json"}
    first = post_with_key(ann, "/v1/tokens", "key", data=b'{"role": "viewer", "note": "Bob"}', **json)
    again = post_with_key(ann, "/v1/tokens", "key", data=b'{"note":"Bob","role":"viewer"}', **json)
    assert (again.json, again.headers["Idempotent-Replayed"]) == (first.json, "true")


def test_a_secret_is_in_no_kept_answer(door: Door) -> None:
    ann = door.enter("admin")
    token = post_with_key(ann.client, "/v1/tokens", "1", json={"role": "viewer"}).json["token"]
    secret = post_with_key(ann.client, "/v1/webhooks", "2", json=HOOK).json["secret"]
    assert post_with_key(ann.client, "/v1/tokens", "1", json={"role": "viewer"}).json["token"] == token
    kept = b"".join(door.store.client.get(name) for name in door.store.client.scan_iter("{answer:*"))
    assert kept
    assert token.encode() not in kept
    assert token.split("_", 2)[2].encode() not in kept
    assert secret.encode() not in kept


def test_a_key_is_of_its_token(door: Door) -> None:
    ann, bob = door.enter("admin").client, door.enter("admin").client
    first = post_with_key(ann, "/v1/tokens", "key", json={"role": "viewer"})
    other = post_with_key(bob, "/v1/tokens", "key", json={"role": "viewer"})
    assert first.json["id"] != other.json["id"]
    assert "Idempotent-Replayed" not in other.headers


def test_a_withdrawn_token_gets_no_kept_answer(door: Door) -> None:
    admin, ann = door.enter("admin"), door.enter("recorder")
    post_with_key(ann.client, "/v1/tokens", "key", json={"role": "viewer"})
    admin.client.delete(f"/v1/tokens/{ann.token.id}")
    problem(post_with_key(ann.client, "/v1/tokens", "key", json={"role": "viewer"}), 401, "unauthenticated")


def test_a_deleted_game_answers_nothing_that_was_kept(table: Table) -> None:
    table.open()
    assert post_with_key(table.client, f"{table.game}/shares", "key").status_code == 201
    table.client.delete(table.game)
    problem(post_with_key(table.client, f"{table.game}/shares", "key"), 410, "gone")


def test_the_same_request_at_once_is_carried_out_once(door: Door) -> None:
    admin = door.enter("admin")
    start = Barrier(8)

    def ask() -> TestResponse:
        start.wait()
        return post_with_key(door.client(admin.text), "/v1/tokens", "key", json={"role": "viewer"})

    with ThreadPoolExecutor(8) as threads:
        answers = [one.result() for one in [threads.submit(ask) for _ in range(8)]]
    done = [one for one in answers if one.status_code == 201]
    for other in answers:
        if other.status_code != 201:
            problem(other, 409, "request-in-progress")
            assert other.headers["Retry-After"]
    assert len({one.json["id"] for one in done}) == 1
    assert sum("Idempotent-Replayed" not in one.headers for one in done) == 1
    assert len(admin.client.get("/v1/tokens").json["tokens"]) == 2


@pytest.mark.parametrize("key", ["", '""', "a" * 256, "ä", 'a"b'])
def test_a_key_is_printable(table: Table, key: str) -> None:
    assert problem(post_with_key(table.client, "/v1/tokens", key, json={"role": "viewer"}), 400, "malformed")
