"""A store with an archive."""

from __future__ import annotations

from pathlib import Path

import pytest

from store import Store


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "archive")


@pytest.fixture
def store(store: Store, place: str) -> Store:
    """An empty store with an archive."""
    return Store(store.client, place)
