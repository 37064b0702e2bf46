"""Parse pieces of the notation into drafts of events, by the JSON Schema of their params."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from engine.core.events import Draft, Explanation
from engine.core.values import SEAT_IDS, Value
from engine.kit.options import TITLES
from engine.kit.rest import REST
from exports.notation.language import Language, Verb, explanation
from exports.notation.spelling import Schema, alternatives, is_nested, is_seat, resolve_reference, tagged_kinds
from exports.notation.syntax import DrawnResult, Item, Items, Unreadable, WrittenPiece, split_items, text_of
from exports.notation.words import NOTHING, Names, key, slug

Finding = Callable[[str], int]
"""Function that returns the number of the event with a label; raises `Unreadable` if there is none."""
_BOOLEANS = {"yes": True, "no": False}


class Exact:
    """Parses the notation as `Speller` writes it, without tolerance."""

    def __init__(self, language: Language, names: Names, finding: Finding) -> None:
        self._language = language
        self._names = names
        self._finding = finding

    def act(self, piece: WrittenPiece, last: int) -> tuple[Verb, str | None, dict[str, Any]]:
        """Return the verb of a piece, the named seat, and the params.

        Args:
            last: the event that a plain `undo` undoes.

        Raises:
            Unreadable: the piece is not in the notation.
        """
        seat = None
        if piece.actor is not None:
            index = self._names.exactly(piece.actor)
            if index is None:
                raise Unreadable
            seat = SEAT_IDS[index]
        words = [key(item.text) if item.kind == "WORD" else "" for item in piece.body]
        if words[:1] == ["undo"] and len(words) == 1:
            return self._language.verbs["undo"], None, {"to": max(last - 1, 1)}
        if words and words[0] in {"amend", "insert", "remove"} and any(i.kind == "LABEL" for i in piece.body):
            return self._language.verbs["amend"], None, self._amend(piece.body, words, last)
        found = self._language.exact(words)
        if found is None:
            raise Unreadable
        verb, count = found
        return verb, seat, self.params(verb, piece.body[count:])

    def _amend(self, body: Items, words: list[str], last: int) -> dict[str, Any]:
        """Parse the params of `amend #7 (Ben: …)`, `insert before #7 (…)` or `remove #7`, and `accept broken`."""
        label = next(item for item in body if item.kind == "LABEL")
        groups = [item.value for item in body if item.kind == "group"]
        how = " ".join(word for word in words if word and word not in {"accept", "broken"})
        params: dict[str, Any] = {"seq": self._finding(label.text)}
        if words[-2:] == ["accept", "broken"]:
            params["accept_broken"] = True
        if how == "remove" and not groups:
            return {**params, "remove": True}
        if how not in {"amend", "insert before"} or len(groups) != 1:
            raise Unreadable
        (inner,) = groups
        verb, seat, given = self.act(inner, last)
        draft = Draft(
            type=verb.type,
            actor=seat if verb.is_action else None,
            params=given,
            outcomes=tuple(self.outcome(one) for one in (inner.draws[0] if inner.draws else ())),
            note=inner.note,
            occurred_at=inner.occurred_at,
            explanation=self.explanation(inner),
        )
        return {**params, "event" if how == "amend" else "insert": msgspec.to_builtins(draft)}

    def explanation(self, piece: WrittenPiece) -> Explanation | msgspec.UnsetType:
        """Return the explanation of a piece.

        Raises:
            Unreadable: it is not an explanation.
        """
        if not piece.explanation:
            return msgspec.UNSET
        try:
            return msgspec.convert(self.params(explanation(), piece.explanation), Explanation)
        except msgspec.ValidationError:
            raise Unreadable from None

    def params(self, verb: Verb, items: Items) -> dict[str, Any]:
        """Return the params that follow a verb.

        Raises:
            Unreadable: the params do not fit the verb.
        """
        found: dict[str, Any] = {}
        parts: list[tuple[str | None, Items]] = []
        plain = tuple(item for item in items if item.kind != "group")
        for group in (item.value for item in items if item.kind == "group"):
            parts += [self._member(part, verb.fields) for part in split_items(group.body, "COMMA")]
        for part in split_items(plain, "COMMA") if plain else []:
            parts += [(name, one) for name, one in _by_preposition(part, verb.avoided_prepositions) if name or one]
        open_ = [name for name in verb.required_params if name not in {name for name, _ in parts}]
        for given, part in parts:
            if given is None and not open_:
                raise Unreadable
            name = open_.pop(0) if given is None else given
            if name in found:
                raise Unreadable
            found[name] = self.value(verb.fields[name], verb.schema, part)
        if open_:
            raise Unreadable
        return found

    def value(self, schema: Schema, root: Schema, items: Items) -> Any:
        """Return the value that some items spell.

        Args:
            schema: the JSON Schema of the value; `root` has its definitions.

        Raises:
            Unreadable: the items are not such a value.
        """
        if not items:
            raise Unreadable
        if schema.get("x-event"):
            return self._event(items)
        if schema.get("x-outcome"):
            return self.outcome(DrawnResult(items))
        if len(items) == 1 and items[0].kind == "JSON":
            return items[0].value
        schema = resolve_reference(schema, root)
        titles = schema.get(TITLES, {})
        options, may_be_nothing = alternatives(schema, root)
        if may_be_nothing and text_of(items) == NOTHING:
            return None
        for option in options[:-1]:
            try:
                return self._one({**option, TITLES: titles}, root, items)
            except Unreadable:
                continue
        return self._one({**options[-1], TITLES: titles}, root, items)

    def outcome(self, drawn: DrawnResult) -> Value | None:
        """Return a result: an id in words, a number, a player's name, or a quoted text; None for an unknown result.

        Raises:
            Unreadable: the result is none of these.
        """
        given = text_of(drawn.items)
        if drawn.is_unknown:
            return None
        if len(drawn.items) == 1 and drawn.items[0].kind == "STRING":
            return given
        if given.isdecimal() and given.isascii() and len(given) < 10:
            return int(given)
        if not slug(given):
            raise Unreadable
        seat = self._names.exactly(given)
        return SEAT_IDS[seat] if seat is not None else slug(given)

    def _one(self, schema: Schema, root: Schema, items: Items) -> Any:
        several = tagged_kinds(schema, root)
        if several is not None:
            return self._parse_tagged(several, root, items)
        given = text_of(items)
        if "enum" in schema:
            return self._parse_choice(schema, given)
        match schema.get("type"):
            case "array":
                parts = [] if given == NOTHING else split_items(items, "PLUS")
                inner = schema.get("items", {})
                if is_nested(inner, root):
                    parts = [part[0].value if _is_object(part) else part for part in parts]
                return [self.value(inner, root, part) for part in parts]
            case "object" if _is_object(items):
                return self._members(schema, root, split_items(items[0].value, "COMMA"))
            case "boolean":
                titles = {key(title): key(name) == "true" for name, title in schema.get(TITLES, {}).items()}
                return _look_up({**titles, **_BOOLEANS}, key(given))
            case "integer" if len(given) < 10 and given.removeprefix("-").isdecimal():
                return int(given)
            case "string" if len(items) == 1 and items[0].kind == "STRING":
                return given
            case "string" if "pattern" in schema or slug(given) in self._language.ids:
                return slug(given)
        raise Unreadable

    def _parse_choice(self, schema: Schema, given: str) -> Any:
        if is_seat(schema) and not (REST in schema["enum"] and key(given) == REST):
            seat = self._names.exactly(given)
            return SEAT_IDS[seat] if seat is not None else _look_up(dict(zip(SEAT_IDS, SEAT_IDS, strict=True)), given)
        called = {slug(title): value for value, title in schema.get(TITLES, {}).items()}
        called |= {slug(str(value)): value for value in schema["enum"]}
        return given if given in schema["enum"] else _look_up(called, slug(given))

    def _member(self, items: Items, fields: dict[str, Schema]) -> tuple[str, Items]:
        for length in range(min(len(items), 6), 0, -1):
            name = slug(text_of(items[:length]))
            if name in fields and all(item.kind == "WORD" and key(item.text) for item in items[:length]):
                return name, items[length:]
        raise Unreadable

    def _members(self, schema: Schema, root: Schema, parts: list[Items]) -> dict[str, Any]:
        fields = schema.get("properties", {})
        named = dict(self._member(part, fields) for part in parts if part)
        return {name: self.value(fields[name], root, rest) for name, rest in named.items()}

    def _parse_tagged(self, several: tuple[str, dict[str, Schema]], root: Schema, items: Items) -> dict[str, Any]:
        member, kinds = several
        if not _is_object(items):
            raise Unreadable
        first, *rest = split_items(items[0].value, "COMMA")
        name = _look_up({kind: kind for kind in kinds}, slug(text_of(first)))
        fields = {field: one for field, one in kinds[name]["properties"].items() if field != member}
        return {member: name, **self._members({"properties": fields}, root, rest)}

    def _event(self, items: Items) -> int:
        if len(items) != 1 or items[0].kind != "LABEL":
            raise Unreadable
        return self._finding(items[0].text)


def _is_object(items: Items) -> bool:
    return len(items) == 1 and items[0].kind == "object"


def _look_up(values: dict[str, Any], given: str) -> Any:
    if given not in values:
        raise Unreadable
    return values[given]


def _by_preposition(items: Items, words: frozenset[str]) -> Iterator[tuple[str | None, Items]]:
    """Split items at `words`. Each word introduces the values after it. Yield the word, or None, with its values."""
    name: str | None = None
    found: list[Item] = []
    for item in items:
        if item.kind == "WORD" and item.text.casefold() in words:
            yield name, tuple(found)
            name, found = item.text.casefold(), []
        else:
            found.append(item)
    yield name, tuple(found)
