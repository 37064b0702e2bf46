"""Write values the way a person would, using the JSON Schema that a ruleset declares for them.

Rare values that cannot be parsed back in this form are written as JSON between backticks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from engine.core.values import MASKED, SEAT_IDS, SEAT_INDEX, Value
from engine.kit.options import WHOLE
from engine.kit.rest import REST
from exports.notation.language import Language, Verb
from exports.notation.words import HIDDEN, NOTHING, PREPOSITIONS, Names, is_plain, key, slug

Schema = dict[str, Any]


def resolve_reference(schema: Schema, root: Schema) -> Schema:
    """Return `schema`, or the definition in `root` that it refers to."""
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def alternatives(schema: Schema, root: Schema) -> tuple[list[Schema], bool]:
    """Return the non-null alternatives of a schema, and True if null is allowed."""
    if "discriminator" in schema:
        return [schema], False
    options = [resolve_reference(one, root) for one in schema.get("anyOf", [schema])]
    values = [{"enum": [one["const"]]} if "const" in one else one for one in options if one.get("type") != "null"]
    may_be_nothing = len(values) < len(options)
    if len(values) > 1 and all("enum" in one for one in values):
        values = [{"enum": [value for one in values for value in one["enum"]]}]
    return values, may_be_nothing


def tagged_kinds(schema: Schema, root: Schema) -> tuple[str, dict[str, Schema]] | None:
    """Return the member that names the kind of an object, and the schema of each kind; None without such a member."""
    if "discriminator" in schema:
        told = schema["discriminator"]
        return told["propertyName"], {
            name: resolve_reference({"$ref": reference}, root) for name, reference in told["mapping"].items()
        }
    return None


def is_seat(schema: Schema) -> bool:
    """Return True if a value is a seat."""
    return [one for one in schema.get("enum", ()) if one != REST] == list(SEAT_IDS)


def is_nested(items: Schema, root: Schema) -> bool:
    """Return True if the items of a list are lists themselves, which are written in brackets."""
    return any(one.get("type") == "array" for one in alternatives(resolve_reference(items, root), root)[0])


def as_json(value: Any) -> str:
    """Write a value as JSON between backticks."""
    return "`" + json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("`", "\\u0060") + "`"


def quote(text: str) -> str:
    """Write a text between quotes, as in JSON."""
    return json.dumps(text, ensure_ascii=False)


class Speller:
    """Spells the values of one game."""

    def __init__(self, language: Language, names: Names) -> None:
        self._language = language
        self._names = names
        self._players = frozenset(key(name) for name in names)

    def outcome(self, value: Value | None) -> str:
        """Write a result."""
        if value is None:
            return "??"
        if isinstance(value, int):
            return str(value)
        seat = SEAT_INDEX.get(value)
        if seat is not None and seat < len(self._names.names):
            return self._names.spell(seat)
        if slug(value) != value or key(value) in self._players or value.isdigit():
            return quote(value)
        return self._label(value, ())

    def params(self, verb: Verb, params: dict[str, Any]) -> str:
        """Write the values after a verb: required ones in order, the others in brackets."""
        text = ""
        for index, name in enumerate(verb.required_params):
            said = self.value(verb.fields[name], verb.schema, params[name], verb.avoided_prepositions)
            parted = "" if index == 0 or name in PREPOSITIONS else ","
            text += f"{parted} {name} {said}" if name in PREPOSITIONS else f"{parted} {said}"
        more = [
            f"{name.replace('_', ' ')} {self.value(schema, verb.schema, params[name])}"
            for name, schema in verb.fields.items()
            if name not in verb.required_params and name in params and _is_told(schema, params[name])
        ]
        return f"{text} ({', '.join(more)})" if more else text

    def value(self, schema: Schema, root: Schema, value: Any, avoided: Iterable[str] = ()) -> str:
        """Write a value described by `schema` (`root` has its definitions).

        Quote the value if it contains an `avoided` word.
        """
        if value == MASKED:
            return HIDDEN
        if schema.get(WHOLE):
            return as_json(value)
        if schema.get("x-event"):
            return f"#{value}"
        if schema.get("x-outcome"):
            return self.outcome(value)
        schema = resolve_reference(schema, root)
        options, may_be_nothing = alternatives(schema, root)
        if value is None and may_be_nothing:
            return NOTHING
        if len(options) > 1:
            options = [one for one in options if self._is_only(one, options, value)]
        return self._one(options[0], root, value, avoided) if options else as_json(value)

    def _is_only(self, schema: Schema, options: list[Schema], value: Any) -> bool:
        """Return True if `schema` fits the text or number, and no other option would read it as a different value."""
        said = str(value)
        if any(slug(str(one)) == slug(said) and one != value for option in options for one in option.get("enum", ())):
            return False
        if isinstance(value, str):
            is_described = value in schema["enum"] if "enum" in schema else schema.get("type") == "string"
            return is_described and not said.removeprefix("-").isdecimal()
        is_number = isinstance(value, int) and not isinstance(value, bool) and schema.get("type") == "integer"
        return is_number and said not in self._language.ids and not any("pattern" in option for option in options)

    def _one(self, schema: Schema, root: Schema, value: Any, avoided: Iterable[str]) -> str:
        several = tagged_kinds(schema, root)
        if several is not None:
            return self._spell_tagged(several, root, value)
        if "enum" in schema:
            return self._spell_choice(schema, value, avoided)
        match schema.get("type"), value:
            case "boolean", bool():
                return "yes" if value else "no"
            case "integer", int() if not isinstance(value, bool):
                return str(value)
            case "string", str():
                return self._text(schema, value, avoided)
            case "array", list() | tuple():
                return self._list(schema, root, value, avoided)
            case "object", dict() if set(value) <= set(schema.get("properties", ())):
                return self._object(schema, root, value)
        return as_json(value)

    def _spell_choice(self, schema: Schema, value: Any, avoided: Iterable[str]) -> str:
        if value not in schema["enum"]:
            return as_json(value)
        if is_seat(schema) and value in SEAT_INDEX:
            seat = SEAT_INDEX[value]
            said = self._names.spell(seat) if seat < len(self._names.names) else value
            return said if is_plain(said, avoided) and key(said) != REST else str(value)
        return self._label(value, avoided) if isinstance(value, str) else str(value)

    def _text(self, schema: Schema, value: str, avoided: Iterable[str]) -> str:
        is_id = slug(value) == value and value != "" and (value in self._language.ids or "pattern" in schema)
        if is_id:
            return self._label(value, avoided)
        # Even in quotes, this text would be read as null.
        return as_json(value) if value == NOTHING else quote(value)

    def _label(self, value: str, avoided: Iterable[str]) -> str:
        said = self._language.label(value)
        if slug(said) == value and is_plain(said, avoided):
            return said
        return quote(value)

    def _list(self, schema: Schema, root: Schema, value: Any, avoided: Iterable[str]) -> str:
        items = schema.get("items", {})
        if not value:
            return NOTHING
        said = [self.value(items, root, item, avoided) for item in value]
        if any(one == NOTHING or one.startswith("`") for one in said):
            return as_json(value)
        return " + ".join(f"[{one}]" if is_nested(items, root) else one for one in said)

    def _object(self, schema: Schema, root: Schema, value: dict[str, Any]) -> str:
        parts = [
            f"{name.replace('_', ' ')} {self.value(one, root, value[name])}"
            for name, one in schema["properties"].items()
            if name in value and (name in schema.get("required", ()) or _is_told(one, value[name]))
        ]
        return f"[{', '.join(parts)}]"

    def _spell_tagged(self, several: tuple[str, dict[str, Schema]], root: Schema, value: Any) -> str:
        tag, kinds = several
        schema = kinds.get(str(value.get(tag))) if isinstance(value, dict) else None
        if schema is None or not set(value) <= set(schema["properties"]):
            return as_json(value)
        rest = {name: one for name, one in schema["properties"].items() if name != tag}
        inner = self._object({**schema, "properties": rest}, root, value)[1:-1]
        return f"[{', '.join(filter(None, (value[tag].replace('_', ' '), inner)))}]"


def _is_told(schema: Schema, value: Any) -> bool:
    """Return True if an optional value differs from its default, so that it must be written."""
    return "default" not in schema or schema["default"] != (list(value) if isinstance(value, tuple) else value)
