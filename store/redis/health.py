"""Read the health of a Redis: its data, persistence and latency."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import redis
from redis.cluster import RedisCluster

from store.redis import connection
from store.redis.connection import Client, Durability


class RedisHealth(msgspec.Struct, frozen=True):
    """The status of one server, as reported by the server."""

    node: str
    """The server's address in a cluster; empty for a single server."""
    version: str
    seconds: float
    """Duration of a round trip, in seconds."""
    memory_bytes: int
    memory_limit_bytes: int
    """The limit `maxmemory` in bytes; 0 if there is none."""
    evicted_keys: int
    """Number of evicted keys since the server's start: more than 0 means that events may be lost."""
    clients: int
    durability: Durability
    """Durability of an acknowledged write."""
    is_written: bool
    """True if the last write to the disk succeeded, or none is configured."""
    is_rewritten: bool
    """True if the last rewrite of the log succeeded, or none was needed."""
    delayed_fsyncs: int
    """Number of writes since the server's start that had to wait for the disk."""
    log_bytes: int
    """Bytes of the append-only file; 0 if there is none."""
    replicas: int


def health_of(client: Client) -> list[RedisHealth]:
    """Return the health of every server that accepts writes."""
    in_cluster = isinstance(client, RedisCluster)
    return [_of(node, in_cluster=in_cluster) for node in connection.nodes(client)]


def _of(node: redis.Redis, *, in_cluster: bool) -> RedisHealth:
    began = time.perf_counter()
    with connection.translate_errors():
        node.ping()
    seconds = time.perf_counter() - began
    with connection.translate_errors():
        said: dict[str, Any] = node.info()
    where = node.connection_pool.connection_kwargs
    return RedisHealth(
        node=f"{where.get('host')}:{where.get('port')}" if in_cluster else "",
        version=str(said.get("valkey_version") or said.get("redis_version", "")),
        seconds=seconds,
        memory_bytes=int(said.get("used_memory", 0)),
        memory_limit_bytes=int(said.get("maxmemory", 0)),
        evicted_keys=int(said.get("evicted_keys", 0)),
        clients=int(said.get("connected_clients", 0)),
        durability=connection.durability_of(node),
        is_written=said.get("aof_last_write_status", "ok") == "ok",
        is_rewritten=said.get("aof_last_bgrewrite_status", "ok") == "ok",
        delayed_fsyncs=int(said.get("aof_delayed_fsync", 0)),
        log_bytes=int(said.get("aof_current_size", 0)),
        replicas=int(said.get("connected_slaves", 0)),
    )
