"""Fixtures for all tests: a real embedded server per test process, and an empty store per test."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest

from store import Store
from store.access import rates
from store.redis.connection import connect
from store.redis.embedded import EmbeddedServer
from tests.waiting import PATIENCE
from workers import runner, tasks
from workers.queue import Queue
from workers.queue import connect as connect_queue


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """Wait longer for Redis: if it answers too late, the service serves requests without counting them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rates, "ANSWER_SECONDS", PATIENCE)
        yield


@pytest.fixture(scope="session")
def events_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server for events that syncs every write before it acknowledges it, like that of the service."""
    with EmbeddedServer(tmp_path_factory.mktemp("data"), "events", durable=True) as server:
        yield server.url


@pytest.fixture(scope="session")
def queue_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server for RQ, without persistence."""
    with EmbeddedServer(tmp_path_factory.mktemp("data"), "queue", durable=False) as server:
        yield server.url


@pytest.fixture
def store(events_server: str) -> Iterator[Store]:
    """An empty store."""
    with connect(events_server) as client:
        client.flushdb()
        yield Store(client)


@pytest.fixture
def queue(queue_server: str) -> Queue:
    """An empty queue."""
    queue = connect_queue(queue_server)
    queue.connection.flushdb()
    return queue


@pytest.fixture
def as_worker(events_server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set up a worker's environment in this process, and restore it afterwards."""
    monkeypatch.setenv(tasks.REDIS_URL, events_server)
    # The tests themselves, with coverage, use processor time of this process, too.
    monkeypatch.setattr(tasks, "FIRST_TRY_SECONDS", 600.0)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    tasks.process_store.cache_clear()
    yield
    tasks.process_store.cache_clear()
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def work(as_worker: None, store: Store, queue: Queue, events_server: str, queue_server: str) -> Callable[[], None]:
    """Return a function that runs all waiting jobs, as a worker does."""
    return lambda: runner.work(events_server, queue_server, uuid4().hex, burst=True)
