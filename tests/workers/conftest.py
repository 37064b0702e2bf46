"""An empty queue beside the empty store, a worker of the test's own, and servers that can be killed."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from store import Store
from store.embedded import Embedded
from workers import runner, tasks
from workers.queue import Queue, connect

GONE = "unix:///nowhere/driftlog.sock"
"""A Redis that does not answer."""


@pytest.fixture
def queue(queue_server: str) -> Queue:
    """An empty queue."""
    queue = connect(queue_server)
    queue.connection.flushdb()
    return queue


@pytest.fixture
def work(store: Store, queue: Queue, events_server: str, queue_server: str) -> Iterator[Callable[[], None]]:
    """Does every job that waits, as a worker does."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    tasks.store.cache_clear()
    yield lambda: runner.work(events_server, queue_server, uuid4().hex, burst=True)
    tasks.store.cache_clear()
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def own_events(tmp_path: Path) -> Iterator[Embedded]:
    """A server for events that the test may stop or kill."""
    with Embedded(tmp_path / "own", "events", durable=True) as server:
        yield server


@pytest.fixture
def own_queue(tmp_path: Path) -> Iterator[Embedded]:
    """A server for a queue that the test may stop or kill."""
    with Embedded(tmp_path / "own", "queue", durable=False) as server:
        yield server
