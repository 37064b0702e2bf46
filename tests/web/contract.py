"""`python -m tests.web.contract`: write the types of the REST API's documents, for the pages' scripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
TYPES = ROOT / "api" / "static" / "contract.d.ts"
LINE = 120
"""The maximum length of a line in Biome's format."""
_PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
    "object": "Record<string, unknown>",
}


def types() -> str:
    """Return the whole file: an interface for each schema with members, a type for each other schema."""
    contract = yaml.safe_load((ROOT / "openapi.yaml").read_text("utf-8"))
    schemas = contract["components"]["schemas"]
    written = [
        _interface(name, schema) if "properties" in schema else _alias(name, _type(schema))
        for name, schema in sorted(schemas.items())
    ]
    return "\n".join(["// Written from openapi.yaml.", *written]) + "\n"


def _alias(name: str, kind: str) -> str:
    """Return a named type, on one line if that is not too long."""
    line = f"export type {name} = {kind};"
    if len(line) > LINE:
        line = "\n  | ".join((f"export type {name} =", *kind.split(" | "))) + ";"
    return f"\n{line}"


def _interface(title: str, schema: dict[str, Any]) -> str:
    required = schema.get("required", ())
    members = (
        f"  {name}{'' if name in required else '?'}: {_type(part)};\n"
        for name, part in schema.get("properties", {}).items()
    )
    return f"\nexport interface {title} {{\n{''.join(members)}}}"


def _type(schema: dict[str, Any]) -> str:
    """Return the type of values that fit a schema; `unknown` for values that only rulesets define."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(_type(one) for one in schema[several])
    kinds = schema.get("type", [])
    return " | ".join(_kind(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds)) or "unknown"


def _kind(kind: str, schema: dict[str, Any]) -> str:
    values = schema.get("additionalProperties")
    if kind == "object" and values and isinstance(values, dict):
        return f"Record<string, {_type(values)}>"
    if kind != "array":
        return _PLAIN[kind]
    item = _type(schema["items"])
    return f"({item})[]" if " | " in item else f"{item}[]"


if __name__ == "__main__":
    TYPES.write_text(types(), "utf-8")
