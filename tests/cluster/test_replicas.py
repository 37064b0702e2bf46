"""A 201 with replicas: they have all acknowledged writes, and each request says so if they do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from service import opening
from store import Store, keys
from store.access.sharing import Sharing
from store.access.tokens import TokenStore
from store.errors import GameDeleted, NotReplicated, StoreUnavailable
from store.log.idempotency import StoredResult
from store.log.streams import AppendedRange
from store.redis import replication
from store.redis.connection import check, connect
from tests.api.table import Table, problem
from tests.cluster.conftest import Serving
from tests.cluster.servers import Server, follow, pair
from tests.exports.logs import export
from tests.playouts import clock, playout
from tests.store.logs import key, notes, position
from tests.waiting import until
from workers import tasks

LOG = notes("one", "two", "three", "four")


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    with pair(tmp_path_factory.mktemp("pair")) as both:
        yield both


@pytest.fixture
def url(servers: tuple[Server, Server]) -> str:
    """A server with one replica."""
    return f"redis://{servers[0].place}"


@pytest.fixture
def away(servers: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Pause the replica until it is released."""
    # Nobody needs to wait for a replica that will not answer.
    monkeypatch.setattr(replication, "SECONDS", 0.05)
    replica = servers[1]
    replica.hold()
    yield replica
    replica.let_go()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    made = Store.connect(url, replicas=1)
    made.client.flushdb()
    yield made
    made.client.close()


