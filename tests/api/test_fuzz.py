"""Schemathesis over openapi.yaml, every check on: whatever is sent, the service answers as its contract says."""

from __future__ import annotations

import functools
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode

from tests.api import declared
from tests.api.table import Table
from tests.api.tokens import ROLES, Door, id_of
from tests.openapi import CONTRACT, contract

pytestmark = pytest.mark.long

# A stream does not end by itself, nothing is ready without a worker, and the contract itself is no operation to
# Schemathesis.
LEFT_OUT = ("/stream", "/readyz", "/openapi.yaml")
# What fits the schema may still be unchanged, against the rules, a cursor that was never given out, or a game deleted
# before. Tokens are asked for, or not, by the test itself.
ACCEPTED = ["2xx", "304", "400", "401", "403", "404", "406", "409", "410", "412", "422"]
CONFIG = schemathesis.Config.from_dict(
    {
        "checks": {
            "positive_data_acceptance": {"expected-statuses": ACCEPTED},
            "ignored_auth": {"enabled": False},
        }
    }
)
REPORTED = {"/v1/readings", "/v1/plays"}
"""Operations that accept any body: a text can be anything, a file can lack plays; the answer reports errors."""
AS_ROLE = 1
"""Requests of each kind as each caller; without a token none comes further than to its 401."""
HEADERS = {
    f"#/components/parameters/{name}"
    for name, parameter in contract()["components"]["parameters"].items()
    if parameter["in"] == "header"
}
CASES = [
    (f"{method.upper()} {path}", mode)
    for path, item in contract()["paths"].items()
    for method, operation in item.items()
    if method != "parameters" and not path.endswith(LEFT_OUT)
    for mode in GenerationMode
    # Where nothing but a path and any header is taken, nothing can be unfitting.
    if mode is GenerationMode.POSITIVE
    or ("requestBody" in operation and path not in REPORTED)
    or (
        "requestBody" not in operation
        and any(one.get("$ref") not in HEADERS for one in operation.get("parameters", ()))
    )
]


@functools.cache
def operations() -> dict[str, Any]:
    """Every operation of the contract by its label: to read all of it takes longer than to try one."""
    schema = schemathesis.openapi.from_path(str(CONTRACT), config=CONFIG)
    return {one.ok().label: one.ok() for one in schema.get_all_operations()}


@pytest.mark.parametrize(("label", "mode"), CASES, ids=[f"{label} {mode.value}" for label, mode in CASES])
def test_keeps_to_the_contract(app: Flask, table: Table, label: str, mode: GenerationMode) -> None:
    table.open(seed="fuzz")
    fuzz(app, label, mode, id_of(table.game), examples=12)


@pytest.mark.parametrize("label", dict.fromkeys(label for label, _ in CASES))
def test_keeps_to_the_contract_whoever_asks(door: Door, label: str) -> None:
    host = door.enter("admin")
    host.open(seed="fuzz")
    game = id_of(host.game)
    callers = [{}, *({"game": game} | more for more in ({}, {"seat": "p1"}, {"game": "another"}))]
    for role, more in [*((role, callers[0]) for role in ROLES), *(("recorder", more) for more in callers[1:])]:
        text, _ = door.token(role, **more)
        # What fits nothing is refused alike whoever sends it.
        fuzz(door.app, label, GenerationMode.POSITIVE, game, examples=AS_ROLE, Authorization=f"Bearer {text}")


def fuzz(app: Flask, label: str, mode: GenerationMode, game: str, *, examples: int, **headers: str) -> None:
    """Send an operation so many requests, and hold every answer against the contract."""
    operation = operations()[label]
    operation.app = operation.schema.app = app
    method, path = label.split(" ")
    declaration = contract()["paths"][path][method.lower()]

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def answers(case: schemathesis.Case) -> None:
        if mode is GenerationMode.POSITIVE and "game_id" in (case.path_parameters or {}):
            case.path_parameters["game_id"] = game
        if mode is GenerationMode.POSITIVE and "wait" in (case.query or {}):
            # A test waits for nobody.
            case.query["wait"] = 0.01
        # Its WSGI client says that it takes gzip, and does not unpack it.
        answer = case.call_and_validate(headers={"Accept-Encoding": "identity", **headers})
        if str(answer.status_code) not in declaration["responses"]:
            possible = declared.possible(declaration, answer.status_code)
            assert possible, answer.status_code
            # HEAD is answered without one.
            assert not answer.content or answer.json()["type"].removeprefix("/problems/") in possible

    answers()
