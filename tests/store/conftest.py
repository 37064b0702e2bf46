"""A second store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store import Store
from store.redis.embedded import EmbeddedServer


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Store]:
    """A second store, whose service has just started."""
    with EmbeddedServer(tmp_path / "elsewhere", "events", durable=True) as server:
        other = Store.connect(server.url)
        other.signing.active()
        yield other
