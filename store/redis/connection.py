"""Talking to Redis: how the store connects, calls, and what it makes of errors.

A write is never sent twice behind the caller's back: redis-py's retries are off, so an answer that is lost shows as
`StoreUnavailable`, and the caller repeats the write with the same idempotency key. What could not be sent at all, since
a node of a cluster does not accept connections, is sent once more: see `_after_failover`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeVar, cast
from urllib.parse import urlsplit

import redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.driver_info import DriverInfo
from redis.exceptions import RedisClusterException, RedisError
from redis.maint_notifications import MaintNotificationsConfig
from redis.retry import Retry

from store.errors import (
    Corrupt,
    DiskFull,
    Misconfigured,
    NotReplicated,
    StoreError,
    StoreFull,
    StoreUnavailable,
    UnsupportedServer,
)
from store.redis import replication, sentinels

T = TypeVar("T")

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

OTHER_NODES = 3
"""So many more nodes of a cluster are asked at the beginning, one after the other, where one does not answer."""

STOPPED = "1"
"""`maxmemory` of an embedded server whose disk is almost full: it takes what frees memory, and what a script writes
after that."""

IN_A_CLUSTER = "is a node of a cluster: its address has to begin with redis+cluster:// or rediss+cluster://"
A_SENTINEL = "is a sentinel: its address has to be redis+sentinel://host:26379/service"
DEFAULT_PORT = 6379
CLUSTER_SCHEMES = {"redis+cluster": "redis", "rediss+cluster": "rediss"}

_UNAVAILABLE = (
    redis.ConnectionError,
    redis.TimeoutError,
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
# redis-py repeats the command, which may hold what nobody is told: a seed, or what a player hides.
_ASKED = re.compile(r"\ACommand # \d+ \(.*\) of pipeline caused error: ", re.DOTALL)
_WHY = {
    "NOPERM": "the store does not let this service write",
    "LOADING": "the store is loading its data",
    "MISCONF": "the store cannot write to its disk",
    "NOREPLICAS": "the store has too few replicas to take a write",
    "READONLY": "the store is a replica that takes no write",
}
_FORBIDDEN_IN_A_SCRIPT = re.compile(r"ACL failure in script|The user executing the script can't")
# Those that redis-py has an error of its own for, without their code.
_CODES: dict[type[Exception], str] = {
    redis.BusyLoadingError: "LOADING",
    redis.exceptions.NoPermissionError: "NOPERM",
    redis.ReadOnlyError: "READONLY",
}
_SYNCED: dict[str | None, Durability] = {"always": "fsync", "everysec": "everysec", None: "everysec"}
_WEAKEST: tuple[Durability, ...] = ("memory", "everysec", "fsync")
_DRIVER = DriverInfo()
"""Made once: redis-py would read for each connection which version it is."""


def connect(url: str) -> Client:
    """A client of the server at `url`, made for the store; nothing is sent yet but to a cluster.

    Args:
        url: `redis://`, `rediss://`, `unix://`; `redis+cluster://` and `rediss+cluster://` name nodes of a cluster,
            separated by commas, `redis+sentinel://` and `rediss+sentinel://` sentinels and their service
            (`store.redis.sentinels`).

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
            return _connect_to_cluster(CLUSTER_SCHEMES[scheme] + separator + rest, **options)
    options["driver_info"] = _DRIVER
    client = sentinels.connect(url, **options) if sentinels.is_address(url) else redis.Redis.from_url(url, **options)
    # A page of a stream is decoded here, not turned into dicts first.
    client.response_callbacks.pop("XRANGE", None)
    return client


def _connect_to_cluster(url: str, **options: Any) -> Client:
    # redis-py takes one host in a URL, and any number of nodes beside it.
    user, at, hosts = urlsplit(url).netloc.rpartition("@")
    first, *others = hosts.split(",")
    options |= {
        "connection_class": _SecureNodeConnection if url.startswith("rediss:") else _NodeConnection,
        "startup_nodes": [ClusterNode(*_place(host)) for host in others],  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        # A client asks one node of those it was told of what commands there are: where that one is away, another is
        # asked.
        "retry": Retry(NoBackoff(), OTHER_NODES + len(others)),
    }
    client: Client = _Cluster.from_url(url.replace(f"{user}{at}{hosts}", f"{user}{at}{first}", 1), **options)
    client.set_retry(Retry(NoBackoff(), 0))
    return client


