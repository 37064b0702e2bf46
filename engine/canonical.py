"""Canonical JSON (RFC 8785, JCS) and the SHA-256 of it.

Driftlog's documents hold strings, booleans, null, arrays, objects, and integers within ±(2^53 − 1); for these
msgspec's sorted encoder writes exactly the JCS bytes. (JCS sorts keys by UTF-16 units and msgspec by code points: the
same for every key outside the surrogate planes, and Driftlog's keys are ASCII.)
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

_ENCODER = msgspec.json.Encoder(order="sorted")


def canonical(document: Any) -> bytes:
    """The JCS bytes of a JSON document or of a msgspec struct."""
    return _ENCODER.encode(document)


def digest(document: Any) -> str:
    """The lower-case hex SHA-256 of the canonical bytes."""
    return hashlib.sha256(_ENCODER.encode(document)).hexdigest()
