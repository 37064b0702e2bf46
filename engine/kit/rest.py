"""Facts about the rest: 'all other tiles are dry', 'Ann has nothing else'.

A report can name some subjects of a kind, and describe all others with one fact. That fact has `"rest"` as its subject.
"""

from __future__ import annotations

from typing import Any

import msgspec

from engine.core.canonical import below
from engine.core.documents import convert, params_schema
from engine.core.errors import Malformed
from engine.core.language import say
from engine.kit.facts import AnyFact

REST = "rest"
"""Stands for all seats, cards or tiles that no other reported fact names."""


class Rest(msgspec.Struct, frozen=True):
    """A fact about all subjects of a kind that no other fact names."""

    kind: type[AnyFact]
    about: dict[str, Any]
    """The part of the subject that is given: `{"seat": "p1"}` for the rest of Ann's hand."""
    content: dict[str, Any]
    """The value for all these subjects."""

    def covers(self, fact: AnyFact) -> bool:
        """Return True if the subject of `fact` belongs to this rest."""
        return type(fact) is self.kind and all(getattr(fact, name) == value for name, value in self.about.items())

    def instead(self, fact: AnyFact) -> AnyFact:
        """Return a fact like `fact`, but with the value of this rest."""
        return msgspec.structs.replace(fact, **self.content)


def is_rest(kind: type[AnyFact], document: dict[str, Any]) -> bool:
    """Return True if `document`, a fact of this kind in JSON, has `"rest"` in place of its subject."""
    return any(document.get(name) == REST for name in kind.about)


def read_rest(kind: type[AnyFact], document: dict[str, Any], pointer: str) -> Rest:
    """Parse a fact about the rest.

    Raises:
        Malformed: the document does not match the kind. If subjects of the kind can be absent, the document must report
            that absence.
    """
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    given = {name: value for name, value in document.items() if name != "fact" and not _is_open(kind, name, value)}
    for name, value in given.items():
        if name not in fields:
            raise Malformed(below(pointer, name), say("this fact has no such member"))
        given[name] = convert(value, fields[name].type, below(pointer, name))
    about = {name: given.pop(name) for name in kind.about if name in given}
    if kind.none is not None:
        if any(kind.none[name] != value for name, value in given.items()):
            raise Malformed(
                pointer,
                say(
                    "a fact about `rest` can only say that components are absent: send a fact for each component "
                    "that is present"
                ),
            )
        return Rest(kind, about, dict(kind.none))
    missing = [name for name, field in fields.items() if field.required and name not in (*kind.about, *given)]
    if missing:
        raise Malformed(pointer, say("`{name}` is missing", name=missing[0]))
    return Rest(kind, about, given)


def _is_open(kind: type[AnyFact], name: str, value: Any) -> bool:
    return name in kind.about and value == REST


def reported_schema(kind: type[AnyFact]) -> dict[str, Any]:
    """Return the JSON Schema of a reported fact, which can be about the rest."""
    return or_of_rest(kind, params_schema(kind))


def or_of_rest(kind: type[AnyFact], schema: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of a fact, extended by `"rest"` as a subject."""
    members = schema["properties"]
    return {**schema, "properties": {**members, **{name: _or_rest(members[name]) for name in kind.about}}}


def _or_rest(schema: dict[str, Any]) -> dict[str, Any]:
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], REST]}
    return {"anyOf": [schema, {"const": REST}]}
