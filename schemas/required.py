"""Fields that a body always has, each with its description and an example for openapi.yaml."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from schemas.named import Choice, Named, Open


def described(description: str, example: Any = None, **more: Any) -> dict[str, Any]:
    """Return the metadata of a field for openapi.yaml."""
    metadata: dict[str, Any] = {"description": description, **more}
    if example is not None:
        metadata["examples"] = [example]
    return metadata


def text(description: str, example: Any = None, **more: Any) -> fields.String:
    """Return a field for a text."""
    return fields.String(required=True, metadata=described(description, example), **more)


def integer(description: str, example: Any = None, **more: Any) -> fields.Integer:
    """Return a field for an integer."""
    return fields.Integer(required=True, metadata=described(description, example), **more)


def number(description: str, example: Any = None, **more: Any) -> fields.Float:
    """Return a field for a number that may have a fraction."""
    return fields.Float(required=True, metadata=described(description, example), **more)


def flag(description: str, example: Any = None, **more: Any) -> fields.Boolean:
    """Return a field for true or false."""
    return fields.Boolean(required=True, metadata=described(description, example), **more)


def choice(named: Named, description: str, example: Any = None, **more: Any) -> Choice:
    """Return a field for one of the values of an enumeration."""
    return Choice(named, required=True, metadata=described(description, example), **more)


def document(named: Named, description: str, example: Any = None, **more: Any) -> Open:
    """Return a field for an object whose members a ruleset or standard defines."""
    return Open(named, required=True, metadata=described(description, example), **more)


def nested(kind: type[Schema], description: str, **more: Any) -> fields.Nested:
    """Return a field for an object."""
    return fields.Nested(kind, required=True, metadata=described(description), **more)


def each(kind: type[Schema], description: str, example: Any = None, **more: Any) -> fields.List[Any]:
    """Return a field for a list of objects."""
    return fields.List(fields.Nested(kind), required=True, metadata=described(description, example), **more)


def texts(description: str, example: Any = None, **more: Any) -> fields.List[Any]:
    """Return a field for a list of texts."""
    return fields.List(fields.String(), required=True, metadata=described(description, example), **more)
