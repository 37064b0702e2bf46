"""Scripts that wait for replicas: WAIT on the same connection as the write, in the same round trip.

WAIT counts the replicas that have all writes of the connection on which it was sent. So it must be sent on the same
connection as the script, to the same node. Redirections of a cluster are followed here, because redis-py would separate
the two commands.

WAITAOF is not used, because a replica reports its synced offset only once a second, and because it requires Redis 7.2.
A replica with `appendfsync always` acknowledges only writes that it has synced.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import redis
from redis.cluster import ClusterNode, RedisCluster
from redis.commands.core import Script

SECONDS = 1.0
"""Timeout in seconds for replicas, at each attempt."""
_ATTEMPTS = 16
_PAUSE_SECONDS = 0.05
"""Pause in seconds before the next attempt while the keys of a slot are being migrated."""


def evaluate(
    client: redis.Redis | RedisCluster,
    script: Script,
    keys: Sequence[str],
    args: Sequence[str | bytes | float],
    replicas: int,
) -> tuple[Any, int]:
    """Run `script`, and wait at most `SECONDS` until the required number of replicas has its writes.

    Returns:
        The script's result, and the number of replicas (meaningless if the script wrote nothing).
    """
    where = _Cluster(client, keys[0]) if isinstance(client, RedisCluster) else _Server(client)
    words = (len(keys), *keys, *args)
    run: tuple[Any, ...] = ("EVALSHA", script.sha, *words)
    answer: Any = None
    for _ in range(_ATTEMPTS):
        answer, reached = where.send(run, ("WAIT", replicas, round(SECONDS * 1000)))
        if isinstance(answer, redis.exceptions.NoScriptError):
            run = ("EVAL", script.script, *words)
        elif isinstance(answer, Exception):
            where.follow(answer)
        else:
            # A server that has just become a replica rejects WAIT.
            return answer, 0 if isinstance(reached, Exception) else reached
    raise answer


class _Server:
    """A single server, which has all keys."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client

    def send(self, *commands: tuple[Any, ...]) -> list[Any]:
        return _send(self._client, commands)

    def follow(self, error: Exception) -> None:
        raise error


class _Cluster:
    """The node of a cluster that holds a key."""

    def __init__(self, client: RedisCluster, key: str) -> None:
        self._client = client
        self._key = key
        self._asked: ClusterNode | None = None
        """The node that the key's slot is being migrated to."""

    def send(self, *commands: tuple[Any, ...]) -> list[Any]:
        asked, self._asked = self._asked, None
        node = asked or self._client.get_node_from_key(self._key)  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        try:
            server = self._client.get_redis_connection(node)
            return _send(server, commands) if asked is None else _send(server, [("ASKING",), *commands])[1:]
        except (redis.ConnectionError, redis.TimeoutError):
            # After a failover, another node may have replaced this one.
            self._client.nodes_manager.initialize(last_failed_node_name=node.name)
            raise

    def follow(self, error: Exception) -> None:
        nodes = self._client.nodes_manager
        match error:
            case redis.exceptions.AskError():
                self._asked = nodes.get_node(error.host, error.port)
                if self._asked is None:
                    nodes.initialize(additional_startup_nodes_info=[(error.host, error.port)])
                    self._asked = nodes.get_node(error.host, error.port)
            case redis.exceptions.MovedError():
                nodes.move_slot(error)
            case redis.exceptions.TryAgainError():
                time.sleep(_PAUSE_SECONDS)
            case redis.exceptions.ClusterDownError():
                nodes.initialize()
                raise error
            case _:
                raise error


def _send(client: redis.Redis, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
    pipeline = client.pipeline(transaction=False)
    for words in commands:
        pipeline.execute_command(*words)  # type: ignore[no-untyped-call]  # as above
    return pipeline.execute(raise_on_error=False)
