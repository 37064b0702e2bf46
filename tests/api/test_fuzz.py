"""Schemathesis over openapi.yaml, every check on: whatever is sent, the service answers as its contract says."""

from __future__ import annotations

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, settings
from schemathesis.core.transport import Response

from tests.api.table import Table


@pytest.fixture
def api_schema(app: Flask, table: Table) -> schemathesis.BaseSchema:
    table.open(seed="fuzz")
    return schemathesis.openapi.from_wsgi("/openapi.yaml", app)


schema = schemathesis.pytest.from_fixture("api_schema")


@schema.exclude(path_regex="/stream$").parametrize()
@settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_operation_keeps_to_the_contract(case: schemathesis.Case) -> None:
    response: Response = case.call()
    case.validate_response(response)
