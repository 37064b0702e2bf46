"""How a Redis is: what it holds, what it keeps on disk, and how soon it answers. Asked, never changed."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import redis
from redis.cluster import RedisCluster

from store.redis import connection
from store.redis.connection import Client, Durability


class Vitals(msgspec.Struct, frozen=True):
    """One server, as it says itself."""

    node: str
    """Its address in a cluster; empty where there is but one."""
    version: str
    seconds: float
    """From the question to the answer, just now."""
    memory_bytes: int
    memory_limit_bytes: int
    """0: none."""
    evicted_keys: int
    """Since it began: more than none means that events may have been thrown away."""
    clients: int
    durability: Durability
    """What an acknowledged write survives."""
    is_written: bool
    """Whether its last write to the disk went well; True where it writes none."""
    is_rewritten: bool
    """Whether it could write its log anew the last time; True where it did not have to."""
    delayed_fsyncs: int
    """Since it began: writes that had to wait for the disk."""
    log_bytes: int
    """Of its append-only file; 0: none."""
    replicas: int


def vitals(client: Client) -> list[Vitals]:
    """Every server that takes writes.

    Raises:
        StoreUnavailable: one does not answer.
    """
    in_cluster = isinstance(client, RedisCluster)
    return [_of(node, in_cluster=in_cluster) for node in connection.nodes(client)]


def _of(node: redis.Redis, *, in_cluster: bool) -> Vitals:
    began = time.perf_counter()
    with connection.translated():
        node.ping()
    seconds = time.perf_counter() - began
    with connection.translated():
        said: dict[str, Any] = node.info()
    where = node.connection_pool.connection_kwargs
    return Vitals(
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
