"""Fields of bodies and queries, each with its description and an example for openapi.yaml."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from schemas.named import Choice, Named, Open

LARGEST_SEQ = 2**53
"""Maximum absolute value of a number in a document: JSON readers agree on integers up to it (RFC 7493)."""


def describe(description: str, example: Any = None, **more: Any) -> dict[str, Any]:
    """Return the metadata of a field for openapi.yaml."""
    metadata: dict[str, Any] = {"description": description, **more}
    if example is not None:
        metadata["examples"] = [example]
    return metadata


class Members:
    """Makes fields that are all required, or all optional. Further arguments go to marshmallow's fields."""

    def __init__(self, *, are_required: bool) -> None:
        self._required = are_required

    def text(self, description: str, example: Any = None, **more: Any) -> fields.String:
        """Return a field for a text."""
        return fields.String(required=self._required, metadata=describe(description, example), **more)

    def integer(self, description: str, example: Any = None, **more: Any) -> fields.Integer:
        """Return a field for an integer."""
        return fields.Integer(required=self._required, metadata=describe(description, example), **more)

    def seq(self, description: str, example: Any = None, *, least: int = 1, **more: Any) -> fields.Integer:
        """Return a field for the number of an event."""
        return self.integer(description, example, validate=validate.Range(min=least, max=LARGEST_SEQ), **more)

    def number(self, description: str, example: Any = None, **more: Any) -> fields.Float:
        """Return a field for a number that may have a fraction."""
        return fields.Float(required=self._required, metadata=describe(description, example), **more)

    def flag(self, description: str, example: Any = None, **more: Any) -> fields.Boolean:
        """Return a field for true or false."""
        return fields.Boolean(required=self._required, metadata=describe(description, example), **more)

    def choice(self, named: Named, description: str, example: Any = None, **more: Any) -> Choice:
        """Return a field for one of the values of an enumeration."""
        return Choice(named, required=self._required, metadata=describe(description, example), **more)

    def document(self, named: Named, description: str, example: Any = None, **more: Any) -> Open:
        """Return a field for an object whose members a ruleset or standard defines."""
        return Open(named, required=self._required, metadata=describe(description, example), **more)

    def nested_field(self, kind: type[Schema] | str, description: str, **more: Any) -> fields.Nested:
        """Return a field for an object."""
        return fields.Nested(kind, required=self._required, metadata=describe(description), **more)

    def each(self, kind: type[Schema] | str, description: str, example: Any = None, **more: Any) -> fields.List[Any]:
        """Return a field for a list of objects."""
        metadata = describe(description, example)
        return fields.List(fields.Nested(kind), required=self._required, metadata=metadata, **more)

    def texts(self, description: str, example: Any = None, **more: Any) -> fields.List[Any]:
        """Return a field for a list of texts."""
        return fields.List(fields.String(), required=self._required, metadata=describe(description, example), **more)


required, optional = Members(are_required=True), Members(are_required=False)
