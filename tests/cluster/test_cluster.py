"""A cluster of three servers and three replicas: acknowledged events survive every move and death."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from flask import Flask

from engine.core.events import event_hash
from store import Store
from store.errors import StoreUnavailable
from store.log.idempotency import StoredResult
from store.log.streams import AppendedRange
from store.redis import replication
from store.redis.connection import check
from tests.api.table import Table, problem
from tests.cluster.conftest import Serving
from tests.cluster.servers import Cluster, Server, cluster, id_of, replicas_of
from tests.store.logs import key, notes, position
from tests.waiting import until

pytestmark = pytest.mark.long

MORE = 5
"""Number of further events to wait for while something is going on."""


@pytest.fixture(scope="module")
def six(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster")) as six:
        yield six


@pytest.fixture
def running(six: Cluster) -> Cluster:
    """A cluster that has recovered from the previous test."""
    until(six.is_whole)
    return six


class Writer:
    """Writes texts, each until it is acknowledged."""

    def __init__(self, app: Flask, game: str, name: str) -> None:
        self.game = game
        self.acknowledged: list[str] = []
        self._table = Table(app.test_client())
        self._table.game = game
        self._name = name
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._write)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join()

    def _write(self) -> None:
        for number in itertools.count():
            text = f"{self._name}-{number}"
            while not (is_done := append_note(self._table, text)) and not self._stopping.is_set():
                pass
            if is_done:
                self.acknowledged.append(text)
            if self._stopping.is_set():
                return


def append_note(table: Table, text: str) -> bool:
    """Append a note. Return True if it is acknowledged; otherwise it may be stored or not."""
    body = {"type": "annotate", "params": {"text": text}}
    answer = table.post(body, headers={"Idempotency-Key": f'"{text}"'})
    assert answer.status_code in (201, 503), answer.text
    return answer.status_code == 201


def go_on(writers: list[Writer]) -> None:
    """Wait until each writer has written more."""
    counts = [len(writer.acknowledged) + MORE for writer in writers]
    until(lambda: all(len(one.acknowledged) >= count for one, count in zip(writers, counts, strict=True)))


def tables(app: Flask, running: Cluster) -> dict[Server, Table]:
    """Return a game on each of the three servers that accept writes."""
    found: dict[Server, Table] = {}
    while len(found) < 3:
        table = Table(app.test_client())
        table.open()
        found.setdefault(running.master_of(tag(table.game)), table)
    return found


def tag(game: str) -> str:
    return f"{{{game.rpartition('/')[2]}}}"


def move(running: Cluster, game: str, target: Server, writers: list[Writer]) -> None:
    """Move the slot of a game to another server, key by key, as a reshard does."""
    source = running.master_of(tag(game))
    ask = source.client.execute_command
    slot = ask("CLUSTER KEYSLOT", tag(game))
    begin(slot, source, target)
    go_on(writers)
    while moving := ask("CLUSTER", "GETKEYSINSLOT", slot, 1):
        ask("MIGRATE", "127.0.0.1", target.port, moving[0], 0, 5000)
    # The server has the slot but not the key, so it refers the client to the other server.
    go_on(writers)
    finish(running, slot, target)


def begin(slot: int, source: Server, target: Server) -> None:
    """Begin the migration of a slot."""
    target.client.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", id_of(source))
    source.client.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", id_of(target))


def finish(running: Cluster, slot: int, target: Server) -> None:
    """Finish the migration of the slot for all nodes."""
    others = [one for one in running.servers if one is not target and one.role() == "master"]
    for server in (target, *others):
        server.client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", id_of(target))


def test_a_slot_on_its_way(running: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Script and WAIT stay together on every server to which they are forwarded."""
    monkeypatch.setattr(replication, "_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(replication, "SECONDS", 4.0)
    log = notes("one", "two", "three", "four")
    store = Store.connect(running.url, replicas=1)
    assert store.events.open("x", log[:1], None, key("k")) == AppendedRange(1, 1)
    source = running.master_of("{x}")
    target = next(one for one in running.servers if one.role() == "master" and one is not source)
    slot = source.client.execute_command("CLUSTER KEYSLOT", "{x}")

    def write(count: int) -> AppendedRange | StoredResult:
        return store.events.append("x", position(log[:count]), log[count : count + 1], key(f"{count}"))

    def migrate(name: str) -> None:
        source.client.execute_command("MIGRATE", "127.0.0.1", target.port, name, 0, 5000)

    begin(slot, source, target)
    assert write(1) == AppendedRange(2, 2)
    migrate("{x}:events")
    with pytest.raises(StoreUnavailable):
        write(2)
    migrate("{x}:meta")
    migrate("{x}:keys")
    # The client asks a node that it did not know before.
    nodes = store.client.nodes_manager
    del nodes.nodes_cache[target.place]
    assert write(2) == AppendedRange(3, 3)
    finish(running, slot, target)
    assert write(3) == AppendedRange(4, 4)
    assert store.events.read("x") == log
    # A slot without a server.
    target.client.execute_command("CLUSTER", "DELSLOTS", slot)
    with pytest.raises(StoreUnavailable):
        write(3)
    target.client.execute_command("CLUSTER", "ADDSLOTS", slot)
    assert until(lambda: again(lambda: write(3))) == StoredResult(4, 4)
    store.client.close()


def again(ask: Callable[[], Any]) -> Any:
    with suppress(StoreUnavailable):
        return ask()
    return None


def test_writers_through_a_reshard_and_a_failover(running: Cluster, serving: Serving) -> None:
    app = serving(running.url, 1)
    store: Store = app.extensions["store"]
    assert check(store.client, 1) == []
    assert store.durability() == "fsync"
    heard: set[str] = set()
    hints = store.hints()
    listener = threading.Thread(
        target=lambda: heard.update(hint[0] for hint in hints.listen() if isinstance(hint, tuple))
    )
    games = tables(app, running)
    first, second, third = games
    writers: list[Writer] = []
    try:
        listener.start()
        writers += [
            Writer(app, table.game, f"{number}") for number, table in enumerate([*games.values(), games[first]])
        ]
        go_on(writers)
        move(running, games[first].game, second, writers)
        go_on(writers)
        assert running.master_of(tag(games[first].game)) is second

        replica = running.replica_of(third)
        third.kill()
        until(lambda: replica.role() == "master")
        others = [writer for writer in writers if writer.game != games[third].game]
        go_on(others)
        # No server can accept these writes until it returns.
        third.start()
        go_on(writers)
        until(lambda: third.role() == "slave")
        for writer in writers:
            writer.stop()
        for game in {writer.game for writer in writers}:
            hold(store, game, [text for writer in writers if writer.game == game for text in writer.acknowledged])
        heard.clear()
        wanted = {table.game.rpartition("/")[2] for table in games.values()}
        texts = (f"late-{number}" for number in itertools.count())

        def are_heard() -> bool:
            # A hint can be lost while the listener reconnects, so give several.
            for table in games.values():
                append_note(table, next(texts))
            return wanted <= heard

        until(are_heard)
    finally:
        hints.stop()
        for writer in writers:
            writer.stop()
        listener.join()


def hold(store: Store, game: str, acknowledged: list[str]) -> None:
    """Check that the log is one chain, with every acknowledged text exactly once."""
    log = store.events.read(game.rpartition("/")[2])
    for before, event in itertools.pairwise(log):
        assert (event.seq, event.prev, event_hash(event)) == (before.seq + 1, before.hash, event.hash)
    texts = [event.params["text"] for event in log if event.type == "annotate"]
    assert len(set(texts)) == len(texts)
    assert set(acknowledged) <= set(texts)


def test_three_acknowledged_and_a_replica_promoted_that_was_away(
    running: Cluster, serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replication, "SECONDS", 4.0)
    app = serving(running.url, 1)
    games = tables(app, running)
    master, table = next(iter(games.items()))
    for text in ("one", "two", "three"):
        until(lambda text=text: append_note(table, text))
    replica = running.replica_of(master)
    replica.kill()
    monkeypatch.setattr(replication, "SECONDS", 0.05)
    assert not append_note(table, "four")
    assert not append_note(table, "four")
    master.kill()
    replica.start()
    until(lambda: replica.role() == "master")
    promoted = Table(serving(running.url, 0).test_client())
    promoted.game = table.game
    texts = until(lambda: stored_notes(promoted))
    assert texts == ["one", "two", "three"]
    master.start()
    until(lambda: replicas_of(replica) == 1)
    # An append that was not acknowledged is done now, once.
    monkeypatch.setattr(replication, "SECONDS", 4.0)
    until(lambda: append_note(table, "four"))
    assert stored_notes(promoted) == ["one", "two", "three", "four"]


def stored_notes(table: Table) -> list[str]:
    answer = table.get("/events", limit=1000)
    return [] if answer.status_code == 503 else [event["params"]["text"] for event in answer.json["events"][2:]]


def test_a_service_begins_while_any_one_server_is_away(running: Cluster) -> None:
    """The dead server may be the one that the others still name, and that a client asks first."""
    for master in [server for server in running.servers if server.role() == "master"]:
        master.kill()
        Store.connect(running.url).client.close()
        master.start()
        until(running.is_whole)


def test_a_process_starts_while_the_first_node_of_its_address_is_away(running: Cluster, serving: Serving) -> None:
    tables(serving(running.url, 0), running)
    # The cluster is healthy without a replica.
    first = next(server for server in running.servers if server.role() == "slave")
    others = [server for server in running.servers if server is not first]
    first.kill()
    try:
        url = f"redis+cluster://{','.join(server.place for server in (first, *others))}"
        done = subprocess.run(
            [sys.executable, "-m", "cli.main", "keys", "list"],
            env={**os.environ, "DRIFTLOG_REDIS_URL": url},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        Store.connect(url).client.close()
        with pytest.raises(StoreUnavailable):
            Store.connect(f"redis+cluster://{first.place}")
    finally:
        first.start()


def test_nothing_is_refused_once_a_replica_is_promoted(running: Cluster, serving: Serving) -> None:
    """A process that was idle learns of the failover from its first request, and still answers it."""
    busy, idle = serving(running.url, 0), [serving(running.url, 0) for _ in range(3)]
    games = tables(busy, running)
    master, table = next(iter(games.items()))
    asking = []
    for app in idle:
        one = Table(app.test_client())
        one.game = table.game
        # It has connections to the master that will die.
        assert one.get("/state").status_code == 200
        asking.append(one)
    replica = running.replica_of(master)
    writer = Writer(busy, table.game, "busy")
    try:
        go_on([writer])
        master.kill()
        until(lambda: is_promoted(running, replica))
        reading, appending, piping = asking
        assert reading.get("/state").status_code == 200
        assert append_note(appending, "the first after the failover")
        assert piping.get("/turns").status_code == 200
        for number in range(20):
            assert all(append_note(one, f"{number} of {index}") for index, one in enumerate(asking))
        go_on([writer])
    finally:
        writer.stop()
        master.start()
    hold(busy.extensions["store"], table.game, writer.acknowledged)


def is_promoted(running: Cluster, replica: Server) -> bool:
    """Return True if all nodes that answer name `replica` as a master."""
    name = id_of(replica)
    views = [server.client.execute_command("CLUSTER NODES") for server in running.servers if server.role()]
    nodes = [node for view in views for node in view.values() if node["node_id"] == name]
    return all("master" in node["flags"] and node["slots"] for node in nodes)


def test_games_go_on_while_the_list_is_away(running: Cluster, serving: Serving) -> None:
    app = serving(running.url, 0)
    games = tables(app, running)
    away = running.master_of("{games}")
    gone = [running.replica_of(away), away]
    for server in gone:
        server.kill()
    client = app.test_client()
    try:
        problem(client.get("/v1/games"), 503, "store-unavailable")
        here = [table for server, table in games.items() if server is not away]
        for table in here:
            until(lambda table=table: append_note(table, "still here"))
            assert table.get("/state").status_code == 200
            assert table.get("/turns").status_code == 200
        # A new game, or its key, can belong to the dead server.
        opened = until(lambda: next(filter(None, map(Opening(app), range(20))), None))
        assert client.get(opened).status_code == 200
    finally:
        for server in reversed(gone):
            server.start()
    until(lambda: client.get("/v1/games").status_code == 200)
    until(lambda: append_note(games[away], "again"))


class Opening:
    """Opens a game with its own key."""

    def __init__(self, app: Flask) -> None:
        self._client = app.test_client()

    def __call__(self, number: int) -> Any:
        body = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "seeded"}
        answer = self._client.post("/v1/games", json=body, headers={"Idempotency-Key": f"away-{number}"})
        return answer.headers.get("Location")
