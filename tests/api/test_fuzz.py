"""Schemathesis runs all its checks against openapi.yaml."""

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

# Streams do not end, readiness needs a worker, and the contract itself is not an operation.
LEFT_OUT = ("/stream", "/readyz", "/openapi.yaml")
# A valid body may still change nothing, break a rule, or name an unknown cursor or a deleted game. The test sets the
# token itself.
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
"""Operations that accept any body: a text can be anything, a file can contain no plays. The response lists errors."""
AS_ROLE = 1
"""Requests of each kind with each token. Without a token, all of them get a 401."""
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
    # An operation that takes only a path and headers has no invalid requests.
    if mode is GenerationMode.POSITIVE
    or ("requestBody" in operation and path not in REPORTED)
    or (
        "requestBody" not in operation
        and any(one.get("$ref") not in HEADERS for one in operation.get("parameters", ()))
    )
]


@functools.cache
def operations() -> dict[str, Any]:
    """Every operation of the contract by label, read once because that takes longer than a test."""
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
        # An invalid request is refused in the same way for every caller.
        fuzz(door.app, label, GenerationMode.POSITIVE, game, examples=AS_ROLE, Authorization=f"Bearer {text}")


def fuzz(app: Flask, label: str, mode: GenerationMode, game: str, *, examples: int, **headers: str) -> None:
    """Send requests to an operation, and check the responses against the contract."""
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
            # Do not wait for events.
            case.query["wait"] = 0.01
        # The WSGI client accepts gzip, but does not decompress it.
        answer = case.call_and_validate(headers={"Accept-Encoding": "identity", **headers})
        if str(answer.status_code) not in declaration["responses"]:
            possible = declared.possible(declaration, answer.status_code)
            assert possible, answer.status_code
            # A response to HEAD has no body.
            assert not answer.content or answer.json()["type"].removeprefix("/problems/") in possible

    answers()
