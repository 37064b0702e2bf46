"""Limits of requests and storage, and the answers when they are reached."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.plumbing.settings import Settings
from store import Store
from tests.api.declared import Declared
from tests.api.table import Table, of_another_service, problem
from tests.api.tokens import Door
from workers.queue import Queue

ADDRESS = "203.0.113.7"
Serve = Callable[..., FlaskClient]


@pytest.fixture
def serve(events_server: str, queue_server: str, store: Store, queue: Queue) -> Serve:
    """Return a function that returns a client on another machine, of a service with these settings."""

    def serve(address: str = ADDRESS, **settings: Any) -> FlaskClient:
        app = create_app(Settings(redis_url=events_server, queue_url=queue_server, **settings))
        app.test_client_class = Declared
        client = app.test_client()
        client.environ_base["REMOTE_ADDR"] = address
        return client

    return serve


def statuses(client: FlaskClient, times: int, path: str = "/v1/games", **options: Any) -> list[int]:
    return [client.get(path, **options).status_code for _ in range(times)]


def test_every_answer_says_how_much_is_left(serve: Serve) -> None:
    client = serve(rate_address="10/minute")
    for left in range(9, -1, -1):
        headers = client.get("/v1/games").headers
        assert headers["RateLimit"] == f'"address";r={left}'
        assert headers["RateLimit-Policy"] == '"address";q=10;w=60'
    refused = client.get("/v1/games")
    document = problem(refused, 429, "too-many-requests")
    assert (document["quota"], document["limit"], document["seconds"]) == ("address", 10, 60)
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert refused.headers["RateLimit"] == f'"address";r=0;t={refused.headers["Retry-After"]}'
    assert client.get("/problems/too-many-requests").status_code == 200
    # A browser gets a page, as for any other problem.
    page = client.get("/", headers={"Accept": "text/html"})
    assert (page.status_code, page.mimetype) == (429, "text/html")
    assert page.headers["Retry-After"]


def test_what_is_refused_is_not_done(serve: Serve) -> None:
    client = serve(rate_address="1/hour")
    table = Table(client)
    table.open()
    problem(client.post("/v1/games", json={"ruleset": "forbidden-island"}), 429, "too-many-requests")
    assert Table(serve("127.0.0.1")).client.get("/v1/games").json["games"][1:] == []


def test_what_costs_nothing_is_not_counted(serve: Serve) -> None:
    client = serve(rate_address="1/hour")
    for path in ("/healthz", "/metrics", "/openapi.yaml", "/docs", "/problems/invalid"):
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert "RateLimit" not in answer.headers
    assert statuses(client, 2) == [200, 429]
    assert client.get("/healthz").status_code == 200


def test_other_addresses_and_this_machine_are_not_held_up(serve: Serve) -> None:
    assert statuses(serve(rate_address="1/hour"), 2) == [200, 429]
    assert statuses(serve("203.0.113.8", rate_address="1/hour"), 2) == [200, 429]
    for here in ("127.0.0.1", "::1", "127.9.9.9", "::ffff:127.0.0.1", ""):
        assert statuses(serve(here, rate_address="1/hour"), 3) == [200] * 3


def test_off_is_off(serve: Serve) -> None:
    answer = serve(rate_address="off", rate_token="off").get("/v1/games")  # no password
    assert "RateLimit" not in answer.headers


def test_processes_count_together(serve: Serve) -> None:
    assert statuses(serve(rate_address="4/hour"), 3) == [200] * 3
    assert statuses(serve(rate_address="4/hour"), 3) == [200, 429, 429]


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:203.0.113.7", "203.0.113.7", True),
    ],
)
def test_an_address_of_ipv6_is_its_network(serve: Serve, one: str, other: str, *, is_same: bool) -> None:
    assert statuses(serve(one, rate_address="1/hour"), 1) == [200]
    assert statuses(serve(other, rate_address="1/hour"), 1) == [429 if is_same else 200]


@pytest.mark.parametrize(
    ("peer", "forwarded", "counted_by"),
    [
        # `Forwarded` from an unknown peer is ignored.
        ("198.51.100.1", "203.0.113.1", "198.51.100.1"),
        ("198.51.100.1", "127.0.0.1", "198.51.100.1"),
        # A proxy appends its client to the addresses that the client sent.
        ("10.0.0.1", "203.0.113.1", "203.0.113.1"),
        ("10.0.0.1", "127.0.0.1, 203.0.113.1", "203.0.113.1"),
        ("10.0.0.1", "198.51.100.9,203.0.113.1 , 10.0.0.2", "203.0.113.1"),
        ("::ffff:10.0.0.1", "203.0.113.1:4711", "203.0.113.1"),
        ("10.0.0.1", "[2001:db8::7]:4711", "2001:db8::/64"),
        # An unreadable address ends the chain; the last trusted address counts.
        ("10.0.0.1", "203.0.113.1, nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", ", ".join(["10.0.0.9"] * 50), "10.0.0.9"),
        ("10.0.0.1", "203.0.113.1, 1.2.3.4.5, 10.0.0.2", "10.0.0.2"),
    ],
)
def test_a_proxy_is_believed_where_it_is_known(
    serve: Serve, queue: Queue, peer: str, forwarded: str, counted_by: str
) -> None:
    client = serve(peer, rate_address="1/hour", proxies=("10.0.0.0/24",))
    assert statuses(client, 1, headers={"X-Forwarded-For": forwarded}) == [200]
    (counted,) = queue.connection.scan_iter(match="driftlog:rates:*")
    assert f"address:{counted_by}/" in counted.decode()


def test_what_is_forged_at_a_proxy_is_no_way_out(serve: Serve) -> None:
    client = serve("10.0.0.1", rate_address="2/hour", proxies=("10.0.0.1",))
    forged = [
        client.get("/v1/games", headers={"X-Forwarded-For": f"192.0.2.{number}, 203.0.113.1"}) for number in range(4)
    ]
    assert [answer.status_code for answer in forged] == [200, 200, 429, 429]


def test_where_redis_is_away_it_goes_on(events_server: str, store: Store) -> None:
    gone = "unix:///nowhere.sock"
    app = create_app(Settings(redis_url=events_server, queue_url=gone, rate_address="2/hour"))
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = ADDRESS
    assert statuses(client, 3) == [200, 200, 429]


def open_game(client: FlaskClient, **headers: str) -> Any:
    body = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "seeded"}
    return client.post("/v1/games", json=body, headers=headers)


def over(answer: Any, quota: str, limit: int, used: int) -> None:
    document = problem(answer, 422, "quota-exceeded")
    assert (document["quota"], document["limit"], document["used"]) == (quota, limit, used)
    assert str(limit) in document["detail"]


def test_games_in_all(serve: Serve) -> None:
    client = serve(quota_games=2)
    assert open_game(client).status_code == 201
    first = open_game(client, **{"Idempotency-Key": "second"})
    assert first.status_code == 201
    over(open_game(client), "games", 2, 2)
    # A repeated request does not open another game.
    again = open_game(client, **{"Idempotency-Key": "second"})
    assert (again.status_code, again.json["id"]) == (201, first.json["id"])
    over(open_game(client, **{"Idempotency-Key": "third"}), "games", 2, 2)
    assert open_game(serve(quota_games=3), **{"Idempotency-Key": "third"}).status_code == 201


def test_games_in_all__opened_at_once(serve: Serve, store: Store) -> None:
    clients = [serve(quota_games=5) for _ in range(8)]
    answers: list[Any] = []

    def ask(client: FlaskClient) -> None:
        answers.extend(open_game(client).status_code for _ in range(2))

    threads = [threading.Thread(target=ask, args=[client]) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(answers) == {201, 422}
    # Concurrent requests may be refused a place that is about to become free, so one place may stay unused.
    assert answers.count(201) == store.projections.count() <= 5
    while open_game(clients[0]).status_code == 201:
        pass
    assert store.projections.count() == 5


def test_events_of_a_game(serve: Serve) -> None:
    table = Table(serve(quota_events=4))
    table.open()
    note = {"type": "annotate", "params": {"text": "so"}}
    assert table.post(note, {"Idempotency-Key": "one"}).status_code == 201
    over(table.post([note, note]), "events", 4, 3)
    assert table.post(note).status_code == 201
    over(table.post(note), "events", 4, 4)
    assert table.post(note, {"Idempotency-Key": "one"}).headers["Idempotent-Replayed"] == "true"
    assert table.get("/events").json["version"] == 4
    assert table.get("/state").status_code == 200


def test_bytes_of_a_game(serve: Serve, store: Store) -> None:
    table = Table(serve(quota_bytes=4000))
    table.open()
    note = {"type": "annotate", "params": {"text": "x" * 1000}}
    while (answer := table.post(note)).status_code == 201:
        pass
    game_id = table.game.rpartition("/")[2]
    used = sum(len(word) for _, entry in store.client.xrange(f"{{{game_id}}}:events") for word in _words(entry))
    over(answer, "bytes", 4000, used)
    assert 3000 < used <= 4000
    # Shorter texts are accepted.
    assert table.post({"type": "annotate", "params": {"text": "so"}}).status_code == 201


def _words(entry: Any) -> list[bytes]:
    return list(entry.values()) if isinstance(entry, dict) else entry[1::2]


def test_a_game_whose_bytes_were_not_counted_before(serve: Serve, store: Store) -> None:
    table = Table(serve(quota_bytes=100_000))
    table.open()
    game_id = table.game.rpartition("/")[2]
    store.client.hdel(f"{{{game_id}}}:meta", "bytes")
    assert table.post({"type": "annotate", "params": {"text": "so"}}).status_code == 201
    assert int(store.client.hget(f"{{{game_id}}}:meta", "bytes") or 0) > 100


def test_an_import_that_is_too_long(serve: Serve) -> None:
    table = Table(serve())
    table.open()
    log = of_another_service(table.get("/export", format="json").data)
    over(serve(quota_events=1).post("/v1/imports", data=log, content_type="application/x-ndjson"), "events", 1, 0)


def test_a_worker_keeps_the_quota_too(serve: Serve, work: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.library.imports.IMPORTED_AT_ONCE", 0)
    client = serve(quota_games=1)
    table = Table(client)
    table.open()
    log = of_another_service(table.get("/export", format="json").data)
    for service, status in ((client, "failed"), (serve(quota_games=2), "done")):
        job = service.post("/v1/imports", data=log, content_type="application/x-ndjson")
        assert job.status_code == 202
        work()
        told = service.get(job.headers["Location"]).json
        assert told["status"] == status
        assert told["error"] == ("the quota games is 1, of which 1 are used" if status == "failed" else None)


def test_streams_of_one_address(serve: Serve) -> None:
    client = serve(streams_per_address=2)
    table = Table(client)
    table.open()
    streams = [table.get("/stream") for _ in range(2)]
    document = problem(table.get("/stream"), 429, "too-many-streams")
    assert (document["quota"], document["limit"]) == ("per_address", 2)
    client.environ_base["REMOTE_ADDR"] = "203.0.113.8"
    streams.append(table.get("/stream"))
    assert streams[-1].status_code == 200
    client.environ_base["REMOTE_ADDR"] = ADDRESS
    streams[0].close()
    streams[0] = table.get("/stream")
    assert streams[0].status_code == 200
    problem(table.get("/stream"), 429, "too-many-streams")
    for stream in streams:
        stream.close()


class TestWhereTheStoreIsFull:
    """Requests that a full store allows, and requests that it rejects."""

    @pytest.fixture
    def table(self, serve: Serve, store: Store) -> Any:
        table = Table(serve())
        table.open()
        # `serve` does this when it starts.
        store.signing.active()
        store.client.config_set("maxmemory", "2")
        yield table
        store.client.config_set("maxmemory", "0")

    def test_nothing_more_is_stored(self, table: Table, store: Store) -> None:
        client = table.client
        note = {"type": "annotate", "params": {"text": "so"}}
        log = of_another_service(table.get("/export", format="json").data)
        for answer in (
            table.post(note, {"Idempotency-Key": "late"}),
            table.post([note] * 1000),
            open_game(client, **{"Idempotency-Key": "late"}),
            client.post(f"{table.game}/audits"),
            client.post(f"{table.game}/forks", json={"at": 1}),
            client.post("/v1/exports", json={}),
            client.post("/v1/imports", data=log, content_type="application/x-ndjson"),
        ):
            assert problem(answer, 503, "store-full")["detail"].startswith("The store is full")
            assert answer.headers["Retry-After"]
        assert store.client.config_get("maxmemory") == {"maxmemory": "2"}

    def test_what_there_is_can_be_read(self, table: Table) -> None:
        for path in ("", "/events", "/state", "/actions", "/turns", "/board.svg", "/export?format=json", "/story"):
            assert table.client.get(table.game + path).status_code == 200, path
        assert len(table.client.get("/v1/games").json["games"]) == 1
        assert table.client.get("/healthz").status_code == 200

    def test_a_deletion_makes_room(self, table: Table) -> None:
        assert table.client.delete(table.game).status_code == 204
        assert table.client.get(table.game).status_code == 410
        assert not table.client.get("/v1/games").json["games"]

    def test_it_goes_on_when_there_is_room_again(self, table: Table, store: Store) -> None:
        note = {"type": "annotate", "params": {"text": "so"}}
        problem(table.post(note, {"Idempotency-Key": "late"}), 503, "store-full")
        store.client.config_set("maxmemory", "0")
        answer = table.post(note, {"Idempotency-Key": "late"})
        assert answer.status_code == 201
        assert "Idempotent-Replayed" not in answer.headers
        assert table.get("/events").json["version"] == 3


class TestWithTokens:
    """Limits per token, which include requests through its share links."""

    @pytest.fixture
    def door(self, events_server: str, queue_server: str, store: Store, queue: Queue) -> Callable[..., Door]:
        return lambda **settings: Door(
            create_app(Settings(redis_url=events_server, queue_url=queue_server, access="tokens", **settings)), store
        )

    def test_requests(self, door: Callable[..., Door]) -> None:
        there = door(rate_token="3/hour")  # no password
        ann, bob = there.enter("recorder"), there.enter("recorder")
        assert statuses(ann.client, 3) == [200] * 3
        ann.client.environ_base["REMOTE_ADDR"] = ADDRESS
        refused = ann.client.get("/v1/games")
        assert problem(refused, 429, "too-many-requests")["quota"] == "token"
        assert refused.headers["RateLimit-Policy"] == '"address";q=30000;w=60, "token";q=3;w=3600'
        assert refused.headers["RateLimit"].startswith('"address";r=29999, "token";r=0;t=')
        assert statuses(bob.client, 3) == [200] * 3

    def test_tokens_that_are_tried(self, door: Callable[..., Door]) -> None:
        """A wrong token counts against the limit of the client's address, before the token is looked up."""
        guesser = door(rate_address="3/hour").client()
        guesser.environ_base["REMOTE_ADDR"] = ADDRESS
        answers = [
            guesser.get("/v1/games", headers={"Authorization": f"Bearer {number:043}"}).status_code
            for number in range(5)
        ]
        assert answers == [401, 401, 401, 429, 429]

    def test_games(self, door: Callable[..., Door], store: Store) -> None:
        there = door(quota_games_per_token=2)
        ann, bob = there.enter("admin"), there.enter("recorder")
        ids = [open_game(ann.client).json["id"] for _ in range(2)]
        over(open_game(ann.client), "games_per_token", 2, 2)
        over(ann.client.post(f"/v1/games/{ids[0]}/forks", json={"at": 2}), "games_per_token", 2, 2)
        assert open_game(bob.client).status_code == 201
        store.openings.give_back(ids[0])
        assert ann.client.post(f"/v1/games/{ids[1]}/forks", json={"at": 2}).status_code == 201
        over(open_game(ann.client), "games_per_token", 2, 2)

    def test_streams(self, door: Callable[..., Door]) -> None:
        there = door(streams_per_token=1)
        ann, bob = there.enter("recorder"), there.enter("recorder")
        ann.open()
        stream = ann.get("/stream")
        assert problem(ann.get("/stream"), 429, "too-many-streams")["quota"] == "per_token"
        other = bob.at(ann.game).get("/stream")
        assert other.status_code == 200
        stream.close()
        stream = ann.get("/stream")
        assert stream.status_code == 200
        stream.close()
        other.close()
