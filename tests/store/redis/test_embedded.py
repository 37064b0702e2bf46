from __future__ import annotations

import os
import platform
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from store import Store
from store.errors import DataFolderInUse, NoServerBinary, ServerDidNotStart, StoreError, StoreUnavailable
from store.redis import embedded, scratch
from store.redis.binary import find_binary, server_version
from store.redis.connection import call, connect, durability
from store.redis.embedded import EmbeddedServer, running_url
from tests.cli.service import ROOT
from tests.store.logs import notes, position
from tests.waiting import until

LOG = notes("one", "two", "three")

STARTER = """
import os, signal, sys
from pathlib import Path
from store.redis.embedded import EmbeddedServer
server = EmbeddedServer(Path(sys.argv[1]), "events", durable=True)
server.start()
print(server.pid, server.url, flush=True)
if os.fork() == 0:
    print("forked", flush=True)
signal.pause()
"""
FORKING = """
import os, sys
from pathlib import Path
from store.redis.connection import connect
from store.redis.embedded import EmbeddedServer
with EmbeddedServer(Path(sys.argv[1]), "events", durable=True) as server:
    child = os.fork()
    if child == 0:
        is_sound = not server.is_running
        server.stop()
        os._exit(0 if is_sound else 1)
    assert os.waitpid(child, 0)[1] == 0
    with connect(server.url) as client:
        assert client.ping()
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    # Longer than a socket's path may be.
    return tmp_path / ("a folder with a long name" * 5) / "data"


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_clean_stop_and_a_start_that_finds_everything(data: Path) -> None:
    server = EmbeddedServer(data, "events", durable=True)
    with server:
        assert server.is_running
        pid, socket = server.pid, Path(server.url.removeprefix("unix://"))
        assert pid is not None
        assert socket.is_socket()
        assert server.start() == server.url
        with connect(server.url) as client:
            assert durability(client) == "fsync"
            Store(client).events.open("g", LOG, "seed")
    assert not server.is_running
    assert not is_alive(pid)
    assert not socket.parent.exists()
    with EmbeddedServer(data, "events", durable=True) as again, connect(again.url) as client:
        assert Store(client).events.read("g") == LOG
        assert Store(client).events.seed("g") == "seed"
        assert (data / "events" / "server.log.old").exists()


def test_the_folder_is_for_nobody_else(data: Path) -> None:
    with EmbeddedServer(data, "events", durable=True) as server:
        for folder in (data, server.folder, Path(server.url.removeprefix("unix://")).parent):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_server_of_the_queue_keeps_nothing(data: Path) -> None:
    with EmbeddedServer(data, "events", durable=True), EmbeddedServer(data, "queue", durable=False) as server:
        with connect(server.url) as client:
            assert durability(client) == "memory"
            client.set("a", "b")
        server.stop()
        server.stop()
        server.start()
        with connect(server.url) as client:
            assert client.dbsize() == 0


def test_a_second_service_on_the_data_folder_is_refused(data: Path) -> None:
    with EmbeddedServer(data, "events", durable=True) as server:
        second = EmbeddedServer(data, "events", durable=True)
        with pytest.raises(DataFolderInUse) as in_use:
            second.start()
        assert (in_use.value.path, in_use.value.pid) == (data, os.getpid())
        assert str(data) in str(in_use.value)
        assert str(os.getpid()) in str(in_use.value)
        second.stop()
        assert server.is_running
        (server.folder / "lock").write_text("")
        with pytest.raises(DataFolderInUse) as in_use:
            second.start()
        assert in_use.value.pid is None


def test_a_server_that_was_killed_is_started_again_in_the_same_place(data: Path) -> None:
    with EmbeddedServer(data, "events", durable=True) as server, connect(server.url) as client:
        store = Store(client)
        store.events.open("g", LOG[:2], None)
        url, pid = server.url, server.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        until(lambda: not server.is_running)
        with pytest.raises(StoreUnavailable):
            store.events.read("g")
        assert server.start() == url
        assert store.events.read("g") == LOG[:2]
        store.events.append("g", position(LOG[:2]), LOG[2:])


def test_hints_go_on_after_the_server_died(data: Path) -> None:
    with EmbeddedServer(data, "events", durable=True) as server, connect(server.url) as client:
        hints = Store(client).hints()
        heard = hints.listen()
        assert next(heard) is None
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        until(lambda: not server.is_running)
        server.start()
        assert next(heard) is None
        Store(client).events.open("g", LOG, None)
        assert next(heard) == ("g", 3)
        hints.stop()
        assert list(heard) == []


def test_a_running_server_is_found_by_its_data_folder(data: Path) -> None:
    assert running_url(data, "events") is None
    with EmbeddedServer(data, "events", durable=True) as server:
        assert running_url(data, "events") == server.url
    assert running_url(data, "events") is None


@pytest.fixture
def starter(data: Path) -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    """Start a process that starts a server and has a forked child; return its id, and the server's id and URL."""
    environment = {**os.environ, "PYTHONPATH": str(Path(embedded.__file__).parents[2])}
    command = [sys.executable, "-c", STARTER, str(data)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True
    ) as process:
        assert process.stdout is not None
        pid, url = process.stdout.readline().split()
        assert process.stdout.readline() == "forked\n"
        yield process, int(pid), url
        os.killpg(process.pid, signal.SIGKILL)


