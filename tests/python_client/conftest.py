"""A service, and the client to test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from driftlog_client import Client, types
from tests.between import Between, between
from tests.cli.service import Service

ORDER: types.OpenGame = {
    "ruleset": "forbidden-island",
    "seats": [{"name": "Ann"}, {"name": "Bob"}],
    "chance": "seeded",
    "seed": "calm",
}
PATIENCE = 60.0


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service(tmp_path_factory.mktemp("service"), DRIFTLOG_WEBHOOK_NETWORKS="127.0.0.1")
    service.ready()
    yield service
    assert service.stop() == 0


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    with Client(service.url, patience=PATIENCE) as client:
        yield client


@pytest.fixture
def proxy(service: Service) -> Iterator[Between]:
    with between(service.url) as proxy:
        yield proxy
