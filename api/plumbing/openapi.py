"""openapi.yaml, generated from the schemas and the views."""

from __future__ import annotations

import copy
import inspect
import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import yaml
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask
from flask_smorest import Api
from marshmallow import Schema, fields, validate

from api.plumbing import foreseen
from api.plumbing.typed import typed_contract
from engine.kit.ruleset import AnyRuleset
from exports import Format
from schemas.common import Text
from schemas.drafts import new_event_schema
from schemas.events import Log
from schemas.exporting import CloudEvent, Draws, Plays
from schemas.named import Choice, Either, Named, Open
from schemas.problems import InsteadEvent, Problem
from schemas.proofs import Deletion, Head
from schemas.webhooks import LibraryEvent

INFO = {
    "API_TITLE": "Driftlog",
    "API_VERSION": "1",
    "OPENAPI_VERSION": "3.1.0",
    "API_SPEC_OPTIONS": {
        "info": {
            "description": "Record games played at a table, replay and audit every turn, and export the log.\n\n"
            "A game is a log of events, numbered by `seq` from 1; its `version` is the `seq` of the last event. A "
            "ruleset declares the actions, facts and options of a game. In a seeded game the service draws; in an "
            "observed game the players draw and roll, and report the results. A correction (an undo or an amend) "
            "deletes nothing, but takes earlier events out of effect. A slip is an event that broke a rule. An open "
            "service needs no token.\n\n"
            "Times are in RFC 3339, in UTC. Every response has `X-Request-ID`: the id in the request, or a new one. If "
            "the service counts requests (`too-many-requests`), every response has `RateLimit` and `RateLimit-Policy`. "
            "Texts for people are in the language that `Accept-Language` prefers, if the service has it, otherwise in "
            "English. Ids and other texts for programs are the same in every language.",
            "contact": {"name": "The operator of this service"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [],
    },
}
_DOCUMENTS: dict[str, type[Schema]] = {"json": Log, "draws": Draws, "bgstats": Plays}
"""Schemas of the log formats that are JSON."""
_ITEMS: dict[str, type[Schema]] = {"cloudevents": CloudEvent}
"""Schemas of the items in log formats that are JSON arrays."""
_MESSAGE = {
    "operationId": "receiveGameEvent",
    "summary": "An event was appended",
    "description": "The service sends this message to a webhook, signed as in Standard Webhooks. A 2xx response "
    "accepts it; 410 unsubscribes; after any other response, or none, the service tries again.",
    "security": [],
    "parameters": [
        {"in": "header", "name": name, "required": True, "description": what, "schema": {"type": "string"}}
        for name, what in (
            ("webhook-id", "The id of the message, the same for each retry."),
            ("webhook-timestamp", "The time of sending, in seconds since 1970."),
            ("webhook-signature", "`v1,` and Base64 of the HMAC-SHA256 of id, timestamp and body, joined by dots."),
        )
    ],
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/LibraryEvent"}}},
    },
    "responses": {
        "2XX": {"description": "The receiver accepts the message."},
        "410": {"description": "The receiver unsubscribes: the service sends nothing more."},
    },
}
ASKS = "x-asks"
REFUSES = "x-refuses"
DEPRECATES = "x-deprecates"
"""Extension member in which `Blueprint.operation` tells `document` that a view deprecates some of its requests."""


def log_content(formats: Iterable[Format]) -> dict[str, Any]:
    """Return the documentation of a body with a log in one of `formats`, by media type."""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in formats:
        document = _DOCUMENTS.get(one.name)
        media_type = one.media_type.split(";")[0]
        schema: dict[str, Any] = (
            {"type": "string", "contentMediaType": media_type} if one.is_whole else {"type": "string"}
        )
        if document is not None:
            schema = {"$ref": f"#/components/schemas/{document.__name__}"}
        elif one.name in _ITEMS:
            schema = {"type": "array", "items": {"$ref": f"#/components/schemas/{_ITEMS[one.name].__name__}"}}
        several = found.setdefault(media_type, [])
        if schema not in several:
            several.append(schema)
    return {
        media_type: {"schema": several[0] if len(several) == 1 else {"oneOf": several}}
        for media_type, several in found.items()
    }


class _Converter(OpenAPIConverter):
    """Writes descriptions, references for named schemas, and patterns that work in every language."""

    def schema2jsonschema(self, schema: Schema) -> dict[str, Any]:
        """Return the JSON Schema of a marshmallow schema, described by the summary line of the schema's docstring."""
        summary = inspect.cleandoc(schema.__doc__ or "").partition("\n\n")[0]
        return {"description": summary, **super().schema2jsonschema(schema)}  # type: ignore[no-untyped-call]  # apispec leaves it untyped

    def field2property(self, field: fields.Field[Any]) -> dict[str, Any]:
        written: dict[str, Any] = super().field2property(field)
        for validator in field.validators:
            if isinstance(validator, validate.Equal):
                del written["enum"]
                written["const"] = validator.comparable
            elif isinstance(validator, validate.Regexp):
                written["pattern"] = _portable_pattern(validator)
        if isinstance(field, Choice | Either | Open):
            self._refer(field, field.named, written)
        if not field.allow_none and written.get("default", 0) is None:
            del written["default"]
        return written

    def _refer(self, field: fields.Field[Any], named: Named, written: dict[str, Any]) -> None:
        if named.name not in self.spec.components.schemas:
            self.spec.components.schema(named.name, named.schema)
        for key in ("type", "enum", "additionalProperties"):
            written.pop(key, None)
        reference = {"$ref": f"#/components/schemas/{named.name}"}
        written.update({"anyOf": [reference, {"type": "null"}]} if field.allow_none else reference)


def _portable_pattern(rule: validate.Regexp) -> str:
    """Return a validator's pattern in a form that works in every language."""
    if isinstance(rule, Text):
        return rule.published
    # In Python, $ also matches before a final newline; in JSON Schema (ECMA-262) it does not.
    return str(rule.regex.pattern).replace(r"$(?!\n)", "$")


class _Plugin(MarshmallowPlugin):
    Converter = _Converter


class Contract(Api):
    """flask-smorest's API; `api.plumbing.problems` handles its errors."""

    ERROR_SCHEMA = Problem

    def _register_error_handlers(self) -> None:
        pass

    def init_app(self, app: Flask, **options: Any) -> None:
        """Register with the app, and add the named schemas that no JSON body refers to."""
        super().init_app(app, spec_kwargs={"marshmallow_plugin": _Plugin()}, **options)
        documents: list[type[Schema]] = [
            *_DOCUMENTS.values(),
            *_ITEMS.values(),
            Head,
            Deletion,
            InsteadEvent,
            LibraryEvent,
        ]
        for schema in documents:
            self.spec.components.schema(schema.__name__, schema=schema)


SHORT = 80
"""Maximum characters of a mapping or list that is written on one line."""


class _Dumper(yaml.CSafeDumper):
    """Writes a repeated value in full each time, because many parsers do not support YAML aliases well."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _mapping(dumper: _Dumper, mapping: dict[str, Any]) -> yaml.MappingNode:
    return dumper.represent_mapping("tag:yaml.org,2002:map", mapping, flow_style=len(str(mapping)) <= SHORT)


def _sequence(dumper: _Dumper, sequence: list[Any]) -> yaml.SequenceNode:
    has_parts = any(isinstance(one, dict | list) for one in sequence)
    is_short = len(str(sequence)) <= SHORT
    return dumper.represent_sequence("tag:yaml.org,2002:seq", sequence, flow_style=is_short or not has_parts)


_Dumper.add_representer(dict, _mapping)
_Dumper.add_representer(list, _sequence)


def as_yaml(contract: Contract, rules: AnyRuleset | None = None) -> str:
    """Return the text of openapi.yaml.

    Args:
        rules: the ruleset whose params, facts, options and state are typed; None: the general contract.
    """
    found = document(contract) if rules is None else typed_contract(document(contract), rules)
    text: str = yaml.dump(found, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)
    return text


def document(contract: Contract) -> dict[str, Any]:
    """Return the contract as an OpenAPI 3.1 document."""
    spec: dict[str, Any] = copy.deepcopy(contract.spec.to_dict())
    schemas = spec["components"]["schemas"]
    # Remove flask-smorest's header for pages, because we send the cursor in the body and in `Link`.
    del schemas["PaginationMetadata"]
    schemas["NewEvent"] = new_event_schema()
    payloads = [{"$ref": f"#/components/schemas/{name}"} for name in ("Head", "Deletion")]
    signed = {"contentEncoding": "base64", "contentSchema": {"oneOf": payloads}}
    schemas["Envelope"]["properties"]["payload"].update(contentMediaType="application/json", **signed)
    for schema in schemas.values():
        for member in schema.get("properties", {}).values():
            # Client generators treat members with defaults as always present, even in requests.
            member.pop("default", None)
    spec["components"] = {"schemas": dict(sorted(schemas.items())), **foreseen.components()}
    for path, operations in spec["paths"].items():
        for method, operation in operations.items():
            if method != "parameters":
                if operation.pop(DEPRECATES, False):
                    foreseen.deprecate(operation)
                if "description" in operation:
                    operation["description"] = _unwrap(operation["description"])
                asks, refuses = operation.pop(ASKS, []), operation.pop(REFUSES, [])
                foreseen.complete(path, method, operation, asks, refuses)
    _name_parameters(spec)
    spec["webhooks"] = {"gameEvent": {"post": _MESSAGE}}
    spec[foreseen.PROBLEMS] = foreseen.problems()
    return spec


def _unwrap(text: str) -> str:
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def _name_parameters(spec: dict[str, Any]) -> None:
    """Name the parameters that several operations share, so that operations can refer to them by name.

    If parameters with the same name differ, the most frequent parameter gets the name.
    """
    taken = [
        part["parameters"]
        for item in spec["paths"].values()
        for part in (item, *(operation for method, operation in item.items() if method != "parameters"))
        if "parameters" in part
    ]
    written = Counter(json.dumps(one) for several in taken for one in several if "$ref" not in one)
    named = spec["components"]["parameters"]
    for text, times in written.most_common():
        name = json.loads(text)["name"]
        if times > 1 and name not in named:
            named[name] = json.loads(text)
    for several in taken:
        several[:] = [
            {"$ref": f"#/components/parameters/{one['name']}"} if one == named.get(one.get("name")) else one
            for one in several
        ]
