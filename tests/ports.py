"""Free ports of this machine, for servers that need a fixed port."""

from __future__ import annotations

import os
import random
import socket
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path

LOWEST, HIGHEST = 12_000, 22_700
"""The range of ports. The system assigns higher ones, and could assign one to another process meanwhile."""
BUS = 10_000
"""Default offset of a cluster node's second port, which must be free, too."""
_PROCESSES = 8


def free_ports(count: int) -> list[int]:
    """Return `count` different free ports whose bus ports are free, too.

    Each test process of a run chooses from its own ports.
    """
    mine = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _PROCESSES
    found: list[int] = []
    for port in random.sample(range(LOWEST + mine, HIGHEST, _PROCESSES), k=(HIGHEST - LOWEST) // _PROCESSES):
        if len(found) == count:
            break
        with suppress(OSError), ExitStack() as held:
            for one in (port, port + BUS):
                held.enter_context(socket.create_server(("127.0.0.1", one)))
            found.append(port)
    assert len(found) == count
    return found


def free_port() -> int:
    """Return a free port."""
    return free_ports(1)[0]


def holders(port: int, pids: Iterable[int]) -> list[int]:
    """Return those of the processes that hold a socket listening on `port`."""
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    sockets = {f"socket:[{row[9]}]" for row in rows if row[3] == "0A" and int(row[1].rpartition(":")[2], 16) == port}
    return [pid for pid in pids if not sockets.isdisjoint(_open_files(pid))]


def _open_files(pid: int) -> set[str]:
    found = set()
    # The process may end, or close files, meanwhile.
    with suppress(FileNotFoundError, ProcessLookupError):
        for file in Path(f"/proc/{pid}/fd").iterdir():
            found.add(str(file.readlink()))
    return found
