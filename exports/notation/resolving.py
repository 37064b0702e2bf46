"""Resolving: what is written after a verb as the params of an action, by the JSON Schema that declares them.

Forgiving in how a thing is called (its name or id, a beginning of either, if one thing alone begins so among what is
legal now, or else among all there is), and strict in what comes of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.core.values import SEAT_IDS, Value
from engine.kit.options import TITLES
from exports.notation.language import Language, Verb
from exports.notation.scanning import Misread, Token
from exports.notation.spelling import Schema, alternatives, is_seat, resolved, tagged
from exports.notation.syntax import Tokens, parted, place, text_of
from exports.notation.words import NOTHING, Names, are_beginnings, either, key, key_of_name, near, slug

Legal = Sequence[Mapping[str, Any]]
"""The params with which an action is legal now, as JSON documents."""
Finding = Callable[[Token], int]
"""The event that a label names."""

_ARTICLES = frozenset({"the", "a", "an"})
_YES, _NO = frozenset({"yes", "true", "y"}), frozenset({"no", "false", "n"})
MOST_TURNED = 4
"""Params that are tried in any order."""
MOST_CUT = 9
"""Words that are tried to be cut into values where no comma stands between them."""


class Resolver:
    """Resolves what is written of one game.

    Args:
        finding: the event that a label names.
    """

    def __init__(self, language: Language, names: Names, finding: Finding) -> None:
        self._language = language
        self._names = names
        self._finding = finding

    def params(self, verb: Verb, tokens: Tokens, legal: Callable[[], Legal]) -> dict[str, Any]:
        """The params that stand after a verb.

        Args:
            legal: those with which it is legal now; asked where what is written may mean several.

        Raises:
            Misread: they are none of it.
        """
        plain = tuple(token for token in tokens if token.kind != "group")
        named: dict[str, Tokens] = {}
        for group in (token for token in tokens if token.kind == "group"):
            named.update(self._named(verb, group))
        positional: list[Tokens] = []
        for part in parted(plain, ",") if plain else []:
            for name, piece in _by_preposition(part, verb.avoided):
                if name is not None and piece:
                    named[name] = piece
                elif piece:
                    positional.append(piece)
        found = {name: self._field(verb, name, piece, legal) for name, piece in named.items()}
        found |= self._positional(verb, positional, [name for name in verb.fields if name not in found], legal)
        missing = [name for name in verb.required if name not in found]
        if missing:
            return self._only(verb, found, missing, legal, place(tokens))
        return found

    def _named(self, verb: Verb, group: Token) -> Iterator[tuple[str, Tokens]]:
        for part in parted(group.inner, ","):
            name, rest = _member(part, verb.fields)
            if name is None or not rest:
                known = either([one.replace("_", " ") for one in verb.fields]) if verb.fields else "nothing"
                raise Misread(*place(part or (group,)), f"in brackets stands a name and what it is: {known}")
            yield name, rest

    def _field(self, verb: Verb, name: str, tokens: Tokens, legal: Callable[[], Legal]) -> Any:
        return self.value(verb.fields[name], verb.schema, tokens, lambda: _values(legal(), name))

    def _positional(
        self, verb: Verb, parts: list[Tokens], open_: list[str], legal: Callable[[], Legal]
    ) -> dict[str, Any]:
        """What has no name, for the params that are still open: those that are required first."""
        order = [name for name in open_ if name in verb.required] or open_
        if len(parts) > len(order):
            order = [*order, *(name for name in open_ if name not in order)]
        if len(order) == 1 and len(parts) > 1 and _is_list(verb.fields[order[0]], verb.schema):
            # 'shore up Misty Marsh, Gold Gate'
            return {order[0]: [item for part in parts for item in self._field(verb, order[0], part, legal)]}
        if len(parts) > len(order):
            line, column = place(parts[len(order)])
            raise Misread(line, column, f"{text_of(parts[len(order)])} is too much: {verb.form()}")
        if len(parts) == 1 and len(order) > 1 and all(token.kind == "word" for token in parts[0]):
            cut = self._cut(verb, parts[0], order, legal)
            if cut is not None:
                return cut
        try:
            return {name: self._field(verb, name, part, legal) for name, part in zip(order, parts, strict=False)}
        except Misread:
            # 'give card Earth Stone, Ben'
            turned = self._turned(verb, parts, order, legal)
            if turned is None:
                raise
            return turned

    def _turned(
        self, verb: Verb, parts: list[Tokens], order: list[str], legal: Callable[[], Legal]
    ) -> dict[str, Any] | None:
        """`parts` in another order than that of the params; None where they fit in none, or in several."""
        found: list[dict[str, Any]] = []
        if not 1 < len(order) <= MOST_TURNED:
            return None
        for names in itertools.permutations(order, len(parts)):
            try:
                one = {name: self._field(verb, name, part, legal) for name, part in zip(names, parts, strict=True)}
            except Misread:
                continue
            if one not in found:
                found.append(one)
        return found[0] if len(found) == 1 else None

    def _cut(self, verb: Verb, tokens: Tokens, order: list[str], legal: Callable[[], Legal]) -> dict[str, Any] | None:
        """Words between which no comma stands, as the values of `order`; None where that can be done in no way, or in
        several.
        """
        found: list[dict[str, Any]] = []
        if not len(order) <= len(tokens) <= MOST_CUT:
            return None
        for cuts in itertools.combinations(range(1, len(tokens)), len(order) - 1):
            ends = (0, *cuts, len(tokens))
            parts = [tokens[begin:end] for begin, end in itertools.pairwise(ends)]
            for names in itertools.permutations(order):
                try:
                    one = {name: self._field(verb, name, part, legal) for name, part in zip(names, parts, strict=True)}
                except Misread:
                    continue
                if one not in found:
                    found.append(one)
        return found[0] if len(found) == 1 else None

    def _only(
        self, verb: Verb, found: dict[str, Any], missing: list[str], legal: Callable[[], Legal], at: tuple[int, int]
    ) -> dict[str, Any]:
        """The one way in which it is legal now with what is written; what is not written follows from it."""
        ways = [one for one in legal() if all(_same(one.get(name), value) for name, value in found.items())]
        if len(ways) == 1:
            return dict(ways[0])
        what = either([name.replace("_", " ") for name in missing])
        raise Misread(*at, f"the {what} is missing: {verb.form()}")

    def value(self, schema: Schema, root: Schema, tokens: Tokens, legal: Callable[[], list[Any]] = list) -> Any:
        """The value that is written, of what `schema` describes; definitions stand in `root`.

        Raises:
            Misread: it is none.
        """
        if schema.get("x-event"):
            return self._event(tokens)
        if schema.get("x-outcome"):
            return exact_outcome(tokens, self._names)
        if len(tokens) == 1 and tokens[0].kind == "json":
            return tokens[0].value
        schema = resolved(schema, root)
        several = tagged(schema, root)
        if several is not None:
            return self._tagged(several, root, tokens)
        titled = schema
        options, may_be_nothing = alternatives(schema, root)
        if may_be_nothing and text_of(tokens) == NOTHING:
            return None
        failed: Misread | None = None
        for option in options:
            try:
                return self._one({**option, TITLES: titled.get(TITLES, {})}, root, tokens, legal)
            except Misread as error:
                failed = failed or error
        assert failed is not None
        raise failed

    def _one(self, schema: Schema, root: Schema, tokens: Tokens, legal: Callable[[], list[Any]]) -> Any:
        several = tagged(schema, root)
        if several is not None:
            return self._tagged(several, root, tokens)
        if "enum" in schema:
            return self._listed(schema, tokens, legal)
        match schema.get("type"):
            case "array":
                return self._list(schema, root, tokens, legal)
            case "object":
                return self._object(schema, root, tokens)
            case "boolean":
                return _choice(tokens, {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}, schema)
            case "integer":
                return _number(tokens)
            case "string":
                return self._text(schema, tokens, legal)
        raise Misread(*place(tokens), "this has to stand as JSON between backticks")

    def _listed(self, schema: Schema, tokens: Tokens, legal: Callable[[], list[Any]]) -> Any:
        given = text_of(tokens)
        if is_seat(schema):
            return self._seat(tokens, legal)
        options = schema["enum"]
        if len(tokens) == 1 and tokens[0].kind == "string" and given in options:
            return given
        called = {option: self._called(option, schema) for option in options}
        return pick(tokens, called, legal)

    def _seat(self, tokens: Tokens, legal: Callable[[], list[Any]]) -> str:
        given = text_of(tokens)
        found = self._names.find(given)
        if len(found) > 1:
            wanted = {value for value in _flat(legal()) if isinstance(value, str)}
            found = [seat for seat in found if SEAT_IDS[seat] in wanted] or found
        if len(found) == 1:
            return SEAT_IDS[found[0]]
        if key(given) in SEAT_IDS:
            return key(given)
        what = "may be" if found else "is none of"
        raise Misread(
            *place(tokens), f"{given} {what} {either([self._names.names[one] for one in found] or self._names.names)}"
        )

    def _called(self, option: Any, schema: Schema) -> list[str]:
        """What a value is called: its id, what a player says, and its title."""
        said = [str(option).replace("_", " ")]
        if isinstance(option, str):
            said.append(self._language.ruleset.value_label(option))
        title = schema.get(TITLES, {}).get(str(option))
        return [*said, title] if title else said

    def _text(self, schema: Schema, tokens: Tokens, legal: Callable[[], list[Any]]) -> str:
        given = text_of(tokens)
        if len(tokens) == 1 and tokens[0].kind == "string":
            return given
        if any(token.kind not in {"word", "string"} for token in tokens):
            raise Misread(*place(tokens), "a text with such signs in it has to stand between quotes")
        known = (
            {value for value in _flat(legal()) if isinstance(value, str)}
            if slug(given) not in self._language.ids
            else set()
        )
        if known:
            called = {
                value: [value.replace("_", " "), self._language.ruleset.value_label(value)] for value in sorted(known)
            }
            try:
                return str(pick(tokens, called, legal))
            except Misread:
                if "pattern" not in schema:
                    raise
        return slug(given) if "pattern" in schema or slug(given) in self._language.ids else given

    def _list(self, schema: Schema, root: Schema, tokens: Tokens, legal: Callable[[], list[Any]]) -> list[Any]:
        if text_of(tokens) == NOTHING:
            return []
        items = schema.get("items", {})
        parts = [piece for part in parted(tokens, "+") for piece in _by_word(part, "and") if piece]
        return [self.value(items, root, part, lambda: list(_flat(legal()))) for part in parts]

    def _object(self, schema: Schema, root: Schema, tokens: Tokens) -> dict[str, Any]:
        if len(tokens) != 1 or tokens[0].kind != "object":
            raise Misread(*place(tokens), "this stands between [ and ], each part with its name")
        return self._members(schema, root, [part for part in parted(tokens[0].inner, ",") if part], tokens[0])

    def _members(self, schema: Schema, root: Schema, parts: Iterable[Tokens], at: Token) -> dict[str, Any]:
        fields = schema.get("properties", {})
        found = {}
        for part in parts:
            name, rest = _member(part, fields)
            if name is None:
                known = either([one.replace("_", " ") for one in fields]) if fields else "nothing"
                raise Misread(*place(part or (at,)), f"each part begins with its name here: {known}")
            if not rest:
                raise Misread(*place(part), f"the {name.replace('_', ' ')} is missing")
            found[name] = self.value(fields[name], root, rest)
        return found

    def _tagged(self, several: tuple[str, dict[str, Schema]], root: Schema, tokens: Tokens) -> dict[str, Any]:
        tag, kinds = several
        if len(tokens) != 1 or tokens[0].kind != "object":
            raise Misread(*place(tokens), f"this stands between [ and ]; it begins with its {tag}")
        first, *rest = parted(tokens[0].inner, ",")
        name = pick(first or tokens, {kind: [kind.replace("_", " ")] for kind in kinds}, list)
        fields = {field: one for field, one in kinds[name]["properties"].items() if field != tag}
        return {tag: name, **self._members({"properties": fields}, root, rest, tokens[0])}

    def _event(self, tokens: Tokens) -> int:
        if len(tokens) != 1 or tokens[0].kind != "label":
            raise Misread(*place(tokens), "this has to name an act by its label, such as #7")
        return self._finding(tokens[0])


def pick(tokens: Tokens, called: Mapping[Any, Sequence[str]], legal: Callable[[], list[Any]]) -> Any:
    """The one of several values that is written: by what it is called, or by an unambiguous beginning of that.

    Raises:
        Misread: it is none of them, or may be several.
    """
    given = text_of(tokens)
    words = key(given).split()
    first = next((index for index, word in enumerate(words) if word not in _ARTICLES), len(words) - 1)
    words, written = words[max(first, 0) :], {" ".join(words), " ".join(words[max(first, 0) :])}
    keys = {value: [key_of_name(name) for name in names] for value, names in called.items()}
    exact = [value for value, names in keys.items() if any(name in written for name in names)]
    found = exact or [
        value for value, names in keys.items() if any(are_beginnings(words, one.split()) for one in names)
    ]
    if len(found) > 1:
        allowed = set(_flat(legal()))
        found = [value for value in found if value in allowed] or found
    if len(found) == 1:
        return found[0]
    names = [names[-1] for value, names in called.items() if value in found] if found else []
    if names:
        raise Misread(*place(tokens), f"{given} may be {either(names[:6])}: write more of it")
    guesses = near(" ".join(words), (names[-1] for names in called.values()))
    hint = f" Is {either(guesses)} meant?" if guesses else ""
    raise Misread(*place(tokens), f"{given or 'This'} is not known here.{hint}")


def exact_outcome(tokens: Tokens, names: Names) -> Value:
    """What came up, as it is written: an id in words, a number, a player's name, or anything between quotes.

    Raises:
        Misread: nothing of that kind.
    """
    given = text_of(tokens)
    if len(tokens) == 1 and tokens[0].kind == "string":
        return given
    if given.isdecimal() and given.isascii() and len(given) < 10:
        return int(given)
    if any(token.kind not in {"word", "string"} for token in tokens) or not slug(given):
        raise Misread(*place(tokens), f"{given or 'this'} is nothing that can come up")
    seat = names.exactly(given)
    return SEAT_IDS[seat] if seat is not None else slug(given)


def _choice(tokens: Tokens, values: Mapping[str, Any], schema: Schema) -> Any:
    called: dict[Any, list[str]] = {}
    for word, value in values.items():
        called.setdefault(value, []).append(word)
    for value, title in schema.get(TITLES, {}).items():
        called.setdefault(values.get(value), []).append(title)
    return pick(tokens, called, list)


def _number(tokens: Tokens) -> int:
    given = text_of(tokens)
    try:
        return int(given) if len(given) < 10 else int("x")
    except ValueError:
        raise Misread(*place(tokens), f"{given} is not a whole number") from None


def _by_preposition(tokens: Tokens, words: frozenset[str]) -> Iterator[tuple[str | None, Tokens]]:
    """`tokens` cut before each of `words`, which names what follows it."""
    name, begin = None, 0
    for index, token in enumerate(tokens):
        if token.kind == "word" and token.text.casefold() in words:
            yield name, tokens[begin:index]
            name, begin = token.text.casefold(), index + 1
    yield name, tokens[begin:]


def _by_word(tokens: Tokens, word: str) -> list[Tokens]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == "word" and token.text.casefold() == word:
            parts.append([])
        else:
            parts[-1].append(token)
    return [tuple(part) for part in parts]


def _member(tokens: Tokens, fields: Iterable[str]) -> tuple[str | None, Tokens]:
    """The field whose name `tokens` begin with, the longest there is, and what follows it."""
    for length in range(min(len(tokens), 6), 0, -1):
        if all(token.kind == "word" and key(token.text) for token in tokens[:length]):
            name = slug(text_of(tokens[:length]))
            if name in fields:
                rest = tokens[length:]
                return name, rest[1:] if rest and rest[0].kind in {":", "="} else rest
    return None, tokens


def _is_list(schema: Schema, root: Schema) -> bool:
    return resolved(schema, root).get("type") == "array"


def _values(legal: Legal, name: str) -> list[Any]:
    return [one[name] for one in legal if name in one]


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _flat(value)
        elif not isinstance(value, dict):
            yield value


def _same(one: Any, other: Any) -> bool:
    return (
        list(one) == list(other)
        if isinstance(one, tuple | list) and isinstance(other, tuple | list)
        else bool(one == other)
    )
