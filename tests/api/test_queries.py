"""A request without a query is parsed like one with an empty query, at no cost."""

from __future__ import annotations

from typing import Any

from flask import Flask
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import HTTPException

from api.plumbing.http import Blueprint


def test_without_a_query_everything_has_its_default(app: Flask) -> None:
    schemas = list(query_schemas(app))
    with app.test_request_context("/"):
        read = [parse_query(Blueprint.ARGUMENTS_PARSER, schema) for schema in schemas]
        assert read == [parse_query(FlaskParser(), schema) for schema in schemas]
    assert {} in read
    assert None in read
    # Requests share the parsed value, so it cannot be changed.
    values = [value for one in read for value in (one or {}).values()]
    assert {type(value) for value in values} <= {type(None), bool, int, float, str}


def query_schemas(app: Flask) -> list[Any]:
    """Return the schema of each operation's query."""
    classes = {view.view_class for view in app.view_functions.values() if hasattr(view, "view_class")}
    methods = [getattr(one, name) for one in classes for name in ("get", "post", "put", "delete") if hasattr(one, name)]
    told = [
        part for view in methods for part in getattr(view, "_apidoc", {}).get("arguments", {}).get("parameters", ())
    ]
    return [part["schema"] for part in told if part["in"] == "query"]


def parse_query(parser: FlaskParser, schema: Any) -> Any:
    """Return the parsed query of the current request; None if it is rejected."""
    try:
        return parser.parse(schema, location="query")
    except HTTPException:
        return None
