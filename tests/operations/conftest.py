"""A second store."""

from __future__ import annotations

from tests.store.conftest import elsewhere

__all__ = ["elsewhere"]
