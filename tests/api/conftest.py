"""The app on real embedded servers, and clients of it."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.app import create_app, reset
from api.plumbing.settings import Settings
from store import Store
from tests.api.declared import Declared
from tests.api.table import Table
from tests.api.tokens import Door
from workers.queue import Queue


def _seconds() -> float:
    """Return the processor time in seconds that a request may use; see the root conftest for runs with coverage."""
    return float(os.environ.get("DRIFTLOG_REQUEST_SECONDS", Settings(redis_url="", queue_url="").request_seconds))


@pytest.fixture(scope="session")
def assembled(events_server: str, queue_server: str) -> Iterator[Callable[[int], Flask]]:
    """Return a function that returns an app by number. Apps are reused, because they are slow to create."""
    apps: list[Flask] = []

    @functools.cache
    def assemble_app(_number: int) -> Flask:
        apps.append(create_app(Settings(redis_url=events_server, queue_url=queue_server, request_seconds=_seconds())))
        return apps[-1]

    yield assemble_app
    for app in apps:
        hang_up(app)


def hang_up(app: Flask) -> None:
    """Close the app's resources in order: the garbage collector could close them in any order."""
    if "store" in app.extensions:
        hub = app.extensions["hub"]
        hub.stop()
        if hub._thread is not None:
            # The thread listens on a connection of the store, so wait for its end.
            hub._thread.join(60)
        app.extensions["store"].client.close()
        app.extensions["queue"].connection.close()


@pytest.fixture
def process(assembled: Callable[[int], Flask], store: Store, queue: Queue) -> Callable[[int], Flask]:
    """Return a function that returns a newly started process of the service, by number."""

    def process(number: int) -> Flask:
        app = assembled(number)
        reset(app)
        return app

    return process


@pytest.fixture(scope="session")
def locked(events_server: str, queue_server: str) -> Iterator[Flask]:
    """The app of a service that requires tokens."""
    app = create_app(
        Settings(redis_url=events_server, queue_url=queue_server, access="tokens", request_seconds=_seconds())
    )
    yield app
    hang_up(app)


@pytest.fixture
def door(locked: Flask, store: Store, queue: Queue) -> Door:
    """A source of tokens and clients for a newly started service that requires tokens."""
    reset(locked)
    return Door(locked, store)


@pytest.fixture
def app(process: Callable[[int], Flask]) -> Flask:
    made = process(1)
    made.test_client_class = Declared
    return made


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def table(client: FlaskClient) -> Table:
    return Table(client)


@pytest.fixture
def other(process: Callable[[int], Flask]) -> Table:
    """Another process of the same service."""
    return Table(process(2).test_client())


def pytest_make_parametrize_id(val: Any) -> str | None:
    return val if isinstance(val, str) and len(val) < 40 else None
