"""Ports of this machine, for servers that have to be told theirs."""

from __future__ import annotations

import os
import random
import socket
from contextlib import ExitStack, suppress

LOWEST, HIGHEST = 12_000, 22_700
"""The system itself gives out higher ones, and may give one to somebody else while a server begins or is away."""
BUS = 10_000
"""How far above its port a node of a cluster has another one, where none is told: that is below those, too."""
_PROCESSES = 8


def free_ports(count: int) -> list[int]:
    """So many ports on which nobody listens, each another; nor does anybody on those of their buses.

    No two test processes of a run choose among the same ones.
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
    """A port on which nobody listens."""
    return free_ports(1)[0]
