"""Convert JSON documents to structs, and types of structs to JSON Schema. Errors of msgspec become `Malformed`."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import inspect

from engine.core.errors import Malformed
from engine.core.language import marked, say
from engine.core.text import MOST_LISTED, hint

_LOCATED = re.compile(r"(.*) - at (`key` in )?`\$([^`]*)`", re.DOTALL)
_STEP = re.compile(r"[^.\[\]]+|\.\.\.")
_KEY = "`key`"
"""The step of a path that represents the keys of an object. No member of a document has this name."""
_WORDS = {
    "int": marked("a whole number"),
    "float": marked("a number"),
    "str": marked("a text"),
    "bool": marked("true or false"),
    "array": marked("a list"),
    "object": marked("an object"),
    "null": "null",
}
_BOUNDS = {
    ">=": marked("must be {kind} of at least {bound}"),
    "<=": marked("must be {kind} of at most {bound}"),
    ">": marked("must be {kind} of more than {bound}"),
    "<": marked("must be {kind} of less than {bound}"),
}
_PARTS = {"str": marked("{count} characters"), "array": marked("{count} entries"), "object": marked("{count} members")}


def convert(document: Any, kind: type[Any], under: str) -> Any:
    """Convert `document` to a value of type `kind`.

    Raises:
        Malformed: the document does not match the type; the pointer to the error starts with `under`.
    """
    try:
        return msgspec.convert(document, kind, strict=True)
    except msgspec.ValidationError as error:
        raise malformed_error(error, under, kind) from None


def malformed_error(error: msgspec.ValidationError, under: str, kind: Any) -> Malformed:
    """Convert a msgspec error ('… - at `$.a[0]`') to `Malformed` with a plain message and a pointer below `under`.

    Args:
        kind: the type that the document should match; the message uses its allowed values and descriptions.
    """
    message, of_key, path = str(error), None, ""
    if located := _LOCATED.fullmatch(message):
        message, of_key, path = located.groups()
    steps = _STEP.findall(path)
    # msgspec reports an unknown key as `...`: let the pointer end above that key.
    keys = steps[: steps.index("...")] if "..." in steps else steps
    if of_key:
        steps = [*steps, _KEY]
    return Malformed(under + "".join(f"/{key}" for key in keys), _plainly(message, _declared_types(kind, steps)))


def _plainly(message: str, declared: Sequence[inspect.Type]) -> str:
    """Reword a msgspec message for the author of the document; return other messages unchanged.

    Args:
        declared: the types allowed at the location of the error.
    """
    if found := re.fullmatch(r"Expected `(.+)`, got `(.+)`", message):
        wanted, given = (say(" or ").join(map(_word, names.split(" | "))) for names in found.groups())
        return say("must be {wanted}, not {given}", wanted=wanted, given=given)
    if found := re.fullmatch(r"Expected `(\w+)` ([<>]=?) (.+)", message):
        return say(_BOUNDS[found[2]], kind=_word(found[1]), bound=found[3])
    if found := re.fullmatch(r"Expected `(\w+)` of length ([<>]=?) (\d+)", message):
        return say(_BOUNDS[found[2]], kind=_word(found[1]), bound=say(_PARTS[found[1]], count=found[3]))
    if found := re.fullmatch(r"Expected `str` matching regex '(.*)'", message, re.DOTALL):
        described = [text for kind in declared if (text := _schema(kind).get("description"))]
        return f"must be {described[0]}" if described else f"must match {found[1]}"
    if found := re.fullmatch(r"Object missing required field `(.*)`", message, re.DOTALL):
        return say("`{name}` is missing", name=found[1])
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", message, re.DOTALL):
        return _unknown(f"`{found[1]}`") + hint(found[1], _members(declared))
    if found := re.fullmatch(r"Invalid enum value (.*)", message, re.DOTALL):
        values = [value for kind in declared if isinstance(kind, inspect.LiteralType) for value in kind.values]
        return _none_of(found[1], values)
    if found := re.fullmatch(r"Invalid value (.*)", message, re.DOTALL):
        return _unknown(found[1])
    return message


def _word(kind: str) -> str:
    return say(_WORDS.get(kind, kind))


def _unknown(given: str) -> str:
    return say("{given} is not known here", given=given)


def _none_of(given: str, values: Sequence[str | int | None]) -> str:
    if not values:
        return _unknown(given)
    if len(values) > MOST_LISTED:
        said = say("{given} is not one of the {count} possible values", given=given, count=len(values))
        return said + hint(given, [str(value) for value in values])
    *others, last = (repr(value) for value in values)
    if not others:
        return say("{given} is not {value}", given=given, value=last)
    return say("{given} is not one of {others} and {last}", given=given, others=", ".join(others), last=last)


def _members(declared: Sequence[inspect.Type]) -> list[str]:
    """Return the names of the members of an object, without deprecated ones."""
    fields = [field for kind in declared if isinstance(kind, inspect.StructType) for field in kind.fields]
    return [field.encode_name for field in fields if not _schema(field.type).get("deprecated")]


def _schema(kind: inspect.Type) -> dict[str, Any]:
    return (kind.extra_json_schema if isinstance(kind, inspect.Metadata) else None) or {}


def _declared_types(kind: Any, steps: Sequence[str]) -> list[inspect.Type]:
    """Return the types declared at the end of the path `steps` into `kind`; empty if the path does not exist."""
    found = _alternatives(_information(kind))
    for step in steps:
        found = [inner for one in found for inner in _inside(one, step)]
    return found


@functools.cache
def _information(kind: Any) -> inspect.Type:
    """Return msgspec's information about a type, from a cache.

    Computing it takes a hundred times as long as converting a document.
    """
    return inspect.type_info(kind)


def _alternatives(kind: inspect.Type) -> list[inspect.Type]:
    if isinstance(kind, inspect.Metadata):
        return [kind, *_alternatives(kind.type)]
    if isinstance(kind, inspect.UnionType):
        return [inner for one in kind.types for inner in _alternatives(one)]
    return [kind]


def _inside(kind: inspect.Type, step: str) -> list[inspect.Type]:
    match kind:
        case inspect.StructType(fields=fields):
            return [inner for field in fields if field.encode_name == step for inner in _alternatives(field.type)]
        case inspect.ListType(item_type=inner) | inspect.VarTupleType(item_type=inner):
            return _alternatives(inner)
        case inspect.TupleType(item_types=items):
            return _alternatives(items[int(step)])
        case inspect.DictType(key_type=key, value_type=value):
            return _alternatives(key if step == _KEY else value)
    return []


def params_schema(kind: type[msgspec.Struct], *, with_deprecated: bool = False) -> dict[str, Any]:
    """Return the self-contained JSON Schema (2020-12) of a struct's fields.

    Args:
        with_deprecated: True to include the fields that only earlier records have.
    """
    (reference,), definitions = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    name = reference["$ref"].rsplit("/", 1)[1]
    schema = definitions.pop(name)
    for key in ("title", "description"):
        schema.pop(key, None)
    if not with_deprecated:
        schema["properties"] = {name: part for name, part in schema["properties"].items() if not part.get("deprecated")}
    # Encode and decode, to turn tuples in defaults into lists.
    document: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode({**schema, "$defs": definitions} if definitions else schema)
    )
    return document


def limit_choices(schema: Any, kinds: Iterable[type[Any]]) -> None:
    """Limit each choice between tagged structs to `kinds`, in a part of a JSON Schema that msgspec has written."""
    names = {kind.__name__ for kind in kinds}
    if isinstance(schema, list):
        for inner in schema:
            limit_choices(inner, kinds)
    elif isinstance(schema, dict):
        if "discriminator" in schema:
            schema["anyOf"] = [one for one in schema["anyOf"] if one["$ref"].rpartition("/")[2] in names]
            # Remove the discriminator, which lists all structs. The schema of each struct fixes its tag anyway.
            del schema["discriminator"]
        for inner in schema.values():
            limit_choices(inner, kinds)
