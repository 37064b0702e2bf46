"""Talking to Redis: how the store connects, calls, and what it makes of errors.

A write is never sent twice behind the caller's back: redis-py's retries are off, so an answer that is lost shows as
`StoreUnavailable`, and the caller repeats the write with the same idempotency key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, cast

import redis
from redis.backoff import NoBackoff
from redis.cluster import RedisCluster
from redis.exceptions import RedisClusterException, RedisError
from redis.maint_notifications import MaintNotificationsConfig
from redis.retry import Retry

from store.errors import Corrupt, StoreError, StoreUnavailable, UnsupportedServer

Client = redis.Redis | RedisCluster

Command = Sequence[str | bytes | float]
"""A command's words."""

Durability = Literal["fsync", "everysec", "memory"]
"""What an acknowledged write survives: power loss; power loss but for the last second; only a clean stop, at best."""

OLDEST_SERVER = (6, 2)
SOCKET_TIMEOUT = 5.0
"""Seconds to wait for an answer."""

MOST_CONNECTIONS = 10_000
"""As many as a server takes: threads that ask at once must not be refused here (redis-py's default is 100)."""

CLUSTER_SCHEMES = {"redis+cluster": "redis", "rediss+cluster": "rediss"}

_UNAVAILABLE = (
    redis.ConnectionError,
    redis.TimeoutError,
    redis.OutOfMemoryError,
    redis.ReadOnlyError,
    redis.exceptions.ClusterError,
    redis.exceptions.AskError,
    redis.exceptions.TryAgainError,
    RedisClusterException,
)
# At the beginning, or inside, where a script met it (Redis 6.2).
_UNAVAILABLE_CODE = re.compile(
    r"(^|-)(BUSY|LOADING|MASTERDOWN|MISCONF|NOAUTH|NOPERM|NOREPLICAS|OOM|READONLY|UNKILLABLE)\b"
)
_WEAKEST: tuple[Durability, ...] = ("memory", "everysec", "fsync")


def connect(url: str) -> Client:
    """A client of the server at `url`, made for the store; nothing is sent yet but to a cluster.

    Args:
        url: `redis://`, `rediss://`, `unix://`; `redis+cluster://` and `rediss+cluster://` name any node of a cluster.

    Raises:
        ValueError: not such a URL.
        StoreUnavailable: no node of the cluster answers.
    """
    scheme, separator, rest = url.partition("://")
    options: dict[str, Any] = {
        "protocol": 3,
        "decode_responses": False,
        "socket_timeout": SOCKET_TIMEOUT,
        "socket_connect_timeout": SOCKET_TIMEOUT,
        "max_connections": MOST_CONNECTIONS,
        "retry": Retry(NoBackoff(), 0),
        "maint_notifications_config": MaintNotificationsConfig(enabled=False),
    }
    if scheme in CLUSTER_SCHEMES:
        with translated():
            return RedisCluster.from_url(CLUSTER_SCHEMES[scheme] + separator + rest, **options)
    client = redis.Redis.from_url(url, **options)
    # A page of a stream is decoded here, not turned into dicts first.
    client.response_callbacks.pop("XRANGE", None)
    return client


@contextmanager
def translated() -> Iterator[None]:
    """Raise what redis-py raises as a `StoreError`."""
    try:
        yield
    except _UNAVAILABLE as error:
        raise StoreUnavailable(f"Redis does not answer: {error}") from error
    except redis.ResponseError as error:
        text = str(error)
        if _UNAVAILABLE_CODE.search(text):
            raise StoreUnavailable(f"Redis does not take it now: {text}") from error
        raise Corrupt(f"Redis refuses it: {text}") from error
    except RedisError as error:
        raise StoreError(str(error)) from error


def call(client: Client, *words: str | bytes | float) -> Any:
    """Send one command and return its answer.

    Raises:
        StoreUnavailable: Redis does not answer.
    """
    with translated():
        return client.execute_command(*words)  # type: ignore[no-untyped-call]  # redis-py leaves it untyped


def pipe(client: Client, commands: Iterable[Command]) -> list[Any]:
    """Send commands together, in one round trip, and return their answers; they are no transaction.

    Raises:
        StoreUnavailable: Redis does not answer.
    """
    with translated():
        pipeline = client.pipeline(transaction=False)
        for words in commands:
            pipeline.execute_command(*words)
        return cast("list[Any]", pipeline.execute())


class Script:
    """A Lua script that Redis runs as one step (EVALSHA; loaded again where the server does not know it)."""

    def __init__(self, client: Client, source: str) -> None:
        self._script = client.register_script(source)

    def __call__(self, keys: Sequence[str], args: Command) -> Any:
        """Run it.

        Raises:
            StoreUnavailable: Redis does not answer: whether it has run is unknown.
        """
        with translated():
            return self._script(keys, args)


def scan(client: Client, pattern: str) -> Iterator[bytes]:
    """Every key that matches `pattern`, on all nodes; one that comes or goes meanwhile may be missed."""
    with translated():
        yield from client.scan_iter(match=pattern, count=1000)


def check(client: Client) -> list[str]:
    """What an operator should know about the server, a sentence each; empty where it is set up as it should be.

    Raises:
        UnsupportedServer: it is older than 6.2.
        StoreUnavailable: it does not answer.
    """
    warnings = []
    for node in _nodes(client):
        server = _info(node, "server")
        version = server.get("redis_version", "0")
        if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_SERVER:
            raise UnsupportedServer(f"the server is of version {version}: 6.2 or newer is needed")
        policy = _config(node, "maxmemory-policy")
        if policy not in ("noeviction", None):
            warnings.append(f"maxmemory-policy is {policy}: Redis may throw events away (set noeviction)")
    kept = durability(client)
    if kept != "fsync":
        warnings.append(f"durability is {kept}: set appendonly yes and appendfsync always to keep every event")
    return warnings


def durability(client: Client) -> Durability:
    """What an acknowledged append survives; of a cluster, at its weakest node.

    Raises:
        StoreUnavailable: the server does not answer.
    """
    return min((_durability(node) for node in _nodes(client)), key=_WEAKEST.index)


def _durability(node: redis.Redis) -> Durability:
    if _info(node, "persistence").get("aof_enabled") != "1":
        return "memory"
    # A server that keeps its settings to itself is not promised more than the default.
    return "fsync" if _config(node, "appendfsync") == "always" else "everysec"


def _nodes(client: Client) -> list[redis.Redis]:
    if isinstance(client, RedisCluster):
        with translated():
            return [client.get_redis_connection(node) for node in client.get_primaries()]  # type: ignore[no-untyped-call]  # as above
    return [client]


def _info(node: redis.Redis, section: str) -> dict[str, str]:
    with translated():
        facts = node.info(section)
    return {name: str(value) for name, value in facts.items()}


def _config(node: redis.Redis, name: str) -> str | None:
    """A setting; None where the server keeps it to itself."""
    with translated():
        try:
            settings = cast("dict[Any, Any]", node.config_get(name))
        except redis.ResponseError:
            return None
    value = settings.get(name, settings.get(name.encode()))
    return value.decode() if isinstance(value, bytes) else value
