"""Scanning: text into tokens, each with its line and column; what stands in brackets is one token with others in it."""

from __future__ import annotations

import json
import re
from typing import Any, Literal

import msgspec

from engine.core import effort

Kind = Literal["word", "string", "json", "object", "group", "comment", "label", "time", "mark", ",", "=", "+", "&", ":"]

_COMMENT = re.compile(r"\{((?:\\.|[^\\}])*)(\}|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\([\\{}nrt_])")
_ESCAPES = {"\\": "\\", "{": "{", "}": "}", "n": "\n", "r": "\r", "t": "\t", "_": " "}
_BLANK = " \t\r\n"
"""What a text may be laid out with; other spaces belong to it."""
_STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"|[“„]([^“”\n]*)[“”]')
_JSON = re.compile(r"`([^`\n]*)`")
_LABEL = re.compile(r"#([^\W_]+)")
_TIME = re.compile(r"@([^\s;()\[\]{}]+)")
_MARK = re.compile(r"[!?]+")
_WORD = re.compile(r"[^\s,;=+&\[\](){}:\"“”„`#@!?]+")
_PAIRS = {"[": ("]", "object"), "(": (")", "group")}
DEEPEST = 24
"""How many brackets may stand within each other."""


class Misread(Exception):
    """Something cannot be read: where, what is wrong, and what it may have been meant for."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column
        self.message = message


class Token(msgspec.Struct, frozen=True):
    """A piece of text."""

    kind: Kind
    line: int
    """From 1."""
    column: int
    """From 1."""
    text: str
    """What it says: a word, what stands between the quotes or the braces, a label without its #."""
    value: Any = None
    """Of JSON: the value."""
    inner: tuple[Token, ...] = ()
    """What stands between the brackets."""


class Written(msgspec.Struct, frozen=True):
    """What stands between two separators."""

    line: int
    column: int
    turn: int | None
    """The number that the line begins with."""
    is_first: bool
    """Whether it is the first on its line."""
    tokens: tuple[Token, ...]
    text: str
    """As it stands there."""


class Tag(msgspec.Struct, frozen=True):
    """A line such as `[Game "Forbidden Island"]`."""

    line: int
    name: str
    value: str


_NAME = re.compile(r"[A-Za-z][\w -]*")
_PLAIN = re.compile(r"([A-Za-z][\w-]*)(?:\s*:|\s)")
"""A tag's name and what parts it from a value without quotes."""
_QUOTED = re.compile(r'["“„\]]')
_GOES_ON = re.compile(r"\n[ \t]*/")
_INDENT = re.compile(r"[^\S\n]*")
_TURN = re.compile(
    r"[^\S\n]*(?:[-*•][^\S\n]+)?(?:(?:turn[^\S\n]+(\d{1,6})[^\S\n]*[.):]?|(\d{1,6})[.)])(?=\s|[^\W\d_]))?[^\S\n]*",
    re.IGNORECASE,
)


def split(text: str) -> list[str]:
    """The games of a text: each begins with its tags, after the lines of the one before."""
    found: list[list[str]] = [[]]
    is_told = False
    for line in text.splitlines(keepends=True):
        is_tag = _tag(line) is not None
        if is_tag and is_told:
            found.append([])
        is_told = not is_tag and (is_told or bool(line.strip()))
        found[-1].append(line)
    return ["".join(lines) for lines in found]


def _tag(line: str) -> tuple[str, str] | None:
    """The name and the value of the tag that a line is, if it is one: in a few steps for each of its characters."""
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
    return (name, value) if is_quoted and name != before and _NAME.fullmatch(name) else None


