"""Parameters of which `make test` uses a few, and `make test-long` all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def quick(values: Iterable[Any], is_quick: Callable[[Any], bool]) -> list[Any]:
    """Return the values for `parametrize`, marked as long unless they are quick."""
    return [value if is_quick(value) else pytest.param(value, marks=pytest.mark.long) for value in values]
