"""Split a text into tags and lines, and parse a line of the notation into pieces (`notation.lark`)."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from engine.core import effort
from engine.core.lifecycle import MARKS, Mark
from exports.notation.words import key

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

_NAMING = frozenset({"undo to", "amend", "insert before", "remove", "reveal"})
"""Words of corrections that precede the label of another event."""
_ESCAPE = re.compile(r"\\([\\{}nrt_])")
_ESCAPES = {"\\": "\\", "{": "{", "}": "}", "n": "\n", "r": "\r", "t": "\t", "_": " "}
_NAME = re.compile(r"[A-Za-z][\w -]*")
_PLAIN = re.compile(r"([A-Za-z][\w-]*)(?:\s*:|\s)")
"""A tag's name, and the separator before an unquoted value."""
_QUOTED = re.compile(r'["“„\]]')
_NOTE = re.compile(r"\{[^{}]*\}")
_BREAK = re.compile(r"\n(?![ \t]*/)")
_BLANK = " \t\r\n"
LONGEST_LINE = 20_000
"""The maximum number of characters of a line that the grammar parses."""


class Unreadable(ValueError):
    """Raised if a line is not in the notation, or has an unknown name."""


class Item(msgspec.Struct, frozen=True):
    """A word, a sign, or a bracketed list of items."""

    kind: str
    """The name of the item's terminal or rule in the grammar."""
    text: str
    value: Any = None
    """The value of a JSON item, or the items in the brackets."""


Items = tuple[Item, ...]


class DrawnResult(msgspec.Struct, frozen=True):
    """A written result of an action or of the setup."""

    items: Items
    part: str = ""
    """The part of the setup to which the result belongs."""

    @property
    def is_unknown(self) -> bool:
        """Return True for `??`."""
        return all(item.kind == "MARK" for item in self.items)


class WrittenPiece(msgspec.Struct, frozen=True):
    """An action, a correction or a remark."""

    column: int = 1
    text: str = ""
    actor: str | None = None
    body: Items = ()
    """The verb and its values."""
    draws: tuple[tuple[DrawnResult, ...], ...] = ()
    """The results. A repeated action has several sets of results."""
    label: str | None = None
    is_illegal: bool = False
    """True if `anyway` follows the piece."""
    explanation: Items = ()
    """The members of the explanation after `because`."""
    marks: tuple[Mark, ...] = ()
    note: str | None = None
    occurred_at: str | None = None

    @property
    def is_silent(self) -> bool:
        """Return True for a remark, mark or label without an action."""
        return not self.body and not self.draws

    @property
    def without_note(self) -> str:
        """The piece as text, without its note."""
        return self.text if self.note is None else _NOTE.sub(" ", self.text)


class Tag(msgspec.Struct, frozen=True):
    """A line such as `[Game "Forbidden Island"]`."""

    line: int
    name: str
    value: str


class Line(msgspec.Struct, frozen=True):
    """A line of the text, with its continuation lines."""

    number: int
    """The number of the first line, from 1."""
    text: str


def split(text: str) -> list[str]:
    """Split a text into games; each begins with its tags."""
    found: list[list[str]] = [[]]
    has_lines = False
    for line in text.splitlines(keepends=True):
        is_tag = tag(line) is not None
        if is_tag and has_lines:
            found.append([])
        has_lines = not is_tag and (has_lines or bool(line.strip()))
        found[-1].append(line)
    return ["".join(lines) for lines in found]


def tag(line: str) -> tuple[str, str] | None:
    """Return the name and value of a tag, in linear time; None if the line is not a tag."""
    line = line.strip()
    if not (line.startswith("[") and line.endswith("]")):
        return None
    inner = line[1:-1].strip()
    quote = _QUOTED.search(inner)
    if quote is None:
        plain = _PLAIN.match(line[1:-1].lstrip())
        return None if plain is None else (plain[1], plain.string[plain.end() :].strip())
    before, value = inner[: quote.start()], inner[quote.start() :]
    name = before.rstrip().removesuffix(":").rstrip()
    is_quoted = len(value) > 1 and value[0] in '"“„' and value[-1] in '"”“'
    return (name, unquote(value)) if is_quoted and name != before and _NAME.fullmatch(name) else None


