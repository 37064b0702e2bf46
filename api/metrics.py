"""Figures for Prometheus: the requests of all web processes, and what the store and the queue hold when asked."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from flask import Flask, Response, g, request
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import REGISTRY, Collector

from store import Store
from store.errors import StoreError
from workers.queue import Queue, QueueUnavailable, live_workers, pending

REQUESTS = Counter("driftlog_requests_total", "Requests answered.", ["method", "endpoint", "status"])
SECONDS = Histogram("driftlog_request_seconds", "Time to answer a request.", ["endpoint"])
EVENTS = Counter("driftlog_events_appended_total", "Events appended by this service.")


METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
"""Those that are counted by name."""


class _Holdings(Collector):
    """What Redis holds when it is asked."""

    def __init__(self, store: Store, queue: Queue) -> None:
        self._store = store
        self._queue = queue

    def collect(self) -> Iterator[Metric]:
        try:
            yield GaugeMetricFamily("driftlog_games", "Games in the list.", self._store.projections.count())
            up = 1
        except StoreError:
            up = 0
        yield GaugeMetricFamily("driftlog_store_up", "Whether the store answers.", up)
        try:
            yield GaugeMetricFamily("driftlog_jobs_pending", "Jobs that wait.", pending(self._queue))
            yield GaugeMetricFamily("driftlog_workers", "Workers that are alive.", live_workers(self._queue))
            up = 1
        except QueueUnavailable:
            up = 0
        yield GaugeMetricFamily("driftlog_queue_up", "Whether the job queue answers.", up)


def exposition(store: Store, queue: Queue) -> bytes:
    """All figures in Prometheus' text format; of all web processes where they share PROMETHEUS_MULTIPROC_DIR."""
    held = CollectorRegistry()
    held.register(_Holdings(store, queue))
    counted = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        counted = CollectorRegistry()
        multiprocess.MultiProcessCollector(counted)
    return generate_latest(counted) + generate_latest(held)


def measure(app: Flask) -> None:
    """Count and time every request of the app."""

    def begin() -> None:
        g.began = time.perf_counter()

    def end(response: Response) -> Response:
        endpoint = request.endpoint or "none"
        # Anyone can invent a method, and each label is kept for ever.
        method = request.method if request.method in METHODS else "other"
        REQUESTS.labels(method, endpoint, str(response.status_code)).inc()
        SECONDS.labels(endpoint).observe(time.perf_counter() - g.began)
        return response

    app.before_request(begin)
    app.after_request(end)