class Scanner:
    """Reads a text from its beginning to its end, in time that grows with its length."""

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
        self._at = 0
        self._line = 1
        self._line_start = 0
        self._indent = (-1, 0)
        """Where a line begins, and where something stands in it first."""
        self._is_open = False
        """Whether no comment from here on is closed."""

    def read(self) -> tuple[list[Tag], list[Written | Misread]]:
        """The tags, and what stands between the separators; where something cannot be read, what is wrong there."""
        tags: list[Tag] = []
        found: list[Written | Misread] = []
        while self._at < len(self.text):
            effort.spend()
            end = self._end_of_line()
            tag = _tag(self.text[self._at : end]) if self._at == self._line_start else None
            if tag is not None:
                name, value = tag
                tags.append(Tag(self._line, name, _unquoted(value)))
                self._move(end)
                continue
            try:
                one = self._written()
            except Misread as error:
                found.append(error)
                self._move(self._end_of_line())
            else:
                if one is not None:
                    found.append(one)
        return tags, found

    def tokens(self) -> tuple[Token, ...]:
        """The whole text as tokens, where it is one value.

        Raises:
            Misread: something in it cannot be read.
        """
        found: list[Token] = []
        while self._at < len(self.text):
            token = self._token(0)
            if token is not None:
                found.append(token)
        return tuple(found)

    def _written(self) -> Written | None:
        is_first = self._at == self._line_start
        number = None
        if is_first:
            begun = _TURN.match(self.text, self._at)
            assert begun is not None
            number = int(begun[1] or begun[2]) if begun[1] or begun[2] else None
            self._move(begun.end())
        self._skip_spaces()
        line, column, start = self._line, self._column, self._at
        tokens: list[Token] = []
        while self._at < len(self.text):
            one = self.text[self._at]
            if one == ";" or (one == "\n" and not self._goes_on()):
                break
            token = self._token(0)
            if token is not None:
                tokens.append(token)
        text = self.text[start : self._at].strip()
        if self._at < len(self.text):
            self._move(self._at + 1)
        if not tokens and number is None:
            return None
        return Written(line, column, number, is_first, tuple(tokens), text)

    def _goes_on(self) -> bool:
        """Whether the next line goes on with this one: it begins with a stroke."""
        return _GOES_ON.match(self.text, self._at) is not None

    def _token(self, depth: int) -> Token | None:
        """The next token; None for a space, and for the stroke that a line goes on with."""
        line, column, one = self._line, self._column, self.text[self._at]
        if one.isspace():
            self._move(self._at + 1)
            return None
        if one == "/" and self._at == self._first_of_line():
            self._move(self._at + 1)
            return None
        if one in ",=+&:":
            self._move(self._at + 1)
            return Token(one, line, column, one)  # type: ignore[arg-type]  # it is one of them
        if one in _PAIRS:
            return self._bracketed(depth)
        if one == "{":
            return self._comment()
        for kind, pattern in _PATTERNS:
            match = pattern.match(self.text, self._at)
            if match is not None:
                self._move(match.end())
                return self._made(kind, line, column, match)
        raise Misread(line, column, _unexpected(one))

    def _made(self, kind: Kind, line: int, column: int, match: re.Match[str]) -> Token:
        if kind == "string":
            return Token(kind, line, column, _unquoted(match[0]))
        if kind == "json":
            try:
                value = json.loads(match[1])
                json.dumps(value, ensure_ascii=False).encode()
                return Token(kind, line, column, match[1], value)
            except (ValueError, RecursionError):
                raise Misread(line, column, "what stands between backticks has to be JSON") from None
        return Token(kind, line, column, match[1] if match.re.groups else match[0])

    def _bracketed(self, depth: int) -> Token:
        line, column, opening = self._line, self._column, self.text[self._at]
        closing, kind = _PAIRS[opening]
        if depth == DEEPEST:
            raise Misread(line, column, "too many brackets within each other")
        self._move(self._at + 1)
        inner: list[Token] = []
        while self._at < len(self.text) and self.text[self._at] not in "])":
            if self.text[self._at] in ";\n":
                break
            token = self._token(depth + 1)
            if token is not None:
                inner.append(token)
        if self.text[self._at : self._at + 1] != closing:
            raise Misread(line, column, f"this {opening} has no {closing}")
        self._move(self._at + 1)
        return Token(kind, line, column, "", inner=tuple(inner))  # type: ignore[arg-type]  # see `_PAIRS`

    def _comment(self) -> Token:
        line, column = self._line, self._column
        match = None if self._is_open else _COMMENT.match(self.text, self._at)
        if match is None or not match[2]:
            self._is_open = True
            raise Misread(line, column, "this { has no }: a comment stands between them")
        self._move(match.end())
        said = _ESCAPE.sub(lambda found: _ESCAPES[found[1]], match[1].strip(_BLANK))
        return Token("comment", line, column, said)

    @property
    def _column(self) -> int:
        return self._at - self._line_start + 1

    def _move(self, to: int) -> None:
        passed = self.text.count("\n", self._at, to)
        if passed:
            self._line += passed
            self._line_start = self.text.rfind("\n", 0, to) + 1
        self._at = to

    def _skip_spaces(self) -> None:
        at = self._at
        while at < len(self.text) and self.text[at] in " \t":
            at += 1
        self._move(at)

    def _first_of_line(self) -> int:
        if self._indent[0] != self._line_start:
            indent = _INDENT.match(self.text, self._line_start)
            assert indent is not None
            self._indent = (self._line_start, indent.end())
        return self._indent[1]

    def _end_of_line(self) -> int:
        end = self.text.find("\n", self._at)
        return len(self.text) if end < 0 else end + 1


_PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("string", _STRING),
    ("json", _JSON),
    ("label", _LABEL),
    ("time", _TIME),
    ("mark", _MARK),
    ("word", _WORD),
)


def _unquoted(text: str) -> str:
    """What stands between quotes, with the escapes of JSON where they are straight."""
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        try:
            said: str = json.loads(text)
            # An escape may be half of a surrogate pair, which no text has.
            said.encode()
        except ValueError:
            return text[1:-1]
        return said
    if len(text) > 1 and text[0] in "“„" and text[-1] in "“”":
        return text[1:-1]
    return text


def _unexpected(one: str) -> str:
    if one in "])}":
        return f"this {one} closes nothing"
    if one in '"“„”`':
        return f"this {one} is not closed in its line"
    return f"{one} cannot stand here"
