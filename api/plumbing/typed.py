"""The contract for one ruleset: its params, facts, options and state are typed instead of open objects."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Collection
from typing import Any

from engine.core import lifecycle
from engine.core.documents import params_schema
from engine.core.events import Header
from engine.core.values import MASKED
from engine.kit.ruleset import AnyRuleset
from engine.kit.several import schema_of_several

Schema = dict[str, Any]
_OF_SERVICE = frozenset({lifecycle.GAME_OPENED, lifecycle.GAME_CLOSED})
"""Types of events that only the service appends."""
_SHARED = {"Draft": "NewEvent", "Explanation": "Explanation", "GameOutcome": "GameOutcome", "Seat": "Seat"}
"""For types with different names in the engine and the contract: the contract's name."""
_REFERENCE = "#/components/schemas/"
_DEFINED = "#/$defs/"


def typed_contract(contract: Schema, rules: AnyRuleset) -> Schema:
    """Return a copy of the contract, typed for a ruleset."""
    document = copy.deepcopy(contract)
    document["info"]["title"] += f": {rules.name}"
    document["info"]["version"] += f"+{rules.id}.{rules.version}"
    schemas = _Schemas(document["components"]["schemas"], rules)
    schemas.replace("Options", params_schema(rules.options))
    schemas.unite("Fact", "fact", {kind.tag(): schema_of_several(kind) for kind in rules.facts})
    _add_events(schemas, rules)
    _add_state(schemas, rules)
    document["components"]["schemas"] = dict(sorted(schemas.found.items()))
    return document


def _add_events(schemas: _Schemas, rules: AnyRuleset) -> None:
    actions = {kind.type: kind for kind in rules.actions}
    kinds = {lifecycle.GAME_OPENED: Header, **lifecycle.KINDS, **actions}
    params: dict[str, Schema] = {}
    for type_, kind in kinds.items():
        # Include deprecated params, because old records may have them.
        schema = params_schema(kind, with_deprecated=True)
        _specify(type_, schema, rules)
        hidden = actions[type_].hidden_params if type_ in actions else ()
        params[type_] = schemas.add(_name(type_, "Params"), _maskable(schema, hidden))
    schemas.replace("Params", {"anyOf": list(params.values())})
    event, new = schemas.found["Event"], schemas.found["NewEvent"]
    schemas.unite("Event", "type", {type_: _of_type(event, type_, of) for type_, of in params.items()})
    given = {type_: of for type_, of in params.items() if type_ not in _OF_SERVICE}
    schemas.unite("NewEvent", "type", {type_: _of_type(new, type_, of) for type_, of in given.items()})


def _specify(type_: str, params: Schema, rules: AnyRuleset) -> None:
    """Give types to the params of a lifecycle event that depend on the ruleset."""
    members = params["properties"]
    fact = {"$ref": f"{_REFERENCE}Fact"}
    if type_ == lifecycle.GAME_OPENED:
        members["options"] = {"$ref": f"{_REFERENCE}Options"}
    elif type_ == lifecycle.LEFT_OUT and rules.steps:
        members["step"]["enum"] = [step.id for step in rules.steps]
    elif type_ == "adjust" and rules.facts:
        for name, one in (("facts", fact), ("was", {"anyOf": [fact, {"type": "null"}]})):
            (several,) = (part for part in members[name]["anyOf"] if part["type"] == "array")
            several["items"] = one


def _add_state(schemas: _Schemas, rules: AnyRuleset) -> None:
    """Add the named schemas of the state: one for the full state, and one with unknown or hidden places."""
    known = schemas.add(_name(rules.id, "State"), params_schema(rules.state))
    members: Schema = {name: {} for name in schemas.found[known["$ref"].removeprefix(_REFERENCE)]["properties"]}
    partly = schemas.add(
        _name(rules.id, "PartlyKnownState"),
        {
            "type": "object",
            "description": "The members of the full state. Objects with `unseen`, `one_of`, `may_be` or "
            "`masked` replace unknown or hidden values.",
            "properties": members,
            "additionalProperties": {},
        },
    )
    schemas.replace("StateDocument", {"anyOf": [known, partly]})


class _Schemas:
    """The named schemas of a contract, to which the schemas of a ruleset are added."""

    def __init__(self, found: Schema, rules: AnyRuleset) -> None:
        self.found = found
        self._rules = rules
        self._names: dict[str, str] = {}

    def add(self, name: str, schema: Schema) -> Schema:
        """Add a named schema with its definitions; return the reference to it."""
        definitions = schema.pop("$defs", {})
        names = {inner: _SHARED.get(inner) or self._name_of(inner, part) for inner, part in definitions.items()}
        for inner, part in definitions.items():
            if inner not in _SHARED:
                self.found[names[inner]] = _rename_references(part, names)
        name = self._free(name)
        self.found[name] = _rename_references(schema, names)
        return {"$ref": f"{_REFERENCE}{name}"}

    def replace(self, name: str, schema: Schema) -> None:
        """Replace a named schema, keeping its description."""
        replaced = self.found.pop(name)
        self.add(name, {key: replaced[key] for key in ("description",) if key in replaced} | schema)

    def unite(self, name: str, member: str, kinds: dict[str, Schema]) -> None:
        """Replace a named schema by the union of `kinds`, with a discriminator; without kinds, leave it unchanged."""
        if kinds:
            each = {value: self.add(_name(value, name), schema) for value, schema in kinds.items()}
            mapping = {value: reference["$ref"] for value, reference in each.items()}
            discriminator = {"propertyName": member, "mapping": mapping}
            self.replace(name, {"oneOf": list(each.values()), "discriminator": discriminator})

    def _name_of(self, inner: str, schema: Schema) -> str:
        """Return a name for a definition in a schema. Equal definitions get the same name."""
        text = json.dumps([inner, schema], sort_keys=True)
        if text not in self._names:
            name = self._free(re.split(r"[^A-Za-z]", inner)[0])
            self._names[text] = name
            self.found[name] = {}
        return self._names[text]

    def _free(self, name: str) -> str:
        taken = [name, _name(self._rules.id, name)]
        taken += (f"{taken[1]}{number}" for number in range(2, 1000))
        return next(one for one in taken if one not in self.found)


def _name(words: str, end: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", words)) + end


def _of_type(event: Schema, type_: str, params: Schema) -> Schema:
    described = event["properties"]
    kind = {**described["type"], "const": type_, "examples": [type_]}
    members = {**described, "type": kind, "params": {**params, "description": "The params of the action."}}
    return {**event, "properties": members, "description": f"An event of type `{type_}`."}


def _maskable(schema: Schema, hidden: Collection[str]) -> Schema:
    """Return the schema of params that may be partly hidden from a viewer."""
    members = {
        name: {"anyOf": [part, {"const": MASKED}]} if name in hidden else part
        for name, part in schema["properties"].items()
    }
    return {**schema, "properties": members}


def _rename_references(schema: Any, names: dict[str, str]) -> Any:
    if isinstance(schema, list):
        return [_rename_references(part, names) for part in schema]
    if isinstance(schema, dict):
        return {key: _rename_references(part, names) for key, part in schema.items()}
    if isinstance(schema, str) and schema.startswith(_DEFINED):
        return _REFERENCE + names[schema.removeprefix(_DEFINED)]
    return schema
