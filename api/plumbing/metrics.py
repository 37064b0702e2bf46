"""Prometheus metrics: the requests of all web processes, and data from the store and the queue.

docs/metrics.md explains each metric. Labels have a bounded number of values.
"""

from __future__ import annotations

import functools
import os
import platform
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import REGISTRY, Collector

from store import Store
from store.errors import StoreError
from store.redis.connection import Client, Durability
from store.redis.health import RedisHealth, health_of
from workers import figures
from workers.queue import Queue, QueueUnavailable, live_workers, pending

REQUESTS = Counter("driftlog_requests_total", "Requests answered.", ["method", "route", "status"])
SECONDS = Histogram("driftlog_request_seconds", "Time to the first byte of the response.", ["method", "route"])
REFUSED = Counter("driftlog_refused_total", "Rejected requests and connections by problem.", ["problem"])
EVENTS = Counter("driftlog_events_appended_total", "Events appended by requests, without imports.")
APPEND_SECONDS = Histogram(
    "driftlog_append_seconds",
    "Time of an append, until it is on disk.",
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0),
)
CONFLICTS = Counter("driftlog_append_conflicts_total", "Appends retried after a concurrent write.")
LISTENERS = Gauge("driftlog_listeners", "Open live streams.", multiprocess_mode="livesum")

_METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
_DURABILITIES: tuple[Durability, ...] = ("fsync", "everysec", "memory")


class _Appends:
    def count_append(self, events: int, seconds: float) -> None:
        EVENTS.inc(events)
        APPEND_SECONDS.observe(seconds)

    def count_conflict(self) -> None:
        CONFLICTS.inc()


APPENDS = _Appends()


def begin() -> None:
    """Open the metrics files in this process. Call this before the first request.

    Later would be too late: if the service is killed, the folder of the files may disappear while requests are still
    being answered.
    """
    EVENTS.inc(0)


def method(name: str) -> str:
    """Return the label of a method: clients can invent methods, but labels are kept forever."""
    return name if name in _METHODS else "other"


def count_response(method: str, route: str, status: int, seconds: float) -> None:
    """Count a response."""
    _requests(method, route, status).inc()
    _seconds(method, route).observe(seconds)


@functools.cache
def _requests(method: str, route: str, status: int) -> Counter:
    return REQUESTS.labels(method, route, status)


@functools.cache
def _seconds(method: str, route: str) -> Histogram:
    return SECONDS.labels(method, route)


class _Holdings(Collector):
    """Metrics that are read from Redis each time Prometheus asks for them."""

    def __init__(self, store: Store, queue: Queue) -> None:
        self._store = store
        self._queue = queue

    def collect(self) -> Iterator[Metric]:
        build = GaugeMetricFamily(
            "driftlog_build_info", "Versions of Driftlog and Python; always 1.", labels=["version", "python"]
        )
        build.add_metric([version("driftlog"), platform.python_version()], 1)
        yield build
        servers = _Servers()
        is_up = True
        try:
            yield GaugeMetricFamily("driftlog_games", "Games in the list.", self._store.projections.count())
            yield GaugeMetricFamily(
                "driftlog_archived_games", "Games with archived logs.", self._store.archiving.count()
            )
            yield from self._job_metrics()
            yield from self._webhooks()
            servers.add("events", self._store.client)
        except StoreError:
            is_up = False
        yield GaugeMetricFamily("driftlog_store_up", "1 if the Redis of the events answers.", is_up)
        is_usable = self._store.archiving.fault_monitor.fault() is None
        yield GaugeMetricFamily("driftlog_archive_up", "1 if the archive can be read and written.", is_usable)
        is_up = True
        try:
            yield from self._queue_metrics()
            servers.add("queue", self._queue.connection)
        except (QueueUnavailable, StoreError):
            is_up = False
        yield GaugeMetricFamily("driftlog_queue_up", "1 if the Redis of the queue answers.", is_up)
        yield from servers.families()

    def _job_metrics(self) -> Iterator[Metric]:
        """Yield metrics of all unfinished jobs in the store, queued or not."""
        jobs = self._store.jobs.list_unfinished()
        waiting = GaugeMetricFamily("driftlog_long_jobs", "Unfinished jobs.", labels=["kind", "status"])
        for kind, status in sorted({(job.kind, job.status) for job in jobs}):
            waiting.add_metric([kind, status], sum((job.kind, job.status) == (kind, status) for job in jobs))
        yield waiting
        oldest = max((_age(job.created_at) for job in jobs), default=0.0)
        yield GaugeMetricFamily("driftlog_long_jobs_oldest_seconds", "Age of the oldest unfinished job.", oldest)

    def _webhooks(self) -> Iterator[Metric]:
        failing = sum(one.failing_since is not None for one in self._store.webhooks.health().values())
        there = GaugeMetricFamily("driftlog_webhooks", "Webhooks by status.", labels=["status"])
        there.add_metric(["active"], len(self._store.webhooks.all()) - failing)
        there.add_metric(["failing"], failing)
        yield there
        games, since = self._store.webhooks.waiting()
        yield GaugeMetricFamily("driftlog_webhooks_waiting", "Games with undelivered events, for all webhooks.", games)
        age = 0.0 if since is None else max(0.0, time.time() - since / 1000)
        yield GaugeMetricFamily("driftlog_webhooks_oldest_seconds", "Age of the oldest delivery being retried.", age)

    def _queue_metrics(self) -> Iterator[Metric]:
        queue = self._queue
        yield GaugeMetricFamily("driftlog_jobs_pending", "Queued jobs.", pending(queue))
        yield GaugeMetricFamily("driftlog_jobs_oldest_seconds", "Waiting time of the next job.", figures.oldest(queue))
        yield GaugeMetricFamily("driftlog_workers", "Running workers.", live_workers(queue))
        done = CounterMetricFamily("driftlog_jobs", "Finished jobs by result.", labels=["kind", "result"])
        for labels, times in sorted(figures.count_jobs(queue).items()):
            done.add_metric(list(labels), times)
        yield done
        lag = figures.lag(queue)
        yield GaugeMetricFamily("driftlog_dispatcher_up", "1 if a dispatcher has reported recently.", lag is not None)
        if lag is not None:
            yield GaugeMetricFamily(
                "driftlog_projection_lag_games", "Games whose projections are behind their logs.", lag.games
            )
            yield GaugeMetricFamily("driftlog_projection_lag_seconds", "Longest lag of a projection.", lag.seconds())