def _place(host: str) -> tuple[str, int]:
    parts = urlsplit(f"//{host}")
    return parts.hostname or "", parts.port or DEFAULT_PORT


class Unconnected(redis.ConnectionError):
    """A node does not accept connections: nothing was sent to it."""


class _Cluster(RedisCluster):
    """A client of a cluster; redis-py asks another node only after errors of exactly these types."""

    ERRORS_ALLOW_RETRY = (*RedisCluster.ERRORS_ALLOW_RETRY, Unconnected)  # type: ignore[assignment]  # a longer tuple


class _NodeConnection(redis.Connection):
    """A connection to a node of a cluster; tells a command that was never sent from one whose answer was lost."""

    def connect(self) -> None:
        """Connect.

        Raises:
            Unconnected: the node is away.
        """
        with _unconnected():
            super().connect()  # type: ignore[no-untyped-call]  # redis-py leaves it untyped


class _SecureNodeConnection(redis.SSLConnection):
    """The same by TLS."""

    def connect(self) -> None:
        """Connect.

        Raises:
            Unconnected: the node is away.
        """
        with _unconnected():
            super().connect()  # type: ignore[no-untyped-call]  # redis-py leaves it untyped


@contextmanager
def _unconnected() -> Iterator[None]:
    try:
        yield
    except (redis.ConnectionError, redis.TimeoutError) as error:
        # A node that answers, with a refusal, has an error of its own kind.
        if type(error) not in (redis.ConnectionError, redis.TimeoutError):
            raise
        raise Unconnected(*error.args) from error


def _after_failover(client: Client, send: Callable[[], T]) -> T:
    """Return the answer to `send`; on a cluster, send it once more if it was not sent at all.

    After a failover a client still asks the node that is gone, once: that tells it to read the cluster's slots again,
    so the second time it asks the node that was promoted. This cannot apply a write twice. `Unconnected` comes from
    connecting, which precedes the first byte of a command. A script goes to one node, and a pipeline connects to all
    its nodes before it sends to any. A connection that breaks later leaves open whether the command was applied. An
    append would survive repeating where the caller sent an idempotency key, but not without one: the service would
    take its own events for somebody else's, and append them again after them. So that one is left to the caller.
    """
    try:
        return send()
    except Unconnected:
        if not isinstance(client, RedisCluster):
            raise
        return send()


def database(client: Client) -> int:
    """The number of the database that a client works on; a cluster has one, 0."""
    return 0 if isinstance(client, RedisCluster) else int(client.get_connection_kwargs().get("db") or 0)


@contextmanager
def translated(client: Client | None = None) -> Iterator[None]:
    """Raise what redis-py raises as a `StoreError`.

    Args:
        client: the client that was asked: an embedded server may be full for another reason than others.
    """
    try:
        yield
    except (RedisError, RedisClusterException) as error:
        why = misconfigured(error)
        told = _translated(error) if why is None else Misconfigured(f"the store {why}")
        if isinstance(told, StoreFull) and isinstance(client, redis.Redis) and config(client, "maxmemory") == STOPPED:
            told = DiskFull("the disk of the store is almost full: free some space, or lower DRIFTLOG_DISK_RESERVE")
        raise told from error