def test_what_a_killed_starter_left_is_cleared_away(
    data: Path, starter: tuple[subprocess.Popen[str], int, str]
) -> None:
    process, pid, url = starter
    with connect(url) as client:
        Store(client).events.open("g", LOG, None)
    with pytest.raises(DataFolderInUse) as in_use:
        EmbeddedServer(data, "events", durable=True).start()
    assert in_use.value.pid == process.pid
    process.kill()
    process.wait()
    # The forked child lives on, without holding anything open.
    with EmbeddedServer(data, "events", durable=True) as server:
        assert server.pid != pid
        until(lambda: not is_alive(pid))
        assert not Path(url.removeprefix("unix://")).parent.exists()
        with connect(server.url) as client:
            assert Store(client).events.read("g") == LOG


def test_a_server_ends_in_order_when_its_starter_is_killed(
    data: Path, starter: tuple[subprocess.Popen[str], int, str]
) -> None:
    process, pid, url = starter
    with connect(url) as client:
        Store(client).events.open("g", LOG, None)
    process.kill()
    until(lambda: not is_alive(pid))
    until(lambda: not Path(url.removeprefix("unix://")).parent.exists())
    assert "ready to exit" in (data / "events" / "server.log").read_text()
    with EmbeddedServer(data, "events", durable=True) as server, connect(server.url) as client:
        assert Store(client).events.read("g") == LOG


def test_a_server_that_was_started_again_is_guarded(data: Path) -> None:
    with EmbeddedServer(data, "events", durable=True) as server:
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        until(lambda: not server.is_running)
        server.start()
        pid, folder = server.pid, Path(server.url.removeprefix("unix://")).parent
        assert server._guarded is not None
        # As if this process had died.
        server._guarded.forget()
        until(lambda: not server.is_running)
        until(lambda: not folder.exists())
        assert not is_alive(pid)


