"""The connection to Redis: connect, send commands, and convert errors.

Each call raises `StoreUnavailable` if the server does not answer. Then it is unknown whether a write was applied.

This module never sends a write twice. The retries of redis-py are off: a lost answer raises `StoreUnavailable`, and the
caller repeats the write with the same idempotency key. The only exception is a command that could not be sent, because
a node of a cluster refused the connection; see `_after_failover`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeVar, cast

import redis
from redis.backoff import NoBackoff
from redis.cluster import RedisCluster
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
from store.redis import cluster, local, replication, sentinels
from store.redis.cluster import Unconnected

T = TypeVar("T")

Client = redis.Redis | RedisCluster

Command = Sequence[str | bytes | float]
"""The words of a command."""

Durability = Literal["fsync", "everysec", "memory"]
"""Durability of an acknowledged write.

`fsync`: the write survives power loss. `everysec`: it survives power loss after a second. `memory`: at best it survives
a clean stop.
"""

OLDEST_SERVER = (6, 2)
SOCKET_TIMEOUT = 5.0
"""Seconds to wait for an answer."""

MOST_CONNECTIONS = 10_000
"""The default limit of a Redis server. With redis-py's default (100), many threads could not connect at once."""


STOPPED = "1"
"""The `maxmemory` of an embedded server whose disk is almost full.

With this limit, a server still accepts commands that free memory, and all later writes of the script that sent them.
"""

IN_A_CLUSTER = "is a node of a cluster: its address must begin with redis+cluster:// or rediss+cluster://"
A_SENTINEL = "is a sentinel: its address must be redis+sentinel://host:26379/service"

_UNAVAILABLE = (
    redis.ConnectionError,
    redis.TimeoutError,
    redis.ReadOnlyError,
    redis.exceptions.ClusterError,
    redis.exceptions.AskError,
    redis.exceptions.TryAgainError,
    # The server has restarted since it loaded the script.
    redis.exceptions.NoScriptError,
    RedisClusterException,
)
# The code is at the beginning of an error. But if the error occurred in a script, Redis 6.2 puts the code further
# inside.
_UNAVAILABLE_CODE = re.compile(
    r"(^|-)(BUSY|LOADING|MASTERDOWN|MISCONF|NOAUTH|NOPERM|NOREPLICAS|OOM|READONLY|UNKILLABLE)\b"
)
# redis-py quotes the command, which may contain secrets: a seed, or hidden information.
_ASKED = re.compile(r"\ACommand # \d+ \(.*\) of pipeline caused error: ", re.DOTALL)
_WHY = {
    "NOPERM": "the store does not permit this service to write",
    "LOADING": "the store is loading its data",
    "MISCONF": "the store cannot write to its disk",
    "NOREPLICAS": "the store has too few replicas to accept a write",
    "READONLY": "the store is a replica, which accepts no writes",
}
_FORBIDDEN_IN_A_SCRIPT = re.compile(r"ACL failure in script|The user executing the script can't")
# redis-py has classes for these errors, and removes the code from the message.
_CODES: dict[type[Exception], str] = {
    redis.BusyLoadingError: "LOADING",
    redis.exceptions.NoPermissionError: "NOPERM",
    redis.ReadOnlyError: "READONLY",
}
_SYNCED: dict[str | None, Durability] = {"always": "fsync", "everysec": "everysec", None: "everysec"}
_WEAKEST: tuple[Durability, ...] = ("memory", "everysec", "fsync")
_DRIVER = DriverInfo()
"""The driver's name and version, created only once: redis-py would look up the version for each connection."""


def connect(url: str) -> Client:
    """Create a client for the server at `url`. Only a cluster is contacted immediately.

    Args:
        url: `redis://`, `rediss://`, `unix://`; `redis+cluster://` and `rediss+cluster://` with the nodes of a cluster,
            separated by commas; `redis+sentinel://` and `rediss+sentinel://` with sentinels and their service
            (`store.redis.sentinels`).

    Raises:
        ValueError: the URL is invalid.
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
    if scheme in cluster.SCHEMES:
        with translate_errors():
            return cluster.connect(cluster.SCHEMES[scheme] + separator + rest, **options)
    options["driver_info"] = _DRIVER
    if scheme == local.SCHEME:
        options["connection_class"] = local.LocalConnection
    client = sentinels.connect(url, **options) if sentinels.is_address(url) else redis.Redis.from_url(url, **options)
    # Do not convert pages of streams to dicts: `codec` decodes them.
    client.response_callbacks.pop("XRANGE", None)
    return client


def _after_failover(client: Client, send: Callable[[], T]) -> T:
    """Call `send` and return its result. On a cluster, call it again if a node refused the connection.

    After a failover, the client first asks the failed node. After the error, the client reads the slots of the cluster
    again, so the second attempt reaches the promoted node. This cannot apply a write twice, because `Unconnected` is
    raised before the first byte of a command is sent: a script is sent to one node, and a pipeline connects to all its
    nodes before it sends to any.

    If a connection breaks later, it is unknown whether the command was applied. Only the caller knows if it may be
    repeated: without an idempotency key, a repeated append would conflict with its own events, and append them again.
    """
    try:
        return send()
    except Unconnected:
        if not isinstance(client, RedisCluster):
            raise
        return send()


def database(client: Client) -> int:
    """Return the number of the client's database; 0 for a cluster."""
    return 0 if isinstance(client, RedisCluster) else int(client.get_connection_kwargs().get("db") or 0)


