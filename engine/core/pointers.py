"""Lines of a JSON document: find the line of the value at an RFC 6901 pointer, to report an error there."""

from __future__ import annotations

from collections.abc import Iterator
from json import JSONDecoder
from typing import Any

_DECODER = JSONDecoder(strict=False)


def line_of(text: str, pointer: str) -> int:
    """Return the line of the value at a pointer; if it is missing, the line of the object that lacks it."""
    at = _next_token(text, 0)
    for key in pointer.split("/")[1:]:
        inside = next((place for name, place in _places(text, at) if name == key), None)
        if inside is None:
            break
        at = inside
    return text.count("\n", 0, at) + 1


def _places(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Yield the key and the position of each value in the object or list at `at`."""
    opening, at, index = text[at], _next_token(text, at + 1), 0
    while opening in "{[" and text[at] not in "}]":
        key, at = _next_value(text, at) if opening == "{" else (str(index), at)
        yield key, at
        _, at = _next_value(text, at)
        index += 1


def _next_value(text: str, at: int) -> tuple[Any, int]:
    """Return the value at `at`, and the position of the token that follows it."""
    value, end = _DECODER.raw_decode(text, at)
    return value, _next_token(text, end)


def _next_token(text: str, at: int) -> int:
    while text[at : at + 1].isspace() or text[at : at + 1] in {",", ":"}:
        at += 1
    return at
