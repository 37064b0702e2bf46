"""Fixtures for everyone: a real embedded server per test process, and a store that begins empty."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from store import Store
from store.connection import connect
from store.embedded import Embedded


@pytest.fixture(scope="session")
def events_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server that keeps events as the service does: on disk before they are acknowledged."""
    with Embedded(tmp_path_factory.mktemp("data"), "events", durable=True) as server:
        yield server.url


@pytest.fixture(scope="session")
def queue_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server for RQ, which keeps nothing."""
    with Embedded(tmp_path_factory.mktemp("data"), "queue", durable=False) as server:
        yield server.url


@pytest.fixture
def store(events_server: str) -> Iterator[Store]:
    """An empty store."""
    with connect(events_server) as client:
        client.flushdb()
        yield Store(client)
