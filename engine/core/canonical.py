"""Canonical JSON (RFC 8785, JCS) and its SHA-256.

Driftlog's documents contain strings, booleans, null, arrays, objects, and integers within ±(2^53 − 1). For such a
document, msgspec's sorted encoder writes exactly the JCS bytes. (JCS sorts keys by UTF-16 units, and msgspec by
code points. The two orders are the same for Driftlog's keys, which are ASCII.)
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from engine.core.errors import Malformed

LARGEST_INTEGER = 2**53 - 1
"""The largest integer that every JSON parser reads exactly (RFC 8785)."""

_ENCODER = msgspec.json.Encoder(order="sorted")
_ORDERED = msgspec.json.Encoder(order="deterministic")
"""Like `_ENCODER`, but keeps the members of structs in the order of their declaration."""


def canonical(document: Any) -> bytes:
    """Return the JCS bytes of a JSON document or msgspec struct.

    Raises:
        Malformed: a string has an unpaired surrogate, which UTF-8 cannot encode.
    """
    try:
        return _ENCODER.encode(document)
    except UnicodeEncodeError as error:
        raise Malformed("", f"a text is not valid Unicode: {error.reason}") from None


def below(pointer: str, key: str | int) -> str:
    """Append a member name or item index to a JSON pointer (RFC 6901)."""
    return f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"


def check_value(value: Any, pointer: str, deepest: int) -> None:
    """Reject a value that Driftlog's documents cannot contain, or that is nested too deeply.

    Args:
        deepest: the maximum depth of nested objects and arrays.

    Raises:
        Malformed: a value is rejected; the error has the pointer to that value.
    """
    try:
        _check(value, deepest, deepest)
    except Malformed as error:
        raise Malformed(pointer + error.pointer, error.message) from None


def _check(value: Any, left: int, deepest: int) -> None:
    # The pointer is built while an error propagates, so valid values cost nothing.
    if left < 0:
        message = f"nested too deeply: at most {deepest} levels of objects and arrays are allowed"
        raise Malformed("", message)
    match value:
        case str():
            return
        case dict() | list():
            for key, member in value.items() if isinstance(value, dict) else enumerate(value):
                try:
                    _check(member, left - 1, deepest)
                except Malformed as error:
                    raise Malformed(below("", key) + error.pointer, error.message) from None
        case float():
            raise Malformed("", "a number must be whole")
        case int() if abs(value) > LARGEST_INTEGER:
            raise Malformed("", "a number must be whole, and within ±(2^53 − 1)")


def digest(document: Any) -> str:
    """Return the lower-case hex SHA-256 of the canonical bytes."""
    return hashlib.sha256(canonical(document)).hexdigest()


def digests(documents: Sequence[msgspec.Struct]) -> list[str]:
    """Return the `digest` of each struct. The members of the structs must be declared in canonical order."""
    sha256 = hashlib.sha256
    return [sha256(line).hexdigest() for line in _ORDERED.encode_lines(documents).splitlines()]
