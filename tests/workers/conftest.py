"""An empty queue beside the empty store, and servers and workers for one test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.redis.embedded import EmbeddedServer

GONE = "unix:///nowhere/driftlog.sock"
"""A Redis that does not answer."""


@pytest.fixture
def own_events(tmp_path: Path) -> Iterator[EmbeddedServer]:
    """A server for events that a test may stop or kill."""
    with EmbeddedServer(tmp_path / "own", "events", durable=True) as server:
        yield server


@pytest.fixture
def own_queue(tmp_path: Path) -> Iterator[EmbeddedServer]:
    """A server for a queue that a test may stop or kill."""
    with EmbeddedServer(tmp_path / "own", "queue", durable=False) as server:
        yield server
