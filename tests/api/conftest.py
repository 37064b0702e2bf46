"""The app on the real embedded servers, and what a client does with it."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.app import begin, create_app
from api.plumbing.settings import Settings
from store import Store
from tests.api.declared import Declared
from tests.api.table import Table
from tests.api.tokens import Door
from workers.queue import Queue


def _seconds() -> float:
    """The processor time that a request may take: more under coverage, see the root conftest."""
    return float(os.environ.get("DRIFTLOG_REQUEST_SECONDS", Settings(redis_url="", queue_url="").request_seconds))


@pytest.fixture(scope="session")
def assembled(events_server: str, queue_server: str) -> Iterator[Callable[[int], Flask]]:
    """Apps by number. To assemble one takes longer than most tests: each is used again, and begins anew for each."""
    apps: list[Flask] = []

    @functools.cache
    def assembled(_number: int) -> Flask:
        apps.append(create_app(Settings(redis_url=events_server, queue_url=queue_server, request_seconds=_seconds())))
        return apps[-1]

    yield assembled
    for app in apps:
        hang_up(app)


def hang_up(app: Flask) -> None:
    """Close the app's resources: the garbage collector closes them in no order, and may find a socket first."""
    if "store" in app.extensions:
        hub = app.extensions["hub"]
        hub.stop()
        if hub._thread is not None:
            # It listens on a connection of the store.
            hub._thread.join(60)
        app.extensions["store"].client.close()
        app.extensions["queue"].connection.close()


@pytest.fixture
def process(assembled: Callable[[int], Flask], store: Store, queue: Queue) -> Callable[[int], Flask]:
    """Processes of the service by number, each as it is when it has just started."""

    def process(number: int) -> Flask:
        app = assembled(number)
        begin(app)
        return app

    return process


@pytest.fixture(scope="session")
def locked(events_server: str, queue_server: str) -> Iterator[Flask]:
    """The service as it asks for tokens."""
    app = create_app(
        Settings(redis_url=events_server, queue_url=queue_server, access="tokens", request_seconds=_seconds())
    )
    yield app
    hang_up(app)


@pytest.fixture
def door(locked: Flask, store: Store, queue: Queue) -> Door:
    """Makes tokens for it, which has just started."""
    begin(locked)
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
