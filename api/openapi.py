"""openapi.yaml: the contract, generated from the schemas and the views."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import yaml
from flask import Flask
from flask_smorest import Api

from exports import Format
from schemas.events import Log, new_event_schema
from schemas.problems import Problem
from schemas.proofs import Head

INFO = {
    "API_TITLE": "Driftlog",
    "API_VERSION": "1",
    "OPENAPI_VERSION": "3.1.0",
    "API_SPEC_OPTIONS": {
        "info": {
            "description": "Record games played at a table, replay and audit every turn, export the whole log.",
        },
        "servers": [{"url": "/"}],
    },
}

_HEADERS = {
    "If-Match": ("The version at which the append is wanted; 412 if the game has moved on.", '"42"'),
    "Idempotency-Key": ("The same key with the same body is done once, and answered the same again.", "tap-4f2a9c"),
}
_TAKES = {
    ("/v1/games", "post"): ["Idempotency-Key"],
    ("/v1/games/{game_id}/forks", "post"): ["Idempotency-Key"],
    ("/v1/games/{game_id}/events", "post"): ["If-Match", "Idempotency-Key"],
    ("/v1/imports", "post"): ["Idempotency-Key"],
    ("/v1/exports", "post"): ["Idempotency-Key"],
}
_ALSO = (
    ("/events", "post", ["409", "412"]),
    ("/stream", "get", ["429"]),
    ("/consistency", "get", ["409"]),
    ("/compare/{other_id}", "get", ["422"]),
)
"""What some operations can answer with besides: the end of their path, their method, the statuses."""
_PROBLEMS = {
    "400": "malformed",
    "404": "not-found",
    "406": "not-acceptable",
    "409": "game-over or not-a-prefix",
    "412": "version-conflict",
    "413": "content-too-large",
    "415": "unsupported-media-type",
    "422": (
        "invalid, illegal-action, outcome-required, impossible-outcome, idempotency-key-reused or log-does-not-verify"
    ),
    "429": "too-many-streams",
    "503": "store-unavailable or not-ready",
}


def log_content(formats: Iterable[Format]) -> dict[str, Any]:
    """How a body that is a log in one of `formats` is documented: by its media type."""
    return {
        one.media_type.split(";")[0]: {
            "schema": {"$ref": "#/components/schemas/Log"} if one.name == "json" else {"type": "string"}
        }
        for one in formats
    }


class Contract(Api):
    """flask-smorest's API, whose errors are answered by `api.problems`."""

    ERROR_SCHEMA = Problem

    def _register_error_handlers(self) -> None:
        """None of its own."""

    def init_app(self, app: Flask, **options: Any) -> None:
        """Register with the app, and name the schemas that no body of JSON refers to."""
        super().init_app(app, **options)
        self.spec.components.schema("Log", schema=Log)
        self.spec.components.schema("Head", schema=Head)


def as_yaml(contract: Contract) -> str:
    """openapi.yaml, as it is served and written."""
    text: str = yaml.safe_dump(document(contract), sort_keys=False, allow_unicode=True, width=120)
    return text


def document(contract: Contract) -> dict[str, Any]:
    """The contract as an OpenAPI 3.1 document."""
    spec: dict[str, Any] = contract.spec.to_dict()
    components = spec["components"]
    components["schemas"]["NewEvent"] = new_event_schema()
    components["responses"] = {
        status: {
            "description": f"A problem document: {slugs}.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status, slugs in _PROBLEMS.items()
    }
    for path, operations in spec["paths"].items():
        for method, operation in operations.items():
            if method == "parameters":
                continue
            for header in _TAKES.get((path, method), ()):
                description, example = _HEADERS[header]
                operation.setdefault("parameters", []).append(
                    {
                        "in": "header",
                        "name": header,
                        "description": description,
                        "schema": {"type": "string", "examples": [example]},
                    }
                )
            _say_problems(path, method, operation)
    return spec


def _say_problems(path: str, method: str, operation: dict[str, Any]) -> None:
    """Name the problems that an operation can answer with."""
    responses = operation["responses"]
    for status in ("422", "default"):
        responses.pop(status, None)
    is_ours = path.startswith("/v1/")
    statuses = []
    if "parameters" in operation or method == "post":
        statuses.append("400")
    if "{" in path:
        statuses.append("404")
    if is_ours:
        statuses.append("406")
    if method == "post":
        statuses += ["413", "415", "422"]
    for ending, of, more in _ALSO:
        if path.endswith(ending) and method == of:
            statuses += more
    if is_ours or path in {"/readyz", "/metrics"}:
        statuses.append("503")
    for status in sorted(statuses):
        responses[status] = {"$ref": f"#/components/responses/{status}"}
