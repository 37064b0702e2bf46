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


def digest(document: Any) -> str:
    """The lower-case hex SHA-256 of the canonical bytes."""
    return hashlib.sha256(canonical(document)).hexdigest()
