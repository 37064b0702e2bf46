"""The service serves openapi.yaml as it is, and keeps to it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from flask import Flask
from openapi_spec_validator import OpenAPIV31SpecValidator

from api.plumbing.problem_kinds import KINDS
from api.plumbing.reference import sections
from engine.core.events import Event
from schemas import events
from schemas.common import NAME, SEED, Text
from tests import openapi
from tests.api.table import Table, problem

ROOT = Path(__file__).parents[2]


@pytest.fixture
def contract() -> dict[str, Any]:
    return openapi.contract()


def operations(contract: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each operation with its method and path."""
    for path, item in contract["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                yield f"{method} {path}", operation


def parts(document: Any, where: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every object in a JSON document with its pointer."""
    if isinstance(document, dict):
        yield where, document
        for key, value in document.items():
            if key != "examples":
                yield from parts(value, f"{where}/{key}")
    elif isinstance(document, list):
        for index, value in enumerate(document):
            yield from parts(value, f"{where}/{index}")


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

    assert listed == {(path, method) for path, method in served}


def test_every_operation_says_what_it_does_and_answers(contract: dict[str, Any]) -> None:
    for where, operation in operations(contract):
        assert operation["summary"], where
        assert operation["description"], where
        assert any(status.startswith("2") for status in operation["responses"]), where


def test_every_operation_has_a_name_of_its_own(contract: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, operation in operations(contract)]

    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+([A-Z][a-z]+)+", name) for name in names)
    assert "dry_run" in str(contract["paths"]["/v1/games/{game_id}/events"]["post"]["parameters"])
    assert contract["paths"]["/v1/games/{game_id}/events"]["post"]["responses"].keys() >= {"200", "201"}


def test_what_has_words_of_its_own_has_a_name(contract: dict[str, Any]) -> None:
    named = contract["components"]["schemas"]

    assert [where for where, part in parts(contract) if "enum" in part and part not in named.values()] == []


def test_an_object_says_what_is_in_it(contract: dict[str, Any]) -> None:
    for where, part in parts(contract["components"]["schemas"]):
        if "object" in part.get("type", ()):
            assert part.keys() & {"properties", "additionalProperties"}, where


def test_an_event_has_the_members_that_it_is_stored_with() -> None:
    """Contract, exported log and hash cover the same members of an event."""
    stored = {member.name: member.required for member in msgspec.structs.fields(Event)}
    assert {name: field.required for name, field in events.Event().fields.items()} == stored


def test_patterns_are_read_alike_by_every_language(contract: dict[str, Any]) -> None:
    patterns = [part["pattern"] for _, part in parts(contract) if isinstance(part.get("pattern"), str)]

    assert patterns
    for pattern in patterns:
        assert max(pattern) <= "\uffff"
        assert not re.search(r"\\[AZz]|\(\?[^:]", pattern)


@pytest.mark.parametrize("rule", [NAME, SEED])
@pytest.mark.parametrize("text", ["Ann", "A", "Zoë Ω", "Ann 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "李 明", "👩‍🚀" * 20])
def test_what_is_taken_fits_the_pattern_that_is_published(rule: Text, text: str) -> None:
    rule(text)
    assert re.search(rule.published, text)


def test_what_can_be_refused_is_declared_where_it_can_be(contract: dict[str, Any]) -> None:
    said = {
        (operation["operationId"], slug)
        for _, operation in operations(contract)
        for slug in (*operation["x-problems"], *contract["components"]["responses"]["Refused"]["x-problems"])
    }

    assert {slug: told["status"] for slug, told in contract["x-problems"].items()} == {
        slug: kind.status for slug, kind in KINDS.items()
    }
    # Operations are listed by method, so none of them can have a wrong method.
    assert {slug for _, slug in said} == KINDS.keys() - {"method-not-allowed"}
    assert said >= {
        ("appendEvents", "foreign-origin"),
        ("appendEvents", "request-timeout"),
        ("appendEvents", "content-too-large"),
        ("appendEvents", "unknown-host"),
        ("appendEvents", "too-much-work"),
        ("appendEvents", "damaged-record"),
        ("appendEvents", "overloaded"),
        ("appendEvents", "too-busy"),
        ("appendEvents", "version-conflict"),
        ("appendEvents", "game-over"),
        ("auditGame", "too-many-jobs"),
        ("getState", "too-much-work"),
    }


def test_every_schema_and_property_has_a_description_and_its_examples_fit(contract: dict[str, Any]) -> None:
    schemas = contract["components"]["schemas"]
    for name, schema in schemas.items():
        assert schema.get("description"), name
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


def test_the_page_to_read_and_try_it_has_every_operation_and_schema(contract: dict[str, Any], table: Table) -> None:
    page = table.client.get("/docs").text
    assert set(re.findall(r'<details class="operation" id="(\w+)"', page)) == {
        operation["operationId"] for _, operation in operations(contract)
    }
    assert set(re.findall(r'<details class="schema" id="schema-(\w+)"', page)) == set(contract["components"]["schemas"])
    assert set(re.findall(r'href="#([\w-]+)"', page)) <= set(re.findall(r'id="([\w-]+)"', page))


def test_every_operation_says_what_a_request_may_cost(contract: dict[str, Any]) -> None:
    told = {operation["operationId"]: operation["x-limits"] for _, operation in operations(contract)}
    assert all(limits["body_bytes"] > 0 and limits["processor_seconds"] > 0 for limits in told.values())
    assert {name for name, limits in told.items() if limits["body_bytes"] > 64 * 1024} == {
        "openGame",
        "appendEvents",
        "importGame",
        "importPlays",
        "readText",
    }


def test_the_bodies_that_the_page_begins_with_fit_the_contract(contract: dict[str, Any]) -> None:
    for _, found in sections(contract):
        for one in found:
            if one.body is not None:
                jsonschema.Draft202012Validator({**one.body, "components": contract["components"]}).validate(
                    json.loads(one.example)
                )


def test_the_page_to_read_and_try_it_asks_no_other_host(table: Table) -> None:
    page = table.client.get("/docs")

    assert page.status_code == 200
    for path in re.findall(r'(?:href|src|action)="([^"#]+)"', page.text):
        assert "://" not in path
        answer = table.client.get(path)
        assert answer.status_code == 200, path
        answer.close()
