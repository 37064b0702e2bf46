"""Generate the client's modules from openapi.yaml, and `Client` from `AsyncClient`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from generator import operations, types

PACKAGE = Path(__file__).parents[1] / "driftlog_client"
CONTRACT = Path(__file__).parents[3] / "openapi.yaml"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The YAML loader. The loader in C takes a tenth of the time."""
_CALLED = {
    r"\bimport asyncio\b": "import time",
    r"\basyncio\.sleep\b": "time.sleep",
    r"\bAsyncGenerator\[(.*), None\]": r"Generator[\1, None, None]",
    r"\bAsync(Client|BaseTransport|Generator|Operations)\b": r"\1",
    r"\b__a(enter|exit)__\b": r"__\1__",
    r"\ba(close|closing|read|iter_bytes)\b": r"\1",
    r"\bawaited\b": "called",
    r"\b(async|await) ": "",
}
"""Patterns in asynchronous code, with their replacements in synchronous code."""


def module_texts(path: Path = CONTRACT) -> dict[Path, str]:
    """Return each module's path and text."""
    contract: dict[str, Any] = yaml.load(path.read_bytes(), _LOADER)  # noqa: S506
    return {
        PACKAGE / "operations.py": operations.module(contract),
        PACKAGE / "client.py": to_be_called((PACKAGE / "async_client.py").read_text("utf-8")),
        PACKAGE / "types.py": types.module(contract),
    }


def to_be_called(awaited: str) -> str:
    """Convert a module with async functions to a module with plain functions."""
    for pattern, called in _CALLED.items():
        awaited = re.sub(pattern, called, awaited)
    first, rest = awaited.split("\n", 1)
    return f"{first}\n\n# Written from async_client.py.\n{rest}"


def write(contract: Path = CONTRACT) -> None:
    """Write all modules."""
    for path, text in module_texts(contract).items():
        path.write_text(text, "utf-8")
