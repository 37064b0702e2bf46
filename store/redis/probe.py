"""Test writes to the store; simultaneous callers share a test write."""

from __future__ import annotations

import threading
import time
from typing import Any

from redis.cluster import RedisCluster

from store import keys
from store.errors import StoreError
from store.redis import connection
from store.redis.connection import Client, Durability, Script
from store.redis.scripts import PROBE

SECONDS = 1.0
"""Seconds for which a result is reused."""
_NAMES = 64
"""Number of candidate keys: most likely, every node of a cluster has at least one."""


class Probe:
    """Runs test writes and caches the last result. Simultaneous callers wait for the same answer."""

    def __init__(self, client: Client, replicas: int = 0) -> None:
        self._client = client
        self._replicas = replicas
        self._write = Script(client, PROBE)
        self._asking = threading.Lock()
        self._until = 0.0
        self._found: Durability | StoreError = "memory"

    def durability(self) -> Durability:
        """Return the durability of an acknowledged write. The result is at most `SECONDS` old."""
        with self._asking:
            if time.monotonic() >= self._until:
                try:
                    self._found = self._try()
                except StoreError as error:
                    self._found = error
                self._until = time.monotonic() + SECONDS
            found = self._found
        if isinstance(found, StoreError):
            raise found
        return found

    def _try(self) -> Durability:
        for key in self._keys():
            _, reached = self._write.run_replicated([key], [], self._replicas)
            connection.require(reached, self._replicas)
        return connection.durability(self._client)

    def _keys(self) -> list[str]:
        names = [keys.probe(number) for number in range(_NAMES)]
        if not isinstance(self._client, RedisCluster):
            return names[:1]
        chosen: dict[Any, str] = {}
        with connection.translate_errors():
            for name in names:
                chosen[self._client.get_node_from_key(name)] = name  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        return list(chosen.values())
