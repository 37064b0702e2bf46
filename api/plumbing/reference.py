"""The contract, arranged for its page: operations by tag, with their parameters, bodies and responses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec

METHODS = ("get", "post", "put", "patch", "delete")
_DEEPEST = 6
"""Maximum depth of nested schemas in an example."""


class Operation(msgspec.Struct, frozen=True):
    """An operation, with references to parameters and responses resolved."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    parameters: list[dict[str, Any]]
    body: dict[str, Any] | None
    """The schema of the JSON body; None if there is none."""
    example: str
    """An example JSON body; empty if there is none."""
    answers: dict[str, dict[str, Any]]
    """The responses by status."""


def sections(contract: dict[str, Any]) -> list[tuple[dict[str, Any], list[Operation]]]:
    """Return the tags of an OpenAPI document, each with its operations."""
    found = list(_operations(contract))
    return [(tag, [one for tags, one in found if tag["name"] in tags]) for tag in contract["tags"]]


def _operations(contract: dict[str, Any]) -> Iterator[tuple[list[str], Operation]]:
    for path, item in contract["paths"].items():
        for method in METHODS:
            if method in item:
                told = item[method]
                parameters = [*item.get("parameters", ()), *told.get("parameters", ())]
                body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
                yield (
                    told["tags"],
                    Operation(
                        id=told["operationId"],
                        method=method.upper(),
                        path=path,
                        summary=told["summary"],
                        description=told.get("description", ""),
                        parameters=[resolve(contract, one) for one in parameters],
                        body=body,
                        example="" if body is None else json.dumps(_example(contract, body), indent=2),
                        answers=_answers(contract, told),
                    ),
                )


def _answers(contract: dict[str, Any], told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the responses of an operation by status: first the declared ones, then its problems."""
    answers = {status: resolve(contract, one) for status, one in told["responses"].items()}
    refused = answers.pop("default")
    slugs: dict[str, list[str]] = {}
    for slug in (*told["x-problems"], *refused["x-problems"]):
        slugs.setdefault(str(contract["x-problems"][slug]["status"]), []).append(f"`{slug}`")
    problems = {status: {"description": f"A problem: {', '.join(several)}."} for status, several in slugs.items()}
    return dict(sorted((answers | problems).items()))


def resolve(contract: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of the contract with references resolved.

    Members beside a reference override the members of its target.
    """
    if "$ref" not in part:
        return part
    found: Any = contract
    for step in part["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return {**found, **{name: value for name, value in part.items() if name != "$ref"}}


def _example(contract: dict[str, Any], schema: dict[str, Any], depth: int = 0) -> Any:
    schema = resolve(contract, schema)
    if schema.get("examples"):
        return schema["examples"][0]
    for known in ("const", "default"):
        if known in schema:
            return schema[known]
    if "enum" in schema:
        return schema["enum"][0]
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema:
            return _example(contract, schema[several][0], depth)
    if depth == _DEEPEST:
        return None
    if "properties" in schema:
        required = schema.get("required", schema["properties"])
        return {
            name: _example(contract, member, depth + 1)
            for name, member in schema["properties"].items()
            if name in required
        }
    if schema.get("type") == "array":
        return [_example(contract, schema["items"], depth + 1)]
    return {"object": {}, "integer": 1, "number": 1, "boolean": False, "string": "…"}.get(str(schema.get("type")))
