"""An empty queue beside the empty store, a worker of the test's own, and servers that can be killed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.redis.embedded import Embedded

GONE = "unix:///nowhere/driftlog.sock"
"""A Redis that does not answer."""


@pytest.fixture
def own_events(tmp_path: Path) -> Iterator[Embedded]:
    """A server for events that the test may stop or kill."""
    with Embedded(tmp_path / "own", "events", durable=True) as server:
        yield server


@pytest.fixture
def own_queue(tmp_path: Path) -> Iterator[Embedded]:
    """A server for a queue that the test may stop or kill."""
    with Embedded(tmp_path / "own", "queue", durable=False) as server:
        yield server