@contextmanager
def translate_errors(client: Client | None = None) -> Iterator[None]:
    """Convert an error of redis-py to a `StoreError`.

    Args:
        client: the client in use. It shows whether an embedded server accepts no writes because its disk is almost
            full.
    """
    try:
        yield
    except (RedisError, RedisClusterException) as error:
        why = advice(error)
        told = _translate(error) if why is None else Misconfigured(f"the store {why}")
        if isinstance(told, StoreFull) and isinstance(client, redis.Redis) and config(client, "maxmemory") == STOPPED:
            told = DiskFull("the disk of the store is almost full: free some space, or lower DRIFTLOG_DISK_RESERVE")
        raise told from error


def advice(error: Exception) -> str | None:
    """Return advice for the operator if an error shows that an address is wrong; otherwise None."""
    text = str(error)
    match error:
        case sentinels.NoSentinel():
            return "is not a sentinel: its address must not begin with redis+sentinel:// or rediss+sentinel://"
        case sentinels.NoSuchService():
            return f"does not know the service at the end of its address: {text}"
        case sentinels.SentinelRefused():
            return "is behind sentinels that need a different password: correct `sentinel_password` in its address"
        case redis.AuthenticationError() if "invalid" in text:
            return "rejects the name or password in its address"
        case redis.AuthenticationError():
            return "needs a password, but its address has none"
        case redis.exceptions.MovedError() | redis.exceptions.ClusterCrossSlotError():
            return IN_A_CLUSTER
        case RedisClusterException() if "Cluster mode is not enabled" in text:
            return "is not a cluster: its address must not begin with redis+cluster:// or rediss+cluster://"
        case redis.ResponseError() if "DB index is out of range" in text:
            return "has no database with the number at the end of its address"
        case redis.ResponseError() if "unknown command" in text:
            # Leave out the arguments, which may contain hidden information.
            return f"does not know a command that Driftlog needs. Perhaps it {A_SENTINEL}"
    return None


def _translate(error: Exception) -> StoreError:
    said = _ASKED.sub("", str(error))
    if isinstance(error, redis.OutOfMemoryError):
        return _full(said)
    for kind, code in _CODES.items():
        if isinstance(error, kind):
            return StoreUnavailable(f"Redis accepts no writes now: {said}", _WHY[code])
    if isinstance(error, _UNAVAILABLE):
        return StoreUnavailable(f"Redis does not answer: {said}")
    return _refusal_error(said) if isinstance(error, redis.ResponseError) else StoreError(said)


def _full(said: object) -> StoreFull:
    return StoreFull(f"Redis has no memory left: {said}")


def _refusal_error(text: str) -> StoreError:
    code = _UNAVAILABLE_CODE.search(text)
    if _FORBIDDEN_IN_A_SCRIPT.search(text):
        return StoreUnavailable(f"Redis accepts no writes now: {text}", _WHY["NOPERM"])
    if code is None:
        return Corrupt(f"Redis rejected the command: {text}")
    if code[2] == "OOM":
        return _full(text)
    why = _WHY.get(code[2], f"the store accepts no writes now ({code[2]})")
    return StoreUnavailable(f"Redis accepts no writes now: {text}", why)


def call(client: Client, *words: str | bytes | float) -> Any:
    """Send one command and return its answer."""
    with translate_errors(client):
        return _after_failover(client, lambda: client.execute_command(*words))  # type: ignore[no-untyped-call]  # redis-py leaves it untyped


def pipe(client: Client, commands: Iterable[Command], *, is_lenient: bool = False) -> list[Any]:
    """Send commands in one round trip, and return their answers. The commands do not form a transaction.

    Args:
        is_lenient: True to return a `Corrupt` as the answer about a key of the wrong type, so that one damaged game
            does not hide the others; False to raise it.
    """
    sent = list(commands)

    def send() -> list[Any]:
        pipeline = client.pipeline(transaction=False)
        for words in sent:
            pipeline.execute_command(*words)
        return [_readable(answer) for answer in pipeline.execute(raise_on_error=not is_lenient)]

    with translate_errors(client):
        return _after_failover(client, send)


def pipe_or_none(client: Client, commands: Iterable[Command]) -> list[Any]:
    """Send commands in one round trip, and return their answers. The answer about a key of the wrong type is None."""
    return [None if isinstance(answer, Corrupt) else answer for answer in pipe(client, commands, is_lenient=True)]


