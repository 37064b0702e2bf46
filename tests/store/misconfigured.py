"""Servers that are set up otherwise than their address has it."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from store.embedded import find_binary
from tests.waiting import until

_HIGHEST = 65_535 - 10_000


@contextmanager
def server(folder: Path, *options: str) -> Iterator[str]:
    """A server with those options, on a port of this machine: its `host:port`."""
    port = _free_port()
    command = [find_binary(), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder, *options]
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL) as process:
        try:
            client = redis.Redis(port=port)
            until(lambda: _answers(client))
            client.close()
            yield f"127.0.0.1:{port}"
        finally:
            process.terminate()


def _free_port() -> int:
    """A port that was free just now, as a node of a cluster may have one: its bus is 10,000 above."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        if port <= _HIGHEST:
            return port


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.AuthenticationError:
        return True
    except redis.ConnectionError:
        return False
