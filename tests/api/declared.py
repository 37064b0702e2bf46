"""A client that checks every response against the contract."""

from __future__ import annotations

import re
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from tests.openapi import contract

OF_ANY_ANSWER = {
    "Allow",
    "Content-Encoding",
    "Content-Language",
    "Content-Length",
    "Content-Security-Policy",
    "Content-Type",
    "Referrer-Policy",
    "Vary",
    "X-Accel-Buffering",
    "X-Content-Type-Options",
    "X-Request-ID",
}
"""Headers that any response may have, so that operations need not declare them."""


def resolve_reference(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of the contract with its reference resolved; members beside the reference override it."""
    while "$ref" in part:
        found: Any = contract()
        for key in part["$ref"].removeprefix("#/").split("/"):
            found = found[key.replace("~1", "/")]
        part = {**found, **{key: value for key, value in part.items() if key != "$ref"}}
    return part


def operation_of(app: Flask, method: str, path: str) -> dict[str, Any] | None:
    """Return the operation with this method and path; None if the contract has no such operation."""
    try:
        rule, _ = app.url_map.bind("").match(path, method=method, return_rule=True)
    except HTTPException:
        return None
    template = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
    item = contract()["paths"].get(template, {})
    operation: dict[str, Any] | None = item.get("get" if method == "HEAD" else method.lower())
    return operation


def possible(operation: dict[str, Any], status: int) -> dict[str, Any]:
    """Return the problems with this status that an operation may return, by slug."""
    slugs = (*operation["x-problems"], *resolve_reference(operation["responses"]["default"])["x-problems"])
    told = contract()["x-problems"]
    return {slug: told[slug] for slug in slugs if told[slug]["status"] == status}


def check(operation: dict[str, Any], answer: TestResponse) -> None:
    """Check that the contract allows this response of an operation."""
    where = operation["operationId"], answer.status_code
    responses = operation["responses"]
    declared = resolve_reference(responses.get(str(answer.status_code), responses["default"]))
    refusals = possible(operation, answer.status_code)
    is_refused = str(answer.status_code) not in responses
    assert not is_refused or refusals, where
    undeclared = set(answer.headers.keys()) - OF_ANY_ANSWER - set(declared.get("headers", {}))
    if is_refused:
        others = {problem.get("header") for problem in contract()["x-problems"].values()}
        others -= {problem.get("header") for problem in refusals.values()}
        undeclared |= set(answer.headers.keys()) & others
    elif "too-many-requests" in operation["x-problems"]:
        undeclared -= {"RateLimit", "RateLimit-Policy"}
    assert not undeclared, (*where, undeclared)
    content = declared.get("content", {})
    if answer.status_code in (204, 304):
        return
    assert answer.mimetype in content, (*where, answer.mimetype)
    is_open = answer.mimetype == "application/schema+json"
    if answer.is_json and not is_open and answer.request.method != "HEAD" and not answer.content_encoding:
        document = answer.get_json()
        if "problem" in answer.mimetype:
            slug = document["type"].removeprefix("/problems/")
            assert slug in refusals, (*where, slug)
        schema = resolve_reference(content[answer.mimetype]["schema"])
        documents = [document]
        if schema.get("type") == "array":
            documents, schema = document, resolve_reference(schema["items"])
        known = {name for one in schema.get("oneOf", [schema]) for name in resolve_reference(one)["properties"]}
        for one in documents:
            assert one.keys() <= known, (*where, one.keys() - known)


class Declared(FlaskClient):
    """A test client that checks every response."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        answer = super().open(*args, **kwargs)
        request = answer.request
        operation = operation_of(self.application, request.method, request.path)
        # The contract does not describe pages for browsers.
        if operation is not None and request.host == "localhost" and answer.mimetype != "text/html":
            check(operation, answer)
        return answer
