"""The app on the real embedded servers, and what a client does with it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.app import create_app
from api.settings import Settings
from store import Store
from tests.api.table import Table
from workers import runner, tasks


@pytest.fixture
def app(events_server: str, queue_server: str, store: Store) -> Flask:
    app = create_app(Settings(redis_url=events_server, queue_url=queue_server))
    app.extensions["queue"].connection.flushdb()
    return app


@pytest.fixture
def work(app: Flask, events_server: str, queue_server: str) -> Iterator[Callable[[], None]]:
    """Does every job that waits, as a worker does."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    tasks.store.cache_clear()
    yield lambda: runner.work(events_server, queue_server, uuid4().hex, burst=True)
    tasks.store.cache_clear()
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def table(client: FlaskClient) -> Table:
    return Table(client)


def pytest_make_parametrize_id(val: Any) -> str | None:
    return val if isinstance(val, str) and len(val) < 40 else None