def _readable(answer: Any) -> Any:
    """Return an answer, or a `Corrupt` if its key has the wrong type. Raise any other error."""
    if not isinstance(answer, Exception):
        return answer
    if str(answer).startswith("WRONGTYPE"):
        return _translate(answer)
    raise answer


class Script:
    """A Lua script that Redis runs as one step. If the server does not know the script, it is loaded again."""

    def __init__(self, client: Client, source: str) -> None:
        self._client = client
        self._script = client.register_script(source)

    def __call__(self, keys: Sequence[str], args: Command) -> Any:
        with translate_errors(self._client):
            return _after_failover(self._client, lambda: self._script(keys, args))

    def run_replicated(self, keys: Sequence[str], args: Command, replicas: int) -> tuple[Any, int]:
        """Run the script. In the same round trip, wait until the required number of replicas has the script's writes.

        Returns:
            The script's result, and the number of replicas (meaningless if the script wrote nothing).
        """
        if replicas == 0:
            return self(keys, args), 0
        with translate_errors():
            return _after_failover(
                self._client, lambda: replication.evaluate(self._client, self._script, keys, args, replicas)
            )


def require(reached: int, replicas: int) -> None:
    """Raise `NotReplicated` unless enough replicas have a write.

    Args:
        reached: the number of replicas that have the write.
        replicas: the required number.
    """
    if reached < replicas:
        raise NotReplicated(reached, replicas)


def scan(client: Client, pattern: str, type_: str | None = None) -> Iterator[bytes]:
    """Yield every key that matches `pattern`, on all nodes. Keys created or deleted during the scan may be missing.

    Args:
        type_: the type of the keys; None: any type.
    """
    with translate_errors():
        yield from client.scan_iter(match=pattern, count=1000, _type=type_)


def check(client: Client, replicas: int = 0) -> list[str]:
    """Check the server, and return warnings, one sentence each.

    Args:
        replicas: the number of replicas that must have a write.

    Raises:
        UnsupportedServer: the server is older than 6.2.
        Misconfigured: the address is wrong.
    """
    warnings = []
    for node in nodes(client):
        server = info(node, "server")
        version = server.get("redis_version", "0")
        if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_SERVER:
            raise UnsupportedServer(f"the server has version {version}, but 6.2 or newer is needed")
        if "sentinel" in (server.get("redis_mode"), server.get("server_mode")):
            raise Misconfigured(f"the store {A_SENTINEL}")
        if not isinstance(client, RedisCluster) and info(node, "cluster").get("cluster_enabled") == "1":
            raise Misconfigured(f"the store {IN_A_CLUSTER}")
        policy = config(node, "maxmemory-policy")
        if policy not in ("noeviction", None):
            warnings.append(f"maxmemory-policy is {policy}: Redis may evict events: set noeviction")
        warnings += _lack(int(info(node, "replication").get("connected_slaves", 0)), replicas)
    kept = durability(client)
    if kept != "fsync":
        warnings.append(f"durability is {kept}: set appendonly yes and appendfsync always to keep every event")
    return warnings


def _lack(connected: int, replicas: int) -> list[str]:
    has = (
        f"the server has {connected} {'replica' if connected == 1 else 'replicas'}, and DRIFTLOG_REPLICAS is {replicas}"
    )
    if connected < replicas:
        return [f"{has}: no write is acknowledged until there are enough"]
    if connected > replicas:
        return [f"{has}: a failover to a replica that lags loses acknowledged writes"]
    return []


def durability(client: Client) -> Durability:
    """Return the durability of an acknowledged append; for a cluster, the durability of its weakest node."""
    return min((durability_of(node) for node in nodes(client)), key=_WEAKEST.index)


def durability_of(node: redis.Redis) -> Durability:
    """Return the durability of a write that this server has acknowledged."""
    # Some servers are configured not to sync the append-only file while they rewrite it.
    if info(node, "persistence").get("aof_enabled") != "1" or config(node, "no-appendfsync-on-rewrite") == "yes":
        return "memory"
    # If a server hides its settings, assume the weakest durability.
    return _SYNCED.get(config(node, "appendfsync"), "memory")


def nodes(client: Client) -> list[redis.Redis]:
    """Return the servers that accept writes: a single one, or several in a cluster."""
    if isinstance(client, RedisCluster):
        with translate_errors():
            return [client.get_redis_connection(node) for node in client.get_primaries()]  # type: ignore[no-untyped-call]  # as above
    return [client]


def info(node: redis.Redis, section: str) -> dict[str, str]:
    """Return a section of the server's INFO."""
    with translate_errors():
        facts = node.info(section)
    return {name: str(value) for name, value in facts.items()}


def config(node: redis.Redis, name: str) -> str | None:
    """Return a setting of a server; None if the server does not reveal it."""
    with translate_errors():
        try:
            settings = cast("dict[Any, Any]", node.config_get(name))
        except redis.ResponseError:
            return None
    value = settings.get(name, settings.get(name.encode()))
    return value.decode() if isinstance(value, bytes) else value
