"""Whether the store takes writes: found out by a small one, and by few however many ask."""

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
"""How long what was found is told."""
_NAMES = 64
"""Keys among which there is, most likely, one for each node of a cluster."""


class Probe:
    """What was found last, and when. Who asks meanwhile waits for the same answer."""

    def __init__(self, client: Client, replicas: int = 0) -> None:
        """
        Args:
            replicas: how many have to have what is written.
        """
        self._client = client
        self._replicas = replicas
        self._write = Script(client, PROBE)
        self._asking = threading.Lock()
        self._until = 0.0
        self._found: Durability | StoreError = "memory"

    def durability(self) -> Durability:
        """What an acknowledged write survives, no older than `SECONDS`.

        Raises:
            StoreError: Redis does not answer, takes no write, or too few replicas have it.
        """
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
            _, reached = self._write.replicated([key], [], self._replicas)
            connection.require(reached, self._replicas)
        return connection.durability(self._client)

    def _keys(self) -> list[str]:
        """A key on each node that takes writes."""
        names = [keys.probe(number) for number in range(_NAMES)]
        if not isinstance(self._client, RedisCluster):
            return names[:1]
        chosen: dict[Any, str] = {}
        with connection.translated():
            for name in names:
                chosen[self._client.get_node_from_key(name)] = name  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        return list(chosen.values())
