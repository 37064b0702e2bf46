"""Live streams of one game on one web process: the memory that each takes, and the processor time of an event."""

from __future__ import annotations

import json
import os
import selectors
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.measure import UNPINNED, Settings
from benchmarks.report import Row
from tests.cli.service import Service, children

FEW = 10
EVENTS = 20


def measure(settings: Settings) -> Iterator[Row]:
    """64, and as many as a web process takes by default, beside 10."""
    counts = (50,) if settings.quick else (64, 256)
    with ExitStack() as stack:
        service = Service(
            settings.folder / "data",
            DRIFTLOG_WEB_PROCESSES="1",
            DRIFTLOG_STREAMS=str(2 * sum(counts) + FEW),
            DRIFTLOG_CONNECTIONS_PER_ADDRESS="0",
            DRIFTLOG_STREAMS_PER_ADDRESS="0",
        )
        stack.callback(service.stop)
        service.ready()
        game_id = service.open_game()
        (web,) = children(service.web_pid())
        few, _ = _listened(service, game_id, FEW, web)
        for count in counts:
            took, grown = _listened(service, game_id, count, web)
            yield Row(
                what=f"an event at {count:,} listeners of a web process: its processor time for each, with the append",
                ours=f"{took / count * 1e6:.0f} µs",
                reference=f"{few / FEW * 1e6:.0f} µs at {FEW}",
                ratio=took / count / (few / FEW),
                pinning=UNPINNED,
            )
            memory = f"{grown / count / 1024:.0f} KiB"
            yield Row(what=f"memory of a web process for each of {count:,} listeners", ours=memory, pinning=UNPINNED)


def _listened(service: Service, game_id: str, count: int, web: int) -> tuple[float, int]:
    """The web process' seconds of a processor for each event that so many listeners get, and by how many bytes it grew
    for them.
    """
    before = _memory(web)
    with ExitStack() as stack, selectors.DefaultSelector() as selector:
        for _ in range(count):
            selector.register(stack.enter_context(_stream(service, game_id)), selectors.EVENT_READ)
        _all(selector, count, b"id: 2\n")
        grown = _memory(web) - before
        began = _used(web)
        version = service.ask("GET", f"/v1/games/{game_id}")[1]["version"]
        for number in range(EVENTS):
            note = {"type": "annotate", "params": {"text": f"{number}"}}
            status, answer = service.ask("POST", f"/v1/games/{game_id}/events", note)
            assert status == 201, json.dumps(answer)
            version += 1
            _all(selector, count, b"id: %d\n" % version)
        return (_used(web) - began) / EVENTS, grown


def _stream(service: Service, game_id: str) -> socket.socket:
    at = urlsplit(service.url)
    connection = socket.create_connection((at.hostname, at.port), timeout=60)
    connection.sendall(f"GET /v1/games/{game_id}/stream HTTP/1.1\r\nHost: {at.netloc}\r\n\r\n".encode())
    return connection


def _all(selector: selectors.DefaultSelector, count: int, mark: bytes) -> None:
    """Read until each has sent `mark`."""
    seen: dict[int, bytes] = {}
    done = 0
    while done < count:
        for key, _ in selector.select(60):
            connection = key.fileobj
            assert isinstance(connection, socket.socket)
            got = seen.get(key.fd, b"") + connection.recv(65536)
            if mark in got:
                done += 1
                got = b""
            seen[key.fd] = got[-2000:]


def _memory(pid: int) -> int:
    """Bytes that a process has in memory."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(fields["VmRSS"].split()[0]) * 1024


def _used(pid: int) -> float:
    """Seconds of a processor that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
