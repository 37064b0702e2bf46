"""Servers whose settings do not match their address."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from store.redis.binary import find_binary
from tests.ports import free_port
from tests.waiting import until


@contextmanager
def server(folder: Path, *options: str) -> Iterator[str]:
    """Run a server with these options on a port of this machine, and yield its `host:port`."""
    port = free_port()
    command = [find_binary(), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder, *options]
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL) as process:
        try:
            client = redis.Redis(port=port)
            until(lambda: _answers(client))
            client.close()
            yield f"127.0.0.1:{port}"
        finally:
            process.terminate()


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.AuthenticationError:
        return True
    except redis.ConnectionError:
        return False
