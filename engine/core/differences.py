"""Differences between two JSON documents, as a minimal JSON Patch (RFC 6902)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.core.canonical import below


def differences(was: Any, is_: Any) -> tuple[dict[str, Any], ...]:
    """Return the JSON Patch that turns the document `was` into `is_`.

    Objects are compared member by member, and lists of equal length item by item. If the length of a list changes, the
    whole list is replaced: a reader sees the new hand instead of moves of single cards.
    """
    return () if was == is_ else tuple(_differences("", was, is_))


def _differences(path: str, was: Any, is_: Any) -> Iterator[dict[str, Any]]:
    if isinstance(was, dict) and isinstance(is_, dict):
        for key in sorted(was.keys() | is_.keys()):
            if key not in is_:
                yield {"op": "remove", "path": below(path, key)}
            elif key not in was:
                yield {"op": "add", "path": below(path, key), "value": is_[key]}
            elif was[key] != is_[key]:
                yield from _differences(below(path, key), was[key], is_[key])
    elif isinstance(was, list | tuple) and isinstance(is_, list | tuple) and len(was) == len(is_):
        for index, (old, new) in enumerate(zip(was, is_, strict=True)):
            if old != new:
                yield from _differences(below(path, index), old, new)
    else:
        yield {"op": "replace", "path": path, "value": is_}
