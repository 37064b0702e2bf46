"""The write test of the store, on servers that refuse writes for every possible reason."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from store import Store, keys
from store.errors import StoreError, StoreUnavailable
from store.redis import connection, probe
from store.redis.binary import find_binary
from store.redis.connection import connect
from tests.waiting import until


class Server:
    """A server that the test may damage."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"unix://{folder}/s"
        # Without redis-py's retries, which would wait until the server has loaded.
        self.client = connect(self.url)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str) -> None:
        command = [str(find_binary()), "--port", "0", "--unixsocket", "s", "--save", "", "--appendonly", "yes"]
        more = ["--rdbcompression", "no", "--enable-protected-configs", "yes", "--appendfsync", "always", *options]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen([*command, *more], cwd=self.folder, stdout=log)
        until(self.is_listening)

    def is_listening(self) -> bool:
        try:
            self.client.ping()
        except redis.BusyLoadingError:
            return True
        except redis.ConnectionError:
            return False
        return True

    def info(self, name: str) -> Any:
        return self.client.info("persistence")[name]

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    one = Server(tmp_path_factory.mktemp("s"))
    one.start()
    yield one
    one.client.close()
    one.stop()


def why(server: Server) -> str | None:
    """Return the reason why a server refuses writes; None if it accepts them."""
    with Store.connect(server.url).client as client:
        try:
            Store(client).durability()
        except StoreUnavailable as error:
            return error.why
    return None


def test_while_it_loads_its_data(server: Server) -> None:
    for number in range(100):
        server.client.set(f"k{number}", "x" * 1000)
    server.client.bgrewriteaof()
    until(lambda: server.info("aof_rewrite_in_progress") == 0)
    server.stop()
    server.start("--key-load-delay", "30000", "--loading-process-events-interval-bytes", "1024")
    assert why(server) == "the store is loading its data"
    server.client.config_set("key-load-delay", "0")
    until(lambda: why(server) is None)


def test_where_it_cannot_write_to_its_disk(server: Server) -> None:
    gone = server.folder / "gone"
    gone.mkdir()
    server.client.config_set("dir", str(gone))
    server.client.config_set("save", "3600 1")
    shutil.rmtree(gone)
    assert why(server) is None
    server.client.bgsave()
    until(lambda: server.info("rdb_last_bgsave_status") == "err")
    assert why(server) == "the store cannot write to its disk"


@pytest.mark.parametrize(
    ("setting", "value", "reason"),
    [
        ("maxmemory", "2", "the store's memory is full"),
        ("maxmemory", connection.STOPPED, "the store's disk is almost full"),
        ("min-replicas-to-write", "1", "the store has too few replicas to accept a write"),
    ],
)
def test_where_it_is_set_to_take_none(server: Server, setting: str, value: str, reason: str) -> None:
    server.client.config_set(setting, value)
    assert why(server) == reason
    server.client.config_set(setting, "0")
    assert why(server) is None


def test_where_it_is_a_replica(server: Server) -> None:
    server.client.replicaof("127.0.0.1", "1")
    assert why(server) == "the store is a replica, which accepts no writes"


def test_where_it_is_not_there(server: Server) -> None:
    server.stop()
    assert why(server) == "the store does not answer"


def test_where_it_forbids_it(server: Server) -> None:
    server.client.execute_command("ACL", "SETUSER", "default", "-set")
    assert why(server) == "the store does not permit this service to write"


@pytest.mark.parametrize(
    ("setting", "value", "worth"),
    [
        ("appendfsync", "always", "fsync"),
        ("appendfsync", "everysec", "everysec"),
        ("appendfsync", "no", "memory"),
        ("no-appendfsync-on-rewrite", "yes", "memory"),
        ("appendonly", "no", "memory"),
    ],
)
def test_what_a_write_is_worth(server: Server, setting: str, value: str, worth: str) -> None:
    server.client.config_set(setting, value)
    with Store.connect(server.url).client as client:
        assert Store(client).durability() == worth


def test_few_writes_however_many_ask(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = 100.0
    monkeypatch.setattr(probe.time, "monotonic", lambda: moment)

    def writes() -> int:
        return int(store.client.info("commandstats").get("cmdstat_set", {"calls": 0})["calls"])

    before = writes()
    assert {store.durability() for _ in range(50)} == {"fsync"}
    assert writes() == before + 1
    moment += probe.SECONDS
    store.durability()
    assert writes() == before + 2
    assert store.client.get(keys.probe(0)) == b""


def test_what_was_in_the_way_is_told_to_all_who_ask_meanwhile(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = 100.0
    monkeypatch.setattr(probe.time, "monotonic", lambda: moment)
    server.client.config_set("maxmemory", "2")
    with Store.connect(server.url).client as client:
        store = Store(client)
        for _ in range(3):
            with pytest.raises(StoreError, match="maxmemory"):
                store.durability()
            server.client.config_set("maxmemory", "0")
        moment += probe.SECONDS
        assert store.durability() == "fsync"
