"""A service on servers with replicas."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from api.app import create_app
from api.plumbing.settings import Settings
from tests.api.declared import Declared

Serving = Callable[[str, int], Flask]


@pytest.fixture
def serving(queue_server: str) -> Serving:
    """Return a function that returns the service on the Redis at an address, with a required number of replicas."""

    def serving(url: str, replicas: int) -> Flask:
        app = create_app(Settings(redis_url=url, queue_url=queue_server, replicas=replicas))
        app.test_client_class = Declared
        return app

    return serving
