"""openapi.yaml as tests read it."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import yaml

CONTRACT = Path(__file__).parents[1] / "openapi.yaml"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C takes a tenth of the time."""


@functools.cache
def contract() -> dict[str, Any]:
    """Return the contract of the file; `tests/api/test_contract.py` holds it against what is served."""
    return parsed(CONTRACT.read_bytes())


def parsed(text: bytes) -> dict[str, Any]:
    """Return a contract that was served or written."""
    document: dict[str, Any] = yaml.load(text, _LOADER)  # a safe one
    return document
