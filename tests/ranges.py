"""Random samples of the JSON Schemas that `Action.ranges` returns."""

from __future__ import annotations

import random
from typing import Any

from jsonschema import Draft202012Validator


def sample(schema: dict[str, Any], rng: random.Random) -> Any:
    """Return a random document that fits `schema`; optional members are sometimes omitted."""
    fits = Draft202012Validator(schema).is_valid
    while True:
        document = _guess(schema, rng)
        # A guess obeys all keywords except `not`.
        if fits(document):
            return document


def _guess(schema: dict[str, Any], rng: random.Random) -> Any:
    match schema:
        case {"oneOf": ways}:
            return _guess(rng.choice(ways), rng)
        case {"const": value}:
            return value
        case {"enum": values}:
            return rng.choice(values)
        case {"type": "integer"}:
            return rng.randint(schema["minimum"], schema["maximum"])
        case {"type": "array"}:
            values, count = schema["items"]["enum"], rng.randint(schema["minItems"], schema["maxItems"])
            return rng.sample(values, count) if schema.get("uniqueItems") else rng.choices(values, k=count)
        case {"type": "object"}:
            required = schema.get("required", ())
            named = [name for name in schema["properties"] if name in required or rng.random() < 0.8]
            return {name: _guess(schema["properties"][name], rng) for name in named}
    raise AssertionError(f"no way to guess {schema}")