def lines(text: str) -> tuple[list[Tag], list[Line]]:
    """Return the tags of a text, and its other non-empty lines."""
    tags: list[Tag] = []
    found: list[Line] = []
    number = 1
    for one in _BREAK.split(text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")):
        effort.spend()
        named = tag(one)
        if named is not None:
            tags.append(Tag(number, *named))
        elif one.strip():
            found.append(Line(number, one))
        number += 1 + one.count("\n")
    return tags, found


def pieces(text: str) -> tuple[int | None, tuple[WrittenPiece | None, ...]]:
    """Parse a line into its turn number and its pieces.

    Raises:
        Unreadable: the line is not in the notation.
    """
    from lark.exceptions import UnexpectedInput

    if len(text) > LONGEST_LINE:
        raise Unreadable
    try:
        tree = _parser().parse(text)
        turn, *found = tree.children
        number = None if turn is None else int(str(turn)[:-1])
        return number, tuple(None if one is None else _piece(one, text) for one in found)  # type: ignore[arg-type]
    except (UnexpectedInput, RecursionError, UnicodeEncodeError) as error:
        raise Unreadable from error


def items_of(text: str) -> Items:
    """Parse a value.

    Raises:
        Unreadable: the text is not a value.
    """
    _, found = pieces(text)
    if len(found) != 1 or found[0] is None or found[0].draws or found[0].actor is not None:
        raise Unreadable
    return found[0].body


def text_of(items: Iterable[Item]) -> str:
    """Return the words of some items."""
    return " ".join(item.text for item in items)


def split_items(items: Sequence[Item], kind: str) -> list[Items]:
    """Split items at each `sign`."""
    parts: list[list[Item]] = [[]]
    for item in items:
        if item.kind == kind:
            parts.append([])
        else:
            parts[-1].append(item)
    return [tuple(part) for part in parts]


def unquote(text: str) -> str:
    """Return the text between quotes. Between straight quotes, the escapes of JSON are decoded."""
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        try:
            found: str = json.loads(text)
            # Fail if an escape is only half of a surrogate pair.
            found.encode()
        except ValueError:
            return text[1:-1]
        return found
    if len(text) > 1 and text[0] in "“„" and text[-1] in "“”":
        return text[1:-1]
    return text


@functools.cache
def _parser() -> Lark:
    from lark import Lark

    grammar = files("exports.notation").joinpath("notation.lark").read_text(encoding="utf-8")
    return Lark(grammar, start="line", parser="lalr", maybe_placeholders=True, propagate_positions=True)


def _piece(tree: Tree[Token], text: str) -> WrittenPiece:
    body: Items = ()
    draws: tuple[tuple[DrawnResult, ...], ...] = ()
    suffixes: dict[str, list[str]] = {}
    explanation: Items = ()
    actor = None
    for part in _trees(tree.children):
        match part.data:
            case "actor":
                actor = text_of(map(_item, part.children))
            case "body":
                body = tuple(map(_item, part.children))
            case "draws":
                draws = tuple(tuple(map(_parse_result, _trees(one.children))) for one in _trees(part.children))
            case _:
                token: Any = part.children[0]
                if hasattr(token, "children"):
                    explanation = tuple(map(_item, token.children))
                else:
                    suffixes.setdefault(token.type, []).append(str(token))
    body, labels = _own_labels(body)
    labels += [one[1:] for one in suffixes.get("LABEL", ())]
    return WrittenPiece(
        column=tree.meta.column,
        text=text[tree.meta.start_pos : tree.meta.end_pos].strip(),
        actor=actor,
        body=body,
        draws=draws,
        label=labels[-1] if labels else None,
        is_illegal="ANYWAY" in suffixes,
        explanation=explanation,
        marks=tuple(map(_mark, suffixes.get("MARK", ()))),
        note=" ".join(comment_text(one[1:-1]) for one in suffixes["COMMENT"]) if "COMMENT" in suffixes else None,
        occurred_at=suffixes["TIME"][-1][1:] if "TIME" in suffixes else None,
    )


def _trees(children: Iterable[Any]) -> Iterator[Tree[Token]]:
    return (one for one in children if hasattr(one, "children"))


def _own_labels(body: Items) -> tuple[Items, list[str]]:
    """Separate the own labels of an action from the label of the event that a correction names."""
    own = {
        index
        for index, item in enumerate(body)
        # Not a label but a param: (seq #4), (events #4 + #5)
        if item.kind == "LABEL" and (index == 0 or body[index - 1].text not in {"seq", "events", "+"})
    }
    if own and key(text_of(body[: min(own)])) in _NAMING:
        own.remove(min(own))
    rest = tuple(item for index, item in enumerate(body) if index not in own)
    return rest, [body[index].text for index in sorted(own)]


def _parse_result(tree: Tree[Token]) -> DrawnResult:
    part, *items = tree.children
    name = text_of(map(_item, part.children)) if part is not None else ""  # type: ignore[union-attr]
    return DrawnResult(tuple(map(_item, items)), name)


def _item(one: Any) -> Item:
    if hasattr(one, "children"):
        (inner,) = one.children
        if one.data == "group":
            return Item("group", "", _piece(inner, ""))
        return Item("object", "", tuple(map(_item, inner.children)) if inner is not None else ())
    match one.type:
        case "STRING":
            return Item("STRING", unquote(str(one)))
        case "LABEL":
            return Item("LABEL", str(one)[1:])
        case "JSON":
            try:
                value = json.loads(one[1:-1])
                json.dumps(value, ensure_ascii=False).encode()
            except (ValueError, RecursionError):
                raise Unreadable from None
            return Item("JSON", str(one[1:-1]), value)
    return Item(one.type, str(one))


def _mark(text: str) -> Mark:
    """Return the mark for a sign. People write more signs than the notation defines."""
    return next((mark for mark in reversed(MARKS) if text == mark), "!!" if set(text) == {"!"} else "??")


def comment_text(text: str) -> str:
    """Return the text of a comment between braces."""
    return _ESCAPE.sub(lambda found: _ESCAPES[found[1]], text.strip(_BLANK))
