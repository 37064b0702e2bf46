"""The language of a game: the verbs and values that its ruleset declares."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, Union

import msgspec

from engine.core import lifecycle
from engine.core.documents import params_schema
from engine.core.events import Explanation
from engine.core.language import speaking
from engine.core.values import Value
from engine.kit.rest import or_of_rest
from engine.kit.ruleset import AnyRuleset
from exports.notation.words import PREPOSITIONS, is_plain, key, slug

EVENT = {"x-event": True}
"""The schema of an event's number, which is written `#12`."""
OUTCOME = {"x-outcome": True}
"""The schema of a result of chance."""


class Verb(msgspec.Struct, frozen=True):
    """A type of event: the words of the verb, and the values that follow them."""

    type: str
    words: tuple[str, ...]
    """The words of the verb, such as ('draw', 'flood', 'card')."""
    schema: dict[str, Any]
    """JSON Schema of its params."""
    is_action: bool
    """True for an action of the game, False for a correction."""
    asks_chance: bool

    @property
    def fields(self) -> dict[str, dict[str, Any]]:
        """The schema of each param, in order."""
        found: dict[str, dict[str, Any]] = self.schema.get("properties", {})
        return found

    @property
    def required_params(self) -> tuple[str, ...]:
        """The required params, in order."""
        needed = self.schema.get("required", ())
        return tuple(name for name in self.fields if name in needed)

    @property
    def avoided_prepositions(self) -> frozenset[str]:
        """The prepositions that introduce params of the verb. Values that contain them must be quoted."""
        return frozenset(name for name in self.fields if name in PREPOSITIONS)


@functools.cache
def explanation() -> Verb:
    """Return the members of an explanation. All of them are optional, so the text must name them."""
    schema = params_schema(Explanation)
    schema["properties"]["events"]["items"] = EVENT
    return Verb("explanation", (), {**schema, "required": []}, is_action=False, asks_chance=False)


class Language:
    """The language of one ruleset's games."""

    def __init__(self, ruleset: AnyRuleset) -> None:
        self.ruleset = ruleset
        self.verbs: dict[str, Verb] = {verb.type: verb for verb in _verbs(ruleset)}
        self.options: dict[str, Any] = params_schema(ruleset.options)
        """JSON Schema of its options."""
        self.ids = frozenset(_ids([verb.schema for verb in self.verbs.values()]))
        """Every id that can be the value of a param."""

    def label(self, value: Value) -> str:
        """Return a value in words that can be parsed back, without quotes.

        These words are the value's name if possible, otherwise its id.
        """
        if isinstance(value, int):
            return str(value)
        said = self.ruleset.value_label(value).replace("_", " ").rstrip("!?")
        return said if slug(said) == value and is_plain(said) else value.replace("_", " ")

    def exact(self, words: list[str]) -> tuple[Verb, int] | None:
        """Return the longest verb with which `words` begin, and the number of its words."""
        found = [verb for verb in self.verbs.values() if tuple(words[: len(verb.words)]) == verb.words]
        if not found:
            return None
        longest = max(found, key=lambda verb: len(verb.words))
        return longest, len(longest.words)


@functools.lru_cache(maxsize=32)
@speaking(None)
def of(ruleset: AnyRuleset) -> Language:
    """Return the language of a ruleset's games."""
    return Language(ruleset)


def _verbs(ruleset: AnyRuleset) -> Iterator[Verb]:
    for kind in ruleset.actions:
        schema = params_schema(kind, with_deprecated=True)
        yield Verb(kind.type, _words(kind.type), schema, is_action=True, asks_chance=kind.asks_chance)
    facts = _facts(ruleset)
    for type_ in (lifecycle.SET_UP, *lifecycle.RECORDABLE):
        schema = params_schema(lifecycle.KINDS[type_])
        fields = schema["properties"]
        match type_:
            case lifecycle.SET_UP:
                fields["position"] = facts
                schema["$defs"] = {name: _in_full(kind) for name, kind in facts.get("$defs", {}).items()}
            case "undo":
                fields["to"] = EVENT
            case "amend":
                fields["seq"] = EVENT
            case "reveal":
                fields.update(seq=EVENT, value=OUTCOME)
            case "annotate":
                fields["seq"] = EVENT
            case "left_out":
                fields["step"] = {"enum": [step.id for step in ruleset.steps]}
            case "adjust":
                fields["facts"] = facts.get("properties", {}).get("facts", {})
                schema["$defs"] = facts.get("$defs", {})
                # Previous values are not written, because the replay computes them.
                del fields["was"]
        yield Verb(type_, _words(type_), schema, is_action=False, asks_chance=type_ == lifecycle.SET_UP)


def _facts(ruleset: AnyRuleset) -> dict[str, Any]:
    """Return the JSON Schema of `{"facts": […]}`."""
    if not ruleset.facts:
        return {}
    one = Union[ruleset.facts]  # type: ignore[name-defined]  # noqa: UP007  # the kinds are the author's
    schema = params_schema(msgspec.defstruct("Facts", [("facts", tuple[one, ...])]))
    kinds = {kind.tag(): kind for kind in ruleset.facts}
    for name, part in schema["$defs"].items():
        (tag,) = part.get("properties", {}).get("fact", {}).get("enum", [None])
        if tag in kinds:
            schema["$defs"][name] = or_of_rest(kinds[tag], part)
    return {"type": "object", **schema}


def _in_full(kind: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a fact without defaults, so that a setup is stored exactly as it was written."""
    members = kind.get("properties", {}).items()
    return {
        **kind,
        "properties": {
            name: {word: value for word, value in one.items() if word != "default"} for name, one in members
        },
    }


def _words(type_: str) -> tuple[str, ...]:
    return tuple(key(type_.replace("_", " ")).split())


def _ids(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for name, part in schema.items():
            if name == "enum":
                yield from (one for one in part if isinstance(one, str))
            elif name == "const" and isinstance(part, str):
                yield part
            else:
                yield from _ids(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _ids(part)