class _Servers:
    def __init__(self) -> None:
        self._known: list[tuple[list[str], RedisHealth]] = []

    def add(self, server: str, client: Client) -> None:
        """Add the health of the servers that hold the events or the queue."""
        self._known += [([server, one.node], one) for one in health_of(client)]

    def families(self) -> Iterator[Metric]:
        gauges = {
            "seconds": ("Time to answer a `PING`.", "seconds"),
            "memory_bytes": ("Memory in use.", "memory_bytes"),
            "memory_limit_bytes": ("Memory limit; 0: none.", "memory_limit_bytes"),
            "clients": ("Connected clients.", "clients"),
            "aof_bytes": ("Size of the append-only file; 0: there is none.", "log_bytes"),
            "aof_write_ok": ("1 if the last write to the disk succeeded.", "is_written"),
            "aof_rewrite_ok": ("1 if the last rewrite of the append-only file succeeded.", "is_rewritten"),
            "replicas": ("Connected replicas.", "replicas"),
        }
        counters = {
            "evicted_keys": ("Keys evicted to free memory; among the events, this loses data.", "evicted_keys"),
            "aof_delayed_fsyncs": ("Writes that had to wait for the disk.", "delayed_fsyncs"),
        }
        for family, table in ((GaugeMetricFamily, gauges), (CounterMetricFamily, counters)):
            for name, (what, field) in table.items():
                figure = family(f"driftlog_redis_{name}", what, labels=["server", "node"])
                for labels, one in self._known:
                    figure.add_metric(labels, getattr(one, field))
                yield figure
        yield from self._facts()

    def _facts(self) -> Iterator[Metric]:
        durability = GaugeMetricFamily(
            "driftlog_redis_durability",
            "1 for the durability of an acknowledged write: `fsync`, `everysec` or `memory`.",
            labels=["server", "node", "durability"],
        )
        info = GaugeMetricFamily(
            "driftlog_redis_info", "Version of the server; always 1.", labels=["server", "node", "version"]
        )
        for labels, one in self._known:
            for each in _DURABILITIES:
                durability.add_metric([*labels, each], each == one.durability)
            info.add_metric([*labels, one.version], 1)
        yield durability
        yield info


def _age(moment: str) -> float:
    return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds())


def exposition(store: Store, queue: Queue) -> bytes:
    """Return all metrics in Prometheus' text format.

    If PROMETHEUS_MULTIPROC_DIR is set, the metrics cover all web processes.
    """
    held = CollectorRegistry()
    held.register(_Holdings(store, queue))
    counted = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        counted = CollectorRegistry()
        multiprocess.MultiProcessCollector(counted)
    return generate_latest(counted) + generate_latest(held)