def back(replica: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Resume the replica, with time to wait for it."""
    monkeypatch.setattr(replication, "SECONDS", 4.0)
    replica.let_go()
    # Start the timeout only when the replica answers.
    replica.client.ping()


def test_what_is_acknowledged_is_there(store: Store, servers: tuple[Server, Server]) -> None:
    assert store.events.open("g", LOG[:1], None) == AppendedRange(1, 1)
    assert store.events.append("g", position(LOG[:1]), LOG[1:]) == AppendedRange(2, 4)
    assert servers[1].client.xlen("{g}:events") == 4
    assert store.durability() == "fsync"


def test_append_and_wait_are_one_round_trip(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.events.open("g", LOG[:1], None)
    sent = []
    send = redis.Connection.send_packed_command

    def count_send(connection: Any, command: Any, *more: Any, **options: Any) -> None:
        sent.append(b"".join(command) if isinstance(command, list) else command)
        send(connection, command, *more, **options)

    monkeypatch.setattr(redis.Connection, "send_packed_command", count_send)
    store.events.append("g", position(LOG[:1]), LOG[1:])
    assert len(sent) == 1
    assert b"EVALSHA" in sent[0]
    assert b"WAIT" in sent[0]


def test_a_script_that_the_server_forgot_is_sent_again(store: Store) -> None:
    store.events.open("g", LOG[:1], None)
    store.client.script_flush()
    assert store.events.append("g", position(LOG[:1]), LOG[1:]) == AppendedRange(2, 4)


def test_the_truth_is_told_however_often_one_asks(store: Store, url: str, away: Server, monkeypatch: Any) -> None:
    with pytest.raises(NotReplicated) as lacking:
        store.events.open("g", LOG[:2], None, key("k"))
    assert (lacking.value.reached, lacking.value.replicas) == (0, 1)
    # On a connection that has written nothing, WAIT alone would report that the replica is complete.
    fresh = Store.connect(url, replicas=1)
    assert fresh.events.open("g", LOG[:2], None, key("k")) == StoredResult(1, 2)
    with pytest.raises(NotReplicated):
        fresh.events.confirm("g")
    with pytest.raises(NotReplicated):
        fresh.events.confirm("g", position(LOG[:1]))
    back(away, monkeypatch)
    fresh.events.confirm("g")
    assert away.client.xlen("{g}:events") == 2
    fresh.client.close()


def test_what_is_gone_is_not_confirmed(store: Store) -> None:
    store.events.open("g", LOG[:2], None)
    for at in (position(LOG[:3]), (2, LOG[0].hash)):
        with pytest.raises(StoreUnavailable, match="lost"):
            store.events.confirm("g", at)


def test_a_key_that_signs_is_on_the_replicas_first(store: Store, away: Server, monkeypatch: Any) -> None:
    with pytest.raises(NotReplicated):
        store.signing.active()
    back(away, monkeypatch)
    retired = store.signing.active().public.id
    assert store.signing.rotate().key.id != retired
    assert away.client.llen("{signing}:ring") == 2


def test_it_is_no_less_a_conflict(store: Store, away: Server) -> None:
    with pytest.raises(NotReplicated):
        store.events.open("g", LOG[:1], None)
    with pytest.raises(StoreUnavailable):
        store.events.claim(key("k"), "g")
    assert Store(store.client).events.append("g", position(LOG[:1]), LOG[1:]) == AppendedRange(2, 4)


def test_tokens_and_links_are_on_the_replicas_when_they_are_told(
    store: Store, away: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    back(away, monkeypatch)
    _, kept = store.tokens.create("recorder", created_at=clock(1))
    shared = store.sharing.share("g", clock(1))
    assert shared is not None
    assert away.client.hlen(keys.ACCESS) == 2
    assert away.client.hlen(keys.SHARES) == 1
    monkeypatch.setattr(replication, "SECONDS", 0.05)
    away.hold()
    with pytest.raises(StoreUnavailable, match="0 of 1 replicas have the token, so it was not created"):
        store.tokens.create("recorder", created_at=clock(1))
    alone = Sharing(store.client, TokenStore(store.client), replicas=1)
    for links in (store.sharing, alone):
        with pytest.raises(StoreUnavailable, match="so it was not created"):
            links.share("g", clock(1))
    assert [token.id for token in store.tokens.page()] == [shared.id, kept.id]
    assert [share.token for share in store.sharing.of("g")] == [shared.token]
    for withdraw in (lambda: store.tokens.withdraw(kept.id), lambda: store.sharing.withdraw("g", shared.token)):
        with pytest.raises(NotReplicated):
            withdraw()
    assert store.tokens.page() == []
    assert store.sharing.of("g") == []
    assert store.tokens.withdraw(kept.id) == []
    back(away, monkeypatch)
    until(lambda: away.client.hlen(keys.ACCESS) == 0)


def test_a_deletion_is_on_the_replicas_when_it_is_told(
    store: Store, away: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    back(away, monkeypatch)
    for game_id in ("g", "h"):
        store.events.open(game_id, LOG[:2], None)
    store.deletions.delete("g", at=clock(1), by=None)
    assert away.client.hget("{g}:meta", "gone_v") == "2"
    monkeypatch.setattr(replication, "SECONDS", 0.05)
    away.hold()
    with pytest.raises(NotReplicated):
        store.deletions.delete("h", at=clock(1), by=None)
    with pytest.raises(GameDeleted):
        store.events.head("h")
    # The rest is done without waiting.
    assert store.deletions.finish("h")
    back(away, monkeypatch)
    until(lambda: away.client.hget("{h}:meta", "gone_v") == "2")


def by_service(url: str, replicas: int, serving: Serving) -> tuple[Any, Table]:
    client = serving(url, replicas).test_client()
    return client, Table(client)


def until_201(ask: Callable[[], Any], away: Server, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the answer once the replica follows again. Until then it is 503, twice."""
    for _ in range(2):
        told = problem(answer := ask(), 503, "not-replicated")
        assert (told["reached"], told["replicas"]) == (0, 1)
        assert answer.headers["Retry-After"] == "2"
    back(away, monkeypatch)
    answer = ask()
    assert answer.status_code == 201, answer.text
    return answer


@pytest.mark.usefixtures("store")
class TestService:
    def test_an_append(self, url: str, serving: Serving, away: Server, monkeypatch: Any) -> None:
        back(away, monkeypatch)
        _, table = by_service(url, 1, serving)
        table.open()
        monkeypatch.setattr(replication, "SECONDS", 0.05)
        away.hold()
        body = table.body("move")
        answer = until_201(lambda: table.post(body, headers={"Idempotency-Key": "k"}), away, monkeypatch)
        assert answer.headers["Idempotent-Replayed"] == "true"
        assert answer.json["version"] == 3
        assert len(table.log()) == 3

    def test_a_list_in_parts(self, url: str, serving: Serving, away: Server, monkeypatch: Any) -> None:
        back(away, monkeypatch)
        _, table = by_service(url, 1, serving)
        table.open()
        monkeypatch.setattr(replication, "SECONDS", 0.05)
        away.hold()
        draws = [{"type": "draw_treasure_card", "actor": "p1"}] * 2 + [{"type": "draw_flood_card", "actor": "p1"}]
        headers = {"Idempotency-Key": "k"}
        # Each attempt continues where the last one ended: first one part, then another.
        for version in (3, 4, 5, 5):
            problem(table.post(draws, headers=headers), 503, "not-replicated")
            assert table.get().json["version"] == version
        back(away, monkeypatch)
        answer = table.post(draws, headers=headers)
        assert (answer.status_code, answer.json["version"], len(answer.json["events"])) == (201, 5, 3)
        assert table.post(draws, headers=headers).json == answer.json

    def test_an_opening(self, url: str, serving: Serving, away: Server, monkeypatch: Any) -> None:
        client, table = by_service(url, 1, serving)
        body = {
            "ruleset": "forbidden-island",
            "seats": [{"name": "Ann"}, {"name": "Bob"}],
            "chance": "seeded",
            "seed": "calm",
        }

        def ask() -> Any:
            return client.post("/v1/games", json=body, headers={"Idempotency-Key": "k"})

        table.game = until_201(ask, away, monkeypatch).headers["Location"]
        assert ask().headers["Location"] == table.game
        assert len(client.get("/v1/games").json["games"]) == 1

        monkeypatch.setattr(replication, "SECONDS", 0.05)
        away.hold()
        assert problem(ask(), 503, "not-replicated")

    def test_a_fork_and_an_import(self, url: str, serving: Serving, away: Server, monkeypatch: Any) -> None:
        back(away, monkeypatch)
        client, table = by_service(url, 1, serving)
        table.open()
        log = export("ndjson", playout(limit=4))

        def fork() -> Any:
            return table.client.post(f"{table.game}/forks", json={"at": 2}, headers={"Idempotency-Key": "f"})

        def bring() -> Any:
            headers = {"Content-Type": "application/x-ndjson", "Idempotency-Key": "i"}
            return client.post("/v1/imports", data=log, headers=headers)

        for ask in (fork, bring):
            monkeypatch.setattr(replication, "SECONDS", 0.05)
            away.hold()
            until_201(ask, away, monkeypatch)

    def test_readyz_says_what_a_201_is_worth(
        self, url: str, serving: Serving, work: Any, away: Server, monkeypatch: Any
    ) -> None:
        client, _ = by_service(url, 1, serving)
        told = problem(client.get("/readyz"), 503, "not-ready")["detail"]
        assert told == "Not ready: 0 of 1 replicas have confirmed the write."


def test_long_work_waits_for_replicas(store: Store, away: Server, monkeypatch: Any) -> None:
    """A job that made a game is not finished while replicas lack the game, even if it is repeated."""
    monkeypatch.setattr(tasks, "process_store", lambda: store)
    table = Store(store.client)
    made = opening.open_record(
        table,
        ruleset="forbidden-island",
        seats=[opening.Seat(name=name) for name in ("Ann", "Bob")],
        options={},
        chance="seeded",
        mode="strict",
        tags=[],
        recorded_at="2026-11-22T10:00:00.000Z",
    )
    order = {"parent": made.game_id, "at": 2, "seed": "s", "tags": None, "game": "f"}
    job = table.jobs.create("fork", order)
    for _ in range(2):
        tasks.run(job.id)
        assert table.jobs.get(job.id).status == "running"
        assert table.events.exists("f")
    back(away, monkeypatch)
    tasks.run(job.id)
    assert table.jobs.get(job.id).status == "done"


@pytest.mark.parametrize(
    ("replicas", "said"),
    [
        (0, "the server has 1 replica, and DRIFTLOG_REPLICAS is 0: a failover to a replica that lags loses "),
        (2, "the server has 1 replica, and DRIFTLOG_REPLICAS is 2: no write is acknowledged until there are enough"),
    ],
)
def test_what_the_operator_is_told(url: str, replicas: int, said: str) -> None:
    with connect(url) as client:
        assert check(client, 1) == []
        (warning,) = check(client, replicas)
        assert warning.startswith(said)


@pytest.mark.long
@pytest.mark.parametrize("replicas", [0, 1])
def test_a_replica_that_lags_is_promoted(tmp_path: Path, serving: Serving, replicas: int, monkeypatch: Any) -> None:
    """With n=1 no acknowledged write is lost. With n=0 writes are lost: see docs/store.md."""
    monkeypatch.setattr(replication, "SECONDS", 4.0)
    with pair(tmp_path) as (master, replica):
        _, table = by_service(f"redis://{master.place}", replicas, serving)
        table.open()
        acknowledged = [append_note(table, text) for text in ("one", "two", "three")]
        if not replicas:
            # Nobody waited for the replica.
            offset = master.client.info("replication")["master_repl_offset"]
            assert master.client.execute_command("WAIT", 1, 60_000) == 1
            assert replica.client.info("replication")["slave_repl_offset"] >= offset
        assert acknowledged == [201, 201, 201]
        replica.kill()
        monkeypatch.setattr(replication, "SECONDS", 0.05)
        assert [append_note(table, text) for text in ("four", "five")] == ([503, 503] if replicas else [201, 201])
        master.kill()
        replica.start().client.replicaof("NO", "ONE")
        promoted = Table(serving(f"redis://{replica.place}", 0).test_client())
        promoted.game = table.game
        # Events four and five were acknowledged without waiting for the replica, and are lost there.
        assert [event["params"]["text"] for event in promoted.log()[2:]] == ["one", "two", "three"]


def append_note(table: Table, text: str) -> int:
    body = {"type": "annotate", "params": {"text": text}}
    return table.post(body, headers={"Idempotency-Key": text}).status_code


@pytest.mark.long
def test_a_replica_that_is_new_is_waited_for(store: Store, servers: tuple[Server, Server], monkeypatch: Any) -> None:
    """A later replica receives everything, and then counts."""
    master, replica = servers
    monkeypatch.setattr(replication, "SECONDS", 0.05)
    replica.client.replicaof("NO", "ONE")
    with pytest.raises(NotReplicated):
        store.events.open("g", LOG, None, key("k"))
    monkeypatch.setattr(replication, "SECONDS", 4.0)
    follow(replica, master)
    assert store.events.open("g", LOG, None, key("k")) == StoredResult(1, 4)
    store.events.confirm("g")
    assert replica.client.xlen("{g}:events") == 4
