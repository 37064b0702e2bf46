"""Generate types from the contract: a `TypedDict` for each schema that has members, an alias for any other schema."""

from __future__ import annotations

import json
import keyword
import re
import textwrap
from collections.abc import Collection, Iterator
from typing import Any

WIDTH = 112
"""The width of docstrings, which are indented once."""
_PLAIN = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}


def module(contract: dict[str, Any]) -> str:
    """Return the whole generated file, unformatted."""
    schemas = contract["components"]["schemas"]
    aliases = {name: schema for name, schema in schemas.items() if "properties" not in schema}
    lines = [
        '"""The types of the API, with the names of the contract. Generated from openapi.yaml."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict",
        "",
    ]
    for name in sorted(aliases):
        lines += [f"{name}: TypeAlias = {_at_run_time(type_of(aliases[name]), schemas)}", *_doc(aliases[name], "")]
    for name in sorted(schemas.keys() - aliases.keys()):
        lines += _typed_dict(name, schemas[name])
    return "\n".join(lines) + "\n"


def type_of(schema: dict[str, Any], prefix: str = "") -> str:
    """Return the type for a schema; `Any` for values that rulesets define.

    Args:
        prefix: a prefix for the names of schemas.
    """
    if "$ref" in schema:
        return prefix + str(schema["$ref"]).rsplit("/", 1)[-1]
    if "const" in schema or "enum" in schema:
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        if not all(isinstance(value, str | int | None) for value in values):
            return "dict[str, Any]"
        return f"Literal[{', '.join(repr(value) for value in values)}]"
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return _either(type_of(one, prefix) for one in schema[several])
    kinds = schema.get("type", [])
    return _either(_kind(kind, schema, prefix) for kind in ([kinds] if isinstance(kinds, str) else kinds)) or "Any"


def docstring_lines(text: str, indent: str) -> list[str]:
    """Return a text as lines of a docstring, without quotes."""
    whole = text.strip().replace("\\", "\\\\").replace('"""', "'''")
    return [
        line
        for part in whole.split("\n\n")
        for line in textwrap.wrap(" ".join(part.split()), WIDTH - len(indent), break_on_hyphens=False)
    ]


def _at_run_time(kind: str, names: Collection[str]) -> str:
    """Return a type for use in an alias. Types that are defined later are put in quotes."""
    return json.dumps(kind) if set(re.findall(r"\w+", kind)) & set(names) and "Literal" not in kind else kind


def _either(types: Iterator[str]) -> str:
    return " | ".join(dict.fromkeys(types))


def _kind(kind: str, schema: dict[str, Any], prefix: str) -> str:
    if kind == "array":
        parts = [schema["items"]] if schema.get("items") else schema.get("prefixItems", [{}])
        return f"list[{_either(type_of(part, prefix) for part in parts)}]"
    if kind == "object":
        return f"dict[str, {type_of(schema.get('additionalProperties') or {}, prefix)}]"
    return _PLAIN[kind]


def _typed_dict(name: str, schema: dict[str, Any]) -> list[str]:
    required = schema.get("required", ())
    fields = {
        field: type_of(part) if field in required else f"NotRequired[{type_of(part)}]"
        for field, part in schema["properties"].items()
    }
    if any(keyword.iskeyword(field) for field in fields):
        members = ", ".join(f"{json.dumps(field)}: {json.dumps(kind)}" for field, kind in fields.items())
        return [f'{name} = TypedDict("{name}", {{{members},}})', *_doc(schema, "")]
    lines = [f"class {name}(TypedDict):", *_doc(schema, "    ")]
    if not fields and len(lines) == 1:
        lines.append("    pass")
    for field, kind in fields.items():
        lines += [f"    {field}: {kind}", *_doc(schema["properties"][field], "    ")]
    return lines


def _doc(schema: dict[str, Any], indent: str) -> list[str]:
    if not schema.get("description"):
        return []
    first, *more = docstring_lines(schema["description"], indent)
    if more:
        return [f'{indent}"""{first}', *(f"{indent}{line}" for line in more), f'{indent}"""']
    return [f'{indent}"""{first}{" " if first.endswith(chr(34)) else ""}"""']
