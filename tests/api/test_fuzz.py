"""Schemathesis over openapi.yaml, every check on: whatever is sent, the service answers as its contract says."""

from __future__ import annotations

import functools
from typing import Any

import pytest
import schemathesis
import yaml
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode

from tests.api.table import Table
from tests.api.test_contract import ROOT

# A stream does not end by itself, nothing is ready without a worker, and the contract itself is no operation to
# Schemathesis.
LEFT_OUT = ("/stream", "/readyz", "/openapi.yaml")
# What fits the schema may still be against the rules, or a cursor that was never given out.
CONFIG = schemathesis.Config.from_dict(
    {"checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "400", "404", "406", "409", "412", "422"]}}}
)
CASES = [
    (f"{method.upper()} {path}", mode)
    for path, item in yaml.safe_load((ROOT / "openapi.yaml").read_text())["paths"].items()
    for method, operation in item.items()
    if method != "parameters" and not path.endswith(LEFT_OUT)
    for mode in GenerationMode
    # Where nothing but a path is taken, nothing can be unfitting.
    if mode is GenerationMode.POSITIVE or "requestBody" in operation or "parameters" in operation
]


@functools.cache
def operations() -> dict[str, Any]:
    """Every operation of the contract by its label: to read all of it takes longer than to try one."""
    contract = schemathesis.openapi.from_path(str(ROOT / "openapi.yaml"), config=CONFIG)
    return {one.ok().label: one.ok() for one in contract.get_all_operations()}


@pytest.mark.parametrize(("label", "mode"), CASES, ids=[f"{label} {mode.value}" for label, mode in CASES])
def test_keeps_to_the_contract(app: Flask, table: Table, label: str, mode: GenerationMode) -> None:
    table.open(seed="fuzz")
    game = table.game.rsplit("/", 1)[1]
    operation = operations()[label]
    operation.app = operation.schema.app = app

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=12,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def answers(case: schemathesis.Case) -> None:
        if mode is GenerationMode.POSITIVE and "game_id" in (case.path_parameters or {}):
            case.path_parameters["game_id"] = game
        # Its WSGI client says that it takes gzip, and does not unpack it.
        case.call_and_validate(headers={"Accept-Encoding": "identity"})

    answers()
