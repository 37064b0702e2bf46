"""Deleting a game over REST: 410 at every address, and a proof that it existed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from flask import Flask

from proofs import deletion
from proofs.keys import read_keys
from store import Store, deleting
from tests.api.table import Table, problem
from tests.api.tokens import Door
from tests.waiting import until
from workers import tasks

Work = Callable[[], None]


def routes(app: Flask) -> list[tuple[str, str]]:
    """Return every method and address about a game, with `{game}` in place of its id."""
    values: dict[str, Any] = {"seq": 1, "audit_id": "a", "token": "t", "other_id": "o", "turn": 1}
    found = []
    for rule in app.url_map.iter_rules():
        if "game_id" in rule.arguments:
            with app.test_request_context():
                path = app.url_map.bind("").build(
                    rule.endpoint, {**{name: values.get(name, "x") for name in rule.arguments}, "game_id": "GAME"}
                )
            found += [(method, path) for method in sorted((rule.methods or set()) - {"OPTIONS"})]
    return found


def test_every_address_of_a_deleted_game_is_gone(app: Flask, table: Table, other: Table) -> None:
    opened = table.open()
    other.client.get(table.game)
    assert table.client.delete(table.game).status_code == 204
    gone = problem(table.get(), 410, "gone")
    assert (gone["version"], gone["head"]) == (opened["version"], opened["head"])
    bodies: dict[str, Any] = {
        "": {"title": "Final"},
        "/events": {"type": "undo", "params": {"to": 2}},
        "/forks": {"at": 2},
        "/seats/x/player": {"person": "Ann"},
        "/analyses/skills/x": {"shown_to": []},
    }
    id_ = opened["id"]
    for client in (table.client, other.client):
        for method, path in routes(app):
            body = bodies.get(path.removeprefix("/v1/games/GAME"))
            query = {"from": "1", "head": "0" * 64} if path.endswith("/consistency") else {}
            answer = client.open(path.replace("GAME", id_), method=method, json=body, query_string=query)
            assert answer.status_code == 410, (method, path, answer.text)
    assert "The game was deleted" in table.client.get(f"/games/{id_}", headers={"Accept": "text/html"}).text


def test_what_is_signed_of_it(table: Table) -> None:
    opened = table.open()
    keys = read_keys(table.client.get("/v1/keys").data)
    table.client.delete(table.game)
    answer = table.get("/proof")
    envelope = deletion.find(answer.data)
    assert envelope is not None
    told = deletion.check(envelope, keys).deletion
    assert (told.game, told.version, told.head) == (opened["id"], opened["version"], opened["head"])
    assert told.deleted_at == answer.json["deleted_at"]


def test_what_never_was_is_unknown(table: Table) -> None:
    table.open()
    problem(table.client.delete("/v1/games/nowhere"), 404, "not-found")
    problem(table.get("/audits/nothing"), 404, "not-found")


def test_it_is_in_no_list_and_its_links_lead_nowhere(table: Table, work: Work) -> None:
    table.open(tags=["club"])
    share = table.client.post(f"{table.game}/shares").json
    table.client.delete(table.game)
    assert table.client.get("/v1/games").json["games"] == []
    assert table.client.get("/v1/games?q=ann").json["games"] == []
    assert table.client.get("/v1/games?tag=club").json["games"] == []
    assert table.client.get(share["url"]).status_code == 404
    work()
    assert table.client.get("/v1/games").json["games"] == []


def test_the_same_request_does_not_open_it_again(table: Table) -> None:
    table.open(headers={"Idempotency-Key": "once"}, seed="a rainy night")
    table.client.delete(table.game)
    body = {
        "ruleset": "forbidden-island",
        "seats": [{"name": "Ann"}, {"name": "Bob"}],
        "chance": "seeded",
        "seed": "calm",
    }
    again = table.client.post("/v1/games", json={**body, "seed": "a rainy night"}, headers={"Idempotency-Key": "once"})
    problem(again, 410, "gone")


def test_its_forks_live_on(table: Table) -> None:
    parent = table.open()
    fork = table.client.post(f"{table.game}/forks", json={"at": 2}).json
    assert "parent_deleted_at" not in fork
    table.client.delete(table.game)
    told = table.client.get(f"/v1/games/{fork['id']}").json
    assert told["fork"]["game"] == parent["id"]
    assert told["parent_deleted_at"] == table.get().json["deleted_at"]
    table.game = f"/v1/games/{fork['id']}"
    assert table.post(table.body("draw_treasure_card")).status_code == 201
    listed = table.client.get("/v1/games", query_string={"parent": parent["id"]}).json["games"]
    assert [game["id"] for game in listed] == [fork["id"]]


def test_its_long_work_ends(table: Table, work: Work, store: Store) -> None:
    table.open()
    audit = table.client.post(f"{table.game}/audits").json["id"]
    transcript = table.client.get(table.game.removeprefix("/v1") + "/print.pdf").json["id"]
    export = table.client.post("/v1/exports", json={"format": "ndjson"}).json["id"]
    table.client.delete(table.game)
    work()
    for job in (audit, transcript):
        told = table.client.get(f"/v1/jobs/{job}").json
        assert (told["status"], told["error"]) == ("failed", deleting.WHY)
    told = table.client.get(f"/v1/jobs/{export}").json
    assert (told["status"], told["result"]["games"]) == ("done", 0)
    assert store.deletions.list_unfinished() == []
    assert store.jobs.list_unfinished() == []


def test_a_file_that_tells_of_it_goes(table: Table, work: Work) -> None:
    table.open()
    made = table.client.post("/v1/exports", json={"format": "ndjson"}).json["id"]
    table.client.get(table.game.removeprefix("/v1") + "/print.pdf")
    work()
    assert table.client.get(f"/v1/exports/{made}/file").status_code == 200
    other = Table(table.client)
    other.open(tags=["other"])
    work()
    of_another = table.client.post("/v1/exports", json={"format": "ndjson", "tag": "other"}).json["id"]
    work()
    table.client.delete(table.game)
    # The file is gone after the 204, before a worker runs.
    problem(table.client.get(f"/v1/exports/{made}/file"), 404, "not-found")
    assert table.client.get(f"/v1/exports/{of_another}/file").status_code == 200
    work()
    problem(table.client.get(f"/v1/exports/{made}/file"), 404, "not-found")
    assert table.client.get(f"/v1/exports/{of_another}/file").status_code == 200


@pytest.mark.parametrize("kind", ["export", "print"])
def test_a_file_that_was_just_being_made_is_not_published(
    table: Table, work: Work, store: Store, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.open()
    id_ = table.game.rpartition("/")[2]
    if kind == "export":
        job = table.client.post("/v1/exports", json={"format": "ndjson"}).json["id"]
    else:
        job = table.client.get(table.game.removeprefix("/v1") + "/print.pdf").json["id"]
    files = type(tasks.process_store().files.create("any"))
    publish = files.publish

    def publishing(*arguments: Any) -> Any:
        if store.events.exists(id_):
            store.deletions.delete(id_, at="2026-11-22T20:00:00.000Z", by=None)
            store.deletions.finish(id_)
        return publish(*arguments)

    monkeypatch.setattr(files, "publish", publishing)
    work()
    told = store.jobs.get(job)
    assert told is not None
    if kind == "export":
        assert (told.status, told.result["games"]) == ("done", 0)
    else:
        assert (told.status, told.error) == ("failed", deleting.WHY)
    assert not list(store.client.scan_iter("{file:*}:games"))


def test_a_job_that_died_halfway_is_done_by_the_next(table: Table, work: Work, store: Store) -> None:
    table.open()
    id_ = table.game.rpartition("/")[2]
    store.client.hset("{games}:deleting", id_, msgspec.json.encode({"at": "2026-11-22T20:00:00.000Z", "by": "Ann"}))
    tasks.project(id_)
    problem(table.get(), 410, "gone")
    assert store.deletions.list_unfinished() == []


def test_an_open_stream_ends(app: Flask, table: Table) -> None:
    table.open()
    answer = table.client.get(f"{table.game}/stream", buffered=False)
    received: list[bytes] = []

    def listen() -> None:
        received.extend(answer.response)

    listener = threading.Thread(target=listen)
    listener.start()
    until(lambda: any(b"id: 2" in message for message in received))
    table.client.delete(table.game)
    listener.join(60)
    assert not listener.is_alive()
    answer.close()
    problem(table.client.get(f"{table.game}/stream", headers={"Last-Event-ID": "2"}), 410, "gone")
    app.extensions["hub"].stop()


def test_a_token_for_a_fork_alone_does_not_learn_of_it(door: Door) -> None:
    host = door.enter("admin")
    host.open()
    fork = host.client.post(f"{host.game}/forks", json={"at": 2}).json["id"]
    guest = door.enter("admin", game=fork)
    assert guest.client.delete(f"/v1/games/{fork}").status_code == 403, "an admin of one game is none of its end"
    assert host.client.delete(host.game).status_code == 204
    assert "parent_deleted_at" in host.client.get(f"/v1/games/{fork}").json
    assert "parent_deleted_at" not in guest.client.get(f"/v1/games/{fork}").json
    problem(guest.client.get(host.game), 404, "not-found")


def test_its_tokens_end_with_it(door: Door) -> None:
    host = door.enter("admin", note="Eve")
    host.open()
    guest = door.enter("recorder", game=host.game.rpartition("/")[2])
    assert guest.client.get(host.game).status_code == 200
    host.client.delete(host.game)
    problem(guest.client.get(host.game), 401, "unauthenticated")
    (use,) = (one for one in host.client.get("/v1/access-log").json["access_log"] if one["game"])
    assert (use["by"], use["token"]) == ("Eve", host.caller.token)
    assert door.store.events.absent(use["game"]).by == "Eve"  # type: ignore[attr-defined]


def test_a_stranger_does_not_learn_of_it(door: Door) -> None:
    host = door.enter("admin")
    host.open()
    withdrawn = host.client.post(f"{host.game}/shares").json["token"]
    host.client.delete(f"{host.game}/shares/{withdrawn}")
    host.open()
    other = host.client.post(f"{host.game}/shares").json["token"]
    guest = door.enter("viewer", game=host.game.rpartition("/")[2])
    deleted = host.open()["id"]
    host.client.delete(host.game)
    stranger, never = door.client(), "01kaj5x9f3q8w7e2r4t6y8u0pz"
    for method, path in routes(door.app):
        shown = [] if not path.startswith("/v1") else [f"/s/{link}" for link in ("x", withdrawn, other)]
        for client, below in [(stranger, ""), (guest.client, ""), *((stranger, link) for link in shown)]:
            answer, unknown = (
                client.open(below + path.replace("GAME", id_), method=method, json={"at": 2})
                for id_ in (deleted, never)
            )
            told = (below, method, path, answer.text)
            assert answer.status_code == unknown.status_code != 410, told
            assert answer.text.replace(deleted, never) == unknown.text, told
    problem(stranger.get(f"/s/x{host.game}"), 404, "not-found")
    problem(host.get("/audits/none"), 410, "gone")


def test_nothing_is_told_of_its_long_work_before_that_is_forgotten(table: Table, work: Work) -> None:
    table.open()
    done = table.client.post(f"{table.game}/audits").json["id"]
    work()
    table.act("draw_treasure_card")
    waiting = table.client.post(f"{table.game}/audits").json["id"]
    assert table.client.get(f"/v1/jobs/{done}").json["result"]["verdict"] == "clean"
    table.client.delete(table.game)
    for _ in range(2):
        for audit in (done, waiting, "none"):
            problem(table.get(f"/audits/{audit}"), 410, "gone")
        for job in (done, waiting):
            told = table.client.get(f"/v1/jobs/{job}").json
            assert (told["status"], told["result"], told["error"]) == ("failed", None, deleting.WHY)
        work()
