"""Facts about several subjects: 'Coral Palace and Iron Gate are flooded' in one fact, with a list of tiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from engine.core.errors import Malformed
from engine.core.language import say
from engine.kit.facts import AnyFact
from engine.kit.rest import reported_schema


def listed_members(kind: type[AnyFact], document: dict[str, Any]) -> list[str]:
    """Return the members of a reported fact that list a value for each of several subjects."""
    listed = [name for name in kind.about if isinstance(document.get(name), list | tuple)]
    if not listed:
        return []
    values = [name for name in _values(kind) if isinstance(document.get(name), list | tuple)]
    return [*listed, *values]


def spread(kind: type[AnyFact], document: dict[str, Any], pointer: str) -> Iterator[dict[str, Any]]:
    """Yield a fact for each of several subjects. Members that are not lists are the same for all subjects.

    Raises:
        Malformed: the lists differ in length, or are empty.
    """
    listed = listed_members(kind, document)
    counts = {len(document[name]) for name in listed}
    if len(counts) > 1:
        raise Malformed(pointer, say("the lists in a fact must have the same length"))
    if counts == {0}:
        raise Malformed(f"{pointer}/{listed[0]}", say("list at least one value"))
    for values in zip(*(document[name] for name in listed), strict=True):
        yield {**document, **dict(zip(listed, values, strict=True))}


def schema_of_several(kind: type[AnyFact]) -> dict[str, Any]:
    """Return the JSON Schema of a reported fact, which can be about several subjects or about the rest."""
    schema = reported_schema(kind)
    members = schema["properties"]
    listed = {name: _or_list(members[name]) for name in (*kind.about, *_values(kind) * bool(kind.about))}
    return {**schema, "properties": {**members, **listed}}


def _values(kind: type[AnyFact]) -> list[str]:
    """Return the members of a kind's value that are no lists themselves."""
    fields = {field.name for field in msgspec.structs.fields(kind)} - {*kind.about}
    members = reported_schema(kind)["properties"].items()
    return [name for name, schema in members if name in fields and not _has_list(schema)]


def _has_list(schema: Any) -> bool:
    return schema.get("type") == "array" or any(map(_has_list, schema.get("anyOf", ())))


def _or_list(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "array", "items": schema, "minItems": 1}]}
