"""Scripts that wait for replicas: WAIT on the connection of the write, in the same round trip.

WAIT counts the replicas that have all that its own connection wrote. On another connection it would count those that
are there, and say nothing of the write: so script and WAIT go to one node by one connection, and on a cluster the
redirections are followed here, not by redis-py, which would send the two apart.

WAIT, not WAITAOF: a replica tells of what is on its disk once a second, so WAITAOF takes as long, and Redis knows it
since 7.2 alone. A replica with `appendfsync always` acknowledges what it has synced.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import redis
from redis.cluster import ClusterNode, RedisCluster
from redis.commands.core import Script

SECONDS = 1.0
"""How long replicas may take; whoever asks again waits as long again."""
_ATTEMPTS = 16
_PAUSE_SECONDS = 0.05
"""Until a slot on its way to another node is asked again for keys of which only some have got there."""


def evaluate(
    client: redis.Redis | RedisCluster,
    script: Script,
    keys: Sequence[str],
    args: Sequence[str | bytes | float],
    replicas: int,
) -> tuple[Any, int]:
    """Run `script`, and wait until so many replicas have what it wrote, `SECONDS` at the most.

    Returns:
        Its answer, and how many have it. Of a script that wrote nothing the number says nothing.

    Raises:
        RedisError: as redis-py does; whether it has run is unknown where the connection broke.
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
            # A server that has just been told to be a replica lets nobody wait.
            return answer, 0 if isinstance(reached, Exception) else reached
    raise answer


class _Server:
    """One server, which has all keys."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client

    def send(self, *commands: tuple[Any, ...]) -> list[Any]:
        return _send(self._client, commands)

    def follow(self, error: Exception) -> None:
        raise error


class _Cluster:
    """The node of a cluster that has a key."""

    def __init__(self, client: RedisCluster, key: str) -> None:
        self._client = client
        self._key = key
        self._asked: ClusterNode | None = None
        """Where the key is said to be on its way to."""

    def send(self, *commands: tuple[Any, ...]) -> list[Any]:
        asked, self._asked = self._asked, None
        node = asked or self._client.get_node_from_key(self._key)  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        try:
            server = self._client.get_redis_connection(node)
            return _send(server, commands) if asked is None else _send(server, [("ASKING",), *commands])[1:]
        except (redis.ConnectionError, redis.TimeoutError):
            # Another node may have taken its place.
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
