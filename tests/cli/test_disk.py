"""A disk that fills up: writes stop before it is full, reads continue, and no acknowledged event is lost."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from store.redis import embedded
from store.redis.embedded import EmbeddedServer
from tests.cli.service import Service
from tests.waiting import PATIENCE, until

Start = Callable[..., Service]
MADE = ("html", "pdf")
"""Exports that a worker makes, as long as the job can be stored."""
NOTE = {"type": "annotate", "params": {"text": "so"}}
READS = ("", "/events", "/state", "/turns", "/board.svg", "/export?format=json")


def status_of(service: Service, path: str, method: str = "GET") -> int:
    try:
        with urlopen(Request(service.url + path, method=method), timeout=PATIENCE) as answer:
            found: int = answer.status
            return found
    except HTTPError as error:
        return error.code


def statuses(service: Service, game: str) -> set[int]:
    """Return the statuses of all reads of a game, and of the list."""
    return {status_of(service, game + path) for path in READS} | {status_of(service, "/v1/games")}


def add(service: Service, game: str) -> int:
    return service.ask("POST", f"{game}/events", NOTE)[0]


class Disk:
    """A small disk with a foreign file that fills it."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._filler = place / "filler"

    def fill(self, leave: int = 0) -> None:
        """Fill the disk except for `leave` bytes."""
        free = os.statvfs(self.place).f_bavail * os.statvfs(self.place).f_frsize
        # Another process may have used some of the space meanwhile.
        with suppress(OSError), self._filler.open("ab") as filler:
            filler.write(b"x" * max(0, free - leave))

    def empty(self) -> None:
        self._filler.unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small disk takes root")
    yield Disk(place)
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_a_full_disk_takes_no_reads_away(start: Start, disk: Disk) -> None:
    service = start(disk.place / "data", DRIFTLOG_DISK_RESERVE="8mb")
    service.ready()
    game = f"/v1/games/{service.open_game()}"
    server = service.server_pid("events")
    client = service.store().client
    client.set("expires", "x", px=3000)
    disk.fill(leave=4 << 20)
    until(lambda: add(service, game) == 503)
    refused = service.ask("POST", f"{game}/events", NOTE)[1]
    assert refused["type"].rpartition("/")[2] == "store-full"
    status, readiness = service.ask("GET", "/readyz")
    assert (status, readiness["writes"]) == (200, "stopped")
    assert readiness["detail"] == "Reads only: the store's disk is almost full."
    version = service.ask("GET", game)[1]["version"]
    disk.fill()
    for _ in range(20):
        assert statuses(service, game) == {200}
        assert add(service, game) == 503
    # The server itself writes that a key has expired, which fails.
    until(lambda: client.get("expires") is None)
    assert statuses(service, game) == {200}
    assert service.server_pid("events") == server
    disk.empty()
    until(lambda: add(service, game) == 201)
    assert service.ask("GET", game)[1]["version"] == version + 1
    until(lambda: service.ask("GET", "/readyz")[1]["writes"] == "accepted")


@pytest.mark.long
def test_a_deletion_below_the_reserve_frees_the_disk(start: Start, disk: Disk) -> None:
    service = start(disk.place / "data", DRIFTLOG_DISK_RESERVE="8mb")
    service.ready()
    game, kept = (f"/v1/games/{service.open_game()}" for _ in range(2))
    long_note = {"type": "annotate", "params": {"text": "x" * 1900}}
    for _ in range(8):
        assert service.ask("POST", f"{game}/events", [long_note] * 400)[0] == 201
    store = service.store()
    # A rewrite that has started would fill the disk.
    until(lambda: not store.client.info("persistence")["aof_rewrite_in_progress"])
    disk.fill(leave=7 << 20)
    until(lambda: add(service, kept) == 503)
    assert status_of(service, game, "DELETE") == 204
    assert status_of(service, game) == 410
    assert kept.rpartition("/")[2] in (listed := str(service.ask("GET", "/v1/games")[1]["games"]))
    assert game.rpartition("/")[2] not in listed
    # The log is rewritten without the game.
    until(lambda: add(service, kept) == 201)
    until(lambda: not store.deletions.list_unfinished())


@pytest.mark.long
def test_a_server_that_dies_on_a_full_disk_reads_again(start: Start, disk: Disk) -> None:
    service = start(disk.place / "data", DRIFTLOG_DISK_RESERVE="8mb")
    service.ready()
    game = f"/v1/games/{service.open_game()}"
    disk.fill()
    until(lambda: add(service, game) == 503)
    killed = service.server_pid("events")
    os.kill(killed, signal.SIGKILL)
    until(lambda: service.server_pid("events") != killed)
    until(lambda: status_of(service, game) == 200)
    assert statuses(service, game) == {200}
    assert add(service, game) == 503


@pytest.mark.long
def test_a_service_below_its_reserve_reads_and_takes_no_writes(start: Start) -> None:
    before = start()
    before.ready()
    game = f"/v1/games/{before.open_game()}"
    assert before.stop() == 0
    service = start(DRIFTLOG_DISK_RESERVE="999999999gb")
    service.ready()
    assert add(service, game) == 503
    assert service.ask("POST", f"{game}/audits", {})[0] == 503
    assert statuses(service, game) | {status_of(service, f"{game}/export?format={one}") for one in MADE} == {200}
    assert status_of(service, game, "DELETE") == 204
    assert status_of(service, game) == 410
    assert not service.ask("GET", "/v1/games")[1]["games"]


def test_writes_stop_and_resume_without_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = [100]

    def usage(_: Path) -> Any:
        return embedded.shutil._ntuple_diskusage(1000, 1000 - free[0], free[0])

    monkeypatch.setattr(embedded.shutil, "disk_usage", usage)
    with EmbeddedServer(tmp_path / "data", "events", durable=True, reserve=40) as server:
        pid = server.pid
        for left, is_read_only in ((100, False), (39, True), (45, True), (50, False), (20, True), (100, False)):
            free[0] = left
            server.guard_disk()
            assert server.is_read_only is is_read_only
        assert server.pid == pid
