"""JSON Schemas of params, for `Action.ranges`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def members(**properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these members."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def items(values: Sequence[str], least: int, most: int | None = None, *, is_set: bool = True) -> dict[str, Any]:
    """Return the schema of a list of `least` to `most` (default: `least`) of `values`.

    Args:
        is_set: False if a value can occur several times.
    """
    most = least if most is None else most
    if not most:
        return {"const": []}
    return {
        "type": "array",
        "items": {"enum": list(values)},
        "uniqueItems": is_set,
        "minItems": least,
        "maxItems": most,
    }
