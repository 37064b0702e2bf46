"""The modules of the client that follow from openapi.yaml, and from the client that is awaited."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from generator import operations, types

PACKAGE = Path(__file__).parents[1] / "driftlog_client"
CONTRACT = Path(__file__).parents[3] / "openapi.yaml"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C takes a tenth of the time."""
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
"""What stands for what where nothing is awaited."""


def written() -> dict[Path, str]:
    """Each module and its text."""
    contract: dict[str, Any] = yaml.load(CONTRACT.read_bytes(), _LOADER)  # noqa: S506
    return {
        PACKAGE / "operations.py": operations.module(contract),
        PACKAGE / "client.py": to_be_called((PACKAGE / "async_client.py").read_text("utf-8")),
        PACKAGE / "types.py": types.module(contract),
    }


def to_be_called(awaited: str) -> str:
    """A module whose functions are awaited as one whose functions are called."""
    for pattern, called in _CALLED.items():
        awaited = re.sub(pattern, called, awaited)
    first, rest = awaited.split("\n", 1)
    return f"{first}\n\n# Written from async_client.py.\n{rest}"


def write() -> None:
    """Write them all."""
    for path, text in written().items():
        path.write_text(text, "utf-8")
