"""Commands in this process, and services in their own processes."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from tests.cli.service import Service

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command in this process, without a configuration file."""
    monkeypatch.setattr("telemetry.logs.begin", lambda *_: None)
    monkeypatch.setenv("DRIFTLOG_CONFIG", os.devnull)
    return lambda *arguments, **options: CliRunner().invoke(main, [str(argument) for argument in arguments], **options)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that runs until all tests end."""
    # Allow more processor time under coverage: see the root conftest.
    seconds = os.environ.get("DRIFTLOG_REQUEST_SECONDS", "2")
    variables = {"DRIFTLOG_WEBHOOK_NETWORKS": "127.0.0.1", "DRIFTLOG_REQUEST_SECONDS": seconds}
    service = Service(tmp_path_factory.mktemp("service"), is_measured=True, **variables)
    service.ready()
    yield service
    code = service.stop()
    assert code == 0, service.complained


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Service]]:
    """Return a function that returns a service with these settings, shared by a module's tests. A test that stops or
    damages a service starts its own.
    """
    services: list[Service] = []

    @functools.cache
    def share_service(**variables: str) -> Service:
        services.append(Service(tmp_path_factory.mktemp("shared"), **variables))
        services[-1].ready()
        return services[-1]

    yield share_service
    assert [service.stop() for service in services] == [0 for _ in services]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    """Return a function that starts a service for this test, by default on a new data folder; kill it afterwards."""
    started: list[Service] = []

    def start(data: Path = tmp_path / "data", *options: str, port: int = 0, **variables: str) -> Service:
        started.append(Service(data, *options, port=port, **variables))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.stop()
