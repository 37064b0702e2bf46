"""Syntax: tokens as acts, each with who did it, what came up, and what was noted; what it means is not asked yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from engine.core.lifecycle import MARKS
from exports.notation.language import Language
from exports.notation.scanning import Misread, Token, Written
from exports.notation.words import HAPPENED, Names, either, key

Tokens = tuple[Token, ...]


class Said(msgspec.Struct, frozen=True):
    """A value of what came up."""

    tokens: Tokens
    group: str = ""
    """What it belongs to, where that is written before it: 'The island'."""

    @property
    def is_unknown(self) -> bool:
        return not self.tokens or all(token.kind == "mark" for token in self.tokens)

    @property
    def text(self) -> str:
        """As it stands there."""
        return text_of(self.tokens)


class Act(msgspec.Struct, frozen=True):
    """What somebody did, as it is written."""

    line: int
    column: int
    actor: int | None
    """The seat that is named."""
    body: Tokens
    """Verb and params."""
    outcomes: tuple[tuple[Said, ...], ...] = ()
    """What came up: several times, where it was done again at once."""
    label: str | None = None
    happened_anyway: bool = False
    marks: tuple[str, ...] = ()
    note: str | None = None
    occurred_at: str | None = None

    @property
    def is_silent(self) -> bool:
        """Whether nothing was done: it is only said."""
        return not self.body and not self.outcomes


def text_of(tokens: Iterable[Token]) -> str:
    """Tokens as the text that they were."""
    return " ".join(token.text for token in tokens)


def act(written: Written | Tokens, language: Language, names: Names) -> Act:
    """The act that is written there.

    Raises:
        Misread: it is none.
    """
    tokens = written.tokens if isinstance(written, Written) else written
    line, column = (written.line, written.column) if isinstance(written, Written) else place(tokens)
    tokens, suffix = _suffix(tokens)
    actor, tokens = _actor(tokens, language, names)
    body, rest = _cut(tokens, "=")
    if rest is None:
        # 'Flood card: Gold Gate', as it is read aloud.
        body, rest = _cut(tokens, ":")
    body, more = _without_marks(body)
    return Act(
        line=line,
        column=column,
        actor=actor,
        body=body,
        outcomes=() if rest is None else tuple(_said(part) for part in parted(rest, "&")),
        marks=(*more, *suffix.marks),
        label=suffix.label,
        happened_anyway=suffix.happened_anyway,
        note=suffix.note,
        occurred_at=suffix.occurred_at,
    )


def place(tokens: Tokens) -> tuple[int, int]:
    """Line and column of the first of them."""
    return (tokens[0].line, tokens[0].column) if tokens else (0, 0)


def parted(tokens: Tokens, by: str) -> list[Tokens]:
    """`tokens` cut at every `by`."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == by:
            parts.append([])
        else:
            parts[-1].append(token)
    return [tuple(part) for part in parts]


def _cut(tokens: Tokens, by: str) -> tuple[Tokens, Tokens | None]:
    for index, token in enumerate(tokens):
        if token.kind == by:
            return tokens[:index], tokens[index + 1 :]
    return tokens, None


class _Suffix(msgspec.Struct):
    label: str | None = None
    happened_anyway: bool = False
    marks: tuple[str, ...] = ()
    note: str | None = None
    occurred_at: str | None = None


def _suffix(tokens: Tokens) -> tuple[Tokens, _Suffix]:
    """What is said of an act, wherever it stands, taken out; marks only from its end: elsewhere `??` is a value."""
    left: list[Token] = []
    found = _Suffix()
    notes: list[str] = []
    for index, token in enumerate(tokens):
        match token.kind:
            case "comment":
                notes.append(token.text)
            case "time":
                found.occurred_at = token.text
            case "label" if not _names_an_event(left):
                found.label = token.text
            case "word" if key(token.text) == HAPPENED and index > 0:
                found.happened_anyway = True
            case _:
                left.append(token)
    marks: list[str] = []
    while left and left[-1].kind == "mark" and not _is_value(left, len(left) - 1):
        marks.append(_mark(left.pop()))
    found.marks = tuple(reversed(marks))
    found.note = " ".join(notes) if notes else None
    return tuple(left), found


_CORRECTING = frozenset({"undo", "amend", "insert", "remove", "reveal"})
_NAMING = _CORRECTING | {"to", "before"}


def _names_an_event(before: Sequence[Token]) -> bool:
    """Whether a label there says which event is meant, as in 'undo to #7', and not what the act itself is called."""
    return bool(before) and key(before[0].text) in _CORRECTING and key(before[-1].text) in _NAMING


def _is_value(tokens: Sequence[Token], index: int) -> bool:
    """Whether a mark stands where a value is to stand."""
    return index > 0 and tokens[index - 1].kind in {"=", ",", "&", ":"}


def _mark(token: Token) -> str:
    if token.text not in MARKS:
        raise Misread(token.line, token.column, f"{token.text} is no mark: {either(MARKS)}")
    return token.text


def _without_marks(tokens: Tokens) -> tuple[Tokens, list[str]]:
    marks = [_mark(token) for token in tokens if token.kind == "mark"]
    return tuple(token for token in tokens if token.kind != "mark"), marks


def _actor(tokens: Tokens, language: Language, names: Names) -> tuple[int | None, Tokens]:
    """Who is named before a colon, or by the whole name before a verb; and what is left."""
    before, after = _cut(tokens, ":")
    if after is not None and before and all(token.kind in {"word", "string"} for token in before):
        given = text_of(before)
        found = names.find(given)
        if len(found) == 1:
            return found[0], after
        line, column = place(before)
        if len(found) > 1:
            called = either([names.names[seat] for seat in found])
            raise Misread(line, column, f"{given} may be {called}: write more of the name")
        if after and not _may_be_verb(before, language):
            known = either(names.names)
            raise Misread(line, column, f"{given} is nobody at this table: {known}")
        return None, tokens
    for length in range(min(len(tokens), 8), 0, -1):
        if all(token.kind == "word" for token in tokens[:length]) and length < len(tokens):
            seat = names.exactly(text_of(tokens[:length]))
            if seat is not None and tokens[length].kind == "word":
                # 'fill star d1' says nothing of a player called Fill: that would be 'Fill: fill star d1'.
                return (None, tokens) if _is_verb(tokens, language) else (seat, tokens[length:])
    return None, tokens


def _is_verb(tokens: Tokens, language: Language) -> bool:
    """Whether they begin with a whole verb."""
    return language.exact([key(token.text) for token in tokens[: language.longest] if token.kind == "word"]) is not None


def _may_be_verb(tokens: Tokens, language: Language) -> bool:
    words = key(text_of(tokens)).split()
    return bool(words) and any(
        any(part.startswith(words[0]) or words[0].startswith(part) for part in verb.words)
        for verb in language.verbs.values()
    )


def _said(tokens: Tokens) -> tuple[Said, ...]:
    """The values of what came up, those after 'The island:' as belonging to that."""
    found: list[Said] = []
    group = ""
    for part in _values(tokens):
        before, after = _cut(part, ":")
        if after is None:
            found.append(Said(part, group))
        else:
            group = text_of(before)
            found.append(Said(after, group))
    return tuple(found)


def _values(tokens: Tokens) -> list[Tokens]:
    """The values between commas; a new one begins, too, with the first word of a line that goes on with the one before
    it.
    """
    parts: list[Tokens] = []
    for part in parted(tokens, ","):
        begin = 0
        for index in range(1, len(part)):
            if part[index].line > part[index - 1].line:
                parts.append(part[begin:index])
                begin = index
        parts.append(part[begin:])
    return parts if any(parts) else []
