"""The app on the real embedded servers, and what a client does with it."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.app import create_app
from api.settings import Settings
from store import Store
from tests.api.table import Table
from workers.queue import Queue


@pytest.fixture
def app(events_server: str, queue_server: str, store: Store, queue: Queue) -> Flask:
    return create_app(Settings(redis_url=events_server, queue_url=queue_server))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def table(client: FlaskClient) -> Table:
    return Table(client)


@pytest.fixture
def other(events_server: str, queue_server: str, store: Store, queue: Queue) -> Table:
    """Another process of the same service."""
    return Table(create_app(Settings(redis_url=events_server, queue_url=queue_server)).test_client())


def pytest_make_parametrize_id(val: Any) -> str | None:
    return val if isinstance(val, str) and len(val) < 40 else None
