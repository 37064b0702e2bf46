"""Read openapi.yaml in tests."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import yaml

CONTRACT = Path(__file__).parents[1] / "openapi.yaml"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The YAML loader; the one in C takes a tenth of the time."""


@functools.cache
def contract() -> dict[str, Any]:
    """Return the contract in the file; `tests/api/test_contract.py` compares it with the served one."""
    return parse_contract(CONTRACT.read_bytes())


def parse_contract(text: bytes) -> dict[str, Any]:
    """Return a parsed contract."""
    document: dict[str, Any] = yaml.load(text, _LOADER)  # a safe one
    return document
