"""Canonical JSON (RFC 8785, JCS) and the SHA-256 of it.

Driftlog's documents hold strings, booleans, null, arrays, objects, and integers within ±(2^53 − 1); for these
msgspec's sorted encoder writes exactly the JCS bytes. (JCS sorts keys by UTF-16 units and msgspec by code points: the
same for every key outside the surrogate planes, and Driftlog's keys are ASCII.)
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from engine.errors import Malformed

LARGEST_INTEGER = 2**53 - 1
"""The largest whole number that every reader of JSON understands alike (RFC 8785)."""

_ENCODER = msgspec.json.Encoder(order="sorted")


def canonical(document: Any) -> bytes:
    """The JCS bytes of a JSON document or of a msgspec struct.

    Raises:
        Malformed: a text in it holds half of a surrogate pair, which has no UTF-8.
    """
    try:
        return _ENCODER.encode(document)
    except UnicodeEncodeError as error:
        raise Malformed("", f"a text that is not Unicode: {error.reason}") from None


def below(pointer: str, key: str | int) -> str:
    """The pointer (RFC 6901) to a member or an item of what `pointer` leads to."""
    return f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"


def check_value(value: Any, pointer: str, deepest: int) -> None:
    """Refuse what canonical JSON cannot hold, or holds differently elsewhere, and what is nested too deep.

    Args:
        deepest: how many objects and arrays may lie within each other.

    Raises:
        Malformed: with the place, below `pointer`.
    """
    _check(value, pointer, deepest, deepest)


def _check(value: Any, pointer: str, left: int, deepest: int) -> None:
    if left < 0:
        message = f"more than {deepest} objects and arrays within each other: nested deeper than a record may be"
        raise Malformed(pointer, message)
    match value:
        case dict():
            for name, member in value.items():
                _check(member, below(pointer, name), left - 1, deepest)
        case list():
            for index, element in enumerate(value):
                _check(element, below(pointer, index), left - 1, deepest)
        case float():
            raise Malformed(pointer, "a number has to be whole")
        case int() if abs(value) > LARGEST_INTEGER:
            raise Malformed(pointer, "a number has to be whole, and within ±(2^53 − 1)")


def digest(document: Any) -> str:
    """The lower-case hex SHA-256 of the canonical bytes."""
    return hashlib.sha256(canonical(document)).hexdigest()
