"""Checks of the server: version, persistence and free memory."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import redis
from redis.cluster import RedisCluster

from operations.backup.restoring import in_words
from operations.doctor.findings import CheckResult, Level
from store import Store
from store.errors import StoreError
from store.redis import connection
from store.redis.connection import Client

NEARLY_FULL = 0.8
FULL = 0.95
"""The fraction of the allowed memory above which the server counts as full."""
ARCHIVE_SECONDS = 5.0
"""Timeout for the archive in seconds."""
_GIB = 1 << 30


def examine(store: Store, folder: Path | None) -> Iterator[CheckResult]:
    """Yield the findings about the server.

    Args:
        folder: the folder with the server's files; None if the folder is unknown or on a different machine.

    Raises:
        StoreUnavailable: the server does not answer.
    """
    nodes = connection.nodes(store.client)
    yield _version(store.client, nodes)
    yield _durability(store)
    yield _eviction(nodes)
    yield _memory(nodes)
    yield _disk(nodes, folder)
    yield _signing(store)
    yield _archive(store)


def _version(client: Client, nodes: list[redis.Redis]) -> CheckResult:
    servers = [connection.info(node, "server") for node in nodes]
    names = {
        f"Valkey {told['valkey_version']}" if "valkey_version" in told else f"Redis {told.get('redis_version', '?')}"
        for told in servers
    }
    is_cluster = isinstance(client, RedisCluster)
    what = f"{', '.join(sorted(names))}, " + (f"a cluster of {len(nodes)} masters" if is_cluster else "one server")
    try:
        connection.check(client)
    except StoreError as error:
        return CheckResult("redis", "fail", f"{what}: {error}")
    return CheckResult("redis", "warn" if len(names) > 1 else "ok", what)


def _durability(store: Store) -> CheckResult:
    try:
        kept = store.durability()
    except StoreError as error:
        return CheckResult("durability", "fail", f"the store rejects writes: {error}")
    told: dict[str, tuple[Level, str]] = {
        "fsync": ("ok", "every event is on disk before it is acknowledged (appendfsync always)"),
        "everysec": ("warn", "a power failure loses the events of the last second: set appendfsync always"),
        "memory": ("fail", "acknowledged events may be lost: set appendonly yes and appendfsync always"),
    }
    level, message = told[kept]
    return CheckResult("durability", level, message)


def _eviction(nodes: list[redis.Redis]) -> CheckResult:
    policies = {connection.config(node, "maxmemory-policy") for node in nodes}
    limited = any(connection.config(node, "maxmemory") not in ("0", None) for node in nodes)
    if policies == {None}:
        return CheckResult("eviction", "warn", "the server hides its maxmemory-policy, which must be noeviction")
    wrong = sorted(policy for policy in policies if policy not in ("noeviction", None))
    if wrong:
        message = f"maxmemory-policy is {', '.join(wrong)}: events can be lost; set noeviction"
        return CheckResult("eviction", "fail" if limited else "warn", message)
    return CheckResult("eviction", "ok", "nothing is evicted (noeviction)")


def _memory(nodes: list[redis.Redis]) -> CheckResult:
    worst, message = 0.0, ""
    for node in nodes:
        told = connection.info(node, "memory")
        used = int(told.get("used_memory", 0))
        limit = int(told.get("maxmemory", 0))
        most = limit or int(told.get("total_system_memory", 0))
        share = used / most if most else 0.0
        if share >= worst:
            worst = share
            of = f"{in_words(most)} ({'maxmemory' if limit else 'the machine'})" if most else "an unknown amount"
            message = f"{in_words(used)} used of {of}"
    level: Level = "fail" if worst >= FULL else "warn" if worst >= NEARLY_FULL else "ok"
    return CheckResult("memory", level, message)


def _disk(nodes: list[redis.Redis], folder: Path | None) -> CheckResult:
    for node in nodes:
        told = connection.info(node, "persistence")
        for field, what in (
            ("aof_last_write_status", "its last write"),
            ("aof_last_bgrewrite_status", "its rewrite"),
        ):
            if told.get(field, "ok") != "ok":
                return CheckResult("disk", "fail", f"the append-only file: {what} failed ({field} is {told[field]})")
    if folder is None:
        return CheckResult("disk", "ok", "the append-only file is written correctly; free disk space is unknown here")
    return _room(folder, shutil.disk_usage)


def _room(folder: Path, usage: Callable[[Path], tuple[int, int, int]]) -> CheckResult:
    _, _, free = usage(folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    message = f"{in_words(free)} free; {folder} uses {in_words(size)}"
    # A rewrite of the append-only file needs space for the old file and the new one.
    level: Level = "fail" if free < size else "warn" if free < 2 * size or free < _GIB else "ok"
    return CheckResult("disk", level, message)


def _archive(store: Store) -> CheckResult:
    archiving = store.archiving
    fault, games = archiving.fault_monitor.fault(ARCHIVE_SECONDS), archiving.count()
    if fault is not None:
        lost = f": {games:,} games cannot be read" if games else ""
        return CheckResult("archive", "fail" if games else "warn", f"{fault}{lost}")
    if not archiving.archive.place:
        return CheckResult(
            "archive", "fail" if games else "ok", f"DRIFTLOG_ARCHIVE is not set; {games:,} games are archived"
        )
    return CheckResult("archive", "ok", f"{archiving.archive.place} works; {games:,} games are archived")


def _signing(store: Store) -> CheckResult:
    try:
        key = store.signing.active().public
    except StoreError as error:
        return CheckResult(
            "signing", "fail", f"{error}: restore it from a backup, or create a new key with `driftlog keys rotate`"
        )
    return CheckResult("signing", "ok", f"{key.id} signs; older keys: {len(store.signing.published_keys()) - 1}")
