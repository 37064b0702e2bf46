"""openapi.yaml is what the service serves, whole, and the service keeps to it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from flask import Flask
from openapi_spec_validator import OpenAPIV31SpecValidator

from api.problems import KINDS
from tests.api.table import Table, problem

ROOT = Path(__file__).parents[2]
UNLISTED = {"/docs/ui/{name}"}
"""What /docs is made of."""


@pytest.fixture
def contract(table: Table) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(table.client.get("/openapi.yaml").data)
    return document


def test_the_file_is_what_the_service_serves(table: Table) -> None:
    assert (ROOT / "openapi.yaml").read_bytes() == table.client.get("/openapi.yaml").data, "run `make openapi`"


def test_it_is_valid_openapi(contract: dict[str, Any]) -> None:
    assert contract["openapi"] == "3.1.0"
    OpenAPIV31SpecValidator(contract).validate()


def test_it_has_every_route_and_no_other(app: Flask, contract: dict[str, Any]) -> None:
    served = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        if not rule.endpoint.startswith("pages.")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    listed = {(path, method) for path, item in contract["paths"].items() for method in item if method != "parameters"}

    assert listed == {(path, method) for path, method in served if path not in UNLISTED}


def test_every_operation_says_what_it_does_and_answers(contract: dict[str, Any]) -> None:
    for path, item in contract["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            assert operation["summary"], (path, method)
            assert any(status.startswith("2") for status in operation["responses"]), (path, method)


def test_every_property_has_a_description_and_its_examples_fit(contract: dict[str, Any]) -> None:
    schemas = contract["components"]["schemas"]
    for name, schema in schemas.items():
        for key, value in schema.get("properties", {}).items():
            assert "description" in value or "$ref" in value or "anyOf" in value, (name, key)
            for example in value.get("examples", []):
                jsonschema.validate(example, {**value, "components": contract["components"]})


def test_every_problem_has_its_page(table: Table) -> None:
    for slug, kind in KINDS.items():
        page = table.client.get(f"/problems/{slug}")
        assert page.status_code == 200
        assert kind.title in page.text.replace("&#39;", "'")
    problem(table.client.get("/problems/nothing"), 404, "not-found")


def test_the_page_to_read_and_try_it_asks_no_other_host(table: Table) -> None:
    page = table.client.get("/docs")

    assert page.status_code == 200
    assert "://" not in page.text
    for path in re.findall(r'(?:href|src)="([^"]+)"', page.text):
        answer = table.client.get(path)
        assert answer.status_code == 200, path
        answer.close()