def misconfigured(error: Exception) -> str | None:
    """What an address has to say otherwise for Redis not to refuse it so, as an operator reads it; None where that is
    not it.
    """
    text = str(error)
    match error:
        case sentinels.NoSentinel():
            return "is no sentinel: its address must not begin with redis+sentinel:// or rediss+sentinel://"
        case sentinels.NoSuchService():
            return f"has no service of the name that its address ends with: {text}"
        case sentinels.Refused():
            return "is behind sentinels that want another password than its address has (?sentinel_password=…)"
        case redis.AuthenticationError() if "invalid" in text:
            return "does not take the name or the password that its address has"
        case redis.AuthenticationError():
            return "wants a password, and its address has none"
        case redis.exceptions.MovedError() | redis.exceptions.ClusterCrossSlotError():
            return IN_A_CLUSTER
        case RedisClusterException() if "Cluster mode is not enabled" in text:
            return "is no cluster: its address must not begin with redis+cluster:// or rediss+cluster://"
        case redis.ResponseError() if "DB index is out of range" in text:
            return "has no database of the number that its address ends with"
        case redis.ResponseError() if "unknown command" in text:
            # Not with which arguments: they may tell what players hide.
            return f"does not know a command that it needs. Perhaps it {A_SENTINEL}"
    return None


def _translated(error: Exception) -> StoreError:
    said = _ASKED.sub("", str(error))
    if isinstance(error, redis.OutOfMemoryError):
        return _full(said)
    for kind, code in _CODES.items():
        if isinstance(error, kind):
            return StoreUnavailable(f"Redis does not take it now: {said}", _WHY[code])
    if isinstance(error, _UNAVAILABLE):
        return StoreUnavailable(f"Redis does not answer: {said}")
    return _refused(said) if isinstance(error, redis.ResponseError) else StoreError(said)


def _full(said: object) -> StoreFull:
    return StoreFull(f"Redis has no memory for it: {said}")


def _refused(text: str) -> StoreError:
    code = _UNAVAILABLE_CODE.search(text)
    if _FORBIDDEN_IN_A_SCRIPT.search(text):
        return StoreUnavailable(f"Redis does not take it now: {text}", _WHY["NOPERM"])
    if code is None:
        return Corrupt(f"Redis refuses it: {text}")
    if code[2] == "OOM":
        return _full(text)
    why = _WHY.get(code[2], f"the store does not take it now ({code[2]})")
    return StoreUnavailable(f"Redis does not take it now: {text}", why)


def call(client: Client, *words: str | bytes | float) -> Any:
    """Send one command and return its answer.

    Raises:
        StoreUnavailable: Redis does not answer.
    """
    with translated(client):
        return _after_failover(client, lambda: client.execute_command(*words))  # type: ignore[no-untyped-call]  # redis-py leaves it untyped


def pipe(client: Client, commands: Iterable[Command]) -> list[Any]:
    """Send commands together, in one round trip, and return their answers; they are no transaction.

    Raises:
        StoreUnavailable: Redis does not answer.
    """
    sent = list(commands)

    def send() -> list[Any]:
        pipeline = client.pipeline(transaction=False)
        for words in sent:
            pipeline.execute_command(*words)
        return cast("list[Any]", pipeline.execute())

    with translated(client):
        return _after_failover(client, send)


class Script:
    """A Lua script that Redis runs as one step (EVALSHA; loaded again where the server does not know it)."""

    def __init__(self, client: Client, source: str) -> None:
        self._client = client
        self._script = client.register_script(source)

    def __call__(self, keys: Sequence[str], args: Command) -> Any:
        """Run it.

        Raises:
            StoreUnavailable: Redis does not answer: whether it has run is unknown.
        """
        with translated(self._client):
            return _after_failover(self._client, lambda: self._script(keys, args))

    def replicated(self, keys: Sequence[str], args: Command, replicas: int) -> tuple[Any, int]:
        """Run it, and in the same round trip wait for a while until so many replicas have what it wrote.

        Returns:
            Its answer, and how many have it; of a script that wrote nothing the number says nothing.

        Raises:
            StoreUnavailable: Redis does not answer: whether it has run is unknown.
        """
        if replicas == 0:
            return self(keys, args), 0
        with translated():
            return _after_failover(
                self._client, lambda: replication.evaluate(self._client, self._script, keys, args, replicas)
            )


def require(reached: int, replicas: int) -> None:
    """Hold that so many `replicas` have a write.

    Raises:
        NotReplicated: fewer do.
    """
    if reached < replicas:
        raise NotReplicated(reached, replicas)


