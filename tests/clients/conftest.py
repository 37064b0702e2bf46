"""The service that the tested clients call."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cli.service import Service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service(tmp_path_factory.mktemp("service"))
    service.ready()
    yield service
    assert service.stop() == 0
