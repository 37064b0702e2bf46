"""The generated parts of the Python client match openapi.yaml completely."""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from click.testing import CliRunner

from api.plumbing import problem_kinds
from cli.main import main
from driftlog_client import AsyncClient, Client
from driftlog_client.calls import Call
from driftlog_client.operations import AsyncOperations, Operations
from driftlog_client.problems import KINDS
from generator import modules
from tests.openapi import contract

OPERATIONS = {
    re.sub(r"(?<!^)(?=[A-Z])", "_", operation["operationId"]).lower(): (method.upper(), path)
    for path, methods in contract()["paths"].items()
    for method, operation in methods.items()
    if method != "parameters"
}
"""Method and path of each operation, by the name of the client's method."""
PAGES = {"read_contract", "explain_problem"}


class Noting(Operations):
    """A client that records requests instead of sending them."""

    def send(self, call: Call) -> Any:
        self.asked = call


class AsyncNoting(AsyncOperations):
    async def send(self, call: Call) -> Any:
        self.asked = call


def plainest(method: Callable[..., Any]) -> dict[str, Any]:
    """Required arguments of a method."""
    taken = inspect.signature(method).parameters.values()
    return {one.name: "x" for one in taken if one.default is one.empty}


def test_what_is_made_is_as_the_contract_says() -> None:
    for path, text in modules.module_texts().items():
        assert path.read_text("utf-8") == text, f"{path.name}: run `make lint`"


@pytest.mark.parametrize("client", [Client, AsyncClient])
def test_every_operation_has_a_method(client: type) -> None:
    for name in OPERATIONS.keys() - PAGES:
        assert inspect.isfunction(getattr(client, name)), name


@pytest.mark.parametrize("client", [Noting(), AsyncNoting()], ids=["called", "awaited"])
def test_every_method_asks_what_its_operation_is(client: Noting | AsyncNoting) -> None:
    made = [name for name in OPERATIONS if hasattr(client, name)]
    assert len(OPERATIONS) - len(made) == 7
    for name in made:
        method = getattr(client, name)
        answer = method(**plainest(method))
        if inspect.iscoroutine(answer):
            asyncio.run(answer)
        assert (client.asked.method, client.asked.path) == (
            OPERATIONS[name][0],
            re.sub(r"\{\w+\}", "x", OPERATIONS[name][1]),
        )


def test_both_clients_take_the_same() -> None:
    def parameters_of(client: type) -> dict[str, list[str]]:
        methods = inspect.getmembers(client, inspect.isfunction)
        return {name: [*inspect.signature(one).parameters] for name, one in methods if name[0] != "_"}

    called, awaited = parameters_of(Client), parameters_of(AsyncClient)
    assert called.pop("close") == awaited.pop("aclose")
    assert called == awaited


def test_problems_of_its_own_are_those_of_the_service() -> None:
    assert set(KINDS) <= set(problem_kinds.KINDS)


def test_it_stands_on_httpx_alone() -> None:
    for path in modules.PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                top = name.partition(".")[0]
                assert top in {"httpx", "driftlog_client"} or top in sys.stdlib_module_names, (path.name, name)


@pytest.mark.parametrize("ruleset", ["forbidden-island", pytest.param("forgotten-waters", marks=pytest.mark.long)])
def test_the_contract_of_a_ruleset_has_types_too(ruleset: str, tmp_path: Path) -> None:
    contract = tmp_path / "openapi.yaml"
    CliRunner().invoke(main, ["openapi", "--ruleset", ruleset, "--output", str(contract)], catch_exceptions=False)
    written = {path.name: text for path, text in modules.module_texts(contract).items()}
    types: dict[str, Any] = {"__name__": "types"}
    exec(compile(written["types.py"], "types.py", "exec"), types)
    assert get_type_hints(types["UndoParams"], types) == {"to": int}
    assert {"MoveEvent", "MoveNewEvent", "MoveParams"} <= types.keys() or ruleset != "forbidden-island"
    compile(written["operations.py"], "operations.py", "exec")