def test_a_server_left_over_that_does_not_stop_is_left_alone(
    data: Path, starter: tuple[subprocess.Popen[str], int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    process, pid, _ = starter
    monkeypatch.setattr(embedded, "STOP_SECONDS", 0.1)
    os.kill(pid, signal.SIGSTOP)
    process.kill()
    process.wait()
    second = EmbeddedServer(data, "events", durable=True)
    with pytest.raises(StoreError, match="does not stop"):
        second.start()
    (data / "events" / "server.pid").unlink()
    with pytest.raises(StoreError, match="the earlier server of"):
        second.start()
    os.kill(pid, signal.SIGCONT)
    until(lambda: not is_alive(pid))
    monkeypatch.undo()
    with second:
        assert second.is_running


def test_a_forked_child_stops_nothing(data: Path) -> None:
    """In a new process, because a fork of this one would contain all coverage data so far."""
    subprocess.run([sys.executable, "-c", FORKING, str(data)], cwd=ROOT, check=True)


def test_a_server_that_does_not_stop_is_said_to(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with EmbeddedServer(data, "events", durable=True) as server:
        assert server.pid is not None
        monkeypatch.setattr(embedded, "STOP_SECONDS", 0.1)
        os.kill(server.pid, signal.SIGSTOP)
        with pytest.raises(StoreError, match="does not stop"):
            server.stop()
        os.kill(server.pid, signal.SIGCONT)
        until(lambda: not server.is_running)


def test_a_broken_log_is_not_mended(data: Path) -> None:
    with EmbeddedServer(data, "events", durable=True) as server, connect(server.url) as client:
        Store(client).events.open("g", LOG, None)
    (aof,) = (data / "events" / "appendonlydir").glob("*.incr.aof")
    whole = aof.read_bytes()
    aof.write_bytes(whole[:60] + b"garbage" + whole[60:])
    with pytest.raises(ServerDidNotStart) as broken:
        server.start()
    assert "append only file" in broken.value.reason
    assert str(server.log) in str(broken.value)
    assert b"garbage" in aof.read_bytes()
    # Nothing prevents a repair.
    aof.write_bytes(whole)
    with server, connect(server.url) as client:
        assert Store(client).events.read("g") == LOG


def program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o700)
    return path


def test_a_program_that_is_no_server(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    silent = program(tmp_path / "silent", "exit 1")
    with pytest.raises(ServerDidNotStart, match="no log"):
        EmbeddedServer(data, "events", durable=True, binary=silent).start()
    monkeypatch.setattr(embedded, "START_SECONDS", 0.1)
    mute = program(tmp_path / "mute", "exec sleep 600")
    with pytest.raises(ServerDidNotStart, match="no answer"):
        EmbeddedServer(data, "events", durable=True, binary=mute).start()


def test_loading_takes_as_long_as_it_takes(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    is_loading = True

    def ping(_client: redis.Redis) -> bool:
        nonlocal is_loading
        if is_loading:
            is_loading = False
            raise redis.BusyLoadingError("Redis is loading the dataset in memory")
        return True

    monkeypatch.setattr(redis.Redis, "ping", ping)
    with EmbeddedServer(data, "events", durable=True) as server:
        assert server.is_running


def test_the_bundled_server_is_preferred() -> None:
    assert find_binary().name == "valkey-server"
    assert server_version(find_binary()) >= (9, 0)


def test_a_server_on_the_path_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "abacus")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoServerBinary):
        find_binary()
    program(tmp_path / "valkey-server", "echo nonsense")
    program(tmp_path / "redis-server", "echo Redis server v=6.0.16 sha=00000000:0")
    with pytest.raises(NoServerBinary):
        find_binary()
    newer = program(tmp_path / "redis-server", "echo Redis server v=7.0.15 sha=00000000:0")
    assert find_binary() == newer


def test_a_server_is_called_by_its_name(data: Path, tmp_path: Path) -> None:
    """Debian's redis-server is a link to another tool, which acts as the server under that name."""
    tool = program(tmp_path / "tool", "echo called ${0##*/}")
    named = tmp_path / "redis-server"
    named.symlink_to(tool)
    with pytest.raises(ServerDidNotStart, match="called redis-server"):
        EmbeddedServer(data, "events", durable=True, binary=named).start()


def test_a_system_that_the_bundled_server_is_not_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.system", lambda: "Plan9")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoServerBinary):
        find_binary()


def test_a_socket_has_a_short_path(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("deep" * 25)
    deep.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with EmbeddedServer(data, "events", durable=True) as server:
        assert not server.url.startswith(f"unix://{deep}")
    monkeypatch.setattr(scratch, "_LONGEST_SOCKET_PATH", 10)
    with pytest.raises(StoreError, match="short enough path"):
        server.start()
    assert list(deep.iterdir()) == []


def test_a_command_waits_for_a_restart(data: Path) -> None:
    """A full disk may stop a server between two checks of the disk; then reads continue after the restart."""
    with EmbeddedServer(data, "events", durable=True) as server, connect(server.url) as client:
        assert client.ping()
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        assert until(lambda: not server.is_running)
        restart = threading.Timer(0.1, server.start)
        restart.start()
        try:
            assert call(client, "PING")
        finally:
            restart.join()


def test_a_command_does_not_wait_long(data: Path) -> None:
    with EmbeddedServer(data, "events", durable=True) as server:
        client = connect(server.url)
    with client, pytest.raises(StoreUnavailable):
        call(client, "PING")