def scan(client: Client, pattern: str) -> Iterator[bytes]:
    """Every key that matches `pattern`, on all nodes; one that comes or goes meanwhile may be missed."""
    with translated():
        yield from client.scan_iter(match=pattern, count=1000)


def check(client: Client, replicas: int = 0) -> list[str]:
    """What an operator should know about the server, a sentence each; empty where it is set up as it should be.

    Args:
        replicas: how many have to have what is written.

    Raises:
        UnsupportedServer: it is older than 6.2.
        Misconfigured: its address has to be another one.
        StoreUnavailable: it does not answer.
    """
    warnings = []
    for node in nodes(client):
        server = info(node, "server")
        version = server.get("redis_version", "0")
        if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_SERVER:
            raise UnsupportedServer(f"the server is of version {version}: 6.2 or newer is needed")
        if "sentinel" in (server.get("redis_mode"), server.get("server_mode")):
            raise Misconfigured(f"the store {A_SENTINEL}")
        if not isinstance(client, RedisCluster) and info(node, "cluster").get("cluster_enabled") == "1":
            raise Misconfigured(f"the store {IN_A_CLUSTER}")
        policy = config(node, "maxmemory-policy")
        if policy not in ("noeviction", None):
            warnings.append(f"maxmemory-policy is {policy}: Redis may throw events away (set noeviction)")
        warnings += _lack(int(info(node, "replication").get("connected_slaves", 0)), replicas)
    kept = durability(client)
    if kept != "fsync":
        warnings.append(f"durability is {kept}: set appendonly yes and appendfsync always to keep every event")
    return warnings


def _lack(connected: int, replicas: int) -> list[str]:
    """What is wrong with how many replicas a server has, where so many have to have what is written."""
    has = (
        f"the server has {connected} {'replica' if connected == 1 else 'replicas'}, and DRIFTLOG_REPLICAS is {replicas}"
    )
    if connected < replicas:
        return [f"{has}: nothing is acknowledged until it has as many"]
    if connected > replicas:
        return [f"{has}: one that lags may be promoted, and what was acknowledged is lost"]
    return []


def durability(client: Client) -> Durability:
    """What an acknowledged append survives; of a cluster, at its weakest node.

    Raises:
        StoreUnavailable: the server does not answer.
    """
    return min((durability_of(node) for node in nodes(client)), key=_WEAKEST.index)


def durability_of(node: redis.Redis) -> Durability:
    """What an acknowledged write survives at one server.

    Raises:
        StoreUnavailable: it does not answer.
    """
    # While the log is written anew, some servers let it be unsynced until that is done.
    if info(node, "persistence").get("aof_enabled") != "1" or config(node, "no-appendfsync-on-rewrite") == "yes":
        return "memory"
    # A server that keeps its settings to itself is not promised more than the default.
    return _SYNCED.get(config(node, "appendfsync"), "memory")


def nodes(client: Client) -> list[redis.Redis]:
    """The servers that take writes: one, or those of a cluster.

    Raises:
        StoreUnavailable: a cluster does not answer.
    """
    if isinstance(client, RedisCluster):
        with translated():
            return [client.get_redis_connection(node) for node in client.get_primaries()]  # type: ignore[no-untyped-call]  # as above
    return [client]


def info(node: redis.Redis, section: str) -> dict[str, str]:
    """What a server tells of itself in a section of INFO.

    Raises:
        StoreUnavailable: it does not answer.
    """
    with translated():
        facts = node.info(section)
    return {name: str(value) for name, value in facts.items()}


def config(node: redis.Redis, name: str) -> str | None:
    """A setting of a server; None where it keeps it to itself.

    Raises:
        StoreUnavailable: it does not answer.
    """
    with translated():
        try:
            settings = cast("dict[Any, Any]", node.config_get(name))
        except redis.ResponseError:
            return None
    value = settings.get(name, settings.get(name.encode()))
    return value.decode() if isinstance(value, bytes) else value
