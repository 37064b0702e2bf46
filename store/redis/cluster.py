"""Redis Cluster: a client that never sends a command twice, and that reports commands that it did not send at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.retry import Retry

SCHEMES = {"redis+cluster": "redis", "rediss+cluster": "rediss"}
DEFAULT_PORT = 6379
OTHER_NODES = 3
"""Maximum number of further nodes to try at the start if one does not answer."""


def connect(url: str, **options: Any) -> RedisCluster:
    """Create a client of a cluster.

    Args:
        url: `redis://` or `rediss://` with the nodes, separated by commas.
        options: options of redis-py's connections.

    Raises:
        RedisError, RedisClusterException: no node answers.
    """
    # redis-py accepts one host in a URL, and further nodes as a separate argument.
    user, at, hosts = urlsplit(url).netloc.rpartition("@")
    first, *others = hosts.split(",")
    options |= {
        "connection_class": _SecureNodeConnection if url.startswith("rediss:") else _NodeConnection,
        "startup_nodes": [ClusterNode(*_place(host)) for host in others],  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        # A client gets the list of commands from one of the given nodes; if that node is down, try another.
        "retry": Retry(NoBackoff(), OTHER_NODES + len(others)),
    }
    client: RedisCluster = _Cluster.from_url(url.replace(f"{user}{at}{hosts}", f"{user}{at}{first}", 1), **options)
    client.set_retry(Retry(NoBackoff(), 0))
    return client


def _place(host: str) -> tuple[str, int]:
    parts = urlsplit(f"//{host}")
    return parts.hostname or "", parts.port or DEFAULT_PORT


class Unconnected(redis.ConnectionError):
    """A node does not accept connections, so nothing was sent to it."""


class _Cluster(RedisCluster):
    """A cluster client that tries another node after `Unconnected`; redis-py compares the exact types of errors."""

    ERRORS_ALLOW_RETRY = (*RedisCluster.ERRORS_ALLOW_RETRY, Unconnected)  # type: ignore[assignment]  # a longer tuple


class _Unconnecting:
    """A connection to a cluster node that distinguishes an unsent command from a lost answer."""

    def connect(self) -> None:
        with _translate_unconnected():
            super().connect()  # type: ignore[misc]  # of redis-py's class beside this one


class _NodeConnection(_Unconnecting, redis.Connection):
    """A plain connection."""


class _SecureNodeConnection(_Unconnecting, redis.SSLConnection):
    """A connection with TLS."""


@contextmanager
def _translate_unconnected() -> Iterator[None]:
    try:
        yield
    except (redis.ConnectionError, redis.TimeoutError) as error:
        # If a node rejects a command, redis-py raises a subclass.
        if type(error) not in (redis.ConnectionError, redis.TimeoutError):
            raise
        raise Unconnected(*error.args) from error
